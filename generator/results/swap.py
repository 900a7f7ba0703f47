"""A folder is written beside its place and moved into it: a killed run leaves the old one or the new, never half."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ASIDE = ".replaced"
"""Ends the name of a folder that is being replaced."""


@contextmanager
def replacing(folder: Path) -> Iterator[Path]:
    """A fresh folder to be filled, which then takes the place of that one. Raises OSError."""
    _tidy(folder)
    with tempfile.TemporaryDirectory(prefix=_temporary(folder), dir=folder.parent) as temporary:
        fresh = Path(temporary) / "new"
        fresh.mkdir()
        yield fresh
        _replace(folder, fresh)


def aside(folder: Path) -> Path:
    """The path to which a folder is moved while another takes its place."""
    return folder.with_name(f".{folder.name}{ASIDE}")


def beside(path: Path) -> Path:
    """The folder that stepped aside to a path."""
    return path.with_name(path.name[1 : -len(ASIDE)])


def _replace(folder: Path, fresh: Path) -> None:
    """A folder cannot be renamed over another, so the old one steps aside under a name by which it is found."""
    if folder.exists():
        folder.rename(aside(folder))
    try:
        fresh.rename(folder)
    finally:
        _tidy(folder, temporary=False)


def _tidy(folder: Path, *, temporary: bool = True) -> None:
    """Undo or finish a replacement of this folder that was cut short, and remove what it left."""
    if aside(folder).exists():
        if folder.exists():
            shutil.rmtree(aside(folder))
        else:
            aside(folder).rename(folder)
    for left in folder.parent.glob(f"{_temporary(folder)}*") if temporary else ():
        shutil.rmtree(left)


def _temporary(folder: Path) -> str:
    """The beginning of the names of folders in which a replacement of this one is written; no slug has a `~`."""
    return f".{folder.name}~"
