"""Curves over layers with their intervals: the profiles in which phases are sought, and a few series side by side."""

import altair as alt

from generator.charts import PHASES_TALL, RING, SERIES_TALL, TOLD
from generator.charts.parts import (
    DATA,
    INTERVAL,
    KEYS,
    caption,
    colour_params,
    colour_scale,
    legend_columns,
    names_at_lines,
    naming_params,
    series_colour,
)
from generator.charts.theme import QUANTITIES


def profiles() -> alt.TopLevelMixin:
    """One curve per quantity, and lines where phases end: as found, with an interval; as the hypothesis has it, dashed.
    Published numbers are rings.

    Columns: layer, quantity, value, low, high, told, found and expected (1 where a phase ends with the layer, else 0),
    found_low, found_high, printed (1 if the value is a published one, whose layer need not be whole, else 0). Signals:
    depth (layers), and those of `naming_params`.
    """
    every = alt.Chart(DATA)
    base = every.transform_filter("datum.printed < 1")
    x = alt.X(
        "layer:Q",
        title="layer",
        scale=alt.Scale(domain=[0.5, alt.ExprRef("depth + 0.5")], nice=False, zero=False),
        axis=alt.Axis(tickMinStep=1, format="d", grid=False),
    )
    scale = colour_scale(QUANTITIES)
    columns = legend_columns(5)
    legend = alt.Legend(orient="top", columns=columns, symbolType="circle", symbolStrokeWidth=0, **KEYS)
    colour = alt.Fill("quantity:N", title=None, scale=scale, legend=legend)
    curves = base.mark_line(strokeWidth=2.5).encode(
        x=x, y=alt.Y("value:Q", title="share"), stroke=alt.Stroke("quantity:N", scale=scale, legend=None)
    )
    points = base.mark_point(size=50, opacity=1, strokeWidth=0).encode(
        x=x,
        y=alt.Y("value:Q", title="share"),
        fill=colour,
        tooltip=[alt.Tooltip("layer:Q"), alt.Tooltip("quantity:N"), INTERVAL],
    )
    bands = base.mark_area(opacity=0.25).encode(x=x, y=alt.Y("low:Q", title="share"), y2="high:Q", fill=colour)
    ends = base.transform_filter("datum.found > 0").transform_aggregate(
        groupby=["layer", "found_low", "found_high"], rows="count()"
    )
    between = (
        ends.transform_calculate(first="datum.found_low + 0.5", last="datum.found_high + 0.5")
        .mark_rect(opacity=0.15, color=alt.ExprRef("accent"))
        .encode(x=alt.X("first:Q", title="layer"), x2="last:Q")
    )
    found = (
        ends.transform_calculate(end="datum.layer + 0.5")
        .mark_rule(strokeWidth=3, color=alt.ExprRef("accent"))
        .encode(x=alt.X("end:Q", title="layer"))
    )
    expected = (
        base.transform_filter("datum.expected > 0")
        .transform_aggregate(groupby=["layer"], rows="count()")
        .transform_calculate(end="datum.layer + 0.5")
        .mark_rule(strokeWidth=1.5, strokeDash=[5, 4], color=alt.ExprRef("ink"))
        .encode(x=alt.X("end:Q", title="layer"))
    )
    names = names_at_lines(base, "quantity", "layer", x, alt.Y("value:Q", title="share"))
    rings = (
        every.transform_filter("datum.printed > 0")
        .mark_point(size=RING**2, opacity=1, strokeWidth=1.5, fill=alt.ExprRef("page"))
        .encode(
            x=x,
            y=alt.Y("value:Q", title="share"),
            stroke=alt.Stroke("quantity:N", scale=scale, legend=None),
            tooltip=[alt.Tooltip("quantity:N"), alt.Tooltip(f"{TOLD}:N", title="published")],
        )
    )
    drawn = alt.layer(
        between, found, expected, bands, rings, curves, points, names, width="container", height=PHASES_TALL
    )
    return drawn.add_params(*colour_params(), alt.param(name="depth", value=1), *naming_params())


def series() -> alt.TopLevelMixin:
    """Up to three curves of one number over layers, each with its interval.

    Columns: layer, series (in the order of the rows), value, low, high, told. Signals: caption (the unit, beside its
    axis), and those of
    `naming_params`.
    """
    base = alt.Chart(DATA)
    x = alt.X("layer:O", title="layer", axis=alt.Axis(labelAngle=0))
    colour = series_colour(legend_columns(3, 1))
    y = alt.Y("value:Q", title=None)
    lines = base.mark_line(strokeWidth=2.5).encode(x=x, y=y, color=colour)
    points = base.mark_point(size=50, opacity=1, filled=True).encode(
        x=x, y=y, color=colour, tooltip=[alt.Tooltip("layer:O"), alt.Tooltip("series:N"), INTERVAL]
    )
    bands = base.mark_area(opacity=0.25).encode(x=x, y=alt.Y("low:Q", title=None), y2="high:Q", color=colour)
    names = names_at_lines(base, "series", "layer", x, y)
    drawn = alt.layer(bands, lines, points, names, width="container", height=SERIES_TALL, title=caption("left"))
    return drawn.add_params(*colour_params(), alt.param(name="caption", value=""), *naming_params())


CHARTS = {"profiles": profiles, "series": series}
