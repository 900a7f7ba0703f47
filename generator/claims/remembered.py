"""Keeps from one build to the next what takes long to compute of a model's results: the verdict on every claim, how
often verdicts agree between parts of the results, and what pages say of the model.

For the agreement, each claim is judged again on every two treebanks and on two halves of the text. Each set of results
has an entry of its own, whose key is a checksum of all that it is made from. Of a judgement what follows from the claim
itself is left out.
"""

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from generator.cache import Cache
from generator.claims.agreement import Agreement, agreements
from generator.claims.all import CLAIMS
from generator.claims.bounds import checksum as bounds
from generator.claims.claim import Finding, Judgement
from generator.claims.evidence.reading import Stored
from generator.claims.missing import ByConstruction, Impossible, NotTestable, Unasked, Uncounted
from generator.claims.published import published
from generator.home import DATA
from generator.numbers.number import Number
from generator.plain import Reader, plain
from generator.results.manifest import checksum_of, packages
from generator.topics import PROGRAM

AGREEMENTS, JUDGEMENTS, SENTENCES = "agreements", "judgements", "sentences"
BY_ID = {claim.id: claim for claim in CLAIMS}
REASONS = {kind.__name__: kind for kind in (NotTestable, Uncounted, Unasked, ByConstruction, Impossible)}
FIELDS = ("verdict", "reason", "handful", "power", "language")
"""Fields of a judgement that are written unchanged."""
READER = Reader(Agreement, Number)


class Remembered:
    """Returns judgements and agreements that a folder keeps; agreements that it does not have are computed."""

    def __init__(self, folder: Path) -> None:
        self._cache = Cache(folder)
        self._used: dict[str, dict[str, Any]] = {}
        """Key -> the entry of a set of results that this build asked for: kind -> what is kept, ready for JSON."""
        self._sizes: dict[str, int] = {}
        """Key -> the size of the entry as it was read; it is added to, and never changed."""

    def agreements(self, results: Stored) -> list[Agreement]:
        """The agreements that `generator.claims.agreement.agreements` finds for all claims."""
        known = self.entries(results)
        if AGREEMENTS not in known:
            known[AGREEMENTS] = plain(agreements(results))
        found: list[Agreement] = READER.read(known[AGREEMENTS])
        return found

    def judgements(self, results: Stored) -> list[Judgement] | None:
        """The judgements of all claims, in their order; None where none are kept."""
        found = self.entries(results).get(JUDGEMENTS)
        return found and [_judgement_of(results.manifest.model, *READER.read(item)) for item in found]

    def tell(self, results: Stored, judgements: Sequence[Judgement]) -> None:
        """Keep the judgements of all claims."""
        self.entries(results)[JUDGEMENTS] = [plain(_parts(judgement)) for judgement in judgements]

    def sentences(self, results: Stored) -> dict[str, str]:
        """What pages about all models say of the verdicts for this one; what is added to it will be kept."""
        texts: dict[str, str] = self.entries(results).setdefault(SENTENCES, {})
        return texts

    def save(self) -> None:
        """Keep what this build has asked for, and nothing else."""
        for key, entries in self._used.items():
            if _size(entries) != self._sizes[key]:
                self._cache.write(key, json.dumps(entries).encode())
        self._cache.forget()

    def entries(self, results: Stored) -> dict[str, Any]:
        """What is kept about these results, by kind; what is added to it will be kept."""
        key = checksum_of({"results": results.checksum, "code": _code(), "bounds": bounds(), "packages": packages()})
        if key not in self._used:
            self._used[key] = json.loads(self._cache.read(key) or b"{}")
            self._sizes[key] = _size(self._used[key])
        return self._used[key]


def _size(entries: dict[str, Any]) -> int:
    return len(entries) + len(entries.get(SENTENCES, ()))


@cache
def _code() -> str:
    """Checksum of the whole program and of published numbers. To find only the code that judges would take a second and
    save little: after any change of the program the pages of all models are made again, which takes much longer than to
    judge.
    """
    code = hashlib.sha256()
    written = (path for folder in PROGRAM for path in folder.rglob("*.*") if path.suffix in (".py", ".toml"))
    for path in sorted([*written, *(DATA / "published").glob("*.*")]):
        code.update(path.read_bytes())
    return code.hexdigest()


def _parts(item: Judgement) -> tuple[Any, ...]:
    """What is kept of a judgement."""
    decides = next((at for at, finding in enumerate(item.findings) if finding is item.decides), None)
    findings = [
        (
            finding.number,
            finding.verdict,
            finding.missing and (type(finding.missing).__name__, str(finding.missing)),
            *finding[4:],
        )
        for finding in item.findings
    ]
    first = item.value, item.low, item.high, item.n
    return item.claim.id, first, findings, decides, {name: getattr(item, name) for name in FIELDS}


def _judgement_of(
    model: str, name: str, first: Sequence[Any], kept: Sequence[Any], decides: int | None, facts: dict[str, Any]
) -> Judgement:
    """The judgement of which these are the parts."""
    claim, (value, low, high, n) = BY_ID[name], first
    findings = tuple(
        Finding(part, number, verdict, missing and _reason(*missing), *others)
        for part, (number, verdict, missing, *others) in zip(claim.parts, kept, strict=True)
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
        decides=None if decides is None else findings[decides],
        **facts,
    )


def _reason(kind: str, text: str) -> NotTestable:
    return NotTestable.__new__(REASONS[kind], text)  # past __init__: the text has what a kind puts first
