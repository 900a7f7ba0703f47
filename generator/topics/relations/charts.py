"""What single heads find, beside what a trivial baseline finds: one line per dependency relation."""

import altair as alt

from generator.charts import TOLD
from generator.charts.parts import DATA, caption, colour_params, colour_scale, is_number
from generator.charts.theme import FINDERS

AXIS = "accuracy"
ROOM = 400
"""Pixels that there are for a name: more than the longest takes."""
NARROW = "containerSize()[0] ? containerSize()[0] <= 560 : width <= 400"
"""Whether names stand above their lines instead of beside them. Where a picture is drawn without a container, the width
of its plot decides, which leaves out the names beside it.
"""
STEP, TALL = 28, 40
"""Pixels of a row: of one line, and of a line below its name."""
PALE = alt.ExprRef("datum.clear ? 1 : 0.4")
"""How strongly a head is drawn: those that are clearly better than their offset and the twins stand out."""
SIZE = alt.ExprRef("datum.clear ? 70 : 30")
"""Pixels that a point covers."""


def relations() -> alt.TopLevelMixin:
    """The best head of a relation with its name and its interval, the best fixed offset with its own, and the untrained
    twins; a broad line is what the head gains over the offset.

    Only the first `rows` relations are drawn; `caption` says how many are not.

    Columns: relation (in the order of the rows), head, direction, clear (1 for heads that stand out, else 0), value,
    low, high, offset, baseline, baseline_low, baseline_high, twin, twin_low, twin_high, n, href; and as text told,
    baseline_told, gain_told, twin_told. The line of the twins reaches from the lowest draw to the highest, and their
    point is the mean. Signals: rows (relations that are drawn), caption.
    """
    beside = "narrow ? '' : datum.label"
    axis = alt.Axis(labelLimit=ROOM, labelPadding=10, domain=False, ticks=False, labelExpr=beside)
    first = (
        alt.Chart(DATA)
        .transform_window([alt.WindowFieldDef.from_dict({"op": "row_number", "as": "place"})])
        .transform_filter("datum.place <= rows")
    )
    base = first.encode(
        y=alt.Y("relation:N", sort=None, title=None, axis=axis),
        tooltip=[
            alt.Tooltip("relation:N"),
            alt.Tooltip("head:N"),
            alt.Tooltip("direction:N"),
            alt.Tooltip(f"{TOLD}:N", title="accuracy (95 % interval)"),
            alt.Tooltip("offset:Q"),
            alt.Tooltip(f"baseline_{TOLD}:N", title="best offset (95 % interval)"),
            alt.Tooltip(f"gain_{TOLD}:N", title="gain (95 % interval)"),
            alt.Tooltip(f"twin_{TOLD}:N", title="untrained twins (lowest to highest)"),
            alt.Tooltip("n:Q", title="words"),
        ],
    )
    clear = base.transform_filter("datum.clear").transform_filter(is_number("value"))
    gained = clear.mark_rule(color=alt.ExprRef("accent"), strokeWidth=9, opacity=0.2).encode(
        x=_along("baseline"), x2="value:Q"
    )
    # One line's ends lie a little above the other's, so that both intervals can be read.
    ours = base.mark_rule(color=alt.ExprRef("accent"), strokeWidth=1.5, yOffset=-3, opacity=PALE).encode(
        x=_along("low"), x2="high:Q"
    )
    theirs = base.mark_rule(color=alt.ExprRef("muted"), strokeWidth=1.5, yOffset=3, opacity=PALE).encode(
        x=_along("baseline_low"), x2="baseline_high:Q"
    )
    drawn = (
        base.transform_filter(is_number("twin_low"))
        .mark_rule(color=alt.ExprRef("muted"), strokeWidth=1, opacity=PALE)
        .encode(x=_along("twin_low"), x2="twin_high:Q")
    )
    tied = (
        clear.transform_filter(is_number("twin"))
        .mark_rule(color=alt.ExprRef("muted"), strokeWidth=1, strokeDash=[1, 3])
        .encode(x=_along("twin"), x2="value:Q")
    )
    names = (  # of all rows, so that they stand in their order whatever is known of each
        base.transform_calculate(above="narrow ? datum.relation : ''")
        .mark_text(x=0, align="left", fontSize=11, yOffset=-15, color=alt.ExprRef("ink"), aria=False)
        .encode(text="above:N")
    )
    heads = (
        clear.transform_calculate(end="datum.high > datum.value ? datum.high : datum.value")
        .mark_text(align="left", dx=8, yOffset=-3, fontSize=12, fontWeight="bold", color=alt.ExprRef("ink"), aria=False)
        .encode(x=_along("end"), text="head:N")
    )
    height = f"rows * (narrow ? {TALL} : {STEP})"
    every = alt.layer(
        names,
        gained,
        tied,
        drawn,
        theirs,
        ours,
        _points(base, "untrained twins", _along("twin"), 0),
        _points(base, "best fixed offset", _along("baseline"), 3),
        _points(base, "best head", _along("value", axis=True), -3).encode(href="href:N"),
        heads,
        width="container",
        height=STEP,
        title=caption(),
    )
    return every.resolve_axis(x="independent").add_params(
        *colour_params(),
        alt.param(name="rows", value=1),
        alt.param(name="caption", value=""),
        alt.param(name="narrow", expr=NARROW),
        alt.param(name="height", expr=height),
    )


def _along(column: str, *, axis: bool = False) -> alt.X:
    """A column on the axis of accuracy, which is drawn once."""
    drawn = alt.Axis(tickCount=5, grid=True, labelFlush=False) if axis else None
    return alt.X(f"{column}:Q", title=AXIS, scale=alt.Scale(domain=[0, 1]), axis=drawn)


def _points(base: alt.Chart, name: str, x: alt.X, offset: float) -> alt.Chart:
    """One kind of point; the legend names it."""
    return (
        base.transform_calculate(what=f"'{name}'")
        .mark_point(yOffset=offset, opacity=PALE, size=SIZE, strokeWidth=1.5, stroke=alt.ExprRef("muted"))
        .encode(
            x=x,
            fill=alt.Fill(
                "what:N",
                title=None,
                scale=colour_scale(FINDERS),
                legend=alt.Legend(
                    orient="top", symbolStrokeColor=alt.ExprRef("muted"), symbolType="circle", symbolOpacity=1
                ),
            ),
        )
    )


CHARTS = {"relations": relations}
