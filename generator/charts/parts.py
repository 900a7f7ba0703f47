"""What all charts share: the name of the data they draw, the colours they take by name, the names of their axes."""

from collections.abc import Mapping
from typing import Literal

import altair as alt

from generator.charts import NARROW, ROWS, TOLD
from generator.charts.theme import FONT, LIGHT, signals

DATA = alt.NamedData(ROWS)
"""Charts are compiled once, without data; a page hands each figure its own rows."""


WEIGHT = ".3~r"
"""How a tooltip writes one of the many weights of a map: as `generator.numbers.writing` writes it."""
INTERVAL = alt.Tooltip(f"{TOLD}:N", title="value (95 % interval)")
"""What a tooltip shows of a number."""


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
    """The colour of up to three series in the order of the rows; `columns` are those of the legend."""
    legend = alt.Legend(orient="top", columns=columns, symbolType="circle", symbolOpacity=1, labelLimit=240)
    return alt.Color("series:N", sort=None, title=None, scale=alt.Scale(range="category"), legend=legend)


def is_number(column: str) -> str:
    """A condition in Vega's language, true where the column holds a number: only a number is unchanged by adding 0."""
    return f"datum.{column} === datum.{column} + 0"
