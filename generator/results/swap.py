"""Replaces a folder as a whole: the new one is written beside it and then moved, so a killed run leaves the old or the
new folder and never a half-written one.

What both have in common may be moved, and what somebody else has put into the old one is; the next run gives back what
a killed one has moved.
"""

import errno
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ASIDE = ".replaced"
"""Ending of the name that a folder has while it is being replaced."""
NEW, STAYING, WORKSHOP = "new", "staying.json", "workshop"
"""Names in a temporary folder, of which it has no others: the fresh folder, the list of what is moved into it, and a
folder for what is made on the way.
"""
NAMED = 10
"""How many files and folders of others a note names."""
RANDOM = "[a-z0-9_]{8}"
"""Matches how the name of a temporary folder ends."""


@contextmanager
def replacing(folder: Path, staying: Sequence[str] = ()) -> Iterator[Path]:
    """A fresh folder to be filled inside the block, which then replaces `folder`. Raises OSError.

    `staying` names files and folders of `folder`, none of which the block may make, that are moved into the fresh one.
    Where a symbolic link is in its place, the folder to which it leads is replaced.
    """
    folder = Path(os.path.realpath(folder))
    if folder.exists() and not folder.is_dir():  # what someone keeps under this name is not ours to replace
        raise NotADirectoryError(errno.ENOTDIR, "a file in its place", str(folder))
    _tidy(folder)
    with tempfile.TemporaryDirectory(prefix=_temporary(folder), dir=folder.parent) as temporary:
        fresh = Path(temporary) / NEW
        fresh.mkdir()
        yield fresh
        _replace(folder, fresh, staying)


def stays(folder: Path, names: Sequence[str]) -> str:
    """A note of what somebody else has put into a folder; most of many go without their names."""
    more = " and more" if len(names) > NAMED else ""
    return f"Stays in {folder}, as no build wrote it: {', '.join(names[:NAMED])}{more}."


def foreign(folder: Path, fresh: Path | None, ours: Callable[[str], bool], but: Sequence[str] = ()) -> list[str]:
    """What somebody else has put into a folder, none of it below `but`: files, and folders that hold nothing else, by
    their names in it; `ours` tells of the name of a file whether we wrote it.

    All of it can stay where `fresh`, if one is to, replaces the folder. Raises FileExistsError for a file of which
    that is not true.
    """
    known = {*but}

    def split(at: str) -> tuple[bool, list[str]]:
        """Whether a folder holds something of ours, and what it holds of others."""
        own, theirs = False, list[str]()
        for dir_entry in sorted(os.scandir(folder / at), key=lambda one: one.name):
            name = f"{at}/{dir_entry.name}" if at else dir_entry.name
            if dir_entry.is_dir(follow_symlinks=False) and name not in known:
                some, others = split(name)
                own, theirs = own or some, theirs + others
            elif name in known or ours(name):
                own = True
            else:
                theirs.append(name)
        return own, [at] if theirs and not own and at and not (fresh and os.path.lexists(fresh / at)) else theirs

    _, found = split("") if folder.is_dir() else (False, [])
    if fresh is None:
        return found
    for name in found:
        above = [*Path(name).parents][:-1]
        if os.path.lexists(fresh / name) or any((fresh / path).is_file() for path in above):
            raise FileExistsError(errno.EEXIST, f"{name}, which somebody else has put there", str(folder))
    return found


def aside(folder: Path) -> Path:
    """The path to which a folder is moved while another takes its place."""
    return folder.with_name(f".{folder.name}{ASIDE}")


def beside(path: Path) -> Path:
    """The reverse of `aside`: the folder that stands at `path` while it is replaced."""
    return path.with_name(path.name[1 : -len(ASIDE)])


def _replace(folder: Path, fresh: Path, staying: Sequence[str]) -> None:
    """Replace a folder; none can be renamed over it, so the old one is first moved to where it would be found again."""
    for parent in {name.rpartition("/")[0] for name in staying}:
        (fresh / parent).mkdir(parents=True, exist_ok=True)
    fresh.with_name(STAYING).write_text(json.dumps(list(staying)), encoding="utf-8")
    if folder.exists():
        folder.rename(aside(folder))
    try:
        for name in staying:
            os.rename(f"{aside(folder)}/{name}", f"{fresh}/{name}")  # noqa: PTH104 - pathlib takes longer, for thousands
        fresh.rename(folder)
    finally:
        _tidy(folder, temporary=False)


def _tidy(folder: Path, *, temporary: bool = True) -> None:
    """Undo or finish a replacement of this folder that was interrupted, and remove what it left, but nothing that
    somebody else has put beside it. Raises FileExistsError where that is in the way.
    """
    left, old = _left(folder), aside(folder)
    if folder.exists():
        _clear(old, left)
    elif _is_folder(old):
        for path in left:
            _give_back(path, old)
        old.rename(folder)
    for path in left if temporary else ():
        shutil.rmtree(path)


def _left(folder: Path) -> list[Path]:
    """The temporary folders of runs that were killed while they replaced this folder."""
    name = re.compile(re.escape(_temporary(folder)) + RANDOM)
    found = (path for path in folder.parent.iterdir() if name.fullmatch(path.name) and _is_folder(path))
    return [path for path in found if {*os.listdir(path)} <= {NEW, STAYING, WORKSHOP}]  # noqa: PTH208 - names


def _clear(old: Path, left: Sequence[Path]) -> None:
    """Remove a folder that has been replaced: beside it is the list of what was moved, but no longer a fresh folder."""
    ours = any((path / STAYING).exists() and not (path / NEW).exists() for path in left)
    if _is_folder(old) and (ours or not any(old.iterdir())):
        shutil.rmtree(old)
    if os.path.lexists(old):
        raise FileExistsError(errno.EEXIST, f"{old.name} beside it, which somebody else has put there", str(old))


def _is_folder(path: Path) -> bool:
    """Whether a folder is there, and no link."""
    return path.is_dir() and not path.is_symlink()


def _give_back(temporary: Path, old: Path) -> None:
    """Move back what was moved out of the old folder, which is listed before it steps aside."""
    listed = temporary / STAYING
    for name in json.loads(listed.read_text(encoding="utf-8")) if listed.exists() else ():
        if (temporary / NEW / name).exists():
            (temporary / NEW / name).rename(old / name)


def _temporary(folder: Path) -> str:
    """Prefix of the names of temporary folders in which a replacement of this one is written; no slug has a `~`."""
    return f".{folder.name}~"
