"""What all charts share: the name of the data they draw, and the colours they take by name."""

import altair as alt

from generator.charts.theme import LIGHT, signals

DATA = alt.NamedData("d")
"""Charts are compiled once, without data; a page hands each figure its own rows."""


SHARE = ".3f"
INTERVAL = (
    alt.Tooltip("value:Q", format=SHARE),
    alt.Tooltip("low:Q", format=SHARE, title="95 % from"),
    alt.Tooltip("high:Q", format=SHARE, title="to"),
)
"""What a tooltip says of a number."""


def colour_params() -> list[alt.Parameter]:
    """The colours of the page, set anew when the scheme changes."""
    return [alt.param(name=name, value=colour) for name, colour in signals(LIGHT).items()]
