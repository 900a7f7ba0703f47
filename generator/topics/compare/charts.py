"""The layer x head grid of a change: squares as large as the change, in one colour for more and another for less."""

import altair as alt

from generator.charts.parts import DATA, INTERVAL, colour_params, colour_scale
from generator.charts.theme import DIRECTIONS

LARGEST = 400
"""Area of the largest square, in square pixels: it fits into a cell of a narrow screen."""


def shifts() -> alt.TopLevelMixin:
    """One square per head, its area the size of the change, linking to the head's page.

    Columns: layer, head, value, low, high, told, size (the change without its sign), direction (of DIRECTIONS), href.
    Signals: top (the size that fills a cell).
    """
    return (
        alt.Chart(DATA, width="container", height=alt.Step(28))
        .mark_square(cursor="pointer", opacity=1)
        .encode(
            x=alt.X("head:O", title="head", axis=alt.Axis(orient="top", labelAngle=0, domain=False, ticks=False)),
            y=alt.Y("layer:O", title="layer", axis=alt.Axis(domain=False, ticks=False)),
            size=alt.Size(
                "size:Q", scale=alt.Scale(domain=[0, alt.ExprRef("top")], range=[0, LARGEST], clamp=True), legend=None
            ),
            fill=alt.Fill(
                "direction:N",
                title=None,
                scale=colour_scale(DIRECTIONS),
                legend=alt.Legend(orient="bottom", symbolType="square", symbolStrokeWidth=0),
            ),
            href="href:N",
            tooltip=[alt.Tooltip("layer:O"), alt.Tooltip("head:O"), INTERVAL],
        )
        .add_params(*colour_params(), alt.param(name="top", value=1))
    )


CHARTS = {"shifts": shifts}
