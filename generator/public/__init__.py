"""The names for notebooks and scripts; `import generator` offers them, too."""

import warnings

from generator.config import Analysis
from generator.public.figures import figure
from generator.public.memory import save_maps
from generator.public.stored import analyze, judge, load_results
from generator.results.store import Results

__all__ = ["Analysis", "Results", "analyze", "figure", "judge", "load_results", "save_maps"]

warnings.filterwarnings("ignore", message="IProgress not found")  # it would come first, and is about no bar of ours
