"""What a figure's title says, looked up anew in the numbers that the figure draws."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from generator.measures.patterns import PATTERNS
from generator.pages.blocks import Figure

TRUE_OF_ALL = re.compile("tokens|pruned|changes-.*|forming")
"""Figures with one title, which is true of each of their views."""
NUMBER = r"-?[\d.,]*\d(?:e-\d+)?"
Columns = Mapping[str, Sequence[Any]]


def check_titles(figure: Figure) -> None:
    """Views that differ have a title each, which names what is highest, or changes most, in the numbers that are drawn;
    the title of the figure is that of the first.
    """
    data = json.loads(figure.data)
    titles = [view.get("title") for view in data["views"]]
    if None in titles:
        assert not any(titles)
        assert len(titles) == 1 or data.get("grid") or TRUE_OF_ALL.fullmatch(figure.id), figure.id
        return
    assert figure.label == titles[0]
    assert len({*titles}) == len(titles)
    for view in data["views"]:
        CHECKS[figure.kinds[0]](view["title"], data["shared"] | view["columns"])


def of_heads(title: str, columns: Columns) -> None:
    """The named head has the largest number, and half of all numbers are not larger than the one that is told; highest,
    or most, is only a number whose interval meets that of no other.
    """
    rows = {(row["layer"], row["head"]): row for row in rows_of(columns) if row["value"] is not None}
    known = {place: row["value"] for place, row in rows.items()}
    if re.search("no head|every head", title):
        assert len({*known.values()}) < 2
        return
    changes = re.search(
        rf"of head (\d+)-(\d+) changes?(?: most,)? by .*; half of the heads change by ({NUMBER})", title
    )
    highest = re.search(
        rf"(?:highest|reaches .*) in (?:head (\d+)-(\d+)|\d+ heads),(?: at .*,)? and (?:is )?at most ({NUMBER}(?: %)?)",
        title,
    )
    told = changes or highest
    assert told, title
    sizes = {place: abs(value) if changes else value for place, value in known.items()}
    if told[1]:
        most = int(told[1]), int(told[2])
        assert sizes[most] == max(sizes.values())
        others = [row for place, row in rows.items() if place != most]
        assert bool(re.search("highest in head|most, by", title)) == all(
            _apart(rows[most], row, changes) for row in others
        )
    half = _read(told[3])
    assert sum(size <= half + _rounding(told[3]) + 1e-4 for size in sizes.values()) >= len(sizes) / 2


def of_layers(title: str, columns: Columns) -> None:
    """The named layers have the largest and the smallest number of the named curve."""
    rows = [row for row in rows_of(columns) if row["series"] in title and row["value"] is not None]
    known = {row["layer"]: row["value"] for row in rows}
    told = re.search(r"highest in layer (\d+), at .*, and lowest in layer (\d+), at", title)
    between = re.search(r"lies between .* in layer (\d+) and .* in layer (\d+)$", title)
    if told or between:
        top, bottom = map(int, told.groups() if told else reversed(between.groups()))  # type: ignore[union-attr]
        assert known[top] == max(known.values())
        assert known[bottom] == min(known.values())
        by = {row["layer"]: row for row in rows}
        assert bool(told) == all(
            _apart(by[one], row) for one in (top, bottom) for layer, row in by.items() if layer != one
        )
    else:
        assert re.search("does not surely differ between layers|defined in no layer", title) or len(known) == 1


def of_steps(title: str, columns: Columns) -> None:
    """Each curve went from its first number to its last, at these steps."""
    curves: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows_of(columns):
        if not row["reference"]:
            curves.setdefault(row["series"], []).append(row)
    for curve in curves.values():
        for end in (curve[0], curve[-1]):
            assert len(curves) > 1 or "at the first and the last step" in title or f"at step {end['step']:,}" in title
            said = re.findall(rf"{NUMBER}(?: %)?", title)
            assert any(abs(_read(one) - end["value"]) <= _rounding(one) for one in said), title


def of_cutoffs(title: str, columns: Columns) -> None:
    """Of the patterns whose intervals at the first and the last cut-off do not overlap, the named one changes most."""
    rows = rows_of(columns)
    first, last = rows[0]["at"], rows[-1]["at"]
    at = {(row["pattern"], row["at"]): row for row in rows}
    pairs = {pattern: (at[pattern, first], at[pattern, last]) for pattern in PATTERNS}
    sure = {
        pattern: abs(end["value"] - start["value"])
        for pattern, (start, end) in pairs.items()
        if start["high"] < end["low"] or end["high"] < start["low"]
    }
    told = re.search(rf" of {first} on .* of the maps are (\w+); with {last}, ", title)
    assert bool(told) == bool(sure), title
    if told:
        assert sure[told[1]] >= max(sure.values()) - 2e-4


def of_variants(title: str, columns: Columns) -> None:
    """Those are named more, or less, than the first whose dots are full, each by its number."""
    first, *others = (row for row in rows_of(columns) if not row["training"])
    assert first["value"] == first["reference"]
    assert f" in {first['variant']}; " in title
    named = {name: (way, told) for way, name, told in re.findall(rf"(more|less) in (.+?) \(({NUMBER})\)", title)}
    assert {*named} == {row["variant"] for row in others if not row["hollow"]}
    for row in others:
        if way := named.get(row["variant"]):
            assert way[0] == ("more" if row["value"] > first["value"] else "less"), title
            assert abs(_read(way[1]) - row["value"]) <= abs(row["value"]) / 100, title


def of_lines(title: str, columns: Columns) -> None:
    """The named loss is the highest, and on a line of the named kind."""
    highest = max(rows_of(columns), key=lambda row: row["value"])
    told = re.fullmatch(
        rf"The highest loss of .* is ({NUMBER}) nats, on a line between trainings of this kind: (.*)", title
    )
    assert told, title
    assert told[2] == highest["series"]
    assert abs(_read(told[1]) - highest["value"]) <= _rounding(told[1])


def _apart(one: Mapping[str, Any], other: Mapping[str, Any], changes: object = None) -> bool:
    """Whether two intervals, or those of the sizes of two changes, have nothing in common."""
    (low, high), (low_of_other, high_of_other) = (_ends(row, changes) for row in (one, other))
    return high < low_of_other or high_of_other < low


def _ends(row: Mapping[str, Any], changes: object) -> tuple[float, float]:
    low, high = (math.nan if row[end] is None else row[end] for end in ("low", "high"))
    if not changes:
        return low, high
    return 0.0 if low < 0 < high else min(abs(low), abs(high)), max(abs(low), abs(high))


def rows_of(columns: Columns) -> list[dict[str, Any]]:
    """Columns as rows."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _read(text: str) -> float:
    number = float(text.removesuffix(" %").replace(",", ""))
    return number / 100 if text.endswith("%") else number


def _rounding(text: str) -> float:
    """By how much the number behind a text, as drawn with four decimals, may differ from it."""
    decimals = len(re.sub(r"\D*$", "", text).partition(".")[2])
    return 0.51 * 10 ** -(decimals + 2 * text.endswith("%")) + 1e-4


CHECKS = {
    "grid": of_heads,
    "shifts": of_heads,
    "series": of_layers,
    "curve-numbers": of_steps,
    "patterns": of_cutoffs,
    "variants": of_variants,
    "lines": of_lines,
}
"""The first chart of a figure -> how its title is looked up."""
