"""Keeps from one build to the next what takes long to compute of a model's results: the verdict on every claim, how
often verdicts agree between parts of the results, and what pages about all models say of the verdicts.

For the agreement, each claim is judged again on every two treebanks and on two halves of the text. Each set of results
has a file of its own, named by a checksum of all that its entries are made from. Of a judgement what follows from the
claim itself is left out.
"""

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from generator.claims import CLAIMS
from generator.claims.agreement import Agreement, agreements
from generator.claims.bounds import checksum as bounds
from generator.claims.claim import Finding, Judgement
from generator.claims.evidence.reading import Stored
from generator.claims.missing import ByConstruction, Impossible, NotTestable, Uncounted
from generator.claims.published import published
from generator.home import PACKAGE
from generator.numbers.number import Number
from generator.results.manifest import checksum_of, packages

AGREEMENTS, JUDGEMENTS, TOLD = "agreements", "judgements", "told"
BY_ID = {claim.id: claim for claim in CLAIMS}
REASONS = {kind.__name__: kind for kind in (NotTestable, Uncounted, ByConstruction, Impossible)}
FIELDS = ("verdict", "reason", "handful", "power", "language")
"""Fields of a judgement that are written unchanged."""


@dataclass
class Remembered:
    """Returns judgements and agreements that a folder keeps; agreements that it does not have are computed."""

    folder: Path
    _used: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The entries that this build asked for: checksum -> kind -> entries."""
    _sizes: dict[str, dict[str, int]] = field(default_factory=dict)
    """Checksum -> kind -> how many entries the folder has; entries are added, never changed."""

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
        return found and [_judgement_of(one, results.manifest.model) for one in found]

    def judged(self, results: Stored) -> bool:
        """Whether both the judgements and the agreements of these results are kept."""
        return {AGREEMENTS, JUDGEMENTS} <= self.entries(results).keys()

    def tell(self, results: Stored, judgements: Sequence[Judgement]) -> None:
        """Keep the judgements of all claims."""
        self.entries(results)[JUDGEMENTS] = [_plain(one) for one in judgements]

    def told(self, results: Stored) -> dict[str, str]:
        """What pages about all models say of the verdicts for this one; what is added to it will be kept."""
        told: dict[str, str] = self.entries(results).setdefault(TOLD, {})
        return told

    def save(self) -> None:
        """Keep what this build has asked for, and nothing else."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for key, entries in self._used.items():
            if _sizes(entries) != self._sizes.get(key):
                draft = self.folder / f"{key}.part"
                draft.write_text(json.dumps(entries), encoding="utf-8")
                draft.replace(self._file(key))
        for path in {*self.folder.iterdir()} - {*map(self._file, self._used)}:
            path.unlink()

    def entries(self, results: Stored) -> dict[str, Any]:
        """What is kept about these results, by kind; what is added to it will be kept."""
        key = checksum_of({"results": results.checksum, "code": _code(), "bounds": bounds(), "packages": packages()})
        if key not in self._used:
            self._used[key] = self._read(key)
            self._sizes[key] = _sizes(self._used[key])
        return self._used[key]

    def _file(self, key: str) -> Path:
        return self.folder / f"{key}.json"

    def _read(self, key: str) -> dict[str, Any]:
        """What the folder keeps; nothing where it cannot be read, because all of it can be computed again."""
        try:
            kept = json.loads(self._file(key).read_bytes())
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) and all(isinstance(one, list | dict) for one in kept.values()) else {}


def _sizes(entries: dict[str, Collection[Any]]) -> dict[str, int]:
    return {kind: len(some) for kind, some in entries.items()}


@cache
def _code() -> str:
    """Checksum of the whole program. To find only the code that judges would take a second and save little: after any
    change of the program the pages of all models are made again, which takes much longer than to judge.
    """
    code = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        code.update(path.read_bytes())
    return code.hexdigest()


def _plain(item: Judgement) -> dict[str, Any]:
    """A judgement as plain values, ready for JSON."""
    decides = next((at for at, one in enumerate(item.findings) if one is item.decides), None)
    first = Number(item.value, item.low, item.high, item.n)
    told = {name: getattr(item, name) for name in FIELDS}
    return {"id": item.claim.id, "first": _numbers(first), "decides": decides, **told} | {
        "findings": [
            (
                None if one.number is None else _numbers(one.number),
                one.verdict,
                None if one.missing is None else (type(one.missing).__name__, str(one.missing)),
                [(int(layer), int(head)) for layer, head in one.heads],
                None if one.null is None else _numbers(one.null),
            )
            for one in item.findings
        ]
    }


def _judgement_of(kept: dict[str, Any], model: str) -> Judgement:
    """The judgement that `_plain` wrote as these values."""
    claim, (value, low, high, n) = BY_ID[kept["id"]], kept["first"]
    findings = tuple(
        Finding(
            part,
            None if number is None else Number(*number),
            verdict,
            None if missing is None else _reason(*missing),
            tuple(map(tuple, heads)),
            None if null is None else Number(*null),
        )
        for part, (number, verdict, missing, heads, null) in zip(claim.parts, kept["findings"], strict=True)
    )
    return Judgement(
        claim=claim,
        model=model,
        value=value,
        low=low,
        high=high,
        n=n,
        unit=claim.parts[0].unit if claim.parts else "",
        threshold=claim.threshold,
        published=tuple(map(published, claim.published)),
        findings=findings,
        decides=None if kept["decides"] is None else findings[kept["decides"]],
        **{name: kept[name] for name in FIELDS},
    )


def _numbers(number: Number) -> list[float | int]:
    return [float(number.value), float(number.low), float(number.high), int(number.n)]


def _reason(kind: str, text: str) -> NotTestable:
    return NotTestable.__new__(REASONS[kind], text)  # past __init__: the text has what a kind puts first
