"""A head's attention on one sentence: as a heat map, and as lines between two columns of tokens.

Columns of both: query, key (tokens as their vocabulary writes them), q, k (positions from 0), weight. The signal labels
holds the tokens in order, as people read them.
Positions, not tokens, are the fields of the axes, because a token can stand twice in a sentence.
"""

from typing import Any

import altair as alt

from generator.charts.parts import DATA, WEIGHT, colour_params

TOOLTIP = [alt.Tooltip("query:N"), alt.Tooltip("key:N"), alt.Tooltip("weight:Q", format=WEIGHT)]

LABEL = "labels[datum.{}]"


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


def lines() -> alt.TopLevelMixin:
    """Queries on the left, keys on the right; pointing at a query shows its lines alone."""
    focus = alt.selection_point(name="focus", fields=["q"], on="pointerover", clear="pointerout", empty=True)
    x = alt.Scale(domain=[0, 1], range=[alt.ExprRef("width * 0.3"), alt.ExprRef("width * 0.7")])
    base = alt.Chart(DATA)
    rules = (
        base.transform_filter("datum.weight >= 0.02")
        .transform_calculate(left="0", right="1")
        .mark_rule(strokeWidth=2.5, strokeCap="round", color=alt.ExprRef("accent"))
        .encode(
            x=alt.X("left:Q", scale=x, axis=None),
            x2="right:Q",
            y=alt.Y("q:O", axis=None),
            y2="k:O",
            opacity=alt.when(focus)
            .then(alt.Opacity("weight:Q", scale=alt.Scale(domain=[0, 1], range=[0, 1]), legend=None))
            .otherwise(alt.value(0)),
            tooltip=TOOLTIP,
        )
    )
    queries = (
        base.transform_filter("datum.k == 0")
        .transform_calculate(left="0", label=LABEL.format("q"))
        .mark_text(
            align="right",
            dx=-8,
            fontSize=13,
            limit=alt.ExprRef("width * 0.3"),
            color=alt.ExprRef("ink"),
            cursor="pointer",
        )
        .encode(x=alt.X("left:Q", scale=x, axis=None), y=alt.Y("q:O", axis=None), text="label:N")
        .add_params(focus)
    )
    keys = (
        base.transform_filter("datum.q == 0")
        .transform_calculate(right="1", label=LABEL.format("k"))
        .mark_text(align="left", dx=8, fontSize=13, limit=alt.ExprRef("width * 0.3"), color=alt.ExprRef("ink"))
        .encode(x=alt.X("right:Q", scale=x, axis=None), y=alt.Y("k:O", axis=None), text="label:N")
    )
    return alt.layer(rules, queries, keys, width="container", height=alt.Step(21)).add_params(
        *colour_params(), alt.param(name="labels", value=[])
    )
