"""How costs grow: processor time against the size of what is processed, both on log axes."""

import altair as alt

from generator.charts import TOLD
from generator.charts.parts import DATA, colour_params, colour_scale, legend_columns

SERIES = {
    "documents": ("accent", "circle"),
    "tokens of one input": ("contrast", "square"),
    "heads of the encoder": ("ink", "diamond"),
    "models of the site": ("muted", "triangle-up"),
}
"""What is increased -> the name of its colour and the shape of its points."""
ACROSS, UP = "how many times as much (log scale)", "how many times the CPU time (log scale)"


def growth() -> alt.TopLevelMixin:
    """One line for each thing that is increased; a dashed line shows time that grows in proportion.

    Columns: series, amount, seconds, more and times (amount and seconds, divided by those of the series' first point),
    seconds_told and times_told. Signals: most (the largest of more), top (the largest of more and times).
    """
    base, names = alt.Chart(DATA), list(SERIES)
    colours = colour_scale({name: colour for name, (colour, _) in SERIES.items()})
    axis = alt.Axis(format="d", labelOverlap=True)

    def ends(last: str) -> alt.Scale:
        return alt.Scale(type="log", base=2, nice=False, domain=[1, alt.ExprRef(last)])

    x = alt.X("more:Q", title=ACROSS, scale=ends("most"), axis=axis)
    y = alt.Y("times:Q", title=UP, scale=ends("top"), axis=axis)
    alike = (
        # A single row, for otherwise each point would draw the same line once more.
        base.transform_aggregate(rows="count()")
        .transform_calculate(first="1", last="most")
        .mark_rule(strokeDash=[5, 4], strokeWidth=1.5, color=alt.ExprRef("muted"))
        .encode(x=alt.X("first:Q", title=ACROSS), x2="last:Q", y=alt.Y("first:Q", title=UP), y2="last:Q")
    )
    legend = alt.Legend(orient="top", columns=legend_columns(4), symbolStrokeWidth=0, symbolOpacity=1)
    stroke = alt.Stroke("series:N", title=None, scale=colours, legend=legend)
    lines = base.mark_line(strokeWidth=2.5).encode(x=x, y=y, stroke=stroke)
    points = base.mark_point(size=70, opacity=1, strokeWidth=0).encode(
        x=x,
        y=y,
        fill=alt.Fill("series:N", title=None, scale=colours, legend=legend),
        shape=alt.Shape(
            "series:N",
            title=None,
            scale=alt.Scale(domain=names, range=[shape for _, shape in SERIES.values()]),
            legend=legend,
        ),
        tooltip=[
            alt.Tooltip("series:N"),
            alt.Tooltip("amount:Q", format=","),
            alt.Tooltip(f"seconds_{TOLD}:N", title="CPU seconds"),
            alt.Tooltip(f"times_{TOLD}:N", title="times the first"),
        ],
    )
    return alt.layer(alike, lines, points, width="container", height=340).add_params(
        *colour_params(), alt.param(name="most", value=10), alt.param(name="top", value=10)
    )
