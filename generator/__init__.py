"""Fieldguide: observe, measure and show what the attention heads of an encoder do.

The names for notebooks and scripts are those of `generator.public`. They are loaded when one of them is first used, so
that importing the package costs nothing.
"""

import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["Analysis", "Results", "analyze", "arcs", "figure", "judge", "load_results", "save_maps"]

if TYPE_CHECKING:
    from generator.public import Analysis, Results, analyze, arcs, figure, judge, load_results, save_maps
else:

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        # libraries say so in a notebook as soon as they are loaded, and it is about no bar of ours
        warnings.filterwarnings("ignore", message="IProgress not found")
        return getattr(import_module("generator.public"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
