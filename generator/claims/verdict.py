"""The verdicts, the words for them, and how those of several thresholds become one."""

from collections.abc import Mapping, Sequence
from typing import Literal

Verdict = Literal["holds", "fails", "inconclusive", "not testable"]
VERDICTS: tuple[Verdict, ...] = ("fails", "not testable", "inconclusive", "holds")
"""All verdicts; a claim of several parts has the first one of these that any part has."""
OUTCOMES: Mapping[Verdict, str] = {
    "holds": "met",
    "fails": "missed",
    "inconclusive": "open",
    "not testable": "too little",
}
"""What is said of a single threshold, which has no verdict: only claims have one."""
OPPOSED = "disputed"
"""The same where another text contradicts it."""
OPPOSITE: Mapping[Verdict, Verdict] = {"holds": "fails", "fails": "holds"}
UNCOUNTED = "does not count"
"""The same where the verdict on the claim does not rest on it."""
AS_VERDICT: Mapping[str, Verdict] = {word: verdict for verdict, word in OUTCOMES.items()} | {
    UNCOUNTED: "not testable",
    OPPOSED: "inconclusive",
}
"""What is said of a single threshold -> the verdict on a claim that has no other."""


def combine(verdicts: Sequence[Verdict]) -> Verdict:
    """The verdict of a claim whose parts must all hold; not testable without parts."""
    return next((verdict for verdict in VERDICTS if verdict in verdicts), "not testable")
