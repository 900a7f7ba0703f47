"""Tables of when things appear in a model's training: the phases, and the heads that stand out."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from generator.claims.all import CLAIMS
from generator.claims.claim import judge
from generator.claims.evidence.evidence import Evidence
from generator.claims.gate.maps import WIDE
from generator.claims.said import REASON
from generator.corpora.relation_names import with_label
from generator.measures import OF_COLUMN
from generator.numbers.writing import listed, number
from generator.pages.blocks import Block, Note, Section, Table, present
from generator.pages.claims.tables import mark
from generator.pages.heads.summary import TARGETS
from generator.pages.inline import Cell, Cells, prose
from generator.pages.links import to_claim, to_head, to_term
from generator.pages.studies.tables import NOTHING, count, measured, table
from generator.topics.learning.page.data import ENTROPY, Course, Row, span_text, step_text
from generator.topics.learning.page.figures import SIGNATURES, signatures_figure
from generator.topics.learning.page.found import learned_relations
from generator.topics.learning.records.curves import MEASURE, ORDER, RELATIONS, SIGNATURE

NOTED = 0.3
"""Mean attention to a target from which a head is notable."""
ORDERS = {f"{first}.{second}": (SIGNATURES[first], SIGNATURES[second]) for first, second in pairwise(SIGNATURES)}


class Birth(NamedTuple):
    """One thing that a head does at the end of training, and when it began to do so."""

    layer: int
    head: int
    what: str
    kind: str
    rise: Row


def phases_in_time(course: Course, page: str) -> Section:
    """Curves, half-way steps, their order, and the verdict on the claim about that order."""
    claim = next(known for known in CLAIMS if known.rests_on(f"{ORDER.name}/{next(iter(ORDERS))}"))
    judgement = judge(claim, Evidence(course.atlas.results))
    text = prose(
        "We read the title of the hypothesis so that its three phases of layers are also three stretches of training: "
        "attention to [CLS] grows first, then to [SEP], then to periods and commas, each in the layers "
        "that the hypothesis gives it. {claim}. The verdict is “{verdict}”{then} {reason}",
        claim=to_claim(claim.id, f"{claim.id}: {claim.title}", page),
        verdict=mark(judgement.verdict),
        reason=judgement.reason.removeprefix(REASON),
        then=":" if judgement.reason.startswith(REASON) else ".",
    )
    drawn = present(signatures_figure(course))
    return Section("phases", "Phases in time", (text, *drawn, *_rises(course, page), *_orders(course, page)))


def _rises(course: Course, page: str) -> Iterator[Table]:
    columns = (
        "attention to",
        "first checkpoint",
        "last checkpoint",
        "half of the change at step",
        to_term("n", "n, documents", page),
    )
    rows = [
        (text, number(rise["start"]), number(rise["end"]), _half(rise), count(rise["n"]))
        for name, text in SIGNATURES.items()
        if (rise := course.rise(SIGNATURE, name))
    ]
    if rows:
        yield table("When the signatures of the phases change", columns, rows)


def _half(rise: Row | None) -> Cell:
    """The half-way step with its interval."""
    if rise is None or np.isnan(rise["step"]):
        return NOTHING
    between = span_text(rise["low"], rise["high"])
    return Cell(step_text(rise["step"]), note="" if between == NOTHING.text else between)


def _orders(course: Course, page: str) -> Iterator[Block]:
    columns = (
        "from",
        "to",
        f"steps between, in {ORDER.quantity(next(iter(ORDERS))).unit}",
        to_term("n", "n, documents", page),
    )
    rows = [
        (*names, measured(rise, "step"), count(rise["n"]))
        for name, names in ORDERS.items()
        if (rise := course.rise(ORDER, name))
    ]
    if rows:
        yield table("In which order the signatures change", columns, rows)
        yield Note(
            "One doubling means that the second came after twice as many steps as the first; below 0 the second came "
            "earlier. Both curves are resampled with the same documents."
        )


def births(course: Course, page: str) -> Section | None:
    """Every head that stands out at the last checkpoint, the earliest first; None where there is none."""
    found = sorted(_births(course), key=_when)
    if not found:
        return None
    kinds = sorted(Counter(birth.kind for birth in found).items(), key=lambda pair: (-pair[1], pair[0]))
    counted = listed([f"{many} for {kind}" for kind, many in kinds])
    rule = (
        "Three kinds of heads are listed, if what makes them stand out has grown since the first checkpoint: those "
        "that find a dependency relation clearly better than the best fixed offset, on words that had no part in "
        "choosing them, where no other treebank contradicts; those that at the last checkpoint give at "
        f"least {NOTED} of their attention to [CLS], [SEP], periods and commas, the previous token, "
        f"the next token or the token itself; and broad ones, whose entropy is above {WIDE} of that of uniform "
        f"attention. {len(found)} are listed, the earliest first: {counted}. The "
        "step is that of the first checkpoint with half of the change from the first to the last; it is left out "
        "where the change is not beyond doubt."
    )
    columns = (
        "head",
        "what it does",
        "half of the change at step",
        to_term("bootstrap-interval", "95 % interval", page),
        "at the first checkpoint",
        "at the last",
        to_term("n", "n", page),
    )
    came = table("When heads came to be", columns, (_born(course, birth, page) for birth in found))
    return Section("births", "Births of heads", (rule, came))


def _when(birth: Birth) -> tuple[float, int, int, str]:
    step = float(birth.rise["step"])
    return (np.inf if np.isnan(step) else step), birth.layer, birth.head, birth.what


def _born(course: Course, birth: Birth, page: str) -> Cells:
    rise = birth.rise
    cells = (birth.what, step_text(rise["step"]), span_text(rise["low"], rise["high"]))
    numbers = (number(rise["start"]), number(rise["end"]), f"{int(rise['n']):,}")
    return to_head(course.atlas.slug, birth.layer, birth.head, page), *cells, *numbers


def _births(course: Course) -> Iterator[Birth]:
    found = learned_relations(course)
    for (name, layer, head), rise in course.rises(RELATIONS).items():
        if found.get(name) == (layer, head) and rise["end"] > rise["start"]:
            yield Birth(layer, head, f"finds {with_label(name)} (accuracy)", "relations", rise)
    limits = _limits(course)
    for (name, layer, head), rise in course.rises(MEASURE).items():
        if layer and head and name in limits and rise["end"] >= limits[name] and rise["end"] > rise["start"]:
            yield Birth(layer, head, *_words(name), rise)


def _limits(course: Course) -> Mapping[str, float]:
    """Measure -> the value from which a head is notable."""
    uniform = course.atlas.estimates[ENTROPY].uniform
    return {target.column: NOTED for target in TARGETS} | {ENTROPY: WIDE * uniform}


def _words(name: str) -> tuple[str, str]:
    target = next((target for target in TARGETS if target.column == name), None)
    unit = OF_COLUMN[name].unit
    return (
        (f"attends to {target.words} ({unit})", target.words) if target else (f"is broad (entropy, {unit})", "breadth")
    )
