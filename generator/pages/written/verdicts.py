"""For how many models a claim holds, fails and so on, in words."""

from collections import Counter

from generator.claims.claim import Claim
from generator.numbers.writing import listed
from generator.pages.claims.tables import SHOWN, Ledger, of_models

SAID = {"inconclusive": "is inconclusive", "not testable": "is not testable"}
"""What is said after the name of a claim for verdicts that are no verbs."""


def verdicts(ledger: Ledger, claim: Claim, part: int = 0) -> str:
    """For how many models a claim, or one of its parts, counted from 1, holds, fails and so on."""
    items = [item for _, item in ledger.by_model(claim)]
    counts = Counter(item.findings[part - 1].verdict if part else item.verdict for item in items)
    models = counts.total()
    found = [(SAID.get(verdict, verdict), counts[verdict]) for verdict in SHOWN if counts[verdict]]
    if not found:
        return "is not judged, for no model has been analysed"
    if counts["not testable"] == models > 1:
        return f"is not testable for any of {models} models"
    (verdict, count), *others = found
    first = f"{verdict} for {of_models(count, models)}"
    return listed([first, *(f"{one} for {some}" for one, some in others)])
