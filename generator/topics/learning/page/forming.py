"""How the clearest heads formed: for each target the head that ends with most attention to it, step by step."""

from collections.abc import Mapping
from itertools import islice

import numpy as np

from generator.claims.gate.maps import formed as formed_of
from generator.claims.gate.statement import Statement
from generator.numbers.number import alone
from generator.numbers.writing import percent
from generator.pages.blocks import Figure
from generator.pages.heads.summary import TARGETS, Target
from generator.pages.inline import Part
from generator.pages.links import head_name, to_head
from generator.topics.learning.page.data import Course, Row, step_text
from generator.topics.learning.page.figures import View, numbers_figure
from generator.topics.learning.page.seen import rises_seen
from generator.topics.learning.records.curves import MEASURE

SHOWN = 3
"""The most heads in the figure: a reader cannot tell more curves apart."""
CAPTION = (
    "Each curve is a head whose attention to one target has surely grown to more than half: for each target the head "
    f"that ends highest, and at most {SHOWN} of these. Bands are 95 % intervals over documents."
)


def formed(course: Course) -> Mapping[Target, Row]:
    """The SHOWN targets with the highest final attention, each with the row of `rises` of the head that gives it.

    Only heads count whose attention to the target has surely grown to more than half.
    """
    rises = course.rises(MEASURE)
    best: dict[Target, Row] = {}
    for target in TARGETS:
        sure = (
            rise
            for (name, _, head), rise in rises.items()
            if name == target.column and head and _said(course, rise).given
        )
        if found := max(sure, key=lambda rise: (rise["end"], -rise["layer"], -rise["head"]), default=None):
            best[target] = found
    ranked = sorted(best.items(), key=lambda item: -item[1]["end"])
    return dict(islice(ranked, SHOWN))


def forming_figure(course: Course) -> Figure | None:
    """The figure of the `formed` heads' attention to their targets at every checkpoint; None if there are none."""
    found = formed(course)
    if not found:
        return None
    curves = {f"{_name(rise)}, {target.name}": _rows(course, target, rise) for target, rise in found.items()}
    label = rises_seen(course.atlas.results.manifest.model, [(_name(rise), rise["step"]) for rise in found.values()])
    return numbers_figure(course.steps, "forming", [View("share of attention", "share", curves, {})], CAPTION, label)


def formation_sentence(course: Course, page: str) -> tuple[str | Part, ...]:
    """A sentence on how each head of the figure formed, with links to the heads; empty if there are none."""
    pieces: list[str | Part] = []
    for target, rise in formed(course).items():
        start, end = (percent(alone(rise[name])) for name in ("start", "end"))
        begin = f" came to look at {target.words}: from {start} to {end} of its attention"
        pieces += [f"{' Head' if pieces else 'Head'} ", to_head(course.atlas.slug, rise["layer"], rise["head"], page)]
        pieces += [f"{begin}{course.inputs}; half of this rise was made by step {step_text(rise['step'])}."]
    return tuple(pieces)


def _said(course: Course, rise: Row) -> Statement:
    """What the gate is asked about the head of a row of `rises`."""
    grid = course.heads(rise["name"])
    assert grid is not None, "what has a rise has a curve"
    first, last = (grid.at(step, rise["layer"] - 1, rise["head"] - 1) for step in (0, -1))
    return formed_of(rise, first, last, len(course.atlas.places))


def _name(rise: Row) -> str:
    return head_name(rise["layer"], rise["head"])


def _rows(course: Course, target: Target, rise: Row) -> list[Row]:
    """The numbers of one head at every step, as rows of `curves`."""
    grid = course.heads(target.column)
    assert grid is not None, "what has a rise has a curve"
    at = rise["layer"] - 1, rise["head"] - 1
    steps = zip(course.steps, (grid.at(place, *at) for place in range(len(course.steps))), strict=True)
    return [{"step": step, **number._asdict()} for step, number in steps if not np.isnan(number.value)]
