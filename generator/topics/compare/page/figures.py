"""The two figures of a page that compares models: grids of layers and heads."""

from typing import Any

import numpy as np

from generator.measures import OF_COLUMN
from generator.numbers.number import Grid
from generator.numbers.writing import pieces
from generator.pages.blocks import Figure, Table, first_title
from generator.pages.figures import as_stored, by_head, head_table, head_views, number_columns
from generator.pages.links import column_title, head_name, to_column
from generator.pages.titles.heads import changes_seen
from generator.topics.compare.page.numbers import Comparison

TOPS = (0.01, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Possible upper ends of the grid's colours; the first that no head exceeds is used."""


def change_figure(found: Comparison, page: str) -> Figure | None:
    """How far every head's maps are from those of the same head of the other model; None for models of other shape."""
    if not found.alike:
        return None
    change = found.change
    top = next(end for end in TOPS if np.nanmax(change.value) <= end or end == TOPS[-1])
    atlas = found.atlas
    constants = {"measure": "1 - cosine", "corpus": found.corpus, "beside": found.other.name}
    return Figure(
        id=f"change-{found.place}",
        label=changes_seen("The maps", by_head(atlas, change), plural=True),
        kinds=("grid",),
        data=head_views(atlas, page, [_view(number_columns(change), top, constants, change)]),
        caption=(
            "One minus the cosine of a head's maps in the two models on the same inputs, cropped to their tokens; mean "
            f"over {found.documents} {found.units}. 0: the same maps. Colours end at {top:g}. Choose a head for its "
            "page."
        ),
        table=Table(
            ("head", "1 - cosine", "95 % interval", "n"),
            tuple(
                (head_name(layer, head), *pieces(change.at(layer - 1, head - 1)), str(change.n[layer - 1, head - 1]))
                for layer, head in atlas.places
            ),
        ),
    )


def measures_figure(found: Comparison, page: str) -> Figure | None:
    """The change of every measure that changed, one view for each; None if none did."""
    if not found.alike or not found.changed:
        return None
    atlas = found.atlas
    views = [_measure_view(found, name) for name in found.changed]
    return Figure(
        id=f"measures-{found.place}",
        label=first_title(views),
        kinds=("shifts",),
        data=head_views(atlas, page, views),
        views=tuple(to_column(name, page) for name in found.changed),
        chooser="Measure",
        caption=(
            f"{found.other.name} minus {atlas.results.manifest.model}, paired by document. The area of a square is the "
            "size of the change; the largest of each measure fills its cell, however small it is: read its number."
        ),
        table=head_table(atlas, {column_title(name): found.heads[name] for name in found.changed}, signed=True),
    )


def _measure_view(found: Comparison, name: str) -> dict[str, Any]:
    estimate = found.heads[name]
    columns = number_columns(estimate, signed=True)
    columns["size"] = as_stored(abs(estimate.value))
    columns["direction"] = ["less" if value is not None and value < 0 else "more" for value in columns["value"]]
    top = max((value for value in columns["size"] if value is not None), default=0.0) or 1.0
    constants = {"measure": name, "unit": OF_COLUMN[name].unit, "corpus": found.corpus, "beside": found.other.name}
    title = changes_seen(column_title(name), by_head(found.atlas, estimate))
    return {**_view(columns, top, constants, estimate), "title": title}


def _view(columns: dict[str, Any], top: float, constants: dict[str, str], estimate: Grid) -> dict[str, Any]:
    return {"columns": columns, "signals": {"top": top}, "constants": constants | {"n": int(estimate.n.max())}}
