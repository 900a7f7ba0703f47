"""The names for notebooks and scripts; `import generator` offers them, too."""

from generator.config import Analysis
from generator.public.figures import figure
from generator.public.stored import analyze, judge, load_results
from generator.results.store import Results

__all__ = ["Analysis", "Results", "analyze", "figure", "judge", "load_results"]
