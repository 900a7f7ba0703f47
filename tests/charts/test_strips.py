"""Curves in strips have room, and none leaves its part of a strip."""

from collections.abc import Mapping

import pytest

from generator.topics.learning.charts.series import (
    AS_TEXT,
    BREADTH,
    CONTEXT_SERIES,
    HIGH,
    LAYER_SERIES,
    LOW,
    RELATION_SERIES,
    STRIP,
    TALL,
)
from tests.charts.static.drawn import Vega

ROOM, TITLE = 110, 18
"""Pixels that curves have at least, and those that the title of a strip takes."""


@pytest.mark.parametrize(
    ("kind", "series", "tall"),
    [
        ("curve-layers", LAYER_SERIES, TALL),
        ("curve-relations", RELATION_SERIES, STRIP),
        ("curve-context", CONTEXT_SERIES, STRIP),
    ],
)
def test_curves_from_the_bottom_to_the_top_have_room(kind: str, series: Mapping[str, str], tall: int) -> None:
    rows = [
        {"strip": f"Layer {place + 1}", "place": place, "step": step}
        | {name + end: value for name in series for end in ("", LOW, HIGH)}
        | {name + AS_TEXT: "" for name in series}
        for place in (0, 1)
        for step, value in ((1, 0.0), (8, 1.0))
    ]
    settings = {"zero": 1, "last": 8, "ticks": [1], "rows": 2, "height": 2 * tall, "top": 1}
    drawn = [mark["items"] for mark in Vega(kind, rows, settings).data() if mark["marktype"] == "line"]
    spans = [sorted((items[0]["y"], items[-1]["y"])) for items in drawn]
    assert len(spans) == 2 * len(series)
    shares = [(high, low) for high, low in spans if low % tall == pytest.approx(0, abs=0.1) or low % tall > tall - 0.1]
    assert len(shares) == 2 * (len(series) - (BREADTH in series))
    assert min(low - high for high, low in shares) >= ROOM
    assert min(high % tall for high, _ in spans) >= TITLE
    above = [(high, low) for high, low in spans if (high, low) not in shares]
    assert all(low <= min(high for high, end in shares if end > low) for _, low in above)
