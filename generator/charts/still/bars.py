"""The bars of a head as pictures: attention by offset, and by class of token. The charts are those of `bars.py`."""

from collections.abc import Mapping
from typing import Any

from generator.charts.still.plot import PLOT, group, nice, percent, pixels, plot, text, ticks

ORDER = {"weight": "accent", "norm": "contrast", "tokens": "muted"}
"""What is counted, and its colour."""
INTERVAL = 'stroke="var(--fg-ink)" stroke-width="1.5"'
GRID = 'stroke="var(--fg-line)"'
MIDDLE = ' text-anchor="middle"'


def offsets(columns: Mapping[str, list[Any]], label: str) -> str:
    """A bar, its interval and uniform attention for each offset."""
    names, values, lows, highs, uniform = (columns[one] for one in ("offset", "value", "low", "high", "uniform"))
    top = nice(max((value for one in (values, highs, uniform) for value in one if value is not None), default=0.0))
    across = 1 / len(names)

    def up(value: float) -> float:
        return PLOT * (1 - value / top)

    marked = ticks(top, 5)
    lines = (f'<line x2="100%" y1="{pixels(up(at))}" y2="{pixels(up(at))}"/>' for at, _ in marked)
    numbers = (text("-8", up(at), name, ' text-anchor="end"') for at, name in marked)
    bars = (
        f'<rect x="{percent((at + 0.05) * across)}" y="{pixels(up(value))}" width="{percent(0.9 * across)}" '
        f'height="{pixels(PLOT - up(value))}"/>'
        for at, value in enumerate(values)
        if value is not None
    )
    rules = (
        f'<line x1="{percent((at + 0.5) * across)}" x2="{percent((at + 0.5) * across)}" y1="{pixels(up(low))}" '
        f'y2="{pixels(up(high))}"/>'
        for at, (low, high) in enumerate(zip(lows, highs, strict=True))
        if low is not None and high is not None
    )
    reference = (
        f'<rect x="{percent((at + 0.05) * across)}" y="{pixels(up(value) - 0.75)}" width="{percent(0.9 * across)}" '
        'height="1.5"/>'
        for at, value in enumerate(uniform)
        if value is not None
    )
    places = (
        text(percent((at + 0.5) * across), PLOT + 14, name, MIDDLE + ' class="fg-second"' * (at % 2 == 0))
        for at, name in enumerate(names)
    )
    return plot(
        label,
        PLOT + 56,
        46,
        '<g transform="translate(0 12)">',
        group(GRID, lines),
        group('fill="var(--fg-accent)"', bars),
        group(INTERVAL, rules),
        group('fill="var(--fg-ink)" opacity=".7"', reference),
        *numbers,
        *places,
        text("50%", PLOT + 34, "key position minus query position", MIDDLE),
        f'<text transform="translate(-36 {PLOT // 2}) rotate(-90)"{MIDDLE}>share of attention</text></g>',
    )


def classes(columns: Mapping[str, list[Any]], label: str) -> str:
    """Three bars for each class of token, the first two with their intervals."""
    names = list(dict.fromkeys(columns["class"]))
    band = PLOT / (len(names) + 0.2)
    thick = 0.8 * band / len(ORDER)
    bars: dict[str, list[str]] = {one: [] for one in ORDER}
    rules = []
    for name, counted, value, low, high in zip(
        *(columns[one] for one in ("class", "counted", "value", "low", "high")), strict=True
    ):
        y = (names.index(name) + 0.2) * band + list(ORDER).index(counted) * thick
        if value is not None:
            size = f'width="{percent(value)}" height="{pixels(thick)}"'
            bars[counted].append(f'<rect y="{pixels(y)}" {size}/>')
        if low is not None and high is not None:
            middle = pixels(y + thick / 2)
            rules.append(f'<line x1="{percent(low)}" x2="{percent(high)}" y1="{middle}" y2="{middle}"/>')
    marked = ticks(1, 5)
    lines = (f'<line x1="{percent(at)}" x2="{percent(at)}" y2="{PLOT}"/>' for at, _ in marked)
    keys = (
        f'<rect x="{64 * at}" y="-23" width="10" height="10" fill="var(--fg-{colour})"/>'
        f"{text(str(64 * at + 15), -18, one)}"
        for at, (one, colour) in enumerate(ORDER.items())
    )
    return plot(
        label,
        PLOT + 70,
        126,
        '<g transform="translate(0 28)">',
        *keys,
        group(GRID, lines),
        *(group(f'fill="var(--fg-{ORDER[one]})"', some) for one, some in bars.items()),
        group(INTERVAL, rules),
        *(text("-8", (at + 0.6) * band, name, ' text-anchor="end"') for at, name in enumerate(names)),
        *(text(percent(at), PLOT + 14, name, MIDDLE) for at, name in marked),
        text("50%", PLOT + 32, "share", MIDDLE),
        "</g>",
    )
