"""The record of the last build: every file that it read or wrote, so that a build with nothing changed ends at once.

It is kept in the folder `build`, outside the site. Reading it needs no library, so it can be done before any is loaded.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from stat import S_ISREG

STAMP = Path("build/site.json")
FLAT = "*"
"""A place that ends with this part means a folder without its subfolders."""
VARIABLE = re.compile(r"\b[A-Z][A-Z_]+\b")
ALWAYS = ("FIELDGUIDE_DATA",)

Files = dict[str, tuple[int, int, str]]
"""Path -> bytes, time of the last change in nanoseconds, sha256."""


@dataclass(frozen=True)
class Stamp:
    """A build: its site, what it read, what it wrote."""

    site: str
    settings: str
    """The path of the settings file, which is another one in a copy of the project."""
    variables: Mapping[str, str | None]
    """The environment variables that the configuration may read."""
    places: tuple[str, ...]
    """The places that the build read: files, folders, and folders without their subfolders."""
    read: Files
    written: Files
    settled: bool
    """Whether only these files can change the result of a build: no model failed, and none can change on the hub."""
    models: Mapping[str, str] = field(default_factory=dict)
    """Slug of a model -> checksum of all that its pages were made of."""
    outdated: bool = False
    """Whether a change has been seen since; pages of unchanged models may still be used."""

    def holds(self, root: Path, read: Files, known: Files) -> bool:
        """Whether `read` has the same content as what the build read, and the site is still as it was written."""
        same = variables(root) == self.variables
        return same and _same(read, self.read) and _same(look(self.written, known), self.written)


def up_to_date(settings: Path, *, verify: bool = False) -> Path | None:
    """The folder of the site if all that the last build read and wrote is unchanged; None if not, or if only a new
    build can tell.

    A file with the same size and time counts as unchanged; with `verify`, its content is compared, too.
    """
    root = settings.parent
    stamp = load(root)
    if stamp is None or stamp.outdated or not stamp.settled or stamp.settings != str(settings.absolute()):
        return None
    known = {} if verify else stamp.read | stamp.written
    if stamp.holds(root, look(stamp.places, known), known):
        return Path(stamp.site)
    if verify:  # sizes and times have not told what is damaged
        (root / STAMP).unlink()
    else:
        _write(root, replace(stamp, outdated=True))
    return None


def look(places: Iterable[str | Path], known: Mapping[str, tuple[int, int, str]] | None = None) -> Files:
    """Every file in these places, which must be absolute if they are texts; a file whose size and time are `known` is
    not read again.
    """
    found: Files = {}
    listed = (place if isinstance(place, str) else str(place.absolute()) for place in places)
    for path in (file for place in listed for file in _files(place)):
        with suppress(FileNotFoundError):  # gone since it was listed
            status = os.stat(path)  # noqa: PTH116 - a site of many models has tens of thousands of files
            size, time = status.st_size, status.st_mtime_ns
            before = (known or {}).get(path)
            if before and tuple(before[:2]) == (size, time):
                found[path] = size, time, before[2]
            else:
                with Path(path).open("rb") as file:
                    found[path] = size, time, hashlib.file_digest(file, "sha256").hexdigest()
    return found


def load(root: Path) -> Stamp | None:
    """The record in a project's folder; None if there is none that can be read."""
    try:
        return Stamp(**json.loads((root / STAMP).read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def save(
    settings: Path,
    site: Path,
    places: Iterable[Path],
    read: Files,
    *,
    settled: bool,
    models: Mapping[str, str],
    known: Files,
) -> None:
    """Record a finished build; files of the site whose size and time are `known` are not read again."""
    root = settings.parent
    stamp = Stamp(
        site=str(site),
        settings=str(settings.absolute()),
        variables=variables(root),
        places=tuple(str(place.absolute()) for place in places),
        read=read,
        written=look([site], known),
        settled=settled,
        models=models,
    )
    _write(root, stamp)


def _write(root: Path, stamp: Stamp) -> None:
    (root / STAMP).parent.mkdir(exist_ok=True)
    draft = (root / STAMP).with_suffix(".part")
    draft.write_text(json.dumps(vars(stamp)), encoding="utf-8")
    draft.replace(root / STAMP)


def _files(place: str) -> Iterator[str]:
    """Every file in a place, which may itself be a file."""
    here, name = os.path.split(place)
    with suppress(FileNotFoundError, NotADirectoryError):
        if name != FLAT and S_ISREG(os.stat(place).st_mode):  # noqa: PTH116 - as above
            yield place
            return
    for folder, below, names in os.walk(here if name == FLAT else place):
        below[:] = [] if name == FLAT else [one for one in below if one != "__pycache__"]
        yield from (f"{folder}{os.sep}{one}" for one in names)


def _same(one: Files, other: Mapping[str, tuple[int, int, str]]) -> bool:
    return {path: file[2] for path, file in one.items()} == {path: file[2] for path, file in other.items()}


def variables(root: Path) -> dict[str, str | None]:
    """Environment variables that the configuration seems to name, and their values."""
    names = VARIABLE.findall((root / "mkdocs.yml").read_text(encoding="utf-8", errors="replace"))
    return {name: os.environ.get(name) for name in sorted({*names, *ALWAYS})}
