"""What a build remembers for the next one: entries in files, each sealed by a checksum over its key and its content.

An entry that is missing, damaged, or of another key counts as absent: all of it can be made again. An entry is bytes
and is never run. It is written beside its place and then moved there, so a build that is killed, or another one at the
same time, leaves a whole entry or none. Loading this module loads no library, for builds in which nothing has changed.
"""

import os
import re
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path

NO_NUMBER = "What was remembered is what would be made again."

DRAFT = ".part"
_DRAFT = rf"\.[0-9]+{re.escape(DRAFT)}"
"""Matches what the name of a draft adds to that of its file: the number of the process that writes it."""
ENTRY = re.compile(rf"[0-9a-f]{{64}}({_DRAFT})?")
"""Matches the names of entries and of their drafts; no build wrote a file of another name."""


def load(path: Path, key: str, copies: int = 1) -> bytes | None:
    """The content of a file that holds so many sealed copies of it; None if it is absent."""
    try:
        held = path.read_bytes()
    except OSError:
        return None
    size = len(held) // copies
    for start in range(0, copies * size, size or 1):
        seal, _, content = held[start : start + size].partition(b"\n")
        if seal == _seal(key, content):
            return content
    return None


def save(path: Path, key: str, content: bytes, copies: int = 1) -> None:
    """Seal a file that is alone of its kind; what builds that were killed have left beside it goes. A link in its
    place is followed. Raises OSError.
    """
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    _delete(path.parent, re.compile(re.escape(path.name) + _DRAFT))
    _write(path, key, content, copies)


class Cache:
    """A folder of entries by key; keys may be long."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.used: set[str] = set()
        """The names of the files that were asked for."""

    def read(self, key: str) -> bytes | None:
        """The entry of this key; None if it is absent."""
        return load(self._place(key), key)

    def write(self, key: str, content: bytes) -> None:
        """Keep an entry. Raises OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        _write(self._place(key), key, content)

    def get(self, key: str, make: Callable[[], bytes]) -> bytes:
        """The entry of this key, which is made and kept if it is absent. Raises OSError, and what `make` raises."""
        found = self.read(key)
        if found is None:
            found = make()
            self.write(key, found)
        return found

    def forget(self) -> None:
        """Delete all entries that have not been asked for; what somebody else has put beside them stays."""
        if self.folder.is_dir():
            _delete(self.folder, ENTRY, self.used)

    def _place(self, key: str) -> Path:
        name = _sha256(key.encode())
        self.used.add(name)
        return self.folder / name


def _delete(folder: Path, names: re.Pattern[str], but: Collection[str] = ()) -> None:
    """Delete the files of these names, but no folder."""
    for path in folder.iterdir():
        if names.fullmatch(path.name) and path.name not in but and not path.is_dir():
            path.unlink(missing_ok=True)


def _write(path: Path, key: str, content: bytes, copies: int = 1) -> None:
    # A draft of its own for each process, as two builds may write the same entry at a time.
    draft = path.with_name(f"{path.name}.{os.getpid()}{DRAFT}")
    draft.write_bytes((_seal(key, content) + b"\n" + content) * copies)
    with suppress(FileNotFoundError):  # another build has deleted it, and does without it
        draft.replace(path)


def _seal(key: str, content: bytes) -> bytes:
    return _sha256(key.encode(), b"\n", content).encode()


def _sha256(*parts: bytes) -> str:
    import hashlib  # noqa: PLC0415 - as in `generator.files`

    return hashlib.sha256(b"".join(parts)).hexdigest()
