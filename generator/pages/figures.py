"""Makes the figures of a page from numbers: columns, as JSON that is safe inside HTML."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
import orjson

from generator.attention.sums.primitives import REACH
from generator.charts import HEADS_TALL, TOLD
from generator.charts.naming.signals import Upright, evenly, extremes, labelled
from generator.measures import MEASURES
from generator.measures.measure import Measure
from generator.measures.position import FAR_COLUMNS, OFFSET_COLUMNS, PREVIOUS
from generator.numbers.number import Grid, Number, alone
from generator.numbers.writing import number, pieces, written
from generator.pages.blocks import Figure, Table, first_title
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.summary import TARGETS, Target
from generator.pages.heads.written import HeadGrid
from generator.pages.links import head_name, to_head, to_method
from generator.pages.titles.bars import classes_seen, offsets_seen
from generator.pages.titles.heads import highest_seen


class ByCorpus(NamedTuple):
    """A kind of figures of a model of which each corpus has one; a topic gives it to notebooks as `FIGURE`."""

    kind: str
    noun: str
    """What such a corpus is called, such as "a treebank"."""
    what: str
    """What it takes, such as "relations of a treebank"."""
    remedy: str
    """What to do where a model has none."""
    of: Callable[[Atlas], Mapping[str, Callable[[], Figure]]]
    """Corpus -> what makes its figure."""


SINGLE = (PREVIOUS, *(measure for measure in MEASURES if not measure.parts and measure is not PREVIOUS))
"""Measures that give one number per head: those that a grid can show. The first is one in which the heads of every
encoder differ; MEASURES, whose order is that of the stored columns, begins with [CLS], to which in some encoders no
head pays attention.
"""
DIGITS = 4
"""Decimals of where the scale of a figure ends, which is in no table."""
ESTIMATE = ("value", "low", "high")
OFFSET_LABELS = [f"< -{REACH}", *map(str, range(-REACH, REACH + 1)), f"> {REACH}"]
SPECIAL = tuple(target for target in TARGETS if target.kind in ("begin", "separator"))
"""Targets whose attention stands beside that by offset, among which it is counted, too."""
CLASS_ROWS = (
    *((target.name, target.column, target.norm) for target in TARGETS if target.norm),
    ("other tokens", "attention.other", "norm.other"),
)
"""Class of token, its measure by weight and by norm."""


class Bar(NamedTuple):
    """A bar of the chart of classes."""

    words: str
    """The class."""
    counted: str
    """What the share counts: "weight", "norm" or "tokens"."""
    share: Number


def embed(data: Mapping[str, Any]) -> str:
    """JSON whose `<`, `>` and `&` are written as escapes, so that no HTML parser sees markup in it.

    Arrays are written as lists; a number that is not finite is null.
    """
    text = orjson.dumps(data, option=orjson.OPT_SERIALIZE_NUMPY).decode()
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def as_stored(values: np.ndarray) -> list[float | None]:
    """The numbers as a flat list, as they are stored, because readers download them; None where undefined."""
    return _stored(np.ravel(values).tolist())


def _stored(values: Iterable[float]) -> list[float | None]:
    return [None if math.isnan(value) else float(value) for value in values]


def estimate_columns(
    numbers: Iterable[Number], start: str = "", *, signed: bool = False, against: Sequence[float] = ()
) -> dict[str, list[Any]]:
    """Columns of numbers, whose names begin with the prefix: value and ends, and all three as text."""
    kept = list(numbers)
    drawn = {start + field: _stored(getattr(estimate, field) for estimate in kept) for field in ESTIMATE}
    return {**drawn, start + TOLD: [written(estimate, signed=signed, against=against) for estimate in kept]}


def head_columns(atlas: Atlas, page: str) -> dict[str, list[Any]]:
    """The columns that every grid of heads shares, in the order of the atlas's places."""
    return {
        "layer": [layer for layer, _ in atlas.places],
        "head": [head for _, head in atlas.places],
        "href": [to_head(atlas.slug, *place, page).href for place in atlas.places],
        "summary": [atlas.summaries[place].called for place in atlas.places],
    }


def number_columns(found: Grid, *, signed: bool = False) -> dict[str, list[Any]]:
    """The columns of `estimate_columns` for all numbers of a grid, the last axis running fastest."""
    return estimate_columns((found.at(*place) for place in np.ndindex(found.value.shape)), signed=signed)


def by_head(atlas: Atlas, numbers: Grid) -> dict[str, Number]:
    """The number of each head, under its name, in the order of the atlas's places."""
    return {head_name(layer, head): numbers.at(layer - 1, head - 1) for layer, head in atlas.places}


def head_views(atlas: Atlas, page: str, views: Iterable[Mapping[str, Any]]) -> str:
    """The data of a figure of all heads; columns of views are in the order of the atlas's places."""
    return embed({"shared": head_columns(atlas, page), "views": list(views)})


def head_table(atlas: Atlas, numbers: Mapping[str, Grid], *, signed: bool = False) -> Table:
    """A table with a row for each head and a column for each of `numbers`, which has headings as keys."""
    rows = (
        (
            head_name(layer, head),
            *(written(estimate.at(layer - 1, head - 1), signed=signed) for estimate in numbers.values()),
        )
        for layer, head in atlas.places
    )
    return Table(("head", *numbers), tuple(rows))


def atlas_figure(atlas: Atlas, page: str) -> Figure:
    """The layer x head grid and the curves over layers, one view per measure that this model defines."""
    measures = [measure for measure in SINGLE if not np.isnan(atlas.estimates[measure.name].value).all()]
    views = [_measure_view(atlas, measure) for measure in measures]
    return Figure(
        id="atlas",
        label=first_title(views),
        kinds=("grid", "curves"),
        data=head_views(atlas, page, views),
        views=tuple(to_method(measure.name, f"{measure.title} ({measure.unit})", page) for measure in measures),
        chooser="Measure",
        caption=(
            "Each cell and each point is the mean of a head over documents; choose one for the page of the head. The "
            "line is the plain mean of a layer's heads with its 95 % interval, the dashed line what uniform attention "
            "would give. "
            f"Measured on {atlas.text}. Colour runs over the measure's whole range: 0 to 1 for a share, 0 to ln n for "
            "nats."
        ),
        table=head_table(atlas, {measure.title: atlas.estimates[measure.name].heads for measure in measures}),
    )


def _measure_view(atlas: Atlas, measure: Measure) -> dict[str, Any]:
    estimate = atlas.estimates[measure.name]
    widest = round(atlas.estimates["entropy.all"].uniform, 2)  # 0 in texts of one token
    top = 1 if measure.unit == "share" else widest or 1
    (uniform,) = as_stored(np.array(estimate.uniform))
    columns = number_columns(estimate.heads)
    heads = estimate.value.shape[1]
    columns |= {f"layer_{name}": as_stored(np.repeat(getattr(estimate.layers, name), heads)) for name in ESTIMATE}
    return {
        "columns": columns,
        "signals": {"top": top, "uniform": uniform, "named": _extremes(atlas, estimate, top)},
        "constants": {"measure": measure.name, "unit": measure.unit, "n": estimate.n},
        "title": highest_seen(measure.title, by_head(atlas, estimate.heads), measure.unit),
    }


def _extremes(atlas: Atlas, estimate: HeadGrid, top: float) -> dict[str, int]:
    """The heads that have names among the points of a measure, each with the side on which it stands."""
    across, up = evenly(layer for layer, _ in atlas.places), Upright(0, top, HEADS_TALL)
    numbers = {(layer, head): estimate.of(layer, head).value for layer, head in atlas.places}
    heads = {head_name(*at): (across[at[0]], value) for at, value in numbers.items() if not math.isnan(value)}
    means = zip(across.values(), estimate.layers.value.tolist(), strict=True)
    mean = [(at, up.down(value)) for at, value in means if not math.isnan(value)]
    level = [(at, up.down(estimate.uniform)) for at in across.values() if not math.isnan(estimate.uniform)]
    return extremes(heads, up, [track for track in (mean, level) if track])


def offsets_figure(atlas: Atlas, layer: int, head: int) -> Figure:
    """The offset profile of one head: each place near the query, words farther away, and special tokens."""
    at = layer - 1, head - 1
    special = [target for target in SPECIAL if not math.isnan(atlas.estimates[target.column].value[at])]
    before, after = FAR_COLUMNS
    shown = before, *OFFSET_COLUMNS[1:-1], after, *(target.column for target in special)
    ends = (atlas.stacked(field, shown)[at].tolist() for field in ("value", "low", "high"))
    bars = list(map(Number, *ends, repeat(atlas.documents)))
    uniform = [atlas.estimates[name].uniform for name in shown]
    references = list(map(number, uniform))
    columns: dict[str, Any] = {"offset": [*OFFSET_LABELS]}
    columns["offset"] += [atlas.special_tokens.get(target.kind, target.name) for target in special]
    columns["near"] = [0 < place <= 2 * REACH + 1 for place in range(len(shown))]
    columns |= estimate_columns(bars)
    columns |= {"uniform": as_stored(np.array(uniform)), f"uniform_{TOLD}": references}
    view = _view(columns, atlas)
    rows = tuple(
        (label, *pieces(bar), reference)
        for label, bar, reference in zip(columns["offset"], bars, references, strict=True)
    )
    return Figure(
        id="offsets",
        label=offsets_seen(head_name(layer, head), bars[: len(OFFSET_LABELS)], uniform),
        kinds=("offsets",),
        data=embed({"shared": {}, "views": [view]}),
        first=view,
        caption=(
            f"Negative: before the query. Grey: words more than {REACH} places away, and special tokens wherever they "
            f"lie. Lines: 95 % intervals over {atlas.documents} documents, none held out. "
            "Ticks: uniform attention."
        ),
        table=Table(("offset or token", "share", "95 % interval", "uniform"), rows),
    )


def classes_figure(atlas: Atlas, layer: int, head: int) -> Figure:
    """Attention to each class of token, by weight and, where values are known, by norm, beside the share of such
    tokens.
    """
    with_norms = has_norms(atlas, layer, head)
    counted = ("weight", "norm") if with_norms else ("weight",)
    bars, rows = [], []
    called = {target.words: atlas.special_tokens.get(target.kind, target.words) for target in TARGETS if target.norm}
    for kind, *names in CLASS_ROWS:
        words = called.get(kind, kind)
        estimates = [atlas.estimates[name] for name in names[: len(counted)]]
        for how, estimate in zip(counted, estimates, strict=True):
            bars.append(Bar(words, how, estimate.of(layer, head)))
        tokens = estimates[0].uniform
        bars.append(Bar(words, "tokens", alone(tokens)))
        rows.append((words, *(written(grid.of(layer, head)) for grid in estimates), number(tokens)))
    columns: dict[str, Any] = {"class": [bar.words for bar in bars], "counted": [bar.counted for bar in bars]}
    columns |= estimate_columns(bar.share for bar in bars)
    view = _view(columns, atlas, named=labelled(columns))
    return Figure(
        id="classes",
        label=classes_seen(
            head_name(layer, head),
            {called[target.words]: _pair(atlas, target, layer, head) for target in TARGETS if target.norm},
            {called[target.words]: atlas.estimates[target.column].uniform for target in TARGETS if target.norm},
        ),
        kinds=("classes",),
        data=embed({"shared": {}, "views": [view]}),
        first=view,
        caption=(
            f"Weight: where the head looks.{' Norm: where what it writes comes from.' * with_norms} Tokens: what "
            f"uniform attention would give. Lines: 95 % intervals over {atlas.documents} documents, none held out."
        ),
        table=Table(("class", *(f"{how} (95 % interval)" for how in counted), "tokens"), tuple(rows)),
    )


def has_norms(atlas: Atlas, layer: int, head: int) -> bool:
    """Whether it is known what a head writes from each class of token."""
    return not all(math.isnan(atlas.estimates[norm].value[layer - 1, head - 1]) for _, _, norm in CLASS_ROWS)


def _pair(atlas: Atlas, target: Target, layer: int, head: int) -> tuple[Number, Number]:
    """How much of a head's attention goes to a target, and how much of its output comes from there, by norm."""
    assert target.norm
    return atlas.estimates[target.column].of(layer, head), atlas.estimates[target.norm].of(layer, head)


def _view(columns: dict[str, Any], atlas: Atlas, **signals: Any) -> dict[str, Any]:
    return {"columns": columns, "signals": signals, "constants": {"unit": "share", "n": atlas.documents}}
