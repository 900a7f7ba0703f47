"""Figures of a model's course of training in strips below each other: one per layer, or one per relation."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from generator.numbers.number import UNDEFINED, Grid, Number
from generator.numbers.writing import pieces, written
from generator.pages.blocks import Figure, Section, Table
from generator.pages.figures import as_stored, embed
from generator.pages.titles.courses import strips_seen
from generator.topics.learning.charts.series import (
    AS_TEXT,
    BREADTH,
    CONTEXT_SERIES,
    HIGH,
    LAYER_SERIES,
    LOW,
    RELATION_SERIES,
    STRIP,
    TALL,
)
from generator.topics.learning.derived.intervals import layer_breadth
from generator.topics.learning.page.data import ENTROPY, Course, step_text
from generator.topics.learning.page.figures import step_signals
from generator.topics.learning.records.curves import MEASURE

_TARGETS = ("attention.cls", "attention.sep", "attention.punctuation", "attention.previous", "attention.next")
COLUMNS = dict(zip((*_TARGETS, ENTROPY), LAYER_SERIES, strict=True))
"""Measure -> its name in the chart; entropy is shown as breadth, a share of the entropy of uniform attention."""
STRIPS = {"curve-layers": LAYER_SERIES, "curve-relations": RELATION_SERIES, "curve-context": CONTEXT_SERIES}
"""Chart of strips -> its curves."""
DIGITS = 3
"""Decimals of the numbers in a strip, which is too small to show more; what a reader downloads says so."""

TOP = "{top}"
"""Stands in captions for the number at the top of every strip."""
TENTHS = 10
Strip = tuple[str, Mapping[str, Mapping[int, Number]]]
"""The title of a strip, and name of a curve -> step -> number."""


def by_layer(course: Course) -> Section | None:
    """One strip per layer; None where no measure of layers is stored."""
    found = {text: grid for name, text in COLUMNS.items() if (grid := _share(course, name)) is not None}
    strips = layer_strips(course, found)
    if not strips:
        return None
    documents = int(max(grid.n.max() for grid in found.values()))
    figure = strips_figure(
        course,
        "layers",
        label=strips_title(course, strips, "all layers and targets", "attention to {}", share=True),
        kind="curve-layers",
        found=strips,
        caption=(
            "One strip per layer: below, attention to each target, with its scale on the left; above, breadth, with "
            "its scale on the right: entropy as a share of that of uniform attention. Each is the mean over the "
            f"layer's heads. Bands are 95 % intervals over {documents} documents of {course.corpus(MEASURE)}; their "
            "numbers are in the CSV."
        ),
        constants={"corpus": course.corpus(MEASURE), "unit": "share", "n": documents},
    )
    return Section("by-layer", "Layer by layer", (*_zero(course), figure))


def strips_title(course: Course, strips: Sequence[Strip], among: str, what: str, *, share: bool) -> str:
    """The title of a figure with a strip for each layer; `what` is how it names a curve, whose name is put in."""
    first, last = course.steps[0], course.steps[-1]
    ends = {
        f"{what.format(f'the {series}' if series.endswith(' token') else series)} in {title.lower()}": (
            curve[first],
            curve[last],
        )
        for title, curves in strips
        for series, curve in curves.items()
        if series != BREADTH and {first, last} <= set(curve)
    }
    return strips_seen(among, ends, share=share)


def _zero(course: Course) -> Iterator[str]:
    if not course.steps[0]:
        yield "Axes of steps are logarithmic; step 0 has no place there and stands at the left end."


def layer_strips(course: Course, found: Mapping[str, Grid], first: int = 1) -> list[Strip]:
    """One strip per layer, from `[step, layer]` whose first column is layer `first`; none without numbers."""
    strips = []
    for at, layer in enumerate(range(first, course.atlas.shape[0] + 1)):
        curves = {text: _defined(course, *(part[:, at] for part in grid)) for text, grid in found.items()}
        strips.append((f"Layer {layer}", {text: curve for text, curve in curves.items() if curve}))
    return [strip for strip in strips if strip[1]]


def _defined(course: Course, *parts: np.ndarray) -> dict[int, Number]:
    rows = zip(course.steps, *(part.tolist() for part in parts), strict=True)
    return {step: Number(value, low, high, int(n)) for step, value, low, high, n in rows if not np.isnan(value)}


def _share(course: Course, name: str) -> Grid | None:
    """A measure of every layer, `[step, layer]`; entropy as a share of that of uniform attention on the same text. None
    if it is not stored.
    """
    found = course.layers(MEASURE, name)
    if found is None or name != ENTROPY:
        return found
    return layer_breadth(found, course.atlas.estimates[name].uniform)


def strips_figure(
    course: Course,
    name: str,
    label: str,
    kind: str,
    found: Sequence[Strip],
    caption: str,
    constants: Mapping[str, Any],
    *,
    spread: bool = False,
) -> Figure:
    """A chart of strips: a row for every strip and step; the table has intervals with `spread`.

    In the caption, TOP becomes the number at the top of a strip.
    """
    rows = [
        (place, title, step, [curves.get(series, {}).get(step, UNDEFINED) for series in STRIPS[kind]])
        for place, (title, curves) in enumerate(found)
        for step in course.steps
        if any(step in curve for curve in curves.values())
    ]
    columns: dict[str, Any] = {
        "strip": [title for _, title, _, _ in rows],
        "place": [place for place, *_ in rows],
        "step": [step for _, _, step, _ in rows],
    }
    for at, series in enumerate(STRIPS[kind]):
        for field, end in enumerate(("", LOW, HIGH)):
            columns[series + end] = as_stored(np.array([numbers[at][field] for *_, numbers in rows]).round(DIGITS))
        columns[series + AS_TEXT] = [written(numbers[at]) for *_, numbers in rows]
    tall = TALL if BREADTH in STRIPS[kind] else STRIP
    signals = step_signals(course.steps) | {"rows": len(found), "height": len(found) * tall}
    together = [at for at, series in enumerate(STRIPS[kind]) if series != BREADTH]
    drawn = (value for *_, numbers in rows for at in together for value in (numbers[at].value, numbers[at].high))
    most = max((value for value in drawn if value > 0), default=1.0)  # undefined is not above 0
    signals["top"] = math.ceil(TENTHS * most) / TENTHS
    view = {"columns": columns, "signals": signals, "constants": {**constants, "decimals": DIGITS}}
    return Figure(
        id=name,
        label=label,
        kinds=(kind,),
        data=embed({"shared": {}, "views": [view]}),
        caption=caption.replace(TOP, f"{signals['top']:g}"),
        table=Table(
            ("strip", "step", *STRIPS[kind]),
            tuple(
                (title, step_text(step), *(_cell(number, spread=spread) for number in numbers))
                for _, title, step, numbers in rows
            ),
        ),
    )


def _cell(number: Number, *, spread: bool) -> str:
    return written(number) if spread else pieces(number)[0]
