"""The picture of a chart that its page shows until a reader touches the chart.

Pictures on pages of heads are written into the page. All others are files beside it, light and dark, wide and narrow; a
browser fetches only the one that it shows.
"""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from markupsafe import Markup

from generator.charts.static import bars, maps
from generator.charts.static.evidence import evidence
from generator.charts.static.plot import drawn
from generator.charts.static.vega import StaticPicture, StaticPictures, darkened, static_picture
from generator.charts.theme import SCHEMES as PALETTES

ALONE, BESIDE, NARROW = 840, 600, 358
"""Width in pixels of a picture that is alone in its figure, of one of several, and of one on a telephone."""
SCHEMES = {"default": ("light", ""), "slate": ("dark", "-dark")}
"""Colour scheme -> the end of the CSS class of its pictures, and the ending of their file names."""
IMAGE = Markup(
    '<picture class="fg-{shown}"><source media="{media}" srcset="{1.name}" '
    'width="{1.image.width}" height="{1.image.height}"><img src="{0.name}" alt="{label}" loading="lazy" '
    'width="{0.image.width}" height="{0.image.height}"></picture>'
)
"""A picture in one scheme; screens of the widths `media` get the narrow one."""
TELEPHONE = "(max-width: 34em)"
"""Screens that get the narrow picture of a figure."""
Writer = Callable[[Mapping[str, Any], str], str]


class Picture(NamedTuple):
    """A picture that is published beside its page."""

    name: str
    image: StaticPicture


def _of_columns(write: Callable[[Mapping[str, list[Any]], str], str]) -> Writer:
    return lambda data, label: write(_columns(data), label)


def _of_map(write: Callable[[list[str], np.ndarray, str], str]) -> Writer:
    def written(data: Mapping[str, Any], label: str) -> str:
        view = data["views"][0]
        tokens: list[str] = view["tokens"]
        # Pages carry weights in thousandths.
        weights = np.asarray(view["weights"]).reshape(len(tokens), len(tokens)) / 1000
        return write(view.get("labels", tokens), weights, label)

    return written


WRITERS: Mapping[str, Writer] = MappingProxyType(
    {
        "offsets": _of_columns(bars.offsets),
        "classes": _of_columns(bars.classes),
        "found": _of_columns(bars.found),
        "looked": _of_columns(bars.looked),
        "map": _of_map(maps.heat_map),
    }
)
"""Kinds of chart on a head's page -> what writes them into the page: there are too many of them for Vega."""

FILED = "evidence"
"""The kind whose pictures are files that are written here: each claim has some, of all models, so that each build draws
them anew, and Vega takes 60 ms for one.
"""


class Chart(NamedTuple):
    """One of the charts of a figure; `data` and `label` are those of `generator.pages.blocks.Figure`."""

    kind: str
    data: str
    label: str
    name: str
    """The beginning of the names of its files."""
    alone: bool
    """Whether it is the only one of its figure."""
    first: Mapping[str, Any] | None = None
    """The first view of its data, if that is at hand; then the data need not be read."""


def picture(chart: Chart, pictures: StaticPictures | None) -> tuple[Markup, list[Picture]]:
    """The picture of a chart as HTML, and the files that it needs.

    Without `pictures` there is no picture of a chart that has no writer: the reader's browser draws it.
    """
    kind, data = chart.kind, _read(chart.data) if chart.first is None else {"shared": {}, "views": [chart.first]}
    if kind in WRITERS:
        return Markup(WRITERS[kind](data, chart.label)), []  # noqa: S704 - the writers escape every text
    if not pictures:
        return Markup(), []
    html = Markup()
    files: list[Picture] = []
    width = ALONE if chart.alone else BESIDE
    rows, settings = _first_view(data)
    wide, narrow = (
        _written(chart, rows, settings, pixels)
        if kind == FILED
        else pictures.draw(kind, rows, settings, chart.label, pixels)
        for pixels in (width, NARROW)
    )
    for scheme, (shown, ending) in SCHEMES.items():
        both = (
            Picture(f"{chart.name}{ending}.svg", wide[scheme]),
            Picture(f"{chart.name}-narrow{ending}.svg", narrow[scheme]),
        )
        files += both
        html += IMAGE.format(*both, shown=shown, media=TELEPHONE, label=chart.label)
    return html, files


def _written(
    chart: Chart, rows: list[dict[str, Any]], settings: dict[str, Any], width: int
) -> dict[str, StaticPicture]:
    """Colour scheme -> the picture."""
    light, dark = PALETTES.items()
    svg = evidence(rows, settings, chart.label, width, light[1])
    return {light[0]: static_picture(svg), dark[0]: static_picture(darkened(svg))}


@lru_cache(maxsize=1)
def _read(data: str) -> Mapping[str, Any]:
    """The data of a figure, which all of its charts show."""
    read: Mapping[str, Any] = json.loads(data)
    return read


def _columns(data: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The columns of the first view."""
    return {**data["shared"], **data["views"][0]["columns"]}


def _first_view(data: Mapping[str, Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The rows and the signals of the first view."""
    view = data["views"][0]
    columns = {
        name: [drawn(value) if type(value) is float else value for value in column]
        for name, column in _columns(data).items()
    }
    constants = view.get("constants", {})
    rows = [{**constants, **dict(zip(columns, row, strict=True))} for row in zip(*columns.values(), strict=True)]
    return rows, view.get("signals", {})
