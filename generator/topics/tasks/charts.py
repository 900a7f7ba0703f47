"""What a labelled task says of a model: its scores, what it loses with each head, and how many heads it can lose."""

from typing import cast

import altair as alt

from generator.charts import TOLD
from generator.charts.parts import DATA, INTERVAL, colour_params, legend_columns
from generator.charts.theme import PRINTED, SYSTEMS
from generator.topics.compare.charts import shifts
from generator.topics.tasks.records.optima import START

STYLES = [(colour, dash) for colour in ("accent", "contrast") for dash in ([1, 0], [2, 2])]
STARTS = dict(zip(START.values.values(), STYLES, strict=True))
"""Where trainings began -> the name of the colour and the dashes of lines between them."""
BAR = "M-0.15,-1H0.15V1H-0.15Z"
"""A tick in a legend."""


def scores() -> alt.TopLevelMixin:
    """A dot with its interval for every task and system; a tick marks what was published.

    Columns: task (in the order of the rows), system, value, low, high, told, n, seeds, published
    (null where nothing was), published_told. Signals: named (what the legend names, of the systems and PRINTED).
    """
    order, is_tick = list(SYSTEMS), f"datum.value === '{PRINTED}'"
    colours = [alt.ExprRef(colour) for colour in (*SYSTEMS.values(), "ink")]
    base = alt.Chart(DATA).encode(
        y=alt.Y("task:N", sort=None, title=None, axis=alt.Axis(labelLimit=130, domain=False, ticks=False)),
        yOffset=alt.YOffset("system:N", sort=order, scale=alt.Scale(domain=order)),
        tooltip=[
            alt.Tooltip("task:N"),
            alt.Tooltip("system:N"),
            INTERVAL,
            alt.Tooltip("n:Q", format=",", title="examples"),
            alt.Tooltip("seeds:Q"),
            alt.Tooltip(f"published_{TOLD}:N", title="published"),
        ],
    )
    scale, axis = alt.Scale(zero=False), alt.Axis(tickCount=6, labelOverlap=True)
    between = base.mark_rule(color=alt.ExprRef("muted"), strokeWidth=1.5).encode(
        x=alt.X("low:Q", title="score", scale=scale, axis=axis), x2="high:Q"
    )
    points = base.mark_point(size=70, opacity=1, strokeWidth=1.5, stroke=alt.ExprRef("muted")).encode(
        x=alt.X("value:Q", title="score", scale=scale, axis=axis),
        fill=alt.Fill(
            "system:N",
            title=None,
            scale=alt.Scale(domain=[*order, PRINTED], range=colours),
            legend=alt.Legend(
                orient="top",
                columns=legend_columns(3, 1),
                values=alt.ExprRef("named"),
                symbolStrokeColor=alt.ExprRef(f"{is_tick} ? ink : muted"),
                symbolType=alt.ExprRef(f"{is_tick} ? '{BAR}' : 'circle'"),
            ),
        ),
    )
    ticks = base.mark_tick(color=alt.ExprRef("ink"), thickness=2, size=12).encode(
        x=alt.X("published:Q", title="score", scale=scale, axis=axis)
    )
    return alt.layer(between, points, ticks, width="container", height=alt.Step(15)).add_params(
        *colour_params(), alt.param(name="named", value=[*order, PRINTED])
    )


def changes() -> alt.TopLevelMixin:
    """The grid of `shifts` for a score without each head; a dot marks a change that is beyond doubt.

    Columns: those of `shifts`, and verdict, sure (1 or 0). Signals: top.
    """
    value = alt.Tooltip(f"{TOLD}:N", title="value (interval)")
    tooltip = [alt.Tooltip("layer:O"), alt.Tooltip("head:O"), value, alt.Tooltip("verdict:N")]
    squares = cast("alt.Chart", shifts()).encode(tooltip=tooltip)
    dots = (
        alt.Chart(DATA)
        .transform_filter("datum.sure > 0")
        .mark_point(
            size=40, opacity=1, cursor="pointer", fill=alt.ExprRef("ink"), stroke=alt.ExprRef("page"), strokeWidth=1
        )
        .encode(x=squares.encoding.x, y=squares.encoding.y, href="href:N", tooltip=tooltip)
    )
    return alt.layer(squares, dots)


def pruning() -> alt.TopLevelMixin:
    """The score with more and more heads gone, with its interval; dashed lines mark the score of the whole model and
    how many heads can go.

    Columns: gone (heads), value, low, high, told, n, whole (the score with every head), removable (heads that can go,
    or null). Signals: heads (of the model).
    """
    base = alt.Chart(DATA)
    x_scale = alt.Scale(domain=[0, alt.ExprRef("heads")], nice=False)

    def across(column: str) -> alt.X:
        return alt.X(f"{column}:Q", title="heads set to zero", scale=x_scale, axis=alt.Axis(tickMinStep=1, format="d"))

    scale = alt.Scale(zero=False)
    band = base.mark_area(opacity=0.25, color=alt.ExprRef("accent")).encode(
        x=across("gone"), y=alt.Y("low:Q", title="score", scale=scale), y2="high:Q"
    )
    line = base.mark_line(strokeWidth=2.5, color=alt.ExprRef("accent")).encode(
        x=across("gone"), y=alt.Y("value:Q", title="score", scale=scale)
    )
    points = base.mark_point(size=50, opacity=1, filled=True, color=alt.ExprRef("accent")).encode(
        x=across("gone"),
        y=alt.Y("value:Q", title="score", scale=scale),
        tooltip=[alt.Tooltip("gone:Q", title="heads gone"), INTERVAL, alt.Tooltip("n:Q", title="examples")],
    )
    whole = (
        base.transform_aggregate(groupby=["whole"], rows="count()")
        .mark_rule(color=alt.ExprRef("muted"), strokeDash=[5, 4], strokeWidth=1.5)
        .encode(y=alt.Y("whole:Q", title="score", scale=scale))
    )
    end = (
        base.transform_filter("datum.removable > 0")
        .transform_aggregate(groupby=["removable"], rows="count()")
        .mark_rule(color=alt.ExprRef("ink"), strokeDash=[5, 4], strokeWidth=1.5)
        .encode(x=across("removable"))
    )
    return alt.layer(band, whole, end, line, points, width="container", height=240).add_params(
        *colour_params(), alt.param(name="heads", value=1)
    )


def lines() -> alt.TopLevelMixin:
    """The loss along the straight lines between trained models, by where the trainings began; a dashed rule marks a
    constant answer.

    Columns: series, line (its name), share (of the way), value, low, high, told, n, constant.
    """
    base = alt.Chart(DATA)
    order = list(STARTS)
    axis = alt.Axis(tickCount=5, format=".1f")
    across = alt.X("share:Q", title="share of the way", scale=alt.Scale(domain=[0, 1]), axis=axis)
    up = alt.Y("value:Q", title="loss in nats", scale=alt.Scale(zero=False))
    legend = alt.Legend(orient="top", columns=legend_columns(2, 1), symbolType="stroke", labelLimit=240)
    colours = alt.Scale(domain=order, range=[alt.ExprRef(colour) for colour, _ in STARTS.values()])
    dashes = alt.Scale(domain=order, range=[dash for _, dash in STARTS.values()])
    of_line = base.encode(
        x=across,
        y=up,
        detail="line:N",
        stroke=alt.Stroke("series:N", sort=None, title=None, scale=colours, legend=legend),
        strokeDash=alt.StrokeDash("series:N", sort=None, title=None, scale=dashes, legend=legend),
        tooltip=[
            alt.Tooltip("line:N"),
            alt.Tooltip("share:Q", title="share of the way"),
            INTERVAL,
            alt.Tooltip("n:Q", format=",", title="examples"),
        ],
    )
    rule = (
        base.transform_aggregate(groupby=["constant"], rows="count()")
        .mark_rule(color=alt.ExprRef("muted"), strokeDash=[5, 4], strokeWidth=1.5)
        .encode(y=alt.Y("constant:Q", title="loss in nats"))
    )
    points = of_line.mark_point(size=25, opacity=1, fill=alt.ExprRef("page"))
    return alt.layer(rule, of_line.mark_line(strokeWidth=2), points, width="container", height=260).add_params(
        *colour_params()
    )


CHARTS = {"scores": scores, "changes": changes, "pruning": pruning, "lines": lines}
