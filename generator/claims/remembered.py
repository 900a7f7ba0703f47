"""Keeps from one build to the next what takes long to compute of a model's results: the verdict on every claim, and how
often verdicts agree between parts of the results.

For the agreement, each claim is judged again on every two treebanks and on two halves of the text. Entries are kept
under a checksum of all that they are made from.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from generator.claims.agreement import Agreement, agreements
from generator.claims.bounds import checksum as bounds
from generator.claims.claim import Judgement
from generator.claims.evidence.reading import Stored
from generator.claims.plain import judgement_of, plain
from generator.home import PACKAGE
from generator.results.manifest import checksum_of, packages

AGREEMENTS, JUDGEMENTS = "agreements", "judgements"


@dataclass
class Remembered:
    """Returns judgements and agreements that a file keeps; agreements that it does not have are computed."""

    file: Path
    _used: dict[str, dict[str, list[Any]]] = field(default_factory=dict)
    """The entries that this build asked for: checksum -> kind -> entries."""

    def agreements(self, results: Stored) -> list[Agreement]:
        """The agreements that `generator.claims.agreement.agreements` finds for all claims."""
        known = self.entries(results)
        if AGREEMENTS not in known:
            known[AGREEMENTS] = [list(one) for one in agreements(results)]
        return [
            Agreement(first, second, same, judged, tuple(opposite), tuple((claim, a, b) for claim, a, b in changed))
            for first, second, same, judged, opposite, changed in known[AGREEMENTS]
        ]

    def judgements(self, results: Stored) -> list[Judgement] | None:
        """The judgements of all claims, in their order; None where none are kept."""
        found = self.entries(results).get(JUDGEMENTS)
        return found and [judgement_of(one, results.manifest.model) for one in found]

    def tell(self, results: Stored, judgements: Sequence[Judgement]) -> None:
        """Keep the judgements of all claims."""
        self.entries(results)[JUDGEMENTS] = [plain(one) for one in judgements]

    def save(self) -> None:
        """Write to the file what this build has asked for, and nothing else."""
        text = json.dumps(self._used)
        if not self.file.is_file() or self.file.read_text(encoding="utf-8") != text:
            self.file.parent.mkdir(exist_ok=True)
            draft = self.file.with_suffix(".part")
            draft.write_text(text, encoding="utf-8")
            draft.replace(self.file)

    def entries(self, results: Stored) -> dict[str, list[Any]]:
        """What is kept about these results, by kind; what is added to it will be kept."""
        key = checksum_of({"results": results.checksum, "code": _code(), "bounds": bounds(), "packages": packages()})
        return self._used.setdefault(key, dict(self._kept.get(key, {})))

    @cached_property
    def _kept(self) -> dict[str, dict[str, list[Any]]]:
        """What the file keeps; nothing where it cannot be read, because all of it can be computed again."""
        try:
            kept = json.loads(self.file.read_bytes())
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) and all(isinstance(one, dict) for one in kept.values()) else {}


@cache
def _code() -> str:
    """Checksum of the whole program. To find only the code that judges would take a second and save little: after any
    change of the program the pages of all models are made again, which takes much longer than to judge.
    """
    code = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        code.update(path.read_bytes())
    return code.hexdigest()
