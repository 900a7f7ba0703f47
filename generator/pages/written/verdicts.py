"""For how many models a claim holds, fails and so on, in words, and why it cannot be tested for others."""

import re
from collections.abc import Mapping, Sequence

from generator.claims.claim import Claim, Verdict
from generator.claims.said import REASON
from generator.numbers.writing import listed
from generator.pages.claims.tables import SHOWN, Ledger, of_models

SAID: Mapping[Verdict, str] = {"inconclusive": "is inconclusive", "not testable": "is not testable"}
"""What is said after the name of a claim for verdicts that are no verbs."""
THRESHOLD: Mapping[Verdict, str] = {
    "holds": "is met",
    "fails": "is missed",
    "inconclusive": "is open",
    "not testable": "is not testable",
}
"""What is said of the threshold of a single part."""
_NAME = "\0"
"""Stands for the name of a model while reasons are compared."""


def verdicts(ledger: Ledger, claim: Claim, part: int = 0) -> str:
    """For how many models a claim holds, fails and so on, or the threshold of one of its parts, counted from 1, is met,
    missed and so on. Among several models, one that is alone with its verdict is named, for a page may compare others.
    """
    named: dict[Verdict, list[str]] = {}
    for manifest, item in ledger.by_model(claim):
        named.setdefault(item.findings[part - 1].verdict if part else item.verdict, []).append(manifest.model)
    models = sum(map(len, named.values()))
    told = THRESHOLD if part else SAID
    found = [(told.get(verdict, verdict), named[verdict]) for verdict in SHOWN if verdict in named]
    if not found:
        return "is not judged, for no model has been analysed"
    if len(named.get("not testable", ())) == models > 1:
        return f"is not testable for any of {models} models"
    (verdict, alike), *others = found
    first = f"{verdict} for {of_models(len(alike), models)}{_alone(alike, models)}"
    return listed([first, *(f"{one} for {len(some)}{_alone(some, models)}" for one, some in others)])


def _alone(alike: Sequence[str], models: int) -> str:
    return f" ({alike[0]})" if len(alike) == 1 < models else ""


def reasons(ledger: Ledger, claim: Claim) -> list[str]:
    """Why the claim cannot be tested; where there are several reasons, each with its models. Reasons that differ in the
    name of the model alone are one.
    """
    models: dict[str, list[str]] = {}
    for manifest, item in ledger.by_model(claim):
        if item.verdict == "not testable":
            why = re.sub(rf"(?<![\w-]){re.escape(manifest.model)}(?![\w-])", _NAME, item.reason)
            models.setdefault(why, []).append(manifest.model)
    return [
        why.replace(_NAME, listed(those)) if len(models) == 1 or _NAME in why else why.replace(REASON, told)
        for why, those in models.items()
        for told in (f"{REASON.removesuffix(': ')} for {listed(those)}: ",)
    ]


def uncomparable(numbers: int) -> str:
    """How many published numbers stand on the page of a claim alone."""
    which = "1 published number that is" if numbers == 1 else f"{numbers} published numbers that are"
    return f"{which} not directly comparable"
