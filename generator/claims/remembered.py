"""How often verdicts agree between parts of a model's results, kept from one build to the next.

To know it each claim is judged again for every two treebanks and for two halves of the text, which costs more than all
else of a build whose results have not changed. What is kept stands under a checksum of all that it is made of.
"""

import json
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from generator.claims.agreement import Agreement, agreements
from generator.claims.bounds import checksum as bounds
from generator.claims.evidence.reading import Stored
from generator.results.manifest import packages
from generator.survey.code import Code
from generator.survey.stale import whole

ROOTS = ("generator.claims.agreement",)


@dataclass
class Agreements:
    """Looks up what a file keeps, and finds out the rest."""

    file: Path
    _used: dict[str, list[Any]] = field(default_factory=dict)
    """The agreements that this build asked for, by checksum."""

    def of(self, results: Stored) -> list[Agreement]:
        """The agreements that `generator.claims.agreement.agreements` finds for all claims."""
        key = whole({"results": results.checksum, "code": _code(), "bounds": bounds(), "packages": packages()})
        found = self._used.get(key, self._kept.get(key))
        if found is None:
            found = [list(one) for one in agreements(results)]
        self._used[key] = found
        return [
            Agreement(first, second, same, judged, tuple(opposite), tuple((claim, a, b) for claim, a, b in changed))
            for first, second, same, judged, opposite, changed in found
        ]

    def save(self) -> None:
        """Keep what this build has asked for, and nothing else."""
        if self._used != self._kept:
            self.file.parent.mkdir(exist_ok=True)
            draft = self.file.with_suffix(".part")
            draft.write_text(json.dumps(self._used), encoding="utf-8")
            draft.replace(self.file)

    @cached_property
    def _kept(self) -> dict[str, list[Any]]:
        """What the file keeps; nothing where it cannot be read, because all of it can be computed again."""
        try:
            kept = json.loads(self.file.read_bytes())
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}


@cache
def _code() -> str:
    """Checksum of the code that judges."""
    return Code().checksum(ROOTS)
