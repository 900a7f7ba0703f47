"""The heads of a model on a grid that a slider moves from checkpoint to checkpoint; the numbers are beside the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar, NamedTuple

import numpy as np

from generator.measures import OF_COLUMN
from generator.numbers.number import Grid
from generator.numbers.writing import UNDEFINED, number
from generator.pages import addresses
from generator.pages.blocks import Section, Table
from generator.pages.figures import embed
from generator.pages.inline import Link
from generator.pages.links import head_name, to_head, to_method
from generator.topics.learning.derived.intervals import widest_half
from generator.topics.learning.page.data import Course, step_text
from generator.topics.learning.records.curves import MEASURE

SHOWN = (
    "attention.cls",
    "attention.sep",
    "attention.punctuation",
    "attention.previous",
    "attention.next",
    "attention.self",
    "attention.near",
    "entropy.all",
)
"""Measures to choose from."""


@dataclass(frozen=True)
class StepCell:
    """A head on the grid of a checkpoint."""

    name: str
    """The name of the head as in the papers: layer-head."""
    href: str
    shown: str
    """Its number as text."""
    share: str
    """Its place on the scale of colours in per cent."""
    known: bool
    """Whether its number is defined."""


@dataclass(frozen=True)
class Slider:
    """The heads of a model for every checkpoint and measure; before scripts run, the last checkpoint is shown."""

    template: ClassVar[str] = "slider"
    label: str
    last: int
    """The 0-based number of the last checkpoint."""
    step: str
    """The last step as text."""
    measures: tuple[Link, ...]
    """The measures to choose from; each leads to its definition."""
    heads: tuple[str, ...]
    """The numbers of the heads, as headings of columns."""
    without_script: str
    """What a reader without scripts sees of all this."""
    rows: tuple[tuple[StepCell, ...], ...]
    """The heads of each layer."""
    top: str
    """The number at the end of the scale of colours."""
    told: str
    """A sentence on how certain the numbers of the first measure are."""
    data: str
    """JSON for the file beside the page: `{steps, heads, measures: [{top, told, values}]}`; values is a text of numbers
    as they are shown, with spaces between, checkpoint by checkpoint, within it head by head.
    """
    note: str
    table: Table
    """The same measures at the last checkpoint."""
    script: str
    """The address of the script that moves the slider."""


class _Measure(NamedTuple):
    name: str
    texts: Sequence[Sequence[str]]
    """`[step][head]`: the numbers as text, their digits following their intervals; a dash where undefined."""
    top: str
    """The largest of them, and the end of the scale."""
    told: str


def slider(course: Course, page: str) -> Section | None:
    """The grid of all checkpoints; None where no measure is stored."""
    found = [(name, values) for name in SHOWN if (values := course.heads(name)) is not None]
    measures = [_measure(name, values) for name, values in found if not np.isnan(values.value).all()]
    if not measures:
        return None
    heads = course.atlas.shape[1]
    shown = tuple(
        to_method(measure.name, f"{_title(measure.name)} ({_unit(measure.name)})", page) for measure in measures
    )
    documents = int(max(values.n.max() for _, values in found))
    grid = Slider(
        label="Heads of the chosen checkpoint, layer by layer",
        last=len(course.steps) - 1,
        step=step_text(course.steps[-1]),
        measures=shown,
        heads=tuple(map(str, range(1, heads + 1))),
        without_script=f"{shown[0].text} at step {step_text(course.steps[-1])}. The other steps need JavaScript.",
        rows=course.atlas.by_layer(_cells(course, measures[0], page)),
        top=measures[0].top,
        told=measures[0].told,
        data=embed({"steps": list(course.steps), "heads": heads, "measures": list(map(_as_data, measures))}),
        note=(
            "Each square is a head; choose one for its page, point at it for its number. The scale of colours is the "
            "same at every step: it ends at the largest number of the measure among all heads and steps. "
            f"Measured on {documents} documents of {course.corpus(MEASURE)}."
        ),
        table=_table(course, measures),
        script=f"{addresses.relative(addresses.ASSETS, page)}curve.js",
    )
    return Section("checkpoints", "Head by head", (grid,))


def _measure(name: str, values: Grid) -> _Measure:
    flat = (part.reshape(len(part), -1).tolist() for part in values[:3])
    texts = [list(map(number, *of_step)) for of_step in zip(*flat, strict=True)]
    widest = widest_half(values)
    text = "" if np.isnan(widest) else f"95 % intervals over documents reach at most {number(widest)} to either side."
    return _Measure(name, texts, list(chain.from_iterable(texts))[int(np.nanargmax(values.value))], text)


def _as_data(measure: _Measure) -> dict[str, object]:
    return {"top": measure.top, "told": measure.told, "values": " ".join(chain.from_iterable(measure.texts))}


def _cells(course: Course, measure: _Measure, page: str) -> list[StepCell]:
    """The cells of the last checkpoint, the same as the script would draw."""
    return [
        StepCell(
            name=head_name(*place),
            href=to_head(course.atlas.slug, *place, page).href,
            shown=text,
            share="0" if text == UNDEFINED else f"{100 * float(text) / (float(measure.top) or 1):.1f}",
            known=text != UNDEFINED,
        )
        for place, text in zip(course.atlas.places, measure.texts[-1], strict=True)
    ]


def _table(course: Course, measures: Sequence[_Measure]) -> Table:
    rows = zip(course.atlas.places, *(measure.texts[-1] for measure in measures), strict=True)
    return Table(
        ("head", *(_title(measure.name) for measure in measures)),
        tuple((head_name(*place), *texts) for place, *texts in rows),
    )


def _title(name: str) -> str:
    return OF_COLUMN[name].title


def _unit(name: str) -> str:
    return OF_COLUMN[name].unit
