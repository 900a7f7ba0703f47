"""A model's page on patterns: its shares are the stored ones, moved cut-offs class anew, and small maps are real."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from generator.claims.published import published
from generator.home import TEMPLATES
from generator.measures.patterns import PATTERN_COLUMNS, PATTERNS
from generator.numbers.writing import interval, number
from generator.pages.blocks import Figure, Note, Table
from generator.pages.figures import DIGITS
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.page import head_page
from generator.pages.heads.studies import HeadStudies
from generator.pages.inline import Link
from generator.pages.patterns.cutoffs import VIEWS
from generator.pages.patterns.maps import OPACITY, SHADES, SHOWN, SmallMap
from generator.pages.patterns.page import PAPER, pattern_line, patterns_page
from generator.pages.renderer import Renderer
from generator.results.store import Results
from generator.studies.layers.pattern_shares import RULES, STEPS, moved_shares, stored_shares, sweep
from tests import slow
from tests.measures.maps import all_to, identity, random_map
from tests.pages.reading import block, prose, section
from tests.site.documents import Document

RUN = re.compile(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z")
Changed = Callable[[str, Callable[[pd.DataFrame], pd.DataFrame]], Atlas]


@pytest.fixture
def changed(atlas: Atlas, tmp_path: Path) -> Changed:
    """Gives a function that stores the same results again with one table changed."""

    def store(name: str, change: Callable[[pd.DataFrame], pd.DataFrame]) -> Atlas:
        folder = tmp_path / atlas.results.folder.name
        shutil.copytree(atlas.results.folder, folder)
        table = pq.read_table(folder / f"{name}.parquet")
        frame = change(table.to_pandas())
        pq.write_table(
            pa.Table.from_pandas(frame, schema=table.schema, preserve_index=False), folder / f"{name}.parquet"
        )
        return Atlas(Results.open(folder))

    return store


def made_map(head: int, n: int) -> np.ndarray:
    """The first four heads have four patterns."""
    half = (identity(n) + all_to([n - 1], n)) / 2
    return (all_to([0, n - 1], n), identity(n), half, random_map(n))[head - 1]


def with_made_maps(frame: pd.DataFrame) -> pd.DataFrame:
    """Example maps of known pattern; in layer 1 they are blurred, so that they are less typical."""
    weights = []
    for row in frame.to_dict("records"):
        n = len(row["tokens"])
        blur = 0.1 * (row["layer"] == 1)
        weights.append(((1 - blur) * made_map(row["head"], n) + blur / n).ravel())
    return frame.assign(weights=weights)


def expected_pattern(row: dict[str, float], uniform: dict[str, float], special: float, near: float, rule: str) -> str:
    """The rule on a stored row, as papers.md has it."""
    looks = row["sink.mass"] if rule == "column" else row["attention.cls"] + row["attention.sep"]
    beside = row["attention.near"]
    if looks >= special and beside < 0.25:
        return "vertical"
    if beside >= near and looks < 0.25:
        return "diagonal"
    if looks >= 0.25 and beside >= 0.25 and looks + beside >= 0.6:
        return "mixed"
    two = uniform["attention.same_segment"] < 1
    if two and row["attention.same_segment"] >= 0.8 and row["attention.segment_breadth"] >= 0.7:
        return "block"
    return "heterogeneous"


# Shares


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
        assert f"{name.removeprefix('pattern.')} {cell.text} ({cell.note})" in page.lead
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
    assert pattern_line(atlas, 3, 4) == f"vertical {number(1 - 0.9)} (0 to 0), mixed 0.9 (0 to 0)"


def test_a_head_s_page_has_its_shares_and_leads_to_the_patterns(atlas: Atlas) -> None:
    page = head_page(atlas, HeadStudies(atlas), 2, 3)
    links = [one.href for one in section(page, "numbers").blocks[-1] if isinstance(one, Link)]
    assert links[1:] == ["../../../../methods/pattern/", "../../patterns/"]
    for name, column in zip(PATTERNS, PATTERN_COLUMNS, strict=True):
        one = atlas.estimates[column]
        value, low, high = (part[1, 2] for part in (one.value, one.low, one.high))
        assert (f"{name} {number(value)} ({interval(low, high)})" in prose(page, "numbers")[1]) == (value > 0)


def test_published_shares_stand_beside_ours(atlas: Atlas) -> None:
    page = patterns_page(atlas)
    ours = {name: cell.text for name, cell in zip(PATTERNS, block(page, "by-text", Table).rows[0][1:6], strict=True)}
    for row, (pattern, key, _) in zip(block(page, "published", Table).rows, PAPER, strict=True):
        assert (row[0], row[1].text, row[4].text) == (pattern, number(published(key).value), ours[pattern])


# Cut-offs


def spread(frame: pd.DataFrame) -> pd.DataFrame:
    """Numbers on all sides of all cut-offs."""
    rng = np.random.default_rng(0)
    three = rng.dirichlet(np.ones(3), len(frame))
    begin = rng.random(len(frame)) * three[:, 0]
    return frame.assign(
        **{
            "attention.cls": begin,
            "attention.sep": three[:, 0] - begin,
            "attention.near": three[:, 1],
            "attention.same_segment": rng.uniform(0.6, 1, len(frame)),
            "attention.segment_breadth": rng.uniform(0.5, 1, len(frame)),
            "sink.mass": rng.random(len(frame)),
        }
    )


@pytest.mark.parametrize("rule", RULES)
def test_moved_cutoffs_class_stored_documents_as_the_written_rule_does(changed: Changed, rule: str) -> None:
    results = changed("documents", spread).results
    documents = results.documents.sample(frac=1, random_state=0)
    uniform = {row["document"]: row for row in results.uniform.to_dict("records")}
    names = sorted(uniform)
    for at in (0.3, 0.5, 0.65):
        special, near = (at if rule != "near" else 0.5), (at if rule in ("near", "both") else 0.5)
        expected = np.zeros((len(names), len(PATTERNS)))
        for row in documents.to_dict("records"):
            found = expected_pattern(row, uniform[row["document"]], special, near, rule)
            expected[names.index(row["document"]), PATTERNS.index(found)] += 1 / 12
        np.testing.assert_allclose(moved_shares(documents, results.uniform, rule, at), expected, atol=1e-12)
        assert (expected.sum(0) > 0).all(), "a pattern that never occurs proves nothing"
    swept = sweep(documents, results.uniform, rule, 0)
    np.testing.assert_allclose(swept.value.sum(1), 1, atol=1e-12)
    assert swept.value.shape == (len(STEPS), len(PATTERNS))


def test_a_single_segment_has_no_block_at_any_cutoff(changed: Changed) -> None:
    results = changed("documents", spread).results
    alone = results.uniform.assign(**{"attention.same_segment": 1.0})
    for rule in RULES:
        assert sweep(results.documents, alone, rule, 0).value[:, PATTERNS.index("block")].max() == 0


def test_documents_of_one_input_give_the_stored_shares_at_the_cutoffs_in_use(atlas: Atlas) -> None:
    assert atlas.results.manifest.counts[atlas.corpus]["split"] == 0
    assert [one for one in section(patterns_page(atlas), "moved").blocks if isinstance(one, Note)] == []
    documents = atlas.results.documents
    moved = moved_shares(documents, atlas.results.uniform, "both", 0.5)
    np.testing.assert_allclose(moved, stored_shares(documents).mean((1, 2)), atol=1e-12)


def test_a_model_without_special_tokens_has_nothing_vertical(changed: Changed) -> None:
    results = changed(
        "documents", lambda frame: spread(frame).assign(**{"attention.cls": np.nan, "attention.sep": np.nan})
    ).results
    shares = sweep(results.documents, results.uniform, "special", 0).value
    assert shares[:, [PATTERNS.index("vertical"), PATTERNS.index("mixed")]].max() == 0


def test_every_view_of_moved_cutoffs_has_a_bar_per_step(atlas: Atlas) -> None:
    figure = block(patterns_page(atlas), "moved", Figure)
    views = json.loads(figure.data)["views"]
    assert [view["constants"]["of"] for view in views] == list(VIEWS) == ["both", "special", "near", "column"]
    for view in views:
        assert view["columns"]["at"][::5] == list(map(number, STEPS))
        values = np.reshape(view["columns"]["value"], (len(STEPS), 5))
        np.testing.assert_allclose(values.sum(1), 1, atol=3 * 10**-DIGITS)
    assert len(figure.table.rows) == len(VIEWS) * len(STEPS)


# Small maps


def pattern_of(atlas: Atlas, layer: int, head: int, sentence: int) -> str:
    """The pattern of an example by the slow derivation."""
    example = atlas.examples[layer, head][sentence]
    n = len(example.tokens)
    text = slow.Text(n, frozenset({0}), frozenset({n - 1}), frozenset(), (0,) * n)
    found = slow.patterns(example.weights.astype(float).tolist(), text)
    return next(name for name in PATTERNS if found[f"pattern.{name}"])


def painted(one: SmallMap) -> np.ndarray:
    """The strength of every cell, from the paths."""
    cells = np.zeros((one.tokens, one.tokens))
    for shade in one.shades:
        assert RUN.sub("", shade.path) == ""
        for column, row, width, back in (map(int, run) for run in RUN.findall(shade.path)):
            assert width == back
            assert not cells[row, column : column + width].any(), "cells are drawn once"
            cells[row, column : column + width] = float(shade.opacity)
    return cells


def typical(atlas: Atlas) -> list[tuple[str, str, tuple[SmallMap, ...]]]:
    """Each pattern, what is said of it, and its maps."""
    found = []
    for one in patterns_page(atlas).sections:
        if one.level == 3:
            text, *drawn = one.blocks
            found.append((str(one.title), str(text), drawn[0].maps if drawn else ()))  # type: ignore[union-attr]
    assert [pattern for pattern, _, _ in found] == list(PATTERNS)
    return found


def test_every_example_map_is_counted_with_its_pattern(changed: Changed) -> None:
    atlas = changed("examples", with_made_maps)
    sentences = len(atlas.examples[1, 1])
    found = [pattern_of(atlas, *place, at) for place in atlas.places for at in range(sentences)]
    assert set(found) == set(PATTERNS) - {"block"}
    for pattern, text, maps in typical(atlas):
        assert text == f"{found.count(pattern)} of {len(found)} maps of the example sentences."
        assert len(maps) == (0 if pattern == "block" else SHOWN)


def test_typical_maps_have_their_pattern_and_are_of_different_heads(changed: Changed) -> None:
    atlas = changed("examples", with_made_maps)
    heads = {"vertical": "1", "diagonal": "2", "mixed": "3", "heterogeneous": "4"}
    for pattern, _, maps in typical(atlas):
        assert len({small.head.text for small in maps}) == len(maps)
        for small in maps:
            layer, head = small.head.text.split("-")
            assert head == heads[pattern]
            assert small.head.href == f"../heads/{layer}-{head}/"
        if maps:
            assert maps[-1].head.text.startswith("1-"), "a blurred map is far from the median"


def test_a_small_map_is_drawn_as_strongly_as_its_weights(atlas: Atlas) -> None:
    drawn = 0
    for _, _, maps in typical(atlas):
        for small in maps:
            layer, head = map(int, small.head.text.split("-"))
            example = next(each for each in atlas.examples[layer, head] if each.text == small.sentence)
            cells = painted(small)
            for query, key in np.ndindex(*cells.shape):
                reached = sum(example.weights[query, key] >= step for step in SHADES)
                assert cells[query, key] == (OPACITY[reached - 1] if reached else 0)
            drawn += 1
    assert drawn


def test_special_tokens_are_known_by_their_place_whatever_they_are_called(atlas: Atlas, changed: Changed) -> None:
    names = {"[CLS]": "<|begin|>", "[SEP]": "<|end|>"}
    other = changed(
        "examples", lambda frame: frame.assign(tokens=[[names.get(t, t) for t in row] for row in frame["tokens"]])
    )
    assert typical(other) == typical(atlas)


def test_every_small_map_is_a_labelled_picture_in_a_link(atlas: Atlas) -> None:
    page = patterns_page(atlas)
    document = Document(Renderer(TEMPLATES).render("page.html", page))
    pictures = document.find("svg")
    labels = [one.attributes["aria-label"] for one in pictures]
    shown = [small for _, _, maps in typical(atlas) for small in maps]
    assert labels == [f"Map of head {small.head.text}: {small.numbers}" for small in shown]
    assert {one.attributes["role"] for one in pictures} == {"img"}
