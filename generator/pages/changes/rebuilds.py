"""The record of earlier builds: what each changed, and what the last one said of every model.

It is kept in the folder `build`, outside the site, so that it is found wherever the site is written to. As nothing can
make it again, it stands there twice.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from generator import cache
from generator.errors import SiteError
from generator.numbers.number import Number
from generator.pages.changes.known import Change, Found, Judged, Known, changes
from generator.plain import Reader, plain

RECORD, KEY, COPIES = Path("build/changes.json"), "changes", 2
"""The path of the record below the project, its key, and how often it stands in the file."""
KEPT = 12
"""How many builds that changed something are kept."""


class Rebuild(NamedTuple):
    """A build that changed something."""

    date: str
    anchor: str
    """The date, followed by the number of the build on that day if it was not the first."""
    changes: tuple[Change, ...]


class Given(NamedTuple):
    """A verdict, and the day on which a build first found it."""

    date: str
    model: str
    slug: str
    claim: str
    verdict: str


@dataclass(frozen=True)
class Rebuilds:
    """The record of earlier builds."""

    builds: tuple[Rebuild, ...] = ()
    """The newest first."""
    models: Mapping[str, Known] = field(default_factory=dict)
    """What the last build said of each model, by slug."""
    verdicts: tuple[Given, ...] = ()
    """Every verdict that a build has found, the oldest first."""

    def then(self, models: Mapping[str, Known], date: str) -> "Rebuilds":
        """The record after one more build, which is listed only if it changed something."""
        last = {(verdict.slug, verdict.claim): verdict.verdict for verdict in self.verdicts}
        given = (
            Given(date, model.model, slug, claim, item.verdict)
            for slug, model in models.items()
            for claim, item in model.verdicts.items()
            if last.get((slug, claim)) != item.verdict
        )
        known = replace(self, models=models, verdicts=(*self.verdicts, *given))
        changed = tuple(changes(self.models, models))
        if not changed:
            return known
        anchor = _after(next((build.anchor for build in self.builds if build.date == date), ""), date)
        return replace(known, builds=(Rebuild(date, anchor, changed), *self.builds)[:KEPT])

    def save(self, root: Path) -> None:
        """Write the record of this project."""
        cache.save(root / RECORD, KEY, json.dumps(plain(self)).encode(), COPIES)


def _after(last: str, date: str) -> str:
    """The anchor of a build, from that of the last one on its day; counting would forget those no longer kept.

    >>> _after("", "2026-01-02"), _after("2026-01-02", "2026-01-02"), _after("2026-01-02-13", "2026-01-02")
    ('2026-01-02', '2026-01-02-2', '2026-01-02-14')
    """
    return f"{date}-{int(last[len(date) + 1 :] or 1) + 1}" if last else date


READER = Reader(Rebuilds, Rebuild, Change, Given, Known, Judged, Found, Number)


def load(root: Path) -> Rebuilds:
    """The record of this project, which is empty before the first build. Raises SiteError if it cannot be read."""
    path = root / RECORD
    if not path.exists():
        return Rebuilds()
    try:
        found: Rebuilds = READER.read(json.loads(cache.load(path, KEY, COPIES) or b""))
        return found
    except (ValueError, TypeError, KeyError, RecursionError):
        raise SiteError(
            f"Expected a record of earlier builds in {path}, found something else; delete it to begin a new one."
        ) from None
