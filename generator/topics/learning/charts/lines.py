"""A model's course of training: the curves of the phases, and single numbers, against the step."""

import altair as alt

from generator.charts import NUMBERS_TALL, SIGNATURES_TALL
from generator.charts.parts import (
    DATA,
    caption,
    colour_scale,
    is_number,
    legend_columns,
    names_at_lines,
    naming_params,
    series_colour,
)
from generator.topics.learning.charts.parts import (
    PLACED,
    STEP,
    TELL,
    band_line_points,
    course_params,
    step_axis,
    step_scale,
)
from generator.topics.learning.charts.series import SIGNATURE_SERIES


def signatures() -> alt.TopLevelMixin:
    """The curves of the phases; a diamond with its interval where each has made half of its change.

    Columns: step, series, value, low, high, told, n, and, repeated in every row of a series: half, half_low, half_high
    (places on the axis of steps), half_value. Signals: zero, last, ticks, top, and those of
    `naming_params`.
    """
    base, scale = alt.Chart(DATA), colour_scale(SIGNATURE_SERIES)

    def up(column: str) -> alt.Y:
        return alt.Y(
            f"{column}:Q", title="share of attention", scale=alt.Scale(domain=[0, alt.ExprRef("top")], nice=True)
        )

    marked = (
        base.transform_filter(is_number("half"))
        .transform_aggregate(groupby=["series", "half", "half_low", "half_high", "half_value"], rows="count()")
        .encode(y=up("half_value"))
    )
    spread = (
        marked.transform_filter(is_number("half_low"))
        .mark_rule(strokeWidth=2, strokeDash=[3, 2])
        .encode(
            x=alt.X("half_low:Q", title=STEP, scale=step_scale()),
            x2="half_high:Q",
            stroke=alt.Stroke("series:N", scale=scale, legend=None),
        )
    )
    half = marked.mark_point(shape="diamond", size=160, opacity=1, strokeWidth=1.5, stroke=alt.ExprRef("ink")).encode(
        x=alt.X("half:Q", title=STEP, scale=step_scale()), fill=alt.Fill("series:N", title=None, scale=scale)
    )
    band, line, points = band_line_points(base, SIGNATURE_SERIES, up, ("value", "low", "high"), 40, named=True)
    names = names_at_lines(base, "series", "step", step_axis(), up("value"))
    drawn = alt.layer(band, line, points, spread, half, names, width="container", height=SIGNATURES_TALL)
    return drawn.add_params(*course_params(top=1), *naming_params()).transform_calculate(**PLACED)


def numbers() -> alt.TopLevelMixin:
    """Up to three numbers against the step; a baseline, which does not come from training, is dashed.

    Columns: step, series (in the order of the rows), reference (1 for a baseline, else 0), value, low, high, told, n.
    Signals: zero, last, ticks, bottom, top (ends of the axis of numbers), caption (the unit, beside that axis),
    and those of
    `naming_params`.
    """
    base, colour = alt.Chart(DATA), series_colour(legend_columns(3))
    ends = alt.Scale(domain=[alt.ExprRef("bottom"), alt.ExprRef("top")], nice=True, zero=False)
    y, x = alt.Y("value:Q", title=None, scale=ends), step_axis()
    ours, theirs = (base.transform_filter(f"datum.reference == {which}") for which in (0, 1))
    line = ours.mark_line(strokeWidth=2.5).encode(x=x, y=y, color=colour)
    points = ours.mark_point(size=40, opacity=1, filled=True).encode(x=x, y=y, color=colour, tooltip=[*TELL])
    baseline = theirs.mark_line(strokeWidth=2, strokeDash=[5, 4]).encode(x=x, y=y, color=colour)
    band = (
        ours.transform_filter(is_number("low"))
        .mark_area(opacity=0.25)
        .encode(x=x, y=alt.Y("low:Q", title=None, scale=ends), y2="high:Q", color=colour)
    )
    names = names_at_lines(base, "series", "step", x, y)
    drawn = alt.layer(
        band, line, points, baseline, names, width="container", height=NUMBERS_TALL, title=caption("left")
    )
    return drawn.add_params(*course_params(bottom=0, top=1, caption=""), *naming_params()).transform_calculate(**PLACED)


CHARTS = {"curve-signatures": signatures, "curve-numbers": numbers}
