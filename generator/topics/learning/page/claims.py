"""Claims in the course of training: the verdict of each at every checkpoint, as bars from checkpoint to checkpoint."""

import math
from collections import Counter
from collections.abc import Sequence, Set
from itertools import groupby
from typing import Any, NamedTuple

from generator.claims.all import CLAIMS
from generator.claims.claim import Claim, Part
from generator.claims.gate.premises import says_more
from generator.claims.verdict import Verdict, combine
from generator.numbers.number import UNDEFINED, Number
from generator.numbers.writing import listed, number
from generator.pages.blocks import Figure, Section, Table
from generator.pages.figures import embed
from generator.pages.inline import Cells
from generator.pages.links import to_claim
from generator.pages.studies.tables import table
from generator.topics.learning.page.data import Course, step_text
from generator.topics.learning.records.curves import CLAIM

LETTERS: dict[Verdict, str] = {"holds": "H", "fails": "F", "inconclusive": "I", "not testable": "N"}


class Run(NamedTuple):
    """Consecutive checkpoints at which a claim has the same verdict; their places are counted from 0."""

    verdict: Verdict
    first: int
    last: int


class Judged(NamedTuple):
    """A claim and its verdicts at the checkpoints at which it has numbers."""

    claim: Claim
    runs: tuple[Run, ...]
    last: Number
    """The number of the first part at the last checkpoint at which it is defined."""


def claim_course(course: Course, page: str) -> Section | None:
    """The verdicts over time of every claim with a stored number; None if there is none."""
    names = set(course.names(CLAIM))
    tried = (_judged(claim, course) for claim in CLAIMS if any(part.key in names for part in claim.parts))
    found = [judged for judged in tried if judged.runs]
    if not found:
        return None
    changed = sum(len(judged.runs) > 1 for judged in found)
    ends = Counter(judged.runs[-1].verdict for judged in found)
    said = ", ".join(f"{verdict} {ends[verdict]}" for verdict in LETTERS if ends[verdict])
    text = (
        f"{len(found)} claims have numbers at the checkpoints. Verdicts at the last one: {said}. Between the first "
        f"and the last checkpoint, {changed} of the verdicts change.{_made_otherwise(names)}"
    )
    columns = ("claim", "what it says", "at first", "at last", "unchanged since step", "number at last")
    rows = (_row(course, judged, page) for judged in found)
    first_and_last = table("Verdicts at the first and the last checkpoint", columns, rows)
    text += _unfollowed()
    return Section("claims", "Claims in the course of training", (text, _figure(course, found, page), first_and_last))


def _made_otherwise(names: Set[str]) -> str:
    """A sentence on the claims of which the checkpoints have a number that is made in another way by now; empty if
    there is none.
    """
    old = names - {part.key for claim in CLAIMS for part in claim.parts}
    claims = [claim.id for claim in CLAIMS if any(name.startswith(f"{claim.id}.") for name in old)]
    if not claims:
        return ""
    return (
        f" What was stored at the checkpoints for {listed(claims)} is counted in another way by now; "
        f"{'this is' if len(old) == 1 else 'these numbers are'} not judged."
    )


def _unfollowed() -> str:
    """A sentence on the claims on which no learning curve has a verdict."""
    found = {
        claim.unfollowed: [known.id for known in CLAIMS if known.unfollowed == claim.unfollowed] for claim in CLAIMS
    }
    texts = (f"{listed(ids)}, for {why}" for why, ids in found.items() if why)
    return f" No curve has a verdict on {'; nor on '.join(texts)}."


def verdicts(claim: Claim, numbers: Sequence[Sequence[Number | None]], *, untrained: bool = True) -> list[Verdict]:
    """The verdict at each checkpoint, from one number per part and checkpoint, `[part][checkpoint]`.

    `untrained` says whether the first checkpoint lies before the first step, so that it is what other checkpoints must
    say more than where a part says that something is absent or small.
    """
    parts = [
        [_of_part(part, estimate, row[0] if untrained else None) for estimate in row]
        for part, row in zip(claim.parts, numbers, strict=True)
    ]
    return [combine([verdict for verdict in at if verdict]) for at in zip(*parts, strict=True)]


def _of_part(part: Part, number: Number | None, first: Number | None) -> Verdict | None:
    """None for a part that does not count."""
    verdict = part.verdict(number)
    if part.null is None or verdict != "holds" or number is None:
        return verdict
    return verdict if first is not None and says_more(part.bounds, number, first) else None


def _judged(claim: Claim, course: Course) -> Judged:
    stored = [{int(row["step"]): Number.of(row) for row in course.series(CLAIM, part.key)} for part in claim.parts]
    rows = [[part.get(step) for step in course.steps] for part in stored]
    found = verdicts(claim, rows, untrained=course.steps[0] == 0)
    if not any(stored):
        return Judged(claim, (), UNDEFINED)
    places = groupby(range(len(found)), key=found.__getitem__)
    runs = [Run(verdict, at[0], at[-1]) for verdict, at in ((verdict, list(group)) for verdict, group in places)]
    first = stored[0]
    return Judged(claim, tuple(runs), first[max(first)] if first else UNDEFINED)


def _row(course: Course, judged: Judged, page: str) -> Cells:
    last = judged.runs[-1]
    part = judged.claim.parts[0]
    value = number(*judged.last[:3], against=part.against) + f" {part.unit}" * (not math.isnan(judged.last.value))
    row = (judged.claim.title, judged.runs[0].verdict, last.verdict, step_text(course.steps[last.first]), value)
    return to_claim(judged.claim.id, judged.claim.id, page), *row


def _figure(course: Course, found: Sequence[Judged], page: str) -> Figure:
    runs = [(judged.claim, run) for judged in found for run in judged.runs]
    steps = course.steps
    columns: dict[str, Any] = {
        "claim": [claim.id for claim, _ in runs],
        "verdict": [run.verdict for _, run in runs],
        "letter": [LETTERS[run.verdict] for _, run in runs],
        "since": [steps[run.first] for _, run in runs],
        "until": [steps[run.last] for _, run in runs],
        "left": [run.first for _, run in runs],
        "right": [run.last + 1 for _, run in runs],
        "href": [to_claim(claim.id, claim.id, page).href for claim, _ in runs],
    }
    signals = {"steps": [*map(step_text, steps), ""], "count": len(steps)}
    letters = ", ".join(f"{letter} {verdict}" for verdict, letter in LETTERS.items())
    return Figure(
        id="verdicts",
        label=f"{sum(len(each.runs) > 1 for each in found)} of {len(found)} verdicts change in the course of training",
        kinds=("curve-verdicts",),
        data=embed({"shared": {}, "views": [{"columns": columns, "signals": signals, "constants": {}}]}),
        caption=(
            f"Each bar is a run of checkpoints with the same verdict: {letters}. Checkpoints stand at equal distances. "
            "A claim holds where all its parts do; each is judged by the 95 % interval that was stored at that "
            "checkpoint, with the bounds that the claim has now."
        ),
        table=Table(
            ("claim", "verdict", "from step", "to step"),
            tuple(
                (claim.id, run.verdict, step_text(steps[run.first]), step_text(steps[run.last])) for claim, run in runs
            ),
        ),
    )
