"""Maps of two models on the same inputs: cosines against loops in float64, and of a model with itself."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from generator.attention.anatomy import examine
from generator.attention.stream import Options, observe
from generator.corpora.pairs import Input
from generator.measures import COLUMNS
from generator.models.encoder import Encoder
from generator.numbers.resampling import DRAWS
from generator.results.rows import CorpusRows
from generator.topics.compare.records.names import LEAST, OTHER
from generator.topics.compare.run.maps import cosines, last_least
from tests.encoders import HEADS, LAYERS
from tests.topics.compare.run.tables import ROUNDING, SEED, Tables, compared, grid, value


@pytest.fixture(scope="module")
def maps(base: Encoder, tuned: Encoder, inputs: list[Input]) -> Mapping[str, list[tuple[np.ndarray, np.ndarray]]]:
    """Gives the maps of both by document, in the order of parts."""
    found: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
    for one in sorted(inputs, key=lambda item: (item.document, item.part)):
        pair = (next(iter(observe(each, examine(each), [one], Options(keep_weights=True)))) for each in (base, tuned))
        found.setdefault(one.document, []).append(tuple(np.asarray(seen.weights) for seen in pair))  # type: ignore[arg-type]
    return found


def slow_cosine(first: np.ndarray, second: np.ndarray) -> float:
    """Of two maps `[query, key]`, one weight at a time."""
    both = of_a = of_b = 0.0
    for row, other in zip(first.tolist(), second.tolist(), strict=True):
        for p, q in zip(row, other, strict=True):
            both, of_a, of_b = both + p * q, of_a + p * p, of_b + q * q
    return both / math.sqrt(of_a) / math.sqrt(of_b)


# Maps


def test_cosine_is_the_mean_over_documents_and_parts_of_a_slow_one(tables: Tables, maps: Any) -> None:
    for layer in range(LAYERS):
        for head in range(HEADS):
            documents = [
                sum(slow_cosine(a[layer, head], b[layer, head]) for a, b in parts) / len(parts)
                for parts in maps.values()
            ]
            row = value(tables, "head_facts", "cosine", layer + 1, head + 1)
            assert row["value"] == pytest.approx(sum(documents) / len(documents), abs=1e-6)
            assert row["n"] == len(maps)
            assert row["low"] <= row["value"] <= row["high"] <= 1


def test_cosine_of_a_layer_is_the_mean_of_its_heads_and_that_of_layer_0_of_all(tables: Tables) -> None:
    found = grid(tables, "cosine")
    for layer in range(LAYERS):
        assert value(tables, "facts", "cosine", layer + 1)["value"] == pytest.approx(found[layer].mean())
    assert value(tables, "facts", "cosine")["value"] == pytest.approx(found.mean())


def test_last_layer_of_a_copy_that_was_moved_most_changes_most(tables: Tables) -> None:
    found = [value(tables, "facts", "cosine", layer)["value"] for layer in range(1, LAYERS + 1)]
    assert min(found) == found[-1] < 1


def test_last_layers_lead_is_the_least_over_the_others_with_ends_that_allow_for_all_of_them(
    tables: Tables, maps: Any
) -> None:
    """Of four layers the last sixth is the last one."""
    rows = np.array(
        [
            np.mean([[[slow_cosine(a[at], b[at]) for at in np.ndindex(LAYERS, HEADS)]] for a, b in parts], axis=(0, 1))
            for parts in maps.values()
        ]
    )
    layers = rows.reshape(len(rows), LAYERS, HEADS).mean(2)
    apart = [layers[:, layer] - layers[:, LAYERS - 1] for layer in range(LAYERS - 1)]
    row = value(tables, "facts", LEAST)
    assert row["value"] == pytest.approx(min(one.mean() for one in apart), abs=1e-6)
    assert row["n"] == len(maps)
    drawn = np.random.default_rng(SEED).multinomial(len(maps), np.full(len(maps), 1 / len(maps)), size=DRAWS)
    draws = np.array([[(times * one).sum() / times.sum() for one in apart] for times in drawn])
    means = np.array([one.mean() for one in apart])
    furthest = (abs(draws - means) / draws.std(0)).max(1)
    ends = [min(means + sign * np.quantile(furthest, 0.95) * draws.std(0)) for sign in (-1, 1)]
    assert [row["low"], row["high"]] == pytest.approx(ends, abs=1e-5)


def test_last_layers_are_compared_with_each_other_layer_and_not_with_their_mean() -> None:
    rows = np.tile([0.9, 0.6, 0.9, 0.9, 0.9, 0.7], (30, 1))
    assert last_least(rows, SEED).value == pytest.approx(-0.1)
    twelve = np.tile([0.9] * 10 + [0.7, 0.5], (30, 1))
    assert last_least(twelve, SEED).value == pytest.approx(0.3), "of twelve layers the last two, in the mean"


def test_own_shares_of_the_second_model_are_means_over_all_heads(
    tables: Tables, tuned: Encoder, inputs: list[Input]
) -> None:
    rows = CorpusRows(tuned.id, "text")
    for seen in observe(tuned, examine(tuned), inputs):
        rows.add(seen)
    documents = rows.tables(SEED)["documents"]
    for column in (one for one in COLUMNS if one.startswith("pattern.")):
        row = value(tables, "facts", OTHER + column)
        assert row["value"] == pytest.approx(documents.groupby("document")[column].mean().mean(), abs=ROUNDING)
        assert row["low"] <= row["value"] <= row["high"]


def test_cosine_of_hand_made_maps() -> None:
    eye, flat = np.eye(2, dtype=np.float32), np.full((2, 2), 0.5, np.float32)
    crossed = eye[::-1]
    first, second = np.stack([[eye, eye], [flat, eye]]), np.stack([[eye, crossed], [eye, flat]])
    assert cosines(first, second) == pytest.approx(np.array([[1, 0], [0.5**0.5, 0.5**0.5]]))


# A model with itself


def test_model_with_itself_has_cosine_1_and_no_change(base: Encoder, inputs: list[Input]) -> None:
    tables = compared(base, base, inputs)
    for frame in (tables["facts"][0], tables["head_facts"][0]):
        cosine = frame[frame["name"] == "cosine"]
        assert set(cosine["value"]) == set(cosine["low"]) == set(cosine["high"]) == {1.0}
        changes = frame[frame["name"].isin(COLUMNS)]
        assert set(changes[["value", "low", "high"]].to_numpy()[changes["n"] > 1].ravel()) == {0.0}
    facts = tables["facts"][0]
    assert set(facts.loc[facts["name"].isin(["weights.distance", "weights.embeddings"]), "value"]) == {0.0}
    assert value(tables, "facts", "weights.cosine")["value"] == pytest.approx(1)
    assert value(tables, "facts", "copy")["value"] == 1
    assert not tables["head_facts"][0]["name"].str.startswith("twin").any()
