"""The record of the last build: every file that it read or wrote, so that a build with nothing changed ends at once.

It is kept in the folder `build`, outside the site. Reading it needs no library, so it can be done before any is loaded.
"""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from generator import cache
from generator.files import Files, damaged, look, packed, same, unpacked
from generator.topics import OTHERS
from generator.topics.topic import GROUP

STAMP, OUTDATED, KEY, COPIES = Path("build/site.json"), Path("build/site.outdated"), "site", 2
"""The paths below the project of the record and of a mark beside it; the record's key, and how often it stands in its
file: without it nobody knows which files of a site somebody else has put there.
"""
VARIABLE = re.compile(r"\b[A-Z][A-Z_]+\b")
ALWAYS = ("FIELDGUIDE_DATA",)


@dataclass(frozen=True)
class Stamp:
    """A build: its site, what it read, what it wrote."""

    site: str
    settings: str
    """The path of the settings file: in a copy of the project it is another, and the record does not hold there."""
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
    """Whether a change has been seen since, which an empty file beside the record says; pages of unchanged models may
    still be used.
    """
    seconds: float = 0
    """How long the site took to build, analyses not counted."""

    @property
    def size(self) -> str:
        """How large the site is and how long it took, as text."""
        total = sum(size for size, *_ in self.written.values())
        return f"{len(self.written):,} files, {total / 1e6:.1f} MB, built in {self.seconds:.1f} s"

    def holds(self, root: Path, read: Files, *, verify: bool = False) -> bool:
        """Whether `read` has the same content as what the build read, and the site is still as it was written."""
        sources = variables(root) == self.variables and same(read, self.read)
        return sources and not damaged(self.written, verify=verify)


def up_to_date(settings: Path, *, verify: bool = False) -> Path | None:
    """The folder of the site if all that the last build read and wrote is unchanged; None if not, or if only a new
    build can tell.

    A file with the same size and time counts as unchanged; with `verify`, its content is compared, too.
    """
    root = settings.parent
    stamp = load(root)
    if stamp is None or stamp.outdated or not stamp.settled or stamp.settings != str(settings.absolute()):
        return None
    if stamp.holds(root, look(stamp.places, {} if verify else stamp.read), verify=verify):
        return Path(stamp.site)
    if verify:  # sizes and times have not told what is damaged
        save(root, replace(stamp, read={}, models={}))
    else:
        (root / OUTDATED).touch()
    return None


def load(root: Path) -> Stamp | None:
    """The record in a project's folder; None if there is none that can be read."""
    try:
        status = (root / STAMP).stat()
        return replace(_read(root / STAMP, status.st_mtime_ns, status.st_size), outdated=(root / OUTDATED).exists())
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


@lru_cache(maxsize=1)
def _read(path: Path, _time: int, _size: int) -> Stamp:
    """The record, read once in a process unless it is written again. Raises what `load` allows for."""
    stored = json.loads(cache.load(path, KEY, COPIES) or b"")
    return Stamp(**stored | {name: unpacked(stored[name]) for name in ("read", "written")})


def save(root: Path, stamp: Stamp) -> None:
    """Record a finished build in a project's folder."""
    found = vars(stamp) | {"read": packed(stamp.read), "written": packed(stamp.written)}
    cache.save(root / STAMP, KEY, json.dumps(found).encode(), COPIES)
    (root / OUTDATED).unlink(missing_ok=True)


def variables(root: Path) -> dict[str, str | None]:
    """Environment variables that the configuration seems to name, and their values; also which packages have topics."""
    names = VARIABLE.findall((root / "mkdocs.yml").read_text(encoding="utf-8", errors="replace"))
    return {name: os.environ.get(name) for name in sorted({*names, *ALWAYS})} | {GROUP: " ".join(OTHERS)}
