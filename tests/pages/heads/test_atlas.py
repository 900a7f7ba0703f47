"""Stored rows -> arrays, ranks, neighbours and sinks, each against a slow derivation."""

import math
from collections import Counter

import numpy as np
import pytest

from generator.measures import COLUMNS
from generator.pages.heads.atlas import Atlas
from tests.pages.fixtures import Setter
from tests.pages.heads.tiny import LARGE, PLACES, SECOND, TEXT, Rows, atlas_of

COUNT = 5


def slow_distance(atlas: Atlas, one: tuple[int, int], other: tuple[int, int]) -> float:
    """Root of the sum, over measures that every head defines and that vary, of squared differences in spreads."""
    total = 0.0
    for name in COLUMNS:
        values = atlas.estimates[name].value
        listed = [float(values[layer - 1, head - 1]) for layer, head in atlas.places]
        if any(math.isnan(value) for value in listed):
            continue
        mean = sum(listed) / len(listed)
        spread = math.sqrt(sum((value - mean) ** 2 for value in listed) / len(listed))
        if spread > 0:
            total += ((values[one[0] - 1, one[1] - 1] - values[other[0] - 1, other[1] - 1]) / spread) ** 2
    return math.sqrt(total)


def test_arrays_hold_each_row_at_its_layer_and_head(atlas: Atlas) -> None:
    for row in atlas.results.heads.to_dict("records"):
        estimate = atlas.estimates[row["measure"]]
        at = row["layer"] - 1, row["head"] - 1
        assert [estimate.value[at], estimate.low[at], estimate.high[at]] == pytest.approx(
            [row["value"], row["low"], row["high"]], nan_ok=True
        )
        assert estimate.uniform == row["uniform"] or math.isnan(row["uniform"])
    assert set(atlas.estimates) == set(COLUMNS)


def test_places_run_through_layers_then_heads(atlas: Atlas) -> None:
    layers, heads = atlas.shape
    assert atlas.places == [(layer, head) for layer in range(1, layers + 1) for head in range(1, heads + 1)]


def test_similar_heads_have_the_least_mean_divergence(atlas: Atlas) -> None:
    rows = atlas.results.table("divergence")["divergence"]
    pairs = [(a, b) for at, a in enumerate(atlas.places) for b in atlas.places[at + 1 :]]
    mean = {frozenset(pair): sum(float(row[at]) for row in rows) / len(rows) for at, pair in enumerate(pairs)}
    for place in atlas.places:
        slow = sorted((mean[frozenset((place, other))], other) for other in atlas.places if other != place)
        found = atlas.similar(*place, COUNT)
        assert [other for other, _ in found] == [other for _, other in slow[:COUNT]]
        assert [distance for _, distance in found] == pytest.approx([distance for distance, _ in slow[:COUNT]])


def test_without_divergence_similar_heads_are_those_of_a_slow_search(with_values: Setter) -> None:
    atlas = with_values({})
    for place in atlas.places:
        slow = sorted((slow_distance(atlas, place, other), other) for other in atlas.places if other != place)
        found = atlas.similar(*place, COUNT)
        assert [other for other, _ in found] == [other for _, other in slow[:COUNT]]
        assert [distance for _, distance in found] == pytest.approx([distance for distance, _ in slow[:COUNT]])


def test_head_is_not_similar_to_itself_and_equals_come_in_order(with_values: Setter) -> None:
    constant = with_values({name: np.zeros((3, 4)) for name in COLUMNS})
    assert constant.similar(2, 1, 3) == [((1, 1), 0.0), ((1, 2), 0.0), ((1, 3), 0.0)]


def test_measure_that_no_head_defines_takes_no_part(with_values: Setter, atlas: Atlas) -> None:
    """As for tokenizers without a begin token."""
    without = with_values({"attention.cls": np.full((3, 4), np.nan), "norm.cls": np.full((3, 4), np.nan)})
    found = without.similar(1, 1, COUNT)
    assert [distance for _, distance in found] == pytest.approx(
        [slow_distance(without, (1, 1), other) for other, _ in found]
    )


def test_ranks_count_the_heads_above(atlas: Atlas) -> None:
    for name, estimate in atlas.estimates.items():
        listed = estimate.value.ravel().tolist()
        slow = [0 if math.isnan(v) else 1 + sum(other > v for other in listed) for v in listed]
        assert atlas.ranks[name].ravel().tolist() == slow


def test_equal_heads_share_the_better_rank_and_undefined_ones_have_none(with_values: Setter) -> None:
    values = np.array([[0.5, 0.9, 0.5, np.nan], [0.1, 0.9, 0.2, 0.5], [np.nan, 0.0, 0.3, 0.9]])
    ranks = with_values({"attention.previous": values}).ranks["attention.previous"]
    assert ranks.tolist() == [[4, 1, 4, 0], [9, 1, 8, 4], [0, 10, 7, 1]]


def test_sink_is_the_token_that_most_documents_have(atlas: Atlas) -> None:
    documents, names = atlas.results.documents, atlas.results.manifest.vocabulary
    for layer, head in atlas.places:
        rows = documents[(documents["layer"] == layer) & (documents["head"] == head)]
        counts = Counter(names[str(token)] for token in rows["sink.token"])
        token, often = atlas.sinks[layer, head]
        assert counts[token] == max(counts.values()) == often


def test_examples_are_those_of_each_head_in_the_order_of_the_sentences(atlas: Atlas) -> None:
    rows = atlas.results.examples
    for layer, head in atlas.places:
        mine = rows[(rows["layer"] == layer) & (rows["head"] == head)].sort_values("sentence")
        found = atlas.examples[layer, head]
        assert [text for text, _, _ in found] == mine["text"].tolist()
        for (_, tokens, weights), stored in zip(found, mine.to_dict("records"), strict=True):
            assert tokens == list(stored["tokens"])
            assert np.array_equal(weights.ravel(), stored["weights"])
            assert weights.sum(1) == pytest.approx(np.ones(len(tokens)), abs=1e-5)


def test_summaries_name_kinds_by_their_values(with_values: Setter) -> None:
    looking_back = np.zeros((3, 4))
    looking_back[1, 2] = 0.98
    summaries = with_values({"attention.previous": looking_back}).summaries
    assert [place for place, summary in summaries.items() if summary.kind == "previous"] == [(2, 3)]


def distances(corpus: str, rows: np.ndarray) -> Rows:
    of = {"corpus": corpus, "documents": 1, "tokens": 9.0}
    return [of | {"document": f"d{at}", "divergence": row.astype(np.float32)} for at, row in enumerate(rows)]


def test_divergence_is_the_mean_over_documents_of_the_shown_text_for_every_pair(tmp_path):
    pairs = [(place, other) for at, place in enumerate(PLACES) for other in PLACES[at + 1 :]]
    rng = np.random.default_rng(0)
    mine, others = rng.random((4, len(pairs))) / 2, 0.6 + rng.random((3, len(pairs))) / 20
    found = atlas_of(tmp_path, divergence=distances(SECOND, others) + distances(TEXT, mine)).divergence
    assert found.shape == (len(PLACES), len(PLACES))
    assert np.diag(found).tolist() == [0] * len(PLACES)
    for at, (one, other) in enumerate(pairs):
        mean = sum(float(row[at]) for row in mine) / len(mine)
        here, there = PLACES.index(one), PLACES.index(other)
        assert found[here, there] == found[there, here] == pytest.approx(mean, rel=1e-6)


def test_divergence_of_another_text_or_none_is_not_measured(tmp_path):
    assert atlas_of(tmp_path / "a").divergence is None
    assert atlas_of(tmp_path / "b", divergence=distances(SECOND, np.full((1, 15), 0.5))).divergence is None


def test_deciles_come_strongest_first_with_the_map_of_the_right_head(tmp_path):
    rows = []
    for at, (place, decile) in enumerate((place, decile) for decile in (1, 10, 5) for place in PLACES):
        tokens = [f"t{decile}", *("x" * (at % 3 + 1))]
        weights = (np.arange(len(tokens) ** 2, dtype=np.float32) + 100 * at) / 10_000
        of = {"corpus": LARGE, "layer": place[0], "head": place[1], "decile": decile, "strength": 0.5}
        rows.append(of | {"tokens": tokens, "weights": weights})
    maps = atlas_of(tmp_path, deciles=rows).deciles
    assert list(maps) == PLACES
    for place, shown in maps.items():
        texts = [text.partition(":")[0] for text, _, _ in shown]
        assert texts == ["Strongest tenth", "Middle tenth", "Weakest tenth"]
        for (text, tokens, weights), decile in zip(shown, (10, 5, 1), strict=True):
            (stored,) = (row for row in rows if (row["layer"], row["head"], row["decile"]) == (*place, decile))
            assert (text.partition(": ")[2], tokens) == (" ".join(stored["tokens"]), stored["tokens"])
            size = len(tokens)
            for query in range(size):
                for key in range(size):
                    assert weights[query, key] == stored["weights"][query * size + key]


def test_without_deciles_no_head_has_maps_of_them(tmp_path):
    assert atlas_of(tmp_path).deciles == {}
