"""The files that pages load for the live view: a field that loads the rest, the view, the worker, a style sheet."""

from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).parent / "assets"
WORKER = ("visible", "measures", "matrix", "tokenizer", "forward", "weights", "worker")
VIEW = ("visible", "measures", "arcs", "maps", "seen", "engine", "elements", "copying", "head", "model", "block")
FIELD = "live.js"


def _scripts(names: tuple[str, ...]) -> tuple[Path, ...]:
    return tuple(FOLDER / f"{name}.js" for name in names)


ASSETS: Mapping[str, tuple[Path, ...]] = {
    FIELD: _scripts(("field",)),
    "live-view.js": _scripts(VIEW),
    "live-worker.js": _scripts(WORKER),
    "live.css": (FOLDER / "live.css",),
}
