"""For how many models a claim holds, fails and so on: in words, as a chip in the margin, and as a table of claims."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from generator.claims.claim import Claim, Judgement
from generator.claims.verdict import OPPOSED, Verdict
from generator.numbers.writing import listed, written
from generator.pages.claims.tables import SHOWN, Ledger, Mark, mark, of_models
from generator.pages.inline import Link
from generator.pages.links import to_claim

SAID: Mapping[Verdict, str] = {"inconclusive": "is inconclusive", "not testable": "is not testable"}
"""What is said after the name of a claim for verdicts that are no verbs."""
THRESHOLD: Mapping[Verdict, str] = {
    "holds": "is met",
    "fails": "is missed",
    "inconclusive": "is open",
    "not testable": "is not testable",
}
"""What is said of the threshold of a single part."""
OUTCOMES = (*SHOWN[:2], OPPOSED, *SHOWN[2:])
"""Verdicts in the order of a table; inconclusive ones that other numbers contradict stand apart."""
NAMED = 2
"""Models of one verdict that are named one by one."""


def verdicts(ledger: Ledger, claim: Claim, part: int = 0) -> str:
    """For how many models a claim holds, fails and so on, or the threshold of one of its parts, counted from 1, is met,
    missed and so on. Among several models, one that is alone with its verdict is named, for a page may compare others.
    """
    named: dict[Verdict, list[str]] = {}
    for manifest, item in ledger.by_model(claim):
        named.setdefault(item.findings[part - 1].verdict if part else item.verdict, []).append(manifest.model)
    models = sum(map(len, named.values()))
    by_name = THRESHOLD if part else SAID
    found = [(by_name.get(verdict, verdict), named[verdict]) for verdict in SHOWN if verdict in named]
    if not found:
        return "is not judged, for no model has been analysed"
    if len(named.get("not testable", ())) == models > 1:
        return f"is not testable for any of {models} models"
    (verdict, alike), *others = found
    first = f"{verdict} for {of_models(len(alike), models)}{_alone(alike, models)}"
    return listed([first, *(f"{word} for {len(some)}{_alone(some, models)}" for word, some in others)])


def _alone(alike: Sequence[str], models: int) -> str:
    return f" ({alike[0]})" if len(alike) == 1 < models else ""


def outcomes(ledger: Ledger, claims: Sequence[Claim], page: str) -> tuple[list[tuple[Link, str]], str]:
    """A row for each claim, with its models by verdict and what decides, and a sentence on how many verdicts of each
    kind there are.
    """
    rows, counts, disputed = [], Counter[Verdict](), False
    for claim in claims:
        named: dict[str, dict[str, Judgement]] = {}
        for manifest, item in ledger.by_model(claim):
            opposed = item.verdict == "inconclusive" and any(finding.opposed for finding in item.findings)
            named.setdefault(OPPOSED if opposed else item.verdict, {})[manifest.model] = item
            counts[item.verdict] += 1
            disputed |= opposed
        found = [_of_verdict(outcome, named[outcome]) for outcome in OUTCOMES if outcome in named]
        rows.append((to_claim(claim.id, claim.title, page), "; ".join(found) or "no model has been analysed"))
    kinds = ", ".join(f"{verdict} {counts[verdict]}" for verdict in SHOWN if counts[verdict])
    why = f"{OPPOSED} is inconclusive because other numbers contradict it; " * disputed
    return rows, f"Verdicts in all: {kinds}; {why}the page of each claim says why." if counts else ""


def _of_verdict(outcome: str, of: Mapping[str, Judgement]) -> str:
    """The models of one outcome; those that fail with the number by which they do, if a claim has several and it is
    the same for all; one that is disputed with what contradicts it.
    """
    models = f"{outcome}: {', '.join(of) if len(of) <= NAMED else f'{len(of)} models'}"
    findings = [finding for item in of.values() for finding in item.findings]
    if outcome == OPPOSED and len(of) == 1:
        against = next(finding for finding in findings if finding.opposed)
        assert against.number, "what other texts contradict is a number"
        return f"{models}, with {written(against.number)}, but {listed(against.opposed)}"
    unasked = {finding.part.name for finding in findings if finding.verdict == "not testable"}
    if outcome == "holds" and len(unasked) == 1:
        return f"{models}, where {unasked.pop()} is not asked"
    if outcome == "fails" and all(len(item.findings) > 1 for item in of.values()):
        names = {finding.part.name for finding in findings if finding.verdict == "fails"}
        return f"{models}, by {names.pop()}" if len(names) == 1 else models
    return models


@dataclass(frozen=True)
class Chips:
    """The claims of a section in its margin: the name of each, its title, and how many models have which verdict."""

    template: ClassVar[str] = "chips"
    claims: tuple[tuple[Link, str, tuple[Mark, ...]], ...]


def chip(ledger: Ledger, claim: Claim, page: str) -> tuple[Link, str, tuple[Mark, ...]]:
    """The claim as `Chips` shows it; of several models each verdict has a count."""
    counts = Counter(item.verdict for _, item in ledger.by_model(claim))
    alone = counts.total() == 1
    marks = (
        replace(mark(verdict), text=verdict if alone else f"{verdict} {counts[verdict]}")
        for verdict in SHOWN
        if counts[verdict]
    )
    return replace(to_claim(claim.id, claim.id, page), title=claim.title), claim.title, tuple(marks)
