"""Moved cut-offs class the stored documents anew."""

import json

import numpy as np
import pandas as pd
import pytest

from generator.measures.patterns import PATTERNS
from generator.numbers.writing import number
from generator.pages.blocks import Figure, Note
from generator.pages.figures import DIGITS
from generator.pages.heads.atlas import Atlas
from generator.topics.layers.derived.pattern_shares import RULES, STEPS, moved_shares, stored_shares, sweep
from generator.topics.layers.page.patterns.cutoffs import VIEWS
from generator.topics.layers.page.patterns.page import patterns_page
from tests.pages.reading import block, section
from tests.topics.layers.page.patterns.conftest import Changed


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
        np.testing.assert_allclose(moved_shares(documents, results.uniform, rule, [at])[:, 0], expected, atol=1e-12)
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
    moved = moved_shares(documents, atlas.results.uniform, "both", [0.5])
    np.testing.assert_allclose(moved[:, 0], stored_shares(documents).mean((1, 2)), atol=1e-12)


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
