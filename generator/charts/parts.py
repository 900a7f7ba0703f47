"""What all charts share: the name of the data they draw, the colours they take by name, the names of their axes."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

import altair as alt

from generator.charts import NARROW, ROWS, TOLD
from generator.charts.theme import FONT, LIGHT, signals

DATA = alt.NamedData(ROWS)
"""Charts are compiled once, without data; a page hands each figure its own rows."""


WEIGHT = ".3~r"
"""How a tooltip writes one of the many weights of a map: as `generator.numbers.writing` writes it."""
INTERVAL = alt.Tooltip(f"{TOLD}:N", title="value (95 % interval)")
"""What a tooltip shows of a number."""


_KEYS = f"(width < {NARROW} ? keys_slim : keys)"
KEYS: Mapping[str, Any] = MappingProxyType(
    {
        "values": alt.ExprRef(_KEYS),
        "symbolOpacity": alt.ExprRef(f"{_KEYS}[0] ? 1 : 0"),
        "offset": alt.ExprRef(f"{_KEYS}[0] ? 18 : -10"),
    }
)
"""A legend for lines that may have names instead, as `generator.charts.naming.signals` says. Vega cannot draw one
without entries, so that it has a blank one then, which takes no room.
"""


def colour_params() -> list[alt.Parameter]:
    """The colours of the page, set anew when the scheme changes."""
    return [alt.param(name=name, value=colour) for name, colour in signals(LIGHT).items()]


def colour_scale(series: Mapping[str, str]) -> alt.Scale:
    """Series -> the name of its colour, in the order of a legend."""
    return alt.Scale(domain=list(series), range=[alt.ExprRef(colour) for colour in series.values()])


def caption(orient: Literal["bottom", "left"] = "bottom") -> alt.TitleParams:
    """The name of an axis that each figure gives, as the signal `caption`: an axis' own title cannot be a signal."""
    return alt.TitleParams(
        text=alt.ExprRef("caption"),
        orient=orient,
        anchor="middle",
        frame="bounds" if orient == "bottom" else "group",
        offset=8,
        color=alt.ExprRef("ink"),
        font=FONT,
        fontSize=12,
        fontWeight="normal",
    )


def legend_columns(most: int, narrow: int = 2) -> alt.ExprRef:
    """The columns of a legend: `narrow` where the chart is narrow, else `most`."""
    return alt.ExprRef(f"width < {NARROW} ? {narrow} : {most}")


def series_colour(columns: alt.ExprRef) -> alt.Color:
    """The colour of up to three series in the order of the rows; `columns` are those of the legend, if it has one."""
    legend = alt.Legend(orient="top", columns=columns, symbolType="circle", labelLimit=240, **KEYS)
    return alt.Color("series:N", sort=None, title=None, scale=alt.Scale(range="category"), legend=legend)


def is_number(column: str) -> str:
    """A condition in Vega's language, true where the column holds a number: only a number is unchanged by adding 0."""
    return f"datum.{column} === datum.{column} + 0"


def names_at_lines(base: alt.Chart, column: str, at: str, x: alt.X, y: alt.Y) -> alt.Chart:
    """The names of lines beside them, where the signal `named` or `named_slim` says.

    `column` has the names, and `at` the places of their points, as `generator.charts.naming.signals` has them.
    """
    own = f"(width < {NARROW} ? named_slim : named)[datum.{column}]"
    return (
        base.transform_filter(f"{own} && {own}[0] === datum.{at}")
        .transform_calculate(name=f"datum.{column}", aside=f"{own}[1]", down=f"{own}[2]")
        .mark_text(
            align=alt.ExprRef("datum.aside > 0 ? 'left' : datum.aside < 0 ? 'right' : 'center'"),
            dy=alt.ExprRef("datum.down"),
            fontSize=12,
            color=alt.ExprRef("ink"),
            aria=False,
        )
        .encode(x=x, y=y, text="name:N")
    )


def naming_params() -> list[alt.Parameter]:
    """Where names stand, and what the legend has instead."""
    values: dict[str, Any] = {"named": {}, "named_slim": {}, "keys": [""], "keys_slim": [""]}
    return [alt.param(name=name, value=value) for name, value in values.items()]
