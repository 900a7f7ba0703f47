"""Shares of patterns on a model's page are the stored ones."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from generator.claims.published import published
from generator.measures.patterns import PATTERN_COLUMNS, PATTERNS
from generator.numbers.writing import interval, number
from generator.pages.blocks import Figure, Table
from generator.pages.figures import DIGITS
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.page import head_page
from generator.pages.heads.studies import HeadStudies
from generator.pages.inline import Link
from generator.topics.layers.page.patterns.page import PAPER, pattern_line, patterns_page
from tests.pages.reading import block, prose, section
from tests.topics.layers.page.patterns.conftest import Changed


def test_bars_of_layers_are_the_stored_means_and_reach_one(atlas: Atlas) -> None:
    (view,) = json.loads(block(patterns_page(atlas), "by-layer", Figure).data)["views"]
    columns = view["columns"]
    for at, (layer, pattern) in enumerate(zip(columns["at"], columns["pattern"], strict=True)):
        stored = atlas.results.layers.query(f"measure == 'pattern.{pattern}' and layer == {layer}").iloc[0]
        for field in ("value", "low", "high"):
            assert columns[field][at] == pytest.approx(stored[field], abs=10**-DIGITS)
        assert columns["n"][at] == stored["n"]
        assert PATTERNS[columns["order"][at]] == pattern
    np.testing.assert_allclose(np.reshape(columns["value"], (3, 5)).sum(1), 1, atol=3 * 10**-DIGITS)


def test_shares_of_the_model_are_means_over_documents_and_heads(atlas: Atlas) -> None:
    page = patterns_page(atlas)
    ours, uniform = block(page, "by-text", Table).rows
    documents = atlas.results.documents
    for cell, name in zip(ours[1:6], PATTERN_COLUMNS, strict=True):
        by_document = documents.groupby("document")[name].mean()
        assert cell.text == number(by_document.mean())
        told = re.search(rf"([\d.]+) %( \([\d.]+ to [\d.]+\))?( are)? {name.removeprefix('pattern.')}\b", page.lead)
        assert told is not None
        assert float(told[1]) == pytest.approx(100 * by_document.mean(), abs=0.51)
    assert ours[6].text == str(documents["document"].nunique())
    assert list(uniform[1:6]) == [number(atlas.results.uniform[name].mean()) for name in PATTERN_COLUMNS]


def test_heads_are_named_for_the_patterns_of_which_they_have_most(changed: Changed) -> None:
    def set_shares(frame: pd.DataFrame) -> pd.DataFrame:
        frame.loc[frame["measure"].isin(PATTERN_COLUMNS), ["value", "low", "high"]] = 0.0
        for place, share in (((1, 2), 0.6), ((3, 4), 0.9), ((2, 1), 0.7)):
            here = (frame["layer"] == place[0]) & (frame["head"] == place[1])
            frame.loc[here & (frame["measure"] == "pattern.mixed"), "value"] = share
            frame.loc[here & (frame["measure"] == "pattern.vertical"), "value"] = 1 - share
        return frame

    atlas = changed("heads", set_shares)
    rows = {row[0]: row for row in block(patterns_page(atlas), "by-head", Table).rows}
    assert list(rows) == list(PATTERNS)
    assert [cell.text for cell in rows["mixed"][1:]] == ["3", "3-4", "2-1", "1-2"]
    assert rows["mixed"][2].href == "../heads/3-4/"
    assert [cell.text for cell in rows["vertical"][1:]] == ["9", "1-2", "2-1", "3-4"]
    assert [cell.text for cell in rows["block"][1:]] == ["0", "-", "-", "-"]
    assert pattern_line(atlas, 3, 4) == "vertical 10 % (0 to 0), mixed 90 % (0 to 0)"


def test_a_head_s_page_has_its_shares_and_leads_to_the_patterns(atlas: Atlas) -> None:
    page = head_page(atlas, HeadStudies(atlas), 2, 3)
    links = [one.href for one in section(page, "numbers").blocks[-1] if isinstance(one, Link)]
    assert links[2:] == ["../../../../methods/pattern/", "../../patterns/", "why.txt"]
    for name, column in zip(PATTERNS, PATTERN_COLUMNS, strict=True):
        one = atlas.estimates[column]
        value, low, high = (part[1, 2] for part in (one.value, one.low, one.high))
        spread = f" ({interval(low, high, value=value)})" if low < high else ""
        assert (f"{name} {number(value)}{spread}" in prose(page, "numbers")[1]) == (value > 0)


def test_published_shares_stand_beside_ours(atlas: Atlas) -> None:
    page = patterns_page(atlas)
    ours = {name: cell.text for name, cell in zip(PATTERNS, block(page, "by-text", Table).rows[0][1:6], strict=True)}
    for row, (pattern, key, _) in zip(block(page, "published", Table).rows, PAPER, strict=True):
        assert (row[0], row[1].text, row[4].text) == (pattern, number(published(key).value), ours[pattern])
