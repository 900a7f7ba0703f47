"""Figures of a model's course of training: the curves of the phases, and single numbers beside their baselines."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from generator.charts import NUMBERS_TALL, SIGNATURES_TALL
from generator.charts.naming import signals as told
from generator.charts.naming.places import Track
from generator.charts.naming.signals import Spot, Upright
from generator.charts.static.plot import nice
from generator.numbers.number import Number
from generator.numbers.writing import pieces
from generator.pages.blocks import Figure, Table, first_title
from generator.pages.figures import ESTIMATE, as_stored, embed, estimate_columns
from generator.pages.inline import Link
from generator.pages.titles.courses import course_seen
from generator.topics.learning.charts.series import SIGNATURE_SERIES
from generator.topics.learning.page.data import Course, Row, origin, step_text
from generator.topics.learning.page.seen import signatures_seen
from generator.topics.learning.records.curves import SIGNATURE
from generator.topics.learning.records.runs import LEAD, WITHOUT

SIGNATURES = dict(zip(("begin", "separator", "punctuation"), SIGNATURE_SERIES, strict=True))
"""Signature -> its name in the chart."""
HALVES = ("half", "half_low", "half_high", "half_value")
"""Columns of the step at which half of a change was made."""


def step_signals(steps: Sequence[int]) -> dict[str, Any]:
    """The signals for an axis of steps, which must be in order: its ends and its labels.

    The first end is the place of step 0, which is labelled if it was measured; after it, round numbers are.

    >>> step_signals([0, 16, 1200])
    {'zero': 8.0, 'last': 1200.0, 'ticks': [8.0, 20, 50, 100, 200, 500, 1000]}
    """
    first = origin(steps)
    last = float(max(steps[-1], 2 * first))
    round_ones = (digit * 10**power for power in range(len(f"{last:.0f}")) for digit in (1, 2, 5))
    ticks = [*([first] if steps[0] <= 0 else []), *(tick for tick in round_ones if 2 * first <= tick <= last)]
    return {"zero": first, "last": last, "ticks": ticks}


def signatures_figure(course: Course) -> Figure | None:
    """The curves of the phases and where each has made half of its change; None where they are not stored."""
    columns: dict[str, list[Any]] = {"series": [], "n": [], "half": [], "half_low": [], "half_high": []}
    columns["half_value"] = []
    rows: list[Row] = []
    for name, text in SIGNATURES.items():
        stored = course.series(SIGNATURE, name)
        rise = course.rise(SIGNATURE, name)
        rows += stored
        columns["series"] += [text] * len(stored)
        columns["n"] += [int(row["n"]) for row in stored]
        for column, value in _half(course, rise).items():
            columns[column] += [value] * len(stored)
    if not rows:
        return None
    data: dict[str, Any] = columns | {"step": [int(row["step"]) for row in rows]}
    data |= estimate_columns(map(Number.of, rows))
    signals = step_signals(course.steps) | {"top": _range(rows)[1]}
    ends = (0.0, signals["top"])
    up = Upright(*nice(*ends), SIGNATURES_TALL)
    halves = [
        [(_across(signals, half if end is None else end), up.down(value)) for end in (low, high)]
        for half, low, high, value in zip(*(data[name] for name in HALVES), strict=True)
        if half is not None
    ]
    signals |= _names(signals, [*zip(data["series"], rows, strict=True)], up, halves)
    view = {"columns": data, "signals": signals, "constants": {"unit": "share"}}
    return Figure(
        id="signatures",
        label=signatures_seen({text: course.rise(SIGNATURE, name) for name, text in SIGNATURES.items()}),
        kinds=("curve-signatures",),
        data=embed({"shared": {}, "views": [view]}),
        caption=(
            "Bands are 95 % intervals over documents. A diamond marks the first step at which a curve has made half of "
            "its change from the first checkpoint to the last, the dashed line its 95 % interval."
        ),
        table=numbers_table([(SIGNATURES[str(row["name"])], row) for row in rows]),
    )


def _half(course: Course, rise: Row | None) -> dict[str, float | None]:
    if rise is None or np.isnan(rise["step"]):
        return dict.fromkeys(HALVES)
    ends = course.places([rise[name] for name in ("step", "low", "high")])
    middle = np.array([(rise["start"] + rise["end"]) / 2])
    return dict(zip(HALVES, as_stored(np.append(ends, middle)), strict=True))


class View(NamedTuple):
    """A view of a figure: curves that share an axis."""

    text: str
    """The label of the choice."""
    unit: str
    curves: Mapping[str, Sequence[Row]]
    """Name of a curve -> its numbers."""
    baselines: Mapping[str, Row]
    """Name of a baseline -> its number, which is drawn as a dashed line."""
    phrase: str = ""
    """What its title calls the number, if not by `text`."""


def numbers_figure(steps: Sequence[int], name: str, views: Sequence[View], caption: str, label: str = "") -> Figure:
    """A figure of numbers against the step, up to three in a view, with their baselines; `steps` span the axis.

    Each view has its own title, unless `label` is that of all of them.
    """
    lines = [
        (view.text if len(view.curves) == 1 else f"{view.text}: {series}", row)
        for view in views
        for series, rows in view.curves.items()
        for row in rows
    ]
    lines += [(f"{view.text}: {series}", row) for view in views for series, row in view.baselines.items()]
    choices = tuple(Link(view.text, "") for view in views)
    drawn = [_view(steps, view) | ({} if label else {"title": _seen(view)}) for view in views]
    return Figure(
        id=name,
        label=label or first_title(drawn),
        kinds=("curve-numbers",),
        data=embed({"shared": {}, "views": drawn}),
        views=choices if len(choices) > 1 else (),
        chooser="Number",
        caption=caption,
        table=numbers_table(lines),
    )


def contrast_figure(course: Course) -> Figure | None:
    """How much broader [CLS] attends with next-sentence prediction than without; None if that was not tried."""
    rows = course.series(WITHOUT, LEAD)
    if not rows:
        return None
    label = "How much broader [CLS] attends with next-sentence prediction"
    caption = (
        "How much broader [CLS] attends is, in the last layer, the entropy of its row minus that of all rows, in nats. "
        "Shown is this number in the training with next-sentence prediction minus the same number in the training "
        "without. Bands are 95 % intervals over documents, not over trainings."
    )
    phrase = "The breadth of [CLS] that next-sentence prediction adds"
    view = View(label, WITHOUT.quantity(LEAD).unit, {"difference": rows}, {}, phrase)
    return numbers_figure(course.steps, "begin-lead", [view], caption)


def _seen(view: View) -> str:
    curves = {name: [(step_text(row["step"]), Number.of(row)) for row in rows] for name, rows in view.curves.items()}
    baselines = {name: Number.of(row) for name, row in view.baselines.items()}
    return course_seen(view.phrase or view.text, curves, baselines, view.unit)


def _view(steps: Sequence[int], view: View) -> dict[str, Any]:
    """The data of a view; a baseline is drawn from the first to the last step of the curves."""
    rows = [(series, 0, row) for series, curve in view.curves.items() for row in curve]
    known = [int(row["step"]) for _, _, row in rows]
    ends = (min(known, default=0), max(known, default=0))
    rows += [(series, 1, {**row, "step": step}) for series, row in view.baselines.items() for step in ends]
    columns: dict[str, Any] = {
        "series": [series for series, _, _ in rows],
        "reference": [reference for _, reference, _ in rows],
        "n": [int(row["n"]) for *_, row in rows],
        "step": [int(row["step"]) for *_, row in rows],
    }
    columns |= estimate_columns(Number.of(row) for *_, row in rows)
    bottom, top = _range([row for *_, row in rows])
    signals = step_signals(steps) | {"bottom": bottom, "top": top, "caption": view.unit}
    named = [(series, row) for series, _, row in rows]
    return {
        "columns": columns,
        "signals": signals | _names(signals, named, Upright(*nice(bottom, top), NUMBERS_TALL)),
        "constants": {"measure": view.text, "unit": view.unit},
    }


def _across(signals: Mapping[str, Any], step: float) -> float:
    """The part of the width at which a step stands."""
    zero, last = signals["zero"], signals["last"]
    return math.log(max(step, zero) / zero) / math.log(last / zero)


def _names(
    signals: Mapping[str, Any], rows: Iterable[tuple[str, Row]], up: Upright, others: Sequence[Track] = ()
) -> dict[str, Any]:
    """The signals for the names of curves; `signals` has the ends of the axis of steps, and `rows` name each curve."""
    curves: dict[str, list[Spot]] = {}
    for name, row in rows:
        value = None if np.isnan(row["value"]) else float(row["value"])
        curves.setdefault(name, []).append(Spot(int(row["step"]), _across(signals, row["step"]), value))
    return told.lines(curves, up, others)


def _range(rows: Sequence[Row]) -> tuple[float, float]:
    """The smallest and the largest number to be drawn."""
    drawn = np.array([[row[field] for field in ESTIMATE] for row in rows], dtype=float)
    return float(np.nanmin(drawn).round(4)), float(np.nanmax(drawn).round(4))


def numbers_table(lines: Sequence[tuple[str, Row]]) -> Table:
    """A row for every number."""
    return Table(
        ("curve", "step", "value", "95 % interval", "n"),
        tuple((name, step_text(row["step"]), *pieces(Number.of(row)), f"{int(row['n']):,}") for name, row in lines),
    )
