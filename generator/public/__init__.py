"""The names for notebooks and scripts; `import generator` offers them, too."""

from generator.config import Analysis
from generator.public.figures import figure
from generator.public.memory import save_maps
from generator.public.results import Results
from generator.public.sentence import arcs
from generator.public.stored import analyze, judge, load_results

__all__ = ["Analysis", "Results", "analyze", "arcs", "figure", "judge", "load_results", "save_maps"]
