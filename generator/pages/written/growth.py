"""How costs grow, from measured points: sentences with numbers filled in, and a figure of all curves."""

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from generator.charts import TOLD
from generator.errors import SiteError, reason
from generator.numbers.writing import listed, number
from generator.pages.blocks import Figure, Table
from generator.pages.figures import embed

MEASURED = "growth.json"
"""The file of measured points beside the page; `python -m tests.bench.growth` writes it."""
TITLES = {
    "documents": "documents",
    "tokens": "tokens of one input",
    "heads": "heads of the encoder",
    "models": "models of the site",
}
"""Curve -> its series in the chart."""
UNMEASURED = "This has not been measured yet."
_PLACE = re.compile(r"\{(\w+)\}")


class Point(NamedTuple):
    """The costs that were measured for one amount."""

    amount: int
    seconds: float
    """Processor time in seconds for the whole work."""
    bare: float
    """Processor time in seconds for bare forward passes of the same text in the same run."""
    memory: float = math.nan
    """Peak memory in megabytes; NaN if it was not measured."""
    bare_memory: float = math.nan
    """Peak memory of the bare forward passes in megabytes; NaN if it was not measured."""
    more: float = math.nan
    """Processor time in seconds for adding one more; NaN if it was not measured."""


class Curve(NamedTuple):
    """Points from the smallest amount to the largest, and where and when they were measured."""

    machine: str
    date: str
    points: tuple[Point, ...]

    def places(self) -> dict[str, str]:
        """Name that a sentence may have in braces -> the text that replaces it."""
        first, last = self.points[0], self.points[-1]
        before = self.points[-2] if len(self.points) > 1 else first
        return {
            "machine": self.machine,
            "date": self.date,
            "first": f"{first.amount:,}",
            "before": f"{before.amount:,}",
            "last": f"{last.amount:,}",
            "range": number(last.amount / first.amount),
            "times": number(last.seconds / first.seconds),
            "bare_times": number(last.bare / first.bare),
            "doubled": number(_doubled(before, last, "seconds")),
            "bare_doubled": number(_doubled(before, last, "bare")),
            "seconds_first": number(first.seconds),
            "seconds": number(last.seconds),
            "over_first": number(first.seconds / first.bare),
            "over": number(last.seconds / last.bare),
            "further": number(_further(before, last)),
            "memory": number(last.memory),
            "bare_memory": number(last.bare_memory),
            "more_first": number(first.more),
            "more": number(last.more),
        }


def curves(path: Path) -> dict[str, Curve]:
    """Name -> curve, for curves with points; empty if there is no file. Raises SiteError for any other kind of file."""
    if not path.is_file():
        return {}
    try:
        read: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        found = {name: _curve(read[name]) for name in TITLES if name in read}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise SiteError(
            f"Expected measured points in {path}, found: {reason(error)}; write the file again with "
            "`python -m tests.bench.growth`."
        ) from None
    return {name: curve for name, curve in found.items() if curve.points}


def grew(path: Path, name: str, sentence: str) -> str:
    """A sentence about a curve, with its numbers filled in; raises SiteError for an unknown curve or place."""
    if name not in TITLES:
        raise SiteError(f"Expected one of {', '.join(TITLES)} in grew(...), found {name!r}; correct the page.")
    found = curves(path).get(name)
    if found is None:
        return UNMEASURED
    places = found.places()
    unknown = [place for place in _PLACE.findall(sentence) if place not in places]
    if unknown:
        raise SiteError(
            f'Expected {", ".join(places)} in braces in grew("{name}", ...), found {unknown[0]!r}; correct the page.'
        )
    return _PLACE.sub(lambda place: places[place[1]], sentence)


def growth_figure(path: Path) -> Figure | None:
    """A figure of all curves, each divided by its first point; None if nothing has been measured."""
    found = curves(path)
    if not found:
        return None
    rows = [(name, point, curve.points[0]) for name, curve in found.items() for point in curve.points]
    columns: dict[str, list[Any]] = {
        "series": [TITLES[name] for name, _, _ in rows],
        "amount": [point.amount for _, point, _ in rows],
        "seconds": [point.seconds for _, point, _ in rows],
        "more": [point.amount / first.amount for _, point, first in rows],
        "times": [point.seconds / first.seconds for _, point, first in rows],
    }
    columns |= {f"{name}_{TOLD}": list(map(number, columns[name])) for name in ("seconds", "times")}
    most = max(columns["more"])
    signals = {"most": most, "top": max(most, *columns["times"])}
    return Figure(
        id="growth",
        label=_seen(found),
        kinds=("growth",),
        data=embed({"shared": {}, "views": [{"columns": columns, "signals": signals, "constants": {}}]}),
        caption=(
            "Every curve begins at 1 on both axes, with the smallest amount measured. On the dashed line, twice "
            "as much takes twice the time; a steeper curve grows faster than that. Both axes are logarithmic."
        ),
        table=Table(
            ("what", "how much", "CPU seconds", "bare forward, CPU seconds", "ratio", "memory, MB"),
            tuple(_rows(found)),
        ),
    )


def _curve(read: Any) -> Curve:
    points = [Point(**{name: point[name] for name in Point._fields if name in point}) for point in read["points"]]
    if not all(isinstance(value, int | float) and not value <= 0 for point in points for value in point):
        raise ValueError("a point that is no number above 0")
    return Curve(str(read["machine"]), str(read["date"]), tuple(sorted(points)))


def _doubled(before: Point, last: Point, field: str) -> float:
    """By what factor a cost grows if the amount doubles, from the last two points; NaN for a curve of one point."""
    if last.amount == before.amount:
        return math.nan
    times: float = getattr(last, field) / getattr(before, field)
    return 2.0 ** (math.log(times) / math.log(last.amount / before.amount))


def _further(before: Point, last: Point) -> float:
    """Time for the amount added last, divided by that of its bare forward passes; NaN if those took no time."""
    bare = last.bare - before.bare
    return (last.seconds - before.seconds) / bare if bare > 0 else math.nan


def _seen(found: dict[str, Curve]) -> str:
    """The title of the figure: how steep the curves are at their end."""
    ends = {TITLES[name]: curve.places()["doubled"] for name, curve in found.items() if len(curve.points) > 1}
    if not ends:
        return "The first points that were measured"
    (first, times), *others = ends.items()
    text = listed([f"{times} times the time for {first}", *(f"{times} for {name}" for name, times in others)])
    return f"At the end of each curve, twice as much takes {text}"


def _rows(found: dict[str, Curve]) -> Iterator[tuple[str, ...]]:
    for name, curve in found.items():
        for point in curve.points:
            yield (
                TITLES[name],
                f"{point.amount:,}",
                number(point.seconds),
                number(point.bare),
                number(point.seconds / point.bare),
                number(point.memory),
            )
