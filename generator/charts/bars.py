"""Bars for one head: attention by offset, by class of token in weight and in norm, and how often it is right."""

import altair as alt

from generator.charts import RIGHT, SHARE, STEP, TOLD
from generator.charts.parts import DATA, INTERVAL, colour_params, is_number
from generator.charts.theme import COUNTED


def offsets() -> alt.TopLevelMixin:
    """The offset profile with its interval; what is farther, and special tokens, are told apart by colour; a tick marks
    uniform attention.

    Columns: offset (text, in the order of the rows), near (true in the neighbourhood), value, low, high, told, uniform,
    uniform_told.
    """
    base = alt.Chart(DATA).encode(
        x=alt.X(
            "offset:O",
            sort=None,
            title="key position minus query position",
            axis=alt.Axis(labelAngle=0, labelOverlap=True),
        ),
        tooltip=[alt.Tooltip("offset:O"), INTERVAL, alt.Tooltip(f"uniform_{TOLD}:N", title="uniform")],
    )
    colour = alt.condition("datum.near", alt.value(alt.ExprRef("accent")), alt.value(alt.ExprRef("muted")))
    return alt.layer(
        base.mark_bar().encode(y=alt.Y("value:Q", title="share of attention"), color=colour),
        base.mark_rule(color=alt.ExprRef("ink"), strokeWidth=1.5).encode(y=alt.Y("low:Q"), y2="high:Q"),
        base.mark_tick(color=alt.ExprRef("ink"), thickness=1.5, bandSize=18).encode(y=alt.Y("uniform:Q")),
        width="container",
        height=200,
    ).add_params(*colour_params())


def classes() -> alt.TopLevelMixin:
    """Weight, norm and share of tokens for each class of token.

    Columns: class, counted, value, low, high, told. Signal: named, the class at whose bars stands what they count.
    """
    order = list(COUNTED)
    base = alt.Chart(DATA).encode(
        y=alt.Y("class:N", sort=None, title=None, axis=alt.Axis(labelLimit=140, domain=False, ticks=False)),
        yOffset=alt.YOffset("counted:N", sort=order),
        tooltip=[alt.Tooltip("class:N"), alt.Tooltip("counted:N"), INTERVAL],
    )
    return alt.layer(
        base.mark_bar().encode(
            x=alt.X("value:Q", title="share", scale=alt.Scale(domain=[0, 1])),
            color=alt.Color(
                "counted:N", sort=order, title=None, scale=alt.Scale(domain=order, range="category"), legend=None
            ),
        ),
        base.mark_rule(color=alt.ExprRef("ink"), strokeWidth=1.5).encode(x=alt.X("low:Q"), x2="high:Q"),
        base.transform_filter("datum['class'] === named")
        .transform_filter(is_number("value"))
        .transform_calculate(end="datum.high > datum.value ? datum.high : datum.value")
        .mark_text(align="left", dx=6, fontSize=12, color=alt.ExprRef("ink"), aria=False)
        .encode(x=alt.X("end:Q", title="share"), text="counted:N"),
        width="container",
        height=200,
    ).add_params(*colour_params(), alt.param(name="named", value=""))


def found(title: str = RIGHT) -> alt.TopLevelMixin:
    """How often a head is right in what it finds, and below that how often the baselines are; `title` is what the bars
    are.

    Columns: name (text, in the order of the rows), own (true for the head, else false), value, low, high, told.
    """
    base = alt.Chart(DATA).encode(
        y=alt.Y("name:N", sort=None, title=None, axis=alt.Axis(labelLimit=140, domain=False, ticks=False)),
        tooltip=[alt.Tooltip("name:N"), INTERVAL],
    )
    right = base.encode(x=alt.X("value:Q", title=title, scale=alt.Scale(domain=[0, 1])))
    return alt.layer(
        right.transform_filter("datum.own").mark_bar(color=alt.ExprRef("accent")),
        right.transform_filter("!datum.own").mark_bar(color=alt.ExprRef("muted")),
        base.mark_rule(color=alt.ExprRef("ink"), strokeWidth=1.5).encode(x=alt.X("low:Q"), x2="high:Q"),
        width="container",
        height=alt.Step(STEP),
    ).add_params(*colour_params())


def looked() -> alt.TopLevelMixin:
    """The share that names a head, and below that what others and uniform attention give; columns as of `found`."""
    return found(SHARE)
