"""A head's attention on one sentence as a heat map.

Columns: query, key (tokens as their vocabulary writes them), q, k (positions from 0), weight. The signal labels
holds the tokens in order, as people read them.
Positions, not tokens, are the fields of the axes, because a token can stand twice in a sentence.
"""

from typing import Any

import altair as alt

from generator.charts.parts import DATA, WEIGHT, colour_params

TOOLTIP = [alt.Tooltip("query:N"), alt.Tooltip("key:N"), alt.Tooltip("weight:Q", format=WEIGHT)]


def heat_map() -> alt.TopLevelMixin:
    """Queries down, keys across; a row sums to one."""
    axis: dict[str, Any] = {"labelExpr": "labels[datum.value]", "domain": False, "ticks": False, "labelLimit": 150}
    return (
        alt.Chart(DATA, width="container", height=alt.Step(21))
        .mark_rect()
        .encode(
            x=alt.X("k:O", title="key", axis=alt.Axis(orient="top", labelAngle=-60, **axis)),
            y=alt.Y("q:O", title="query", axis=alt.Axis(**axis)),
            color=alt.Color(
                "weight:Q",
                title=None,
                scale=alt.Scale(domain=[0, 1], range="heatmap"),
                legend=alt.Legend(orient="bottom", gradientLength=180, gradientThickness=10),
            ),
            tooltip=TOOLTIP,
        )
        .add_params(*colour_params(), alt.param(name="labels", value=[]))
    )
