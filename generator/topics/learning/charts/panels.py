"""A model's course of training: small multiples over checkpoints, and verdicts in time."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import altair as alt

from generator.charts import TOLD
from generator.charts.parts import DATA, colour_params, colour_scale, is_number, legend_columns
from generator.topics.learning.charts.parts import (
    PLACED,
    band_line_points,
    course_params,
)
from generator.topics.learning.charts.series import (
    AS_TEXT,
    BREADTH,
    CONTEXT_SERIES,
    HIGH,
    LAYER_SERIES,
    LOW,
    RELATION_SERIES,
    STRIP,
)

Side = Literal["left", "right"]
VERDICTS = {
    "holds": "verdict_holds",
    "fails": "verdict_fails",
    "inconclusive": "verdict_inconclusive",
    "not testable": "verdict_not_testable",
}
FILLED = 0.84
"""The share of a strip that curves may fill; its title stands above."""
LOWER, FLOOR, UPPER = 0.64, 0.32, 0.2
"""Shares of the height of a strip with breadth: what the other curves may fill, how far below the top the 0 of breadth
lies, and what breadth may fill above that.
"""


def layers() -> alt.TopLevelMixin:
    """One strip per layer with the mean of its heads for each target, and breadth above. See `_strips`."""
    return _strips(LAYER_SERIES)


def relations() -> alt.TopLevelMixin:
    """One strip per relation with its head's accuracy and that of the best fixed offset. See `_strips`."""
    return _strips(RELATION_SERIES)


def context() -> alt.TopLevelMixin:
    """One strip per layer with its measures of contextuality. See `_strips`."""
    return _strips(CONTEXT_SERIES)


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
            scale=colour_scale(VERDICTS),
            legend=alt.Legend(orient="top", columns=legend_columns(4), symbolType="square", symbolStrokeWidth=0),
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
    """Strips below each other, each with the same curves, from 0 at its bottom to what `top` says; breadth stands above
    the others, from 0 to 1.

    The numbers at both ends of a scale stand beside every strip, those of breadth on the right.

    Columns: strip (its title), place (its number, from 0), step, and for every curve its name and its name with LOW,
    HIGH and AS_TEXT. Signals: zero, last, rows (strips), height (in pixels), top (of a strip).
    """
    scale = alt.Scale(domain=[0, alt.ExprRef("rows")], reverse=True, nice=False, zero=False)

    def up(column: str) -> alt.Y:
        return alt.Y(f"{column}:Q", title=None, scale=scale, axis=None)

    filled = LOWER if BREADTH in series else FILLED
    titles = alt.Chart(DATA).transform_aggregate(groupby=["strip", "place"], steps="count()")
    border = titles.mark_rule(color=alt.ExprRef("muted"), opacity=0.4).encode(y=up("place"))
    names = titles.mark_text(
        x=0, align="left", baseline="top", dx=2, dy=3, fontSize=12, color=alt.ExprRef("ink")
    ).encode(y=up("place"), text="strip:N")
    after = {"low": LOW, "high": HIGH, TOLD: AS_TEXT}
    own = {name: f"datum[datum.series + '{ending}']" for name, ending in after.items()}
    heights = {
        f"y_{name}": f"datum.series === '{BREADTH}' ? datum.place + {FLOOR} - datum.{name} * {UPPER}"
        f" : datum.place + 1 - datum.{name} / top * {filled}"
        for name in ("value", "low", "high")
    }
    curves = band_line_points(alt.Chart(DATA), series, up, tuple(heights), 12, detail="strip:N")
    marks: list[tuple[float, str, Side]] = [(1.0, "'0'", "left"), (1 - filled, "top", "left")]
    if BREADTH in series:
        marks += [(FLOOR, "'0'", "right"), (FLOOR - UPPER, "'1'", "right")]
    numbers = [_numbered(titles, up, *mark) for mark in marks]
    floor = border.transform_calculate(floor=f"datum.place + {FLOOR}").encode(y=up("floor"))
    borders = (border, floor) if BREADTH in series else (border,)
    drawn = alt.layer(*borders, *curves, names, *numbers, width="container").add_params(
        *course_params(rows=1, height=STRIP, top=1)
    )
    folded = drawn.transform_fold(
        [name.replace("[", "\\[").replace("]", "\\]") for name in series],  # in Vega, brackets are paths
        as_=["series", "value"],
    ).transform_filter(is_number("value"))
    return folded.transform_calculate(**own, **heights, **PLACED)


def _numbered(strips: alt.Chart, up: Callable[[str], alt.Y], down: float, text: str, side: Side) -> alt.Chart:
    """A number beside every strip, at this share of its height from the top; `text` is in Vega's language."""
    beside: dict[str, Any] = (
        {"x": 0, "dx": -6, "align": "right"} if side == "left" else {"x": "width", "dx": 6, "align": "left"}
    )
    return (
        strips.transform_calculate(down=f"datum.place + {down}", number=text)
        .mark_text(**beside, baseline="middle", fontSize=11, color=alt.ExprRef("ink"), aria=False)
        .encode(y=up("down"), text="number:N")
    )


CHARTS = {"curve-layers": layers, "curve-relations": relations, "curve-context": context, "curve-verdicts": verdicts}
