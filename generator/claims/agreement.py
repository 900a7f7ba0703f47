"""Whether verdicts agree between parts of the data: the same claims judged on two treebanks, and on two halves of the
text.
"""

from collections.abc import Sequence
from typing import NamedTuple

from generator.claims.all import CLAIMS
from generator.claims.claim import Claim, judge
from generator.claims.evidence.evidence import Evidence
from generator.claims.evidence.reading import Scope, Stored
from generator.claims.verdict import Verdict
from generator.corpora.files import TEXT
from generator.corpora.treebank import TREEBANK


class Agreement(NamedTuple):
    """How often two parts of a model's results give the same verdict."""

    first: str
    """One of the two parts that are compared, such as a treebank's name."""
    second: str
    same: int
    """Claims with the same verdict on both."""
    judged: int
    """Claims that are testable on both parts and for which the two parts hold different rows."""
    opposite: tuple[str, ...]
    """Claims that hold on one and fail on the other."""
    changed: tuple[tuple[str, Verdict, Verdict], ...]
    """Claim, and both verdicts, where they differ."""


def agreements(results: Stored, claims: Sequence[Claim] = CLAIMS) -> list[Agreement]:
    """The agreement of every two treebanks of one language, and of the two halves of the running text."""
    manifest = results.manifest
    language = {name: manifest.languages.get(name, "") for name in manifest.of(TREEBANK)}
    names = list(language)
    pairs = [(a, b) for at, a in enumerate(names) for b in names[at + 1 :] if language[a] == language[b]]
    found = [_agree(results, claims, Scope(corpus=a), Scope(corpus=b), (a, b)) for a, b in pairs]
    if manifest.of(TEXT):
        halves = Scope(half="chosen"), Scope(half="reported")
        found.append(_agree(results, claims, *halves, ("one half of the documents", "the other half")))
    return [agreement for agreement in found if agreement.judged]


def _agree(results: Stored, claims: Sequence[Claim], scope: Scope, other: Scope, names: tuple[str, str]) -> Agreement:
    verdicts, first, second = [], Evidence(results, scope), Evidence(results, other)
    for claim in claims:
        before = judge(claim, first).verdict
        if before == "not testable" or not all(scope.narrows(read.table) for read in first.trail):
            continue  # no verdict, or one from rows that both parts share
        after = judge(claim, second).verdict
        if after != "not testable" and _differ(first, second):
            verdicts.append((claim.id, before, after))
    changed = tuple(item for item in verdicts if item[1] != item[2])
    opposite = tuple(name for name, a, b in changed if {a, b} == {"holds", "fails"})
    return Agreement(*names, len(verdicts) - len(changed), len(verdicts), opposite, changed)


def _differ(first: Evidence, second: Evidence) -> bool:
    """Whether the parts differ in the rows of every table read: a claim that reads the same rows agrees with itself."""
    return all(
        len(a.found) != len(b.found) or not a.found.index.equals(b.found.index)
        # On one of the parts a claim may stop sooner, and its trail is then the shorter one.
        for a, b in zip(first.trail, second.trail, strict=False)
    ) and bool(first.trail)
