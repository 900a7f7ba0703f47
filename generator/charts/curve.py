"""A model's course of training: small multiples over checkpoints, single numbers against the step, verdicts in time.

Steps lie on a log axis. A checkpoint of step 0 has no place there; it stands where the signal `zero` says.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import altair as alt

from generator.charts.parts import DATA, INTERVAL, colour_params

LAYER_SERIES = {
    "begin token": "kind_begin",
    "separators": "kind_separator",
    "periods and commas": "kind_punctuation",
    "previous token": "kind_previous",
    "next token": "kind_next",
    "breadth": "kind_broad",
}
"""Curves of a layer, and the names of their colours: those of the targets."""
RELATION_SERIES = {"head": "accent", "best fixed offset": "muted"}
CONTEXT_SERIES = {
    "self-similarity": "accent",
    "intra-sentence similarity": "kind_punctuation",
    "explained variance": "muted",
}
SIGNATURE_SERIES = {name: LAYER_SERIES[name] for name in ("begin token", "separators", "periods and commas")}
VERDICTS = {
    "holds": "kind_previous",
    "fails": "kind_punctuation",
    "inconclusive": "kind_broad",
    "not testable": "kind_mixed",
}
STRIP = 64
"""Pixels of a strip."""
FILLED = 0.75
"""Of a strip; its title stands above."""
LOW, HIGH = ": 2.5 %", ": 97.5 %"
"""What follows a curve's name in the columns of its interval."""
STEP = "training step (log scale)"
PLACED = {"at": "datum.step > zero ? datum.step : zero"}
"""The place of a step on its axis."""
TELL = (alt.Tooltip("series:N"), alt.Tooltip("step:Q", format=","), *INTERVAL)


def layers() -> alt.TopLevelMixin:
    """One strip per layer with the mean of its heads for each target, and breadth. See `_strips`."""
    return _strips(LAYER_SERIES)


def relations() -> alt.TopLevelMixin:
    """One strip per relation with its head's accuracy and that of the best fixed offset. See `_strips`."""
    return _strips(RELATION_SERIES)


def context() -> alt.TopLevelMixin:
    """One strip per layer with its measures of contextuality. See `_strips`."""
    return _strips(CONTEXT_SERIES)


def signatures() -> alt.TopLevelMixin:
    """The curves of the phases; a diamond with its interval where each has made half of its change.

    Columns: step, series, value, low, high, n, and, repeated in every row of a series: half, half_low, half_high
    (places on the axis of steps), half_value. Signals: zero, last, top.
    """
    base, colours = alt.Chart(DATA), _colours(SIGNATURE_SERIES)

    def up(column: str) -> alt.Y:
        return alt.Y(
            f"{column}:Q", title="share of attention", scale=alt.Scale(domain=[0, alt.ExprRef("top")], nice=True)
        )

    marked = (
        base.transform_filter(_is_number("half"))
        .transform_aggregate(groupby=["series", "half", "half_low", "half_high", "half_value"], rows="count()")
        .encode(y=up("half_value"))
    )
    spread = (
        marked.transform_filter(_is_number("half_low"))
        .mark_rule(strokeWidth=2, strokeDash=[3, 2])
        .encode(
            x=alt.X("half_low:Q", title=STEP, scale=_scale()),
            x2="half_high:Q",
            stroke=alt.Stroke("series:N", scale=colours, legend=None),
        )
    )
    half = marked.mark_point(shape="diamond", size=160, opacity=1, strokeWidth=1.5, stroke=alt.ExprRef("ink")).encode(
        x=alt.X("half:Q", title=STEP, scale=_scale()), fill=alt.Fill("series:N", title=None, scale=colours)
    )
    band, line, points = _course(base, SIGNATURE_SERIES, up, ("value", "low", "high"), 40)
    drawn = alt.layer(band, line, points, spread, half, width="container", height=280)
    return drawn.add_params(*_settings(top=1)).transform_calculate(**PLACED)


def numbers() -> alt.TopLevelMixin:
    """Up to three numbers of the model against the step; one that no training made is dashed.

    Columns: step, series (in the order of the rows), reference (1 for a baseline, else 0), value, low, high, n.
    Signals: zero, last, bottom, top (ends of the axis of numbers).
    """
    base = alt.Chart(DATA)
    colour = alt.Color(
        "series:N",
        sort=None,
        title=None,
        scale=alt.Scale(range="category"),
        legend=alt.Legend(orient="top", columns=_columns(3), symbolType="circle", symbolOpacity=1, labelLimit=240),
    )
    ends = alt.Scale(domain=[alt.ExprRef("bottom"), alt.ExprRef("top")], nice=True, zero=False)
    y, x = alt.Y("value:Q", title=None, scale=ends), _steps()
    ours, theirs = (base.transform_filter(f"datum.reference == {which}") for which in (0, 1))
    line = ours.mark_line(strokeWidth=2.5).encode(x=x, y=y, color=colour)
    points = ours.mark_point(size=40, opacity=1, filled=True).encode(x=x, y=y, color=colour, tooltip=[*TELL])
    baseline = theirs.mark_line(strokeWidth=2, strokeDash=[5, 4]).encode(x=x, y=y, color=colour)
    band = (
        ours.transform_filter(_is_number("low"))
        .mark_area(opacity=0.25)
        .encode(x=x, y=alt.Y("low:Q", title=None, scale=ends), y2="high:Q", color=colour)
    )
    drawn = alt.layer(band, line, points, baseline, width="container", height=260)
    return drawn.add_params(*_settings(bottom=0, top=1)).transform_calculate(**PLACED)


def verdicts() -> alt.TopLevelMixin:
    """One strip per claim: bars from checkpoint to checkpoint in the colour of the verdict, with its first letter.

    Columns: claim (in the order of the rows), verdict, letter, since, until (steps), left, right (places of the
    checkpoints, from 0; a bar ends where the next begins), href. Signals: steps (labels of the checkpoints), count.
    """
    base = alt.Chart(DATA).encode(
        y=alt.Y("claim:N", sort=None, title=None, axis=alt.Axis(domain=False, ticks=False)), href="href:N"
    )
    scale = alt.Scale(domain=[0, alt.ExprRef("count")], nice=False)
    axis = alt.Axis(
        orient="top", labelExpr="steps[datum.value]", tickMinStep=1, labelOverlap=True, grid=False, domain=False
    )
    x = alt.X("left:Q", title="training step", scale=scale, axis=axis)
    bars = base.mark_bar(cursor="pointer", opacity=0.4, stroke=alt.ExprRef("page"), strokeWidth=1).encode(
        x=x,
        x2="right:Q",
        fill=alt.Fill(
            "verdict:N",
            title=None,
            scale=_colours(VERDICTS),
            legend=alt.Legend(orient="top", columns=_columns(4), symbolType="square", symbolStrokeWidth=0),
        ),
        tooltip=[
            alt.Tooltip("claim:N"),
            alt.Tooltip("verdict:N"),
            alt.Tooltip("since:Q", format=","),
            alt.Tooltip("until:Q", format=","),
        ],
    )
    letters = base.mark_text(align="left", dx=3, fontSize=10, color=alt.ExprRef("ink"), aria=False).encode(
        x=x, text="letter:N"
    )
    return alt.layer(bars, letters, width="container", height=alt.Step(18)).add_params(
        *colour_params(), alt.param(name="steps", value=[]), alt.param(name="count", value=1)
    )


def _strips(series: Mapping[str, str]) -> alt.TopLevelMixin:
    """Strips below each other, each with the same curves, from 0 at its bottom to 1.

    Columns: strip (its title), place (its number, from 0), step, and for every curve its name and its name with LOW and
    with HIGH. Signals: zero, last, rows (strips), height (in pixels).
    """
    scale = alt.Scale(domain=[0, alt.ExprRef("rows")], reverse=True, nice=False, zero=False)

    def up(column: str) -> alt.Y:
        return alt.Y(f"{column}:Q", title=None, scale=scale, axis=None)

    titles = alt.Chart(DATA).transform_aggregate(groupby=["strip", "place"], steps="count()")
    border = titles.mark_rule(color=alt.ExprRef("muted"), opacity=0.4).encode(y=up("place"))
    names = titles.mark_text(
        x=0, align="left", baseline="top", dx=2, dy=3, fontSize=12, color=alt.ExprRef("ink")
    ).encode(y=up("place"), text="strip:N")
    ends = {"low": f"datum[datum.series + '{LOW}']", "high": f"datum[datum.series + '{HIGH}']"}
    heights = {f"y_{name}": f"datum.place + 1 - datum.{name} * {FILLED}" for name in ("value", "low", "high")}
    course = _course(alt.Chart(DATA), series, up, tuple(heights), 12, detail="strip:N")
    drawn = alt.layer(border, *course, names, width="container").add_params(*_settings(rows=1, height=STRIP))
    folded = drawn.transform_fold(list(series), as_=["series", "value"]).transform_filter(_is_number("value"))
    return folded.transform_calculate(**ends, **heights, **PLACED)


def _course(
    base: alt.Chart,
    series: Mapping[str, str],
    up: Callable[[str], alt.Y],
    columns: Sequence[str],
    size: int,
    **more: Any,
) -> tuple[alt.Chart, alt.Chart, alt.Chart]:
    """Band, line and points of several series; `columns` are value, low and high, as they are drawn."""
    value, low, high = columns
    colours, x = _colours(series), _steps()
    legend = alt.Legend(
        orient="top", columns=_columns(len(series)), symbolType="circle", symbolOpacity=1, symbolStrokeWidth=0
    )
    fill = alt.Fill("series:N", title=None, scale=colours, legend=legend)
    band = (
        base.transform_filter(_is_number("low"))
        .mark_area(opacity=0.25)
        .encode(x=x, y=up(low), y2=f"{high}:Q", fill=fill, **more)
    )
    stroke = alt.Stroke("series:N", scale=colours, legend=None)
    line = base.mark_line(strokeWidth=2).encode(x=x, y=up(value), stroke=stroke, **more)
    points = base.mark_point(size=size, opacity=1, strokeWidth=0, aria=False).encode(
        x=x, y=up(value), fill=fill, tooltip=[*TELL]
    )
    return band, line, points


def _steps() -> alt.X:
    axis = alt.Axis(format="~s", grid=False, labelOverlap=True, tickCount=6)
    return alt.X("at:Q", title=STEP, scale=_scale(), axis=axis)


def _scale() -> alt.Scale:
    return alt.Scale(type="log", nice=False, domain=[alt.ExprRef("zero"), alt.ExprRef("last")])


def _settings(**more: float) -> list[alt.Parameter]:
    """Colours, the ends of the axis of steps, and what else a chart is told."""
    return [
        *colour_params(),
        *(alt.param(name=name, value=value) for name, value in {"zero": 1, "last": 2, **more}.items()),
    ]


def _colours(series: Mapping[str, str]) -> alt.Scale:
    return alt.Scale(domain=list(series), range=[alt.ExprRef(colour) for colour in series.values()])


def _columns(most: int) -> alt.ExprRef:
    return alt.ExprRef(f"width < 420 ? 2 : {most}")


def _is_number(column: str) -> str:
    """Adding 0 makes a number of what is undefined, and leaves a number as it is."""
    return f"datum.{column} === datum.{column} + 0"
