"""What charts of a course of training share: the axis of steps, the band, line and points of a series, their colours.

Steps lie on a log axis with labels at the signal `ticks`. A checkpoint of step 0 has no place there; it stands where
the signal `zero` says, and is labelled 0.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import altair as alt

from generator.charts.parts import INTERVAL, KEYS, colour_params, colour_scale, is_number, legend_columns

STEP = "training step (log scale)"
PLACED = {"at": "datum.step > zero ? datum.step : zero"}
"""The place of a step on its axis."""
TELL = (alt.Tooltip("series:N"), alt.Tooltip("step:Q", format=","), INTERVAL)


def band_line_points(
    base: alt.Chart,
    series: Mapping[str, str],
    up: Callable[[str], alt.Y],
    columns: Sequence[str],
    size: int,
    *,
    named: bool = False,
    **more: Any,
) -> tuple[alt.Chart, alt.Chart, alt.Chart]:
    """Band, line and points of several series; `columns` are value, low and high, as they are drawn.

    With `named`, lines may have names instead of a legend.
    """
    value, low, high = columns
    scale, x = colour_scale(series), step_axis()
    legend = alt.Legend(
        orient="top",
        columns=legend_columns(len(series)),
        symbolType="circle",
        symbolStrokeWidth=0,
        **(KEYS if named else {"symbolOpacity": 1}),
    )
    fill = alt.Fill("series:N", title=None, scale=scale, legend=legend)
    band = (
        base.transform_filter(is_number("low"))
        .mark_area(opacity=0.25)
        .encode(x=x, y=up(low), y2=f"{high}:Q", fill=fill, **more)
    )
    stroke = alt.Stroke("series:N", scale=scale, legend=None)
    line = base.mark_line(strokeWidth=2).encode(x=x, y=up(value), stroke=stroke, **more)
    points = base.mark_point(size=size, opacity=1, strokeWidth=0, aria=False).encode(
        x=x, y=up(value), fill=fill, tooltip=[*TELL]
    )
    return band, line, points


def step_axis() -> alt.X:
    """The place of a step; needs `PLACED`."""
    axis = alt.Axis(
        format="~s",
        grid=False,
        labelOverlap="greedy",
        values=alt.ExprRef("ticks"),
        labelExpr="datum.value === zero ? '0' : datum.label",
    )
    return alt.X("at:Q", title=STEP, scale=step_scale(), axis=axis)


def step_scale() -> alt.Scale:
    """The scale of steps from the first to the last, as the signals say."""
    return alt.Scale(type="log", nice=False, domain=[alt.ExprRef("zero"), alt.ExprRef("last")])


def course_params(**more: float | str) -> list[alt.Parameter]:
    """Colours, the ends and labels of the axis of steps, and what else a chart is told."""
    found = {"zero": 1, "last": 2, "ticks": [1, 2], **more}
    return [*colour_params(), *(alt.param(name=name, value=value) for name, value in found.items())]
