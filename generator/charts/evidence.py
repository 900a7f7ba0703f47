"""The evidence of a claim: one number of every model, the threshold it must pass, and what was published."""

import altair as alt

from generator.charts import TOLD
from generator.charts.parts import DATA, INTERVAL, caption, colour_params
from generator.charts.static.evidence import SIZE
from generator.claims.verdict import AS_VERDICT, Verdict

SHAPES: dict[Verdict, str] = {
    "holds": "square",
    "fails": "circle",
    "inconclusive": "triangle-up",
    "not testable": "circle",
}
"""Verdict -> the shape of a mark."""


def evidence() -> alt.TopLevelMixin:
    """A dot with its interval for each model, dashed rules at the threshold, ticks at published values.

    The mark of a model has the colour of a verdict and a shape: a square where its number surely meets the threshold, a
    dot where it surely misses it, a triangle where that is open, a hollow dot where it is not judged.

    Columns: name (a model, or the source of a published value), value, low, high, told (the number, or what was
    published, as text), n, outcome (of the threshold: met, missed, open and so on), hollow (1 or 0),
    judged (1 or 0, whether the whole claim is), bound, second_bound, published, place; what a row does not have is
    null. Signals: left and right (ends of the axis), caption (unit and threshold, under the chart).
    """
    base = alt.Chart(DATA)
    y = alt.Y("name:N", sort=None, title=None, axis=alt.Axis(labelLimit=140, labelPadding=9, domain=False, ticks=False))

    def along(column: str) -> alt.X:
        ends = [alt.ExprRef("left"), alt.ExprRef("right")]
        axis = alt.Axis(tickCount=6, labelOverlap=True, labelFlush=False)
        return alt.X(f"{column}:Q", title=None, scale=alt.Scale(domain=ends, nice=True), axis=axis)

    bounds = [
        base.mark_rule(color=alt.ExprRef("muted"), strokeDash=[5, 4], strokeWidth=1.5, aria=False).encode(
            x=along(column)
        )
        for column in ("bound", "second_bound")
    ]
    words, verdicts = [*AS_VERDICT], [*AS_VERDICT.values()]
    of_verdict = [alt.ExprRef(f"verdict_{verdict.replace(' ', '_')}") for verdict in verdicts]
    colour = alt.Color("outcome:N", scale=alt.Scale(domain=words, range=of_verdict), legend=None)
    shapes = alt.Scale(domain=words, range=[SHAPES[verdict] for verdict in verdicts])
    # Every row has this mark, which is not seen: models without an interval keep their place among the names.
    names = base.mark_text(text="", aria=False).encode(y=y)
    interval = base.mark_rule(strokeWidth=2).encode(x=along("low"), x2="high:Q", y=y, color=colour)
    hollow = alt.condition("datum.hollow", alt.value(alt.ExprRef("page")), colour)
    dot = base.mark_point(size=SIZE, opacity=1).encode(
        x=along("value"),
        y=y,
        color=colour,
        fill=hollow,
        shape=alt.Shape("outcome:N", scale=shapes, legend=None),
        tooltip=[
            alt.Tooltip("name:N"),
            INTERVAL,
            alt.Tooltip("n:Q", format=","),
            alt.Tooltip("outcome:N", title="this threshold"),
        ],
    )
    # Where nothing was published the mark is empty, and would be read out as nothing; the table has the numbers.
    tick = base.mark_tick(aria=False, color=alt.ExprRef("ink"), thickness=3, size=18, opacity=1).encode(
        x=along("published"),
        y=y,
        tooltip=[alt.Tooltip("name:N"), alt.Tooltip(f"{TOLD}:N", title="published"), alt.Tooltip("place:N")],
    )
    return alt.layer(
        *bounds, names, interval, dot, tick, width="container", height=alt.Step(34), title=caption()
    ).add_params(
        *colour_params(),
        alt.param(name="left", value=0),
        alt.param(name="right", value=1),
        alt.param(name="caption", value=""),
    )
