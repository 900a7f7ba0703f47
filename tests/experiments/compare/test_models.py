"""Two models on the same inputs: against loops in float64, and against copies whose change is known."""

import copy
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from transformers import AutoModel

from generator.attention.anatomy import examine
from generator.attention.stream import Options, observe
from generator.claims.evidence.evidence import COMPARE
from generator.corpora.pairs import Input
from generator.errors import ModelError, ResultsError
from generator.experiments.compare.maps import cosines, divergences, last_least, twins
from generator.experiments.compare.models import compare
from generator.experiments.compare.names import BASE, LEAST, OTHER, relation_fact
from generator.experiments.compare.relations import compare_relations
from generator.experiments.compare.treebank import rise
from generator.experiments.compare.weights import parameters, relative_distance
from generator.measures import COLUMNS
from generator.models.encoder import Encoder
from generator.numbers.resampling import DRAWS
from generator.results.rows import CorpusRows
from generator.studies.distances.divergence import SMOOTHING
from generator.studies.syntax.predictions import DIRECTIONS, NOTHING, Predictions
from generator.studies.syntax.relations import FEW_WORDS
from tests.attention.observations import inputs_of
from tests.encoders import FAMILIES, HEADS, HIDDEN, LAYERS, loaded, write

SEED, NAME = 5, "Org/B"
STUDY = f"{COMPARE}org--b"
ROUNDING = 1e-12
SHIFT = ((1, 2, 3, 0), (2, 3, 1, 0), (3, 0, 1, 2))
"""By layer: which head of the original stands in each place of the permuted copy; none is its own inverse."""
Made = Callable[[str], Encoder]
Tables = Mapping[str, list[pd.DataFrame]]


@pytest.fixture(scope="module")
def base(encoder: Made) -> Encoder:
    """Gives the tiny BERT."""
    return encoder("bert")


@pytest.fixture(scope="module")
def tuned(base: Encoder) -> Encoder:
    """Gives a copy that was moved a little, its last layer most."""
    model = copy.deepcopy(base.model)
    rng = torch.Generator().manual_seed(SEED)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            size = 0.1 if f"layer.{LAYERS - 1}." in name else 0.01
            weight.add_(size * torch.randn(weight.shape, generator=rng))
    return replace(base, id=NAME, model=model)


@pytest.fixture(scope="module")
def permuted(base: Encoder) -> Encoder:
    """Gives the same function with heads and inner units in another order: few parameters lie where they did."""
    model = copy.deepcopy(base.model)
    size = HIDDEN // HEADS
    with torch.no_grad():
        for layer, order in zip(model.encoder.layer, SHIFT, strict=True):
            rows = torch.cat([torch.arange(head * size, (head + 1) * size) for head in order])
            own = layer.attention.self
            for linear in (own.query, own.key, own.value):
                linear.weight.copy_(linear.weight[rows])
                linear.bias.copy_(linear.bias[rows])
            out = layer.attention.output.dense
            out.weight.copy_(out.weight[:, rows])
            inner = torch.arange(layer.intermediate.dense.weight.shape[0]).flip(0)
            layer.intermediate.dense.weight.copy_(layer.intermediate.dense.weight[inner])
            layer.intermediate.dense.bias.copy_(layer.intermediate.dense.bias[inner])
            layer.output.dense.weight.copy_(layer.output.dense.weight[:, inner])
    return replace(base, id=NAME, model=model)


@pytest.fixture(scope="module")
def inputs(base: Encoder) -> list[Input]:
    """Gives documents of different length, one of them in several parts."""
    return inputs_of(base, max_tokens=32)


def compared(a: Encoder, b: Encoder, inputs: list[Input]) -> Tables:
    """Both tables of one corpus."""
    return compare(a, b, {"text": inputs}, SEED, lambda done: None)


@pytest.fixture(scope="module")
def tables(base: Encoder, tuned: Encoder, inputs: list[Input]) -> Tables:
    """Gives the comparison with the copy that was moved."""
    return compared(base, tuned, inputs)


@pytest.fixture(scope="module")
def maps(base: Encoder, tuned: Encoder, inputs: list[Input]) -> Mapping[str, list[tuple[np.ndarray, np.ndarray]]]:
    """Gives the maps of both by document, in the order of parts."""
    found: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
    for one in sorted(inputs, key=lambda item: (item.document, item.part)):
        pair = (next(iter(observe(each, examine(each), [one], Options(keep_weights=True)))) for each in (base, tuned))
        found.setdefault(one.document, []).append(tuple(np.asarray(seen.weights) for seen in pair))  # type: ignore[arg-type]
    return found


def value(tables: Tables, table: str, name: str, layer: int = 0, head: int = 0) -> Any:
    """The only row of that name and place."""
    frame = tables[table][0]
    chosen = (frame["name"] == name) & (frame["layer"] == layer)
    rows = frame[chosen & (frame["head"] == head)] if head else frame[chosen]
    assert len(rows) == 1, (name, layer, head)
    return rows.iloc[0]


def grid(tables: Tables, name: str, field: str = "value") -> np.ndarray:
    """`[layer, head]` of one name."""
    rows = tables["head_facts"][0]
    rows = rows[rows["name"] == name].sort_values(["layer", "head"])
    return rows[field].to_numpy(float).reshape(LAYERS, HEADS)


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
    tables = compare(base, tuned, {"one": some, "two": others}, SEED, told.append)
    assert sum(told) == sum(map(len, inputs))
    for frames in tables.values():
        assert [set(frame["corpus"]) for frame in frames] == [{"one"}, {"two"}]
        assert all(set(frame["model"]) == {base.id} and set(frame["study"]) == {STUDY} for frame in frames)


# Weights


def test_distances_of_weights_equal_sums_over_single_numbers(tables: Tables, base: Encoder, tuned: Encoder) -> None:
    ours, theirs = dict(base.model.named_parameters()), dict(tuned.model.named_parameters())

    def distance(belongs: Callable[[str], bool], others: Mapping[str, torch.Tensor]) -> float:
        below = above = 0.0
        for name, weight in ours.items():
            if belongs(name):
                for p, q in zip(
                    weight.double().flatten().tolist(), others[name].double().flatten().tolist(), strict=True
                ):
                    below, above = below + p * p, above + (q - p) ** 2
        return math.sqrt(above / below)

    with torch.random.fork_rng():
        torch.manual_seed(int(np.random.SeedSequence([SEED, 0]).generate_state(1)[0]))
        random = dict(AutoModel.from_config(base.model.config).named_parameters())
    for name, others in (("distance", theirs), ("random", random)):
        for layer in range(LAYERS):
            expected = distance(lambda one, at=layer: one.startswith(f"encoder.layer.{at}."), others)  # type: ignore[misc]
            assert value(tables, "facts", f"weights.{name}", layer + 1)["value"] == pytest.approx(expected)
        whole = distance(lambda one: not one.startswith("pooler."), others)
        assert value(tables, "facts", f"weights.{name}")["value"] == pytest.approx(whole)
    for name, others in (("weights.embeddings", theirs), ("weights.random.embeddings", random)):
        embeddings = distance(lambda one: one.startswith("embeddings."), others)
        assert value(tables, "facts", name)["value"] == pytest.approx(embeddings)
    assert value(tables, "facts", "copy")["value"] == 1


@pytest.mark.parametrize("family", [one for one in FAMILIES if one != "albert"])
def test_layers_are_found_in_every_family(encoder: Made, family: str) -> None:
    found = parameters(encoder(family).model, LAYERS)
    sizes = {len(found.of_layer(layer)) for layer in range(1, LAYERS + 1)}
    assert min(sizes) > 3
    assert max(found.layer.values()) == LAYERS
    assert found.embeddings
    assert set(found.embeddings).isdisjoint(found.layer)
    assert relative_distance(found, found, found.of_layer(LAYERS)) == 0


def test_layers_that_share_their_weights_have_no_distance_of_their_own(encoder: Made) -> None:
    found = parameters(encoder("albert").model, LAYERS)
    assert not found.layer
    assert found.embeddings
    assert found.matrices


def test_distance_is_undefined_where_shapes_differ(base: Encoder) -> None:
    ours = parameters(base.model, LAYERS)
    name = next(iter(ours.embeddings))
    theirs = replace(ours, values={**ours.values, name: ours.values[name][1:]})
    assert math.isnan(relative_distance(ours, theirs, ours.embeddings))
    assert relative_distance(ours, theirs, ours.of_layer(1)) == 0


# Twins


def test_twins_recover_the_order_of_a_permuted_copy(base: Encoder, permuted: Encoder, inputs: list[Input]) -> None:
    tables = compared(base, permuted, inputs)
    assert value(tables, "facts", "copy")["value"] == 0
    for layer in range(LAYERS):
        for head in range(HEADS):
            at = layer + 1, head + 1
            assert value(tables, "head_facts", "twin.layer", *at)["value"] == layer + 1
            assert value(tables, "head_facts", "twin.head", *at)["value"] == SHIFT[layer].index(head) + 1
            assert value(tables, "head_facts", "twin.divergence", *at)["value"] == pytest.approx(0, abs=1e-5)
    assert value(tables, "facts", "twin.matched")["value"] == pytest.approx(0, abs=1e-5)
    assert value(tables, "facts", "twin.every")["value"] > 0.01


def test_models_of_different_shape_have_twins_alone(base: Encoder, inputs: list[Input], tmp_path: Path) -> None:
    small = loaded(write("bert", tmp_path / "small", num_hidden_layers=2, num_attention_heads=2))
    tables = compared(base, small, inputs)
    assert set(tables["head_facts"][0]["name"]) == {"twin.layer", "twin.head", "twin.divergence"}
    assert set(tables["facts"][0]["name"]) == {"copy", "twin.matched", "twin.every"}
    found = tables["head_facts"][0].pivot(index=["layer", "head"], columns="name", values="value")
    pairs = set(zip(found["twin.layer"], found["twin.head"], strict=True))
    assert pairs == {(layer, head) for layer in (1, 2) for head in (1, 2)}
    assert len(found) == 4
    back = compared(small, base, inputs)["head_facts"][0].pivot(index=["layer", "head"], columns="name", values="value")
    turned = {
        (int(a), int(b)): at for at, a, b in zip(found.index, found["twin.layer"], found["twin.head"], strict=True)
    }
    assert turned == {at: (row["twin.layer"], row["twin.head"]) for at, row in back.iterrows()}


def pairing(found: pd.DataFrame) -> set[tuple[Any, Any]]:
    """Places of heads with those of their twins."""
    return {(at, (row["twin.layer"], row["twin.head"])) for at, row in found.iterrows()}


def test_divergences_equal_slow_ones_and_run_from_the_first_down(base: Encoder) -> None:
    rng = np.random.default_rng(0)

    def made(layers: int, heads: int) -> np.ndarray:
        weights = rng.random((layers, heads, 5, 5)) ** 4
        return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)

    first, second = made(2, 3), made(1, 2)
    found = divergences(first, second)
    assert found.shape == (6, 2)
    for a in range(6):
        for b in range(2):
            total = 0.0
            for query in range(5):
                for key in range(5):
                    p, q = (
                        (1 - SMOOTHING) * float(one[query, key]) + SMOOTHING / 5
                        for one in (first[a // 3, a % 3], second[0, b])
                    )
                    total += (p * math.log(2 * p / (p + q)) + q * math.log(2 * q / (p + q))) / 2
            assert found[a, b] == pytest.approx(total / 5, abs=4e-6)


def test_twins_are_chosen_on_one_half_and_reported_on_the_other() -> None:
    names = [str(at) for at in range(40)]
    rows = np.zeros((40, 2, 2))
    rows[:, 0, 0] = rows[:, 1, 1] = 0.2
    rows[:, 0, 1] = rows[:, 1, 0] = 0.3
    plain = twins(names, rows, SEED)
    assert list(zip(plain.heads, plain.matches, strict=True)) == [(0, 0), (1, 1)]
    assert 0 < plain.divergence.n[0] < 40
    assert plain.matched.value == pytest.approx(0.2)
    assert plain.every.value == pytest.approx(0.25)
    assert plain.matched.n == plain.divergence.n[0]
    single = twins(names[:1], rows[:1], SEED)
    assert single.divergence.n.tolist() == [1, 1]
    assert np.isnan(single.divergence.low).all()


# What is refused


def test_other_vocabulary_is_refused(base: Encoder, encoder: Made, inputs: list[Input]) -> None:
    with pytest.raises(ModelError, match=r"Expected .* to have the vocabulary of .*tokens with another id or none"):
        compared(base, encoder("roberta"), inputs)


def test_inputs_longer_than_a_model_reads_are_refused(base: Encoder, inputs: list[Input]) -> None:
    short = replace(base, id="short", positions=20)
    with pytest.raises(ModelError, match=r"at most 20 tokens, which is what short reads, found one of 32; lower"):
        compared(base, short, inputs)


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
