"""The bars of a head as pictures: attention by offset, by class of token, and how often it is right.

The charts are those of `generator.charts.bars`.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from generator.charts import RIGHT, SHARE, STEP
from generator.charts.naming.signals import labelled
from generator.charts.static.plot import PLOT, bar, drawn, line, nice, path, percent, plot, stretched, text, ticks
from generator.charts.theme import COUNTED

INTERVAL = 'stroke="var(--fg-ink)" stroke-width="1.5"'
GRID = 'stroke="var(--fg-line)"'
ENDS = "value", "low", "high"
MIDDLE, END = 'text-anchor="middle"', 'text-anchor="end"'


def offsets(columns: Mapping[str, list[Any]], label: str) -> str:
    """A bar, its interval and uniform attention for each offset, then for special tokens; what is near is in colour."""
    names, values, lows, highs, uniform = (columns[column] for column in ("offset", *ENDS, "uniform"))
    # Not near are the first and the last bar of offsets, and all special tokens after these.
    beyond = [at for at, near in enumerate(columns["near"]) if not near]
    last = beyond[1] if len(beyond) > 1 else len(names) - 1
    most = max((value for numbers in (values, highs, uniform) for value in numbers if value is not None), default=0)
    _, top = nice(0, drawn(most))
    places, marked = _places(len(names)), ticks(0, top, 5)

    def up(value: float) -> float:
        return PLOT * (1 - value / top)

    bars: dict[bool, list[str]] = {True: [], False: []}
    for (left, _, right), value, near in zip(places, values, columns["near"], strict=True):
        if value is not None:
            bars[near].append(bar(left, up(value), right, PLOT))
    rules = (
        line(middle, up(low), middle, up(high))
        for (_, middle, _), low, high in zip(places, lows, highs, strict=True)
        if low is not None and high is not None
    )
    return plot(
        label,
        PLOT + 62,
        46,
        '<g transform="translate(0 12)">',
        stretched(
            PLOT,
            path(GRID, (line(0, up(at), 1, up(at)) for at, _ in marked)),
            *(path(f'fill="var(--fg-{colour})"', bars[near]) for near, colour in ((True, "accent"), (False, "muted"))),
            path(INTERVAL, rules),
            _uniform(tuple(uniform), top),
        ),
        f"<g {END}>",
        *(text("-8", up(at), name) for at, name in marked),
        f"</g><g {MIDDLE}>",
        _below(tuple(names), last),
        text("45%", PLOT + 40, "key position minus query position"),
        f'<text transform="translate(-39 {PLOT // 2}) rotate(-90)">share of attention</text></g></g>',
    )


@lru_cache(maxsize=16)
def _places(count: int) -> list[tuple[float, float, float]]:
    """Left, middle and right of so many bars, as parts of the width."""
    # A tenth of a bar's room stays free, as Vega-Lite has it.
    return [((at + 0.05) / count, (at + 0.5) / count, (at + 0.95) / count) for at in range(count)]


@lru_cache(maxsize=64)
def _uniform(values: tuple[float | None, ...], top: float) -> str:
    """What uniform attention would give at each bar, for an axis up to `top`; the same for many heads of a model."""
    heights = (None if value is None else PLOT * (1 - value / top) for value in values)
    marks = (
        bar(left, height - 0.75, right, height + 0.75)
        for (left, _, right), height in zip(_places(len(values)), heights, strict=True)
        if height is not None
    )
    return path('fill="var(--fg-ink)" opacity=".7"', marks)


@lru_cache(maxsize=16)
def _below(names: tuple[str, ...], last: int) -> str:
    """The names of offsets and special tokens below their bars; the same for all heads of a model."""
    return "".join(  # on one line the name of the first special token would touch those beside it
        text(
            percent((at + 0.5) / len(names)),
            PLOT + (26 if at == last + 1 else 14),
            name,
            ' class="fg-second"' * _crowded(at, last),
        )
        for at, name in enumerate(names)
    )


def _crowded(at: int, last: int) -> bool:
    """Whether a name is left out on a telephone: every second offset is, and those next to the ends; the ends stay."""
    return 0 < at < last and (at % 2 == 0 or at in (1, last - 1))


def classes(columns: Mapping[str, list[Any]], label: str) -> str:
    """For each class of token a bar for each of its columns; the bars of weight and norm have intervals. Beside
    those of one class stands what they count.
    """
    names = list(dict.fromkeys(columns["class"]))
    # As Vega's bands with an offset: a fifth of a band free before, between and after them.
    band = PLOT / (len(names) + 0.2)
    bars: dict[str, list[str]] = {kind: [] for kind in COUNTED if kind in columns["counted"]}
    thick, chosen = 0.8 * band / len(bars), labelled(columns)
    rules, named = [], ""
    for name, counted, value, low, high in zip(
        *(columns[column] for column in ("class", "counted", "value", "low", "high")), strict=True
    ):
        y = (names.index(name) + 0.2) * band + list(bars).index(counted) * thick
        if value is not None:
            bars[counted].append(bar(0, y, value, y + thick))
        if low is not None and high is not None:
            rules.append(line(low, y + thick / 2, high, y + thick / 2))
        if name == chosen and value is not None:
            named += text(percent(max(value, high or 0)), y + thick / 2, counted, ' dx="6"')
    marked = ticks(0, 1, 5)
    return plot(
        label,
        PLOT + 50,
        126,
        '<g transform="translate(0 8)">',
        stretched(
            PLOT,
            path(GRID, (line(at, 0, at, PLOT) for at, _ in marked)),
            *(path(f'fill="var(--fg-{COUNTED[kind]})"', some) for kind, some in bars.items()),
            path(INTERVAL, rules),
        ),
        named,
        *_named([(at + 0.6) * band for at in range(len(names))], names, PLOT, marked, "share"),
    )


def found(columns: Mapping[str, list[Any]], label: str, title: str = RIGHT) -> str:
    """A bar for the head and for each baseline, with their intervals."""
    names, height = columns["name"], STEP * len(columns["name"])
    bars: dict[bool, list[str]] = {True: [], False: []}
    rules = []
    for at, (own, value, low, high) in enumerate(zip(*(columns[column] for column in ("own", *ENDS)), strict=True)):
        if value is not None:
            bars[own].append(bar(0, (at + 0.05) * STEP, value, (at + 0.95) * STEP))
        if low is not None and high is not None:
            rules.append(line(low, (at + 0.5) * STEP, high, (at + 0.5) * STEP))
    marked = ticks(0, 1, 5)
    return plot(
        label,
        height + 50,
        146,
        '<g transform="translate(0 8)">',
        stretched(
            height,
            path(GRID, (line(at, 0, at, height) for at, _ in marked)),
            *(path(f'fill="var(--fg-{colour})"', bars[own]) for own, colour in ((True, "accent"), (False, "muted"))),
            path(INTERVAL, rules),
        ),
        *_named([(at + 0.5) * STEP for at in range(len(names))], names, height, marked, title),
    )


def looked(columns: Mapping[str, list[Any]], label: str) -> str:
    """A bar for the head and for each thing that it is compared with, with their intervals."""
    return found(columns, label, SHARE)


def _named(
    places: Iterable[float], names: Iterable[str], height: int, marked: Iterable[tuple[float, str]], title: str
) -> Iterator[str]:
    """SVG for the names of bars, each at its place, and for the ticks and the title below a plot of this height."""
    yield f"<g {END}>"
    yield from (text("-8", place, name) for place, name in zip(places, names, strict=True))
    yield f"</g><g {MIDDLE}>"
    yield from (text(percent(at), height + 14, name) for at, name in marked)
    yield text("50%", height + 32, title)
    yield "</g></g>"
