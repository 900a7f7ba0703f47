"""Charts -> one script: each kind compiled once to Vega, with the Vega-Lite it came from for download."""

import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

import altair as alt
import vl_convert

from generator.charts import bars, evidence, grid, growth, maps, scatter
from generator.charts.parts import DATA
from generator.charts.theme import LIGHT, SCHEMES, signals, vega_config
from generator.topics import of_topics

CHARTS: Mapping[str, Callable[[], alt.TopLevelMixin]] = MappingProxyType(
    {
        "grid": grid.grid,
        "curves": grid.curves,
        "offsets": bars.offsets,
        "classes": bars.classes,
        "found": bars.found,
        "looked": bars.looked,
        "map": maps.heat_map,
        "heads-by-kind": scatter.heads_by_kind,
        "heads-by-layer": scatter.heads_by_layer,
        "tokens": scatter.tokens,
        "evidence": evidence.evidence,
        "growth": growth.growth,
        **{kind: chart for some in of_topics("charts", "CHARTS") for kind, chart in some.items()},
    }
)
"""Kind -> chart. A new kind is a function and a name here, or in `CHARTS` of its topic."""
WIDTH = 600
"""Pixels of a chart that stands on its own; on a page it is as wide as its place."""


def specification(kind: str) -> dict[str, Any]:
    """The Vega-Lite of a kind, without data and without Altair's own theme."""
    with alt.theme.enable("none"), warnings.catch_warnings():
        warnings.simplefilter("error")
        spec: dict[str, Any] = _on_page(kind).to_dict(validate=False)  # it would double the time, and a test does it
    return {key: value for key, value in spec.items() if key != "config"}


def _on_page(kind: str) -> Any:
    """A chart whose background is that of the page."""
    made: Any = CHARTS[kind]()
    made.background = alt.ExprRef("page")
    return made


_made = cache(specification)
"""`specification`, kept because Altair takes as long to make it as Vega to compile it; callers may not change it."""


def chart(kind: str, rows: Sequence[Mapping[str, Any]], settings: Mapping[str, Any], label: str) -> alt.TopLevelMixin:
    """A chart of this kind with its data, in the light scheme, that needs no page: for a notebook or a file.

    `rows` have the columns and `settings` the signals that the kind's function names; `label` says what it shows to
    those who cannot see it.
    """
    made = _on_page(kind)
    made.config, made.description, made.width = vega_config(LIGHT), label, WIDTH
    made.datasets = {DATA.name: list(rows)}
    for param in made.params:
        if param.name in settings:
            param.value = settings[param.name]
    shown: alt.TopLevelMixin = made
    return shown


@cache
def compiled(kind: str) -> dict[str, Any]:
    """The Vega specification of a kind, without data; it is kept, so callers may not change it."""
    return vl_convert.vegalite_to_vega(_made(kind))


def charts_script() -> str:
    """A script that defines `fieldguideCharts`: the charts and the two colour schemes."""
    charts = {kind: {"vega": compiled(kind), "lite": _made(kind)} for kind in CHARTS}
    schemes = {name: {"config": vega_config(palette), "signals": signals(palette)} for name, palette in SCHEMES.items()}
    content = json.dumps({"charts": charts, "schemes": schemes}, separators=(",", ":"))
    return f"// Made by generator/charts/compile.py.\nwindow.fieldguideCharts = {content};\n"


def vega_script() -> str:
    """Vega and vega-embed as one script, wrapped so that it leaves only `vegaEmbed` behind."""
    bundle = vl_convert.javascript_bundle()  # type: ignore[call-arg]  # the stub demands what is optional
    return (
        "// Vega, Vega-Lite and vega-embed (BSD-3-Clause), bundled by vl-convert.\n"
        # In the open the bundle would leave some 2500 global names behind, and throw where a page loads it twice.
        "(function () {\n" + bundle + "\n}).call(window);\n"
    )
