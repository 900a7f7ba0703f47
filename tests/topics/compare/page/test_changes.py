"""Changes of measures and patterns are those of a slow search."""

import json
import math
from pathlib import Path

import pytest

from generator.numbers.number import Number
from generator.numbers.writing import number, pieces
from generator.pages.blocks import Figure, Table
from generator.pages.heads.atlas import Atlas
from generator.pages.links import column_title
from generator.topics.compare.page.numbers import SHOWN
from generator.topics.compare.records.names import BASE, PATTERN
from tests.encoders import HEADS, LAYERS
from tests.pages.compare.beside import OTHER, of, rows_of, with_heads
from tests.pages.reading import block, prose


def test_largest_change_of_each_measure_is_found_by_a_slow_search(changed: Atlas) -> None:
    shown = {row[0].text: row for row in block(of(changed, OTHER), "on-1-measures", Table).rows}
    compared_names = 0
    for name in SHOWN:
        rows = rows_of(changed, name).dropna(subset="value")
        largest, clear = None, 0
        for row in rows.to_dict("records"):
            clear += row["low"] > 0 or row["high"] < 0
            if largest is None or abs(row["value"]) > abs(largest["value"]):
                largest = row
        if largest is None or abs(largest["value"]) < 1e-6:
            assert column_title(name) not in shown
            continue
        cells = shown[column_title(name)]
        base_rows = rows_of(changed, BASE + name)
        at = (base_rows["layer"] == largest["layer"]) & (base_rows["head"] == largest["head"])
        assert cells[1].text == f"{largest['layer']}-{largest['head']}"
        assert cells[2] == number(base_rows[at]["value"].item())
        assert (cells[3].text, cells[3].note) == pieces(Number.of(largest), signed=True)
        assert cells[5].text == str(largest["n"])
        assert cells[6] == f"{clear} of {LAYERS * HEADS}"
        compared_names += 1
    assert compared_names == len(shown) > 10


def test_squares_are_the_stored_changes_with_their_sign(changed: Atlas) -> None:
    figure = block(of(changed, OTHER), "on-1-measures", Figure)
    views = json.loads(figure.data)["views"]
    assert len(views) == len(figure.views)
    for view in views:
        rows, columns = rows_of(changed, view["constants"]["measure"]), view["columns"]
        for field in ("value", "low", "high"):
            expected = [None if math.isnan(value) else value for value in rows[field]]
            assert columns[field] == expected
        for value, size, direction in zip(columns["value"], columns["size"], columns["direction"], strict=True):
            assert size == (None if value is None else abs(value))
            assert direction == ("less" if value is not None and value < 0 else "more")
        assert view["signals"]["top"] >= max(size for size in columns["size"] if size is not None)


def test_heads_whose_most_frequent_pattern_differs_are_named(changed: Atlas, tmp_path: Path) -> None:
    names = tuple(name for name in SHOWN if name.startswith(PATTERN))
    if not names:
        pytest.skip("no measure of patterns")
    heads = changed.results.table("head_facts").copy()
    heads.loc[heads["name"].isin([BASE + name for name in names]), "value"] = 0.0
    heads.loc[heads["name"] == BASE + names[0], "value"] = 0.75
    heads.loc[heads["name"] == BASE + names[1], "value"] = 0.25
    heads.loc[heads["name"].isin(names), ["value", "low", "high"]] = 0.0
    for name, by in ((names[0], -0.5), (names[1], 0.5)):
        at = (heads["name"] == name) & (heads["layer"] == 3) & (heads["head"] == 2)
        heads.loc[at, ["value", "low", "high"]] = by, by - 0.1, by + 0.1
    page = of(with_heads(changed, heads, tmp_path), OTHER)
    told = f"The most frequent pattern of 1 of {LAYERS * HEADS} heads differs between the models."
    assert prose(page, "on-1-patterns") == [told]
    (row,) = block(page, "on-1-patterns", Table).rows
    was, became = (name.removeprefix(PATTERN) for name in names[:2])
    assert [cell.text for cell in row[:4]] == ["3-2", was, became, "+0.50"]
    assert [cell.note for cell in row[1:4]] == ["0.75 of documents", "0.75 of documents", "+0.40 to +0.60"]
