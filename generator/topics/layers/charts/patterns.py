"""The shares of the five patterns as bars that reach from 0 to 1: by layer, or by cut-off."""

import altair as alt

from generator.charts.parts import DATA, INTERVAL, caption, colour_params, colour_scale, legend_columns
from generator.charts.theme import PATTERNS


def patterns() -> alt.TopLevelMixin:
    """One bar for each layer or cut-off, divided by pattern.

    Columns: at (in the order of the rows), pattern, order (0 for the lowest), value, low, high, told, n. Signals:
    caption (what `at` is, under the chart).
    """
    return (
        alt.Chart(DATA, width="container", height=260, title=caption())
        .mark_bar(stroke=alt.ExprRef("page"), strokeWidth=1)
        .encode(
            x=alt.X("at:O", sort=None, title=None, axis=alt.Axis(labelAngle=0, labelOverlap=True)),
            y=alt.Y("value:Q", title="share of maps", scale=alt.Scale(domain=[0, 1]), stack=True),
            order=alt.Order("order:Q"),
            fill=alt.Fill(
                "pattern:N",
                title=None,
                scale=colour_scale(PATTERNS),
                legend=alt.Legend(
                    orient="top",
                    columns=legend_columns(5),
                    symbolType="square",
                    symbolOpacity=1,
                    symbolStrokeWidth=0,
                ),
            ),
            tooltip=[alt.Tooltip("pattern:N"), INTERVAL, alt.Tooltip("n:Q", format=",")],
        )
        .add_params(*colour_params(), alt.param(name="caption", value=""))
    )


CHARTS = {"patterns": patterns}
