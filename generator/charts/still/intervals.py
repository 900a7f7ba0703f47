"""The chart of `generator.charts.dumbbell` as a picture: what single heads find, beside what a fixed offset finds."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.charts.still.frame import (
    CIRCLE,
    END,
    MIDDLE,
    Frame,
    Tick,
    dots,
    legend_height,
    shortened,
    text,
    width_of,
)
from generator.charts.still.plot import path, pixels, ticks
from generator.charts.theme import FINDERS, Palette

STEP, TALL = 24, 36
"""Pixels of a row: of one line, and of a line below its name."""
SLIM = 400
"""Names stand above their lines where they would leave no more pixels than this beside them."""
LONGEST, SMALL = 400, 11
"""Pixels that a name may take, and the size of its letters where it stands above its line."""
EDGE, AXIS = 12, 46
"""Pixels from the plot to the edge of the picture, and those that the axis above the plot takes."""
RADIUS, ASIDE, UP = 4.2, 3, 13
"""Pixels from the middle of a point to its edge, from the middle of a row to either line, and up to its name."""
PALE = 0.4
"""Opacity of heads that are not clearly better than their offset."""
TITLE = "accuracy"


def relations(
    rows: Sequence[Mapping[str, Any]], settings: Mapping[str, Any], label: str, width: int, palette: Palette
) -> str:
    """SVG of the chart, `width` pixels wide; `rows` and `settings` are those of the chart."""
    names = list(dict.fromkeys(row["relation"] for row in rows))
    left = round(min(max(map(width_of, names), default=0), LONGEST)) + EDGE
    narrow = width - left - EDGE <= SLIM
    tall = settings["rows"] * (TALL if narrow else STEP)
    above = legend_height(len(FINDERS), len(FINDERS)) + AXIS
    frame = Frame(palette, width, tall, EDGE if narrow else left, EDGE, above)
    middle = {name: tall * (at + 0.5) / len(names) for at, name in enumerate(names)}

    def of(shift: float, *columns: str, clear: bool | None = None) -> Iterator[tuple[float, ...]]:
        """For each row that has all of these columns, and is as clear: its height, and the places of the columns."""
        for row in rows:
            values = [row[column] for column in columns]
            if None not in values and clear in (None, bool(row["clear"])):
                yield middle[row["relation"]] + shift, *(value * frame.wide for value in values)

    def lines(style: str, *which: Any, **clear: bool) -> str:
        return path(style, (f"M{pixels(low)} {pixels(y)}H{pixels(high)}" for y, low, high in of(*which, **clear)))

    def points(style: str, *which: Any, **clear: bool) -> str:
        return dots(style, RADIUS, ((x, y) for y, x in of(*which, **clear)))

    rim, own = (f'stroke="{colour}" stroke-width="1.5"' for colour in (palette.muted, palette.accent))
    head, pale = f'{rim} fill="{palette.accent}"', f' opacity="{PALE}"'
    named = [(name, getattr(palette, colour)) for name, colour in FINDERS.items()]
    marked = [(at * frame.wide, name) for at, name in ticks(0, 1, 5)]
    return frame.svg(
        label,
        frame.below_axis(marked, TITLE, grid=True),
        _above(frame, marked),
        _names(frame, middle, narrow=narrow),
        lines(f'stroke="{palette.muted}" stroke-dasharray="2,2"', 0, "twin_low", "twin_high"),
        lines(rim, ASIDE, "baseline_low", "baseline_high"),
        lines(own, -ASIDE, "low", "high", clear=True),
        lines(own + pale, -ASIDE, "low", "high", clear=False),
        points(f'{rim} fill="{palette.page}"', 0, "twin"),
        points(f'{rim} fill="{palette.muted}"', ASIDE, "baseline"),
        points(head, -ASIDE, "value", clear=True),
        points(head + pale, -ASIDE, "value", clear=False),
        frame.legend(named, len(named), CIRCLE, f" {rim}"),
    )


def _above(frame: Frame, marked: Sequence[Tick]) -> str:
    """The axis of `below_axis` above the plot too, as rows are many."""
    ends = "".join(f"M{pixels(at)} 0v-5" for at, _ in marked)
    numbers = "".join(text(at, -14, name, MIDDLE) for at, name in marked)
    drawn = path(f'stroke="{frame.palette.line}" fill="none"', [ends, f"M0 0H{frame.wide}"])
    return drawn + numbers + text(frame.wide / 2, -31, TITLE, MIDDLE)


def _names(frame: Frame, middle: Mapping[str, float], *, narrow: bool) -> str:
    """The name of each row, left of its line, or above it in smaller letters where the picture is narrow."""
    if not narrow:
        return "".join(text(-10, y + 4, shortened(name, LONGEST), END) for name, y in middle.items())
    longest = frame.wide * 12 / SMALL
    small = "".join(text(0, y - UP + 3.3, shortened(name, longest)) for name, y in middle.items())
    return f'<g font-size="{SMALL}">{small}</g>'
