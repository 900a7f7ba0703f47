"""Numbers -> the figures of a page: rows by column, rounded for display, as JSON that is safe inside HTML."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from generator.attention.primitives import REACH
from generator.measures import MEASURES
from generator.measures.measure import Measure
from generator.measures.position import OFFSET_COLUMNS
from generator.pages.atlas import Atlas
from generator.pages.contexts import Figure, Table
from generator.pages.format import interval, number
from generator.pages.summary import KINDS

SINGLE: tuple[Measure, ...] = tuple(measure for measure in MEASURES if len(measure.columns) == 1)
"""Measures that give one number per head: those that a grid can show."""
DIGITS = 4
STRONGEST = 2
"""How many keys stand beside each query in the table of a map."""
BEYOND = {"offset.before": f"< -{REACH}", "offset.after": f"> {REACH}"}
CLASS_ROWS = (
    ("begin token", "attention.cls", "norm.cls"),
    ("separators", "attention.sep", "norm.sep"),
    ("periods, commas", "attention.punctuation", "norm.punctuation"),
    ("other tokens", None, "norm.other"),
)


def embed(data: Mapping[str, Any]) -> str:
    """JSON whose `<`, `>` and `&` are written as escapes, so that no HTML parser sees markup in it."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def rounded(values: np.ndarray) -> list[float | None]:
    """Flat, four decimals, None where undefined."""
    return [None if math.isnan(value) else round(value, DIGITS) for value in np.ravel(values).tolist()]


def atlas_figure(atlas: Atlas) -> Figure:
    """The layer x head grid and the curves over layers, one view per measure."""
    places = atlas.places
    n = max(estimate.n for estimate in atlas.estimates.values())
    shared = {
        "layer": [layer for layer, _ in places],
        "head": [head for _, head in places],
        "href": [f"heads/{layer}-{head}/" for layer, head in places],
        "summary": [KINDS[atlas.summaries[place].kind] for place in places],
    }
    views = []
    for measure in SINGLE:
        estimate = atlas.estimates[measure.name]
        top = 1 if measure.unit == "share" else round(atlas.estimates["entropy.all"].uniform, 2)
        columns = {name: rounded(getattr(estimate, name)) for name in ("value", "low", "high")}
        uniform = None if math.isnan(estimate.uniform) else round(estimate.uniform, DIGITS)
        views.append({"columns": columns, "signals": {"top": top, "uniform": uniform}})
    rows = tuple(
        (f"{layer}-{head}", *(number(atlas.estimates[m.name].value[layer - 1, head - 1]) for m in SINGLE))
        for layer, head in places
    )
    return Figure(
        id="atlas",
        label="Layer by head grid of the chosen measure, and its curve over layers",
        kinds=("grid", "curves"),
        data=embed({"shared": shared, "views": views}),
        views=tuple(measure.title for measure in SINGLE),
        chooser="Measure",
        caption=(
            "Each cell and each point is a head; choose one to open its page. The line is the mean of a layer, the "
            f"dashed line what uniform attention would give. Means over {n} documents of {atlas.corpus}. The colour "
            "runs over the measure's whole range, so it means the same on every page."
        ),
        table=Table(("head", *(measure.title for measure in SINGLE)), rows),
    )


def offsets_figure(atlas: Atlas, layer: int, head: int) -> Figure:
    """The offset profile of one head."""
    at = layer - 1, head - 1
    labels = [BEYOND.get(name, name.removeprefix("offset.")) for name in OFFSET_COLUMNS]
    estimates = [atlas.estimates[name] for name in OFFSET_COLUMNS]
    columns: dict[str, Any] = {"offset": labels}
    for field in ("value", "low", "high"):
        columns[field] = rounded(np.array([getattr(estimate, field)[at] for estimate in estimates]))
    columns["uniform"] = rounded(np.array([estimate.uniform for estimate in estimates]))
    rows = tuple(
        (label, number(e.value[at]), interval(e.low[at], e.high[at]), number(e.uniform))
        for label, e in zip(labels, estimates, strict=True)
    )
    return Figure(
        id="offsets",
        label=f"Offset profile of head {layer}-{head}",
        kinds=("offsets",),
        data=embed({"shared": {}, "views": [{"columns": columns, "signals": {}}]}),
        views=(),
        chooser="",
        caption=(
            "How far from the query the attention goes; negative offsets are tokens before it, the outer bars all that "
            f"lies beyond {REACH}. Lines are 95 % intervals over {estimates[0].n} documents, grey ticks are uniform "
            "attention."
        ),
        table=Table(("offset", "share", "95 % interval", "uniform"), rows),
    )


def classes_figure(atlas: Atlas, layer: int, head: int) -> Figure:
    """Attention to each class of token, by weight and by norm, beside the share of such tokens."""
    at = layer - 1, head - 1
    rows: list[tuple[str, str, float, float, float]] = []
    for words, weight, norm in CLASS_ROWS:
        if weight:
            estimate = atlas.estimates[weight]
            rows.append((words, "weight", estimate.value[at], estimate.low[at], estimate.high[at]))
        else:
            rest = 1 - np.nansum([atlas.estimates[w].value[at] for _, w, _ in CLASS_ROWS if w])
            rows.append((words, "weight", rest, math.nan, math.nan))
        estimate = atlas.estimates[norm]
        rows.append((words, "norm", estimate.value[at], estimate.low[at], estimate.high[at]))
        rows.append((words, "tokens", estimate.uniform, math.nan, math.nan))
    names = ("class", "counted", "value", "low", "high")
    columns = {
        name: [row[i] for row in rows] if i < 2 else rounded(np.array([row[i] for row in rows], dtype=float))
        for i, name in enumerate(names)
    }
    return Figure(
        id="classes",
        label=f"Attention of head {layer}-{head} by class of token",
        kinds=("classes",),
        data=embed({"shared": {}, "views": [{"columns": columns, "signals": {}}]}),
        views=(),
        chooser="",
        caption=(
            "Weight: where the head looks. Norm: how much of what it writes comes from there. Tokens: how many of the "
            f"text's tokens are of the class, which is what uniform attention gives. {atlas.estimates['norm.other'].n} "
            "documents."
        ),
        table=Table(
            ("class", "counted as", "share", "95 % interval"),
            tuple((words, how, number(value), interval(low, high)) for words, how, value, low, high in rows),
        ),
    )


def maps_figure(atlas: Atlas, layer: int, head: int) -> Figure:
    """The head's maps of the example sentences."""
    table = atlas.examples[layer, head]
    views = [
        {"tokens": tokens, "weights": np.rint(weights * 1000).astype(int).tolist()} for _, tokens, weights in table
    ]
    rows = tuple(
        (str(sentence), *row)
        for sentence, (_, tokens, weights) in enumerate(table, start=1)
        for row in _strongest(tokens, weights.reshape(len(tokens), len(tokens)))
    )
    return Figure(
        id="maps",
        label=f"Attention maps of head {layer}-{head} on example sentences",
        kinds=("map", "lines"),
        data=embed({"grid": True, "views": views}),
        views=tuple(text for text, _, _ in table),
        chooser="Sentence",
        caption=(
            "Left: from each query (row) to each key (column). Right: the same as lines, darker for more; point at a "
            "token on the left to see its lines alone. One sentence shows what a head can do, not what it usually does."
        ),
        table=Table(("sentence", "query", "largest weights"), rows),
    )


def _strongest(tokens: Sequence[str], weights: np.ndarray) -> Iterator[tuple[str, str]]:
    """Each query with the keys that get most of its attention; `weights` is `[query, key]`."""
    order = np.argsort(-weights, axis=1, kind="stable")[:, :STRONGEST].tolist()
    for token, row, keys in zip(tokens, weights.tolist(), order, strict=True):
        yield token, ", ".join(f"{tokens[key]} {number(row[key])}" for key in keys)
