"""Files that were read or written: recognised by size and time, and by content where these differ."""

import os
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from types import MappingProxyType
from typing import Any

from generator.errors import FieldguideError

FLAT = "*"
"""A place that ends with this part means a folder without its subfolders."""
Files = dict[str, tuple[int, int, str]]
"""Absolute path -> bytes, time of the last change in nanoseconds, sha256."""
Known = Mapping[str, tuple[int, int, str]]
"""The same, of files that may have changed since."""
UNKNOWN: Known = MappingProxyType({})


def look(places: Iterable[str | Path], known: Known = UNKNOWN, but: Collection[str] = ()) -> Files:
    """Every file in these places; those given as texts must be absolute.

    A file that has the size and time of its entry in `known` is not read again. Files and folders in `but` are left
    out.
    """
    found: Files = {}
    listed = (place if isinstance(place, str) else str(place.absolute()) for place in places)
    for path in (file for place in listed for file in _files(place, but)):
        with suppress(FileNotFoundError):  # gone since it was listed
            status = os.stat(path)  # noqa: PTH116 - a site of many models has tens of thousands of files
            size, time = status.st_size, status.st_mtime_ns
            before = known.get(path)
            unchanged = before and before[0] == size and before[1] == time
            found[path] = before if before and unchanged else (size, time, content_of(path))
    return found


def text_of(path: Path, refusal: type[FieldguideError]) -> str:
    """The text of a file that a person wrote. Raises `refusal` for one that cannot be read or is not UTF-8."""
    try:
        raw = path.read_bytes()
        return raw.decode()
    except OSError as error:
        raise refusal(f"Expected to read {path}, found: {error.strerror}; make it readable.") from None
    except UnicodeDecodeError as error:
        line, byte = 1 + raw[: error.start].count(b"\n"), raw[error.start]
        raise refusal(
            f"Expected UTF-8 text in {path}, line {line}, found byte 0x{byte:02x}; save it as UTF-8."
        ) from None


def misnamed(folder: Path) -> str:
    """The sentence about the first file in a folder whose name is no text, perhaps because of the locale; else ""."""
    for path in (folder, *sorted(folder.rglob("*"))):
        if any("\ud800" <= mark <= "\udfff" for mark in str(path)):
            shown, encoding = os.fsencode(path).decode(errors="replace"), sys.getfilesystemencoding()
            if encoding == "utf-8":
                return f"Expected names of files in UTF-8, found {shown}; rename it."
            return (
                f"Expected names of files in UTF-8, found {shown} in a locale with {encoding}; set LC_ALL=C.UTF-8 or "
                "PYTHONUTF8=1."
            )
    return ""


def damaged(files: Files, *, verify: bool = False) -> set[str]:
    """Those of the files that are gone or have another content; without `verify`, the same size and time are enough to
    count as the same.
    """
    found = set()
    for path, (size, time, content) in files.items():
        try:
            status = os.stat(path)  # noqa: PTH116 - as above
            if (verify or status.st_mtime_ns != time or status.st_size != size) and content_of(path) != content:
                found.add(path)
        except OSError:
            found.add(path)
    return found


def same(files: Files, other: Files) -> bool:
    """Whether the same paths have the same contents."""
    return {path: file[2] for path, file in files.items()} == {path: file[2] for path, file in other.items()}


def packed(files: Files) -> dict[str, Any]:
    """The files in a form that JSON can hold: two long texts and two lists of numbers.

    They are read several times as fast as a list for each file.
    """
    sizes, times, contents = zip(*files.values(), strict=True) if files else ((), (), ())
    # No path contains a NUL, and no checksum a space.
    return {"paths": "\0".join(files), "sizes": sizes, "times": times, "contents": " ".join(contents)}


def unpacked(stored: Mapping[str, Any]) -> Files:
    """The reverse of `packed`. Raises KeyError, TypeError, ValueError or AttributeError for anything else."""
    facts = zip(stored["sizes"], stored["times"], stored["contents"].split(), strict=True)
    return dict(zip(stored["paths"].split("\0") if stored["paths"] else (), facts, strict=True))


def content_of(path: str | Path) -> str:
    """The sha256 of a file. Raises OSError."""
    import hashlib  # noqa: PLC0415 - loading it takes as long as looking at a thousand files, and most are unchanged

    digest = hashlib.sha256()
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - as above
        while part := file.read(1 << 16):  # hashlib.file_digest fills a buffer, which takes longer than a small file
            digest.update(part)
    return digest.hexdigest()


def _files(place: str, but: Collection[str]) -> Iterator[str]:
    """Every file in a place, which may itself be a file, without those in `but` and without compiled Python."""
    here, name = os.path.split(place)
    with suppress(FileNotFoundError, NotADirectoryError):
        if name != FLAT and S_ISREG(os.stat(place).st_mode):  # noqa: PTH116 - as above
            yield place
            return
    for folder, below, names in os.walk(here if name == FLAT else place):
        deep = name != FLAT
        below[:] = [
            inner for inner in below if deep and inner != "__pycache__" and f"{folder}{os.sep}{inner}" not in but
        ]
        yield from (path for file in names if (path := f"{folder}{os.sep}{file}") not in but)
