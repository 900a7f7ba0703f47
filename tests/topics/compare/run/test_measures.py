"""Measures, relations and features of two models: changes are paired by document and sentence."""

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from generator.attention.anatomy import examine
from generator.attention.stream import observe
from generator.corpora.pairs import Input
from generator.corpora.relation_names import DIRECTIONS
from generator.errors import ResultsError
from generator.measures import COLUMNS
from generator.models.encoder import Encoder
from generator.numbers.resampling import DRAWS
from generator.progress import reporting_to
from generator.results.rows import CorpusRows
from generator.topics.compare.records.comparison import COMPARE
from generator.topics.compare.records.names import BASE, relation_fact
from generator.topics.compare.run.models import compare
from generator.topics.compare.run.treebank import compare_relations, rise
from generator.topics.relations.derived.predictions import NOTHING, Predictions
from generator.topics.relations.records.relations import FEW_WORDS
from tests.encoders import HEADS, LAYERS
from tests.topics.compare.run.tables import NAME, ROUNDING, SEED, Tables, compared, grid, value

STUDY = f"{COMPARE}org--b"


# Measures


def test_changes_of_measures_are_paired_by_document_and_b_less_a(
    tables: Tables, base: Encoder, tuned: Encoder, inputs: list[Input]
) -> None:
    documents = []
    for each in (base, tuned):
        rows = CorpusRows(each.id, "text")
        for seen in observe(each, examine(each), inputs):
            rows.add(seen)
        documents.append(rows.tables(SEED)["documents"].set_index(["document", "layer", "head"]))
    before, after = documents
    compared_columns = 0
    for column in COLUMNS:
        change = after[column] - before[column]
        expected = change.groupby(["layer", "head"]).mean().to_numpy().reshape(LAYERS, HEADS)
        assert grid(tables, column) == pytest.approx(expected, abs=ROUNDING, nan_ok=True)
        counts = change.groupby(["layer", "head"]).count().to_numpy().reshape(LAYERS, HEADS)
        assert (grid(tables, column, "n") == counts).all()
        own = before[column].groupby(["layer", "head"]).mean().to_numpy().reshape(LAYERS, HEADS)
        assert grid(tables, BASE + column) == pytest.approx(own, nan_ok=True)
        for layer, rows in change.groupby("layer"):
            per_document = rows.groupby("document").mean().dropna()
            expected_layer = per_document.mean() if len(per_document) else np.nan
            found = value(tables, "facts", column, layer)["value"]
            assert found == pytest.approx(expected_layer, abs=ROUNDING, nan_ok=True)
        compared_columns += int(abs(expected).max() > 0)
    assert compared_columns > len(COLUMNS) / 2


def test_change_turns_its_sign_when_the_models_change_places(
    tables: Tables, base: Encoder, tuned: Encoder, inputs: Any
) -> None:
    back = compared(tuned, base, inputs)
    for column in ("attention.previous", "entropy.all"):
        assert grid(back, column) == pytest.approx(-grid(tables, column), abs=ROUNDING)
        assert grid(back, column, "low") == pytest.approx(-grid(tables, column, "high"), abs=1e-9)


def test_order_of_documents_changes_no_number(
    tables: Tables, base: Encoder, tuned: Encoder, inputs: list[Input]
) -> None:
    again = compared(base, tuned, inputs[::-1])
    for name in ("facts", "head_facts"):
        (first,), (second,) = tables[name], again[name]
        numbers = ["value", "low", "high", "n"]
        pd.testing.assert_frame_equal(first.drop(columns=numbers), second.drop(columns=numbers))
        np.testing.assert_allclose(second[numbers], first[numbers], atol=1e-6)


def test_tables_name_model_study_and_corpus_and_progress_counts_tokens(
    base: Encoder, tuned: Encoder, inputs: Any
) -> None:
    told: list[int] = []
    some, others = inputs[:2], inputs[2:]
    with reporting_to(told.append):
        tables = compare(base, tuned, {"one": some, "two": others}, SEED)
    assert sum(told) == 2 * sum(map(len, inputs))
    for frames in tables.values():
        assert [set(frame["corpus"]) for frame in frames] == [{"one"}, {"two"}]
        assert all(set(frame["model"]) == {base.id} and set(frame["study"]) == {STUDY} for frame in frames)


# Relations


def predictions(hits: np.ndarray, names: tuple[str, ...] = ("a", "b", "c")) -> Predictions:
    """Sentences of 21 words in a row, whose heads find what `hits [direction, layer, head, word]` says."""
    words = len(names) * 21
    place = np.tile(np.arange(21), len(names))
    gold = np.where(place == 0, NOTHING, place - 1)
    relation = np.where(place == 0, "root", np.where(place % 2, "det", "nsubj"))
    sentence = np.repeat(np.arange(len(names)), 21)
    predicted = np.where(hits, gold, 20 - (place == 20) * 20).astype(np.int16)
    return Predictions(
        names, sentence, place, np.full(words, 21), gold, relation, np.zeros(words, dtype=bool), predicted
    )


def test_changes_of_relations_equal_counts_of_words() -> None:
    rng = np.random.default_rng(1)
    first, second = rng.random((2, 2, 2, 3, 63)) > 0.5
    a, b = predictions(first), predictions(second)
    table = compare_relations(a, b, "A", NAME, "trees", SEED)
    assert table is not None
    assert set(table["study"]) == {STUDY}
    kinds = ("all", "det", "nsubj")
    assert set(table["name"]) == {relation_fact(kind, one) for kind in kinds for one in DIRECTIONS}
    assert len(table) == len(kinds) * 2 * 6
    for kind in kinds:
        words = [at for at in range(63) if kind in ("all", a.relation[at])]
        for direction, layer, head in np.ndindex(2, 2, 3):
            row = table[(table["name"] == relation_fact(kind, DIRECTIONS[direction]))]
            row = row[(row["layer"] == layer + 1) & (row["head"] == head + 1)].iloc[0]
            right = [
                sum(bool(one.predicted[direction, layer, head, at] == one.gold[at] != NOTHING) for at in words)
                for one in (a, b)
            ]
            assert row["value"] == pytest.approx((right[1] - right[0]) / len(words))
            assert row["n"] == len(words) >= FEW_WORDS
            assert row["low"] <= row["value"] <= row["high"]


def test_relations_of_a_model_with_itself_do_not_change() -> None:
    one = predictions(np.random.default_rng(2).random((2, 1, 2, 63)) > 0.5)
    table = compare_relations(one, one, "A", NAME, "trees", SEED)
    assert table is not None
    assert set(table[["value", "low", "high"]].to_numpy().ravel()) == {0.0}


def test_relations_need_the_same_sentences_and_shape() -> None:
    hits = np.ones((2, 1, 2, 63), dtype=bool)
    one = predictions(hits)
    assert compare_relations(one, predictions(np.ones((2, 2, 2, 63), dtype=bool)), "A", NAME, "trees", SEED) is None
    with pytest.raises(ResultsError, match=r"same sentences of trees, found 3 and 3 with 2 in common"):
        compare_relations(one, predictions(hits, ("a", "b", "d")), "A", NAME, "trees", SEED)


# Features


def test_highest_rise_of_a_feature_counts_each_sentence_once_and_allows_for_all_features() -> None:
    """Sentences without a feature are left out of its mean, and one without any out of all; loops over draws."""
    rng = np.random.default_rng(4)
    rows = rng.normal(0.01, 0.05, (40, 4))
    rows[rng.random((40, 4)) < 0.3] = np.nan
    rows[:, 2], rows[7] = np.nan, np.nan
    found = rise(rows, SEED)
    kept = [row for row in rows.tolist() if not all(map(math.isnan, row))]
    assert found.n == len(kept) < 40

    def mean(times: np.ndarray, at: int) -> float:
        pairs = [(row[at], count) for row, count in zip(kept, times, strict=True) if not math.isnan(row[at])]
        return sum(one * count for one, count in pairs) / sum(count for _, count in pairs)

    means = [mean(np.ones(len(kept)), at) for at in (0, 1, 3)]
    assert found.value == pytest.approx(max(means))
    drawn = np.random.default_rng(SEED).multinomial(len(kept), np.full(len(kept), 1 / len(kept)), size=DRAWS)
    draws = np.array([[mean(times, at) for at in (0, 1, 3)] for times in drawn])
    width = np.quantile((abs(draws - means) / draws.std(0)).max(1), 0.95) * draws.std(0)
    assert [found.low, found.high] == pytest.approx([max(means - width), max(means + width)])
