"""The chart of `generator.charts.dumbbell` as a picture: what single heads find, beside what a fixed offset finds."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from generator.charts.still.frame import (
    CIRCLE,
    END,
    MIDDLE,
    Frame,
    dots,
    legend_height,
    shortened,
    text,
    width_of,
)
from generator.charts.still.plot import path, pixels, ticks
from generator.charts.theme import FINDERS, Palette

STEP, TALL = 28, 40
"""Pixels of a row: of one line, and of a line below its name."""
SLIM = 400
"""Names stand above their lines where they would leave no more pixels than this beside them."""
LONGEST, SMALL = 400, 11
"""Pixels that a name may take, and the size of its letters where it stands above its line."""
EDGE, AWAY = 12, 8
"""Pixels from the plot to the edge of the picture, and from the end of an interval to the name of its head."""
RADIUS, SMALLER = 4.2, 2.7
"""Pixels from the middle of a point to its edge: of heads that stand out, and of others."""
ASIDE, UP = 3, 15
"""Pixels from the middle of a row to either line, and up to its name."""
MARGIN = 6
"""Pixels from the name of a head to the edge: widths of texts are estimates."""
LINE = 24
"""Pixels of the line below the plot."""
PALE = 0.4
"""Opacity of relations whose head does not stand out."""
TITLE = "accuracy"
Places = Iterator[tuple[float, ...]]


def relations(
    rows: Sequence[Mapping[str, Any]], settings: Mapping[str, Any], label: str, width: int, palette: Palette
) -> str:
    """SVG of the chart, `width` pixels wide; `rows` and `settings` are those of the chart."""
    rows = rows[: settings["rows"]]
    names = list(dict.fromkeys(row["relation"] for row in rows))
    left = round(min(max(map(width_of, names), default=0), LONGEST)) + EDGE
    right = _right(rows, width - left)
    narrow = width - left - right <= SLIM
    left = EDGE if narrow else left
    frame = Frame(
        palette,
        width,
        settings["rows"] * (TALL if narrow else STEP),
        left,
        _right(rows, width - left),
        legend_height(len(FINDERS), len(FINDERS)),
        Frame.below + (LINE if settings["caption"] else 0),
    )
    middle = {name: frame.tall * (at + 0.5) / len(names) for at, name in enumerate(names)}

    def of(shift: float, *columns: str, clear: bool) -> Places:
        """For each row that has all of these columns, and is as clear: its height, and the places of the columns."""
        for row in rows:
            values = [row[column] for column in columns]
            if None not in values and clear == bool(row["clear"]):
                yield middle[row["relation"]] + shift, *(value * frame.wide for value in values)

    def both(draw: Callable[..., str], style: str, *which: Any) -> str:
        """What stands out, after what does not."""
        return draw(f'{style} opacity="{PALE}"', *which, clear=False) + draw(style, *which, clear=True)

    def lines(style: str, *which: Any, clear: bool) -> str:
        return path(style, (f"M{pixels(low)} {pixels(y)}H{pixels(high)}" for y, low, high in of(*which, clear=clear)))

    def points(style: str, *which: Any, clear: bool) -> str:
        return dots(style, RADIUS if clear else SMALLER, ((x, y) for y, x in of(*which, clear=clear)))

    rim, own = (f'stroke="{colour}" stroke-width="1.5"' for colour in (palette.muted, palette.accent))
    thin = f'stroke="{palette.muted}"'
    named = [(name, getattr(palette, colour)) for name, colour in FINDERS.items()]
    return frame.svg(
        label,
        frame.below_axis([(at * frame.wide, name) for at, name in ticks(0, 1, 5)], TITLE, grid=True),
        _names(frame, middle, narrow=narrow),
        lines(f'stroke="{palette.accent}" stroke-width="9" opacity="0.2"', 0, "baseline", "value", clear=True),
        lines(f'{thin} stroke-dasharray="1,3"', 0, "twin", "value", clear=True),
        both(lines, thin, 0, "twin_low", "twin_high"),
        both(lines, rim, ASIDE, "baseline_low", "baseline_high"),
        both(lines, own, -ASIDE, "low", "high"),
        both(points, f'{rim} fill="{palette.page}"', 0, "twin"),
        both(points, f'{rim} fill="{palette.muted}"', ASIDE, "baseline"),
        both(points, f'{rim} fill="{palette.accent}"', -ASIDE, "value"),
        *(
            text(_end(row) * frame.wide + AWAY, middle[row["relation"]] - ASIDE + 4, row["head"], ' font-weight="bold"')
            for row in rows
            if row["clear"] and row["value"] is not None
        ),
        text(frame.wide / 2, frame.tall + Frame.below + 12, settings["caption"], MIDDLE) if settings["caption"] else "",
        frame.legend(named, len(named), CIRCLE, f" {rim}"),
    )


def _end(row: Mapping[str, Any]) -> float:
    """Where the line of a head ends."""
    return max(row["value"], row["high"] or 0)


def _right(rows: Sequence[Mapping[str, Any]], room: int) -> int:
    """Of `room` pixels for a plot and what is right of it, how many the names of heads need there."""
    right = EDGE
    for row in rows:
        if row["clear"] and row["value"] is not None:
            needed = AWAY + width_of(row["head"]) + MARGIN
            while (room - right) * _end(row) + needed > room:
                right += 1
    return right


def _names(frame: Frame, middle: Mapping[str, float], *, narrow: bool) -> str:
    """The name of each row, left of its line, or above it in smaller letters where the picture is narrow."""
    if not narrow:
        return "".join(text(-10, y + 4, shortened(name, LONGEST), END) for name, y in middle.items())
    longest = frame.wide * 12 / SMALL
    small = "".join(text(0, y - UP + 3.3, shortened(name, longest)) for name, y in middle.items())
    return f'<g font-size="{SMALL}">{small}</g>'
