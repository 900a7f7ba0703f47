"""Trainings of several objectives by one number: each variant with its interval, and each of its trainings."""

import altair as alt

from generator.charts import STEP, TOLD
from generator.charts.parts import DATA, caption, colour_params


def variants() -> alt.TopLevelMixin:
    """A dot with its interval for each variant, a tick for each of its trainings, a dashed rule at the first variant.

    The dot of a variant whose difference from the first does not count is hollow.

    Columns: variant (text, in the order of the rows), training (its name; empty for the mean of the variant), value,
    low, high, told, n, hollow (1 or 0), reference (the number of the first variant), outcome. Signal: caption (unit,
    under the chart).
    """
    base = alt.Chart(DATA).encode(
        y=alt.Y("variant:N", sort=None, title=None, axis=alt.Axis(labelLimit=140, domain=False, ticks=False)),
        tooltip=[
            alt.Tooltip("variant:N"),
            alt.Tooltip("training:N"),
            alt.Tooltip(f"{TOLD}:N", title="value (95 % interval)"),
            alt.Tooltip("n:Q", format=","),
            alt.Tooltip("outcome:N"),
        ],
    )
    means, single = base.transform_filter("!datum.training"), base.transform_filter("datum.training")
    hollow = alt.condition("datum.hollow", alt.value(alt.ExprRef("page")), alt.value(alt.ExprRef("accent")))
    rule = base.mark_rule(color=alt.ExprRef("muted"), strokeDash=[5, 4], strokeWidth=1.5, aria=False)
    return alt.layer(
        rule.encode(x=_along("reference"), y=alt.Y()),
        means.mark_rule(color=alt.ExprRef("accent"), strokeWidth=2).encode(x=_along("low"), x2="high:Q"),
        single.mark_tick(color=alt.ExprRef("muted"), thickness=2, size=14, opacity=1).encode(x=_along("value")),
        means.mark_point(color=alt.ExprRef("accent"), size=70, opacity=1).encode(x=_along("value"), fill=hollow),
        width="container",
        height=alt.Step(STEP),
        title=caption(),
    ).add_params(*colour_params(), alt.param(name="caption", value=""))


def _along(column: str) -> alt.X:
    axis = alt.Axis(tickCount=6, labelOverlap=True, labelFlush=False)
    return alt.X(f"{column}:Q", title=None, scale=alt.Scale(zero=False, nice=True), axis=axis)


CHARTS = {"variants": variants}
