"""The heads of a model on a grid that a slider moves from checkpoint to checkpoint: numbers as compact JSON."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from generator.measures import OF_COLUMN
from generator.numbers.number import Grid
from generator.numbers.writing import number
from generator.pages import addresses
from generator.pages.blocks import Section, Table
from generator.pages.curve.data import Course, step_text
from generator.pages.figures import embed
from generator.pages.inline import Link
from generator.pages.links import head_name, to_head, to_method
from generator.studies.learning.quantities import MEASURE

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
PER = {"share": 1000, "nats": 100}
"""Unit -> the fraction of it that the whole numbers count: 1000 means thousandths, more than colours can show."""


_BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz"
_DIGITS = [first + second for first in _BASE36 for second in _BASE36]
"""Whole numbers below 1,296, written as two characters each: half the size of JSON."""
UNDEFINED = "--"


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
    rows: tuple[tuple[StepCell, ...], ...]
    """The heads of each layer."""
    top: str
    """The number at the end of the scale of colours."""
    told: str
    """A sentence on how certain the numbers of the first measure are."""
    data: str
    """JSON that is safe inside HTML: `{steps, heads, measures: [{per, top, told, values}]}`. `values` is a text of
    whole numbers, which are divided by `per`, checkpoint by checkpoint and within each head by head; each takes two
    digits of base 36, "--" if undefined.
    """
    note: str
    table: Table
    """The same measures at the last checkpoint."""
    script: str
    """The address of the script that moves the slider."""


class _Measure(NamedTuple):
    name: str
    per: int
    whole: np.ndarray
    """`[step, head]`: whole numbers that `per` divides; NaN where undefined."""
    top: int
    """The largest of these numbers, which is the end of the scale."""
    told: str


def slider(course: Course, page: str) -> Section | None:
    """The grid of all checkpoints; None where no measure is stored."""
    found = [(name, values) for name in SHOWN if (values := course.heads(name)) is not None]
    measures = [_measure(name, values) for name, values in found if not np.isnan(values.value).all()]
    if not measures:
        return None
    heads = course.atlas.shape[1]
    cells = _cells(course, measures[0], page)
    documents = int(max(values.n.max() for _, values in found))
    grid = Slider(
        label="Heads of the chosen checkpoint, layer by layer",
        last=len(course.steps) - 1,
        step=step_text(course.steps[-1]),
        measures=tuple(to_method(one.name, f"{_title(one.name)} ({_unit(one.name)})", page) for one in measures),
        heads=tuple(map(str, range(1, heads + 1))),
        rows=tuple(tuple(cells[start : start + heads]) for start in range(0, len(cells), heads)),
        top=_text(measures[0].top, measures[0].per),
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
    per = PER[_unit(name)]
    whole = np.rint(values.value.reshape(len(values.value), -1) * per)
    half = (values.high - values.low) / 2
    told = (
        ""
        if np.isnan(half).all()
        else (
            f"Half of the 95 % intervals over documents reach {number(float(np.nanmedian(half)))} or less to either "
            f"side, the widest {number(float(np.nanmax(half)))}."
        )
    )
    return _Measure(name, per, whole, max(1, int(np.nanmax(whole))), told)


def _as_data(one: _Measure) -> dict[str, object]:
    flat = "".join(UNDEFINED if np.isnan(value) else _DIGITS[int(value)] for value in one.whole.ravel().tolist())
    return {"per": one.per, "top": one.top, "told": one.told, "values": flat}


def _cells(course: Course, one: _Measure, page: str) -> list[StepCell]:
    """The cells of the last checkpoint, the same as the script would draw."""
    return [
        StepCell(
            name=head_name(*place),
            href=to_head(course.atlas.slug, *place, page).href,
            shown=_text(value, one.per),
            share="0" if np.isnan(value) else f"{100 * value / one.top:.1f}",
            known=not np.isnan(value),
        )
        for place, value in zip(course.atlas.places, one.whole[-1].tolist(), strict=True)
    ]


def _table(course: Course, measures: Sequence[_Measure]) -> Table:
    rows = zip(course.atlas.places, *(one.whole[-1].tolist() for one in measures), strict=True)
    return Table(
        ("head", *(_title(one.name) for one in measures)),
        tuple(
            (head_name(*place), *(_text(value, one.per) for value, one in zip(values, measures, strict=True)))
            for place, *values in rows
        ),
    )


def _text(value: float, per: int) -> str:
    """The number that a whole number stands for, `value / per`, with all its decimals."""
    return "-" if np.isnan(value) else f"{value / per:.{len(str(per)) - 1}f}"


def _title(name: str) -> str:
    return OF_COLUMN[name].title


def _unit(name: str) -> str:
    return OF_COLUMN[name].unit
