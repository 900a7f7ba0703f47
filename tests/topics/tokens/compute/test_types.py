"""Token types of a text: counts and attention against loops over tokens, losses against single forward passes."""

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
import torch

from generator.attention.anatomy import examine, forward
from generator.attention.batches import collate
from generator.attention.stream import observe
from generator.corpora.classes import ADDED
from generator.corpora.pairs import Document
from generator.models.masked_lm import load_masked_lm
from generator.models.source import locate
from generator.topics.tokens.compute.types import (
    COLUMNS,
    FEWEST,
    HIDDEN,
    SHARE,
    TypeScores,
    hidden_places,
    together,
    type_losses,
)
from tests.attention.masked_lm import write_masked_lm
from tests.attention.observations import inputs_of, shown
from tests.encoders import SENTENCES
from tests.topics.tokens.compute.test_neighbours import corpus, made
from tests.topics.tokens.compute.test_roles import maps_of, texts

INPUTS = corpus()
SEED, ROUNDING = 3, 1e-4


def table_of(inputs, maps, losses=None, pieces=texts):
    scores = TypeScores()
    for item, weights in zip(inputs, maps, strict=True):
        scores.add(shown(item, weights))
    return scores.table("model", "corpus", pieces, losses or {})


@pytest.fixture(scope="module")
def maps():
    return maps_of(INPUTS)


@pytest.fixture(scope="module")
def masked_lm(tmp_path_factory):
    """A tiny BERT with its head, set to be observed."""
    folder = write_masked_lm("bert", tmp_path_factory.mktemp("head") / "bert")
    found = load_masked_lm(locate(str(folder)), torch.device("cpu"))
    examine(found.encoder)
    return found


@pytest.fixture(scope="module")
def read(masked_lm):
    """Twelve pairs of sentences: few words, but letters occur often enough."""
    pairs = [(SENTENCES[at % 10], SENTENCES[(3 * at + 1) % 10]) for at in range(12)]
    return inputs_of(masked_lm.encoder, [Document(f"d{at}", pair) for at, pair in enumerate(pairs)])


@pytest.fixture(scope="module")
def losses(masked_lm, read):
    return type_losses(masked_lm, read, SEED)


def test_counts_and_attention_equal_a_slow_loop(maps):
    table = table_of(INPUTS, maps)
    counts = Counter(token for item in INPUTS for token in item.input_ids)
    expected = {str(token): count for token, count in counts.items() if count >= FEWEST}
    assert min(counts.values()) < FEWEST
    assert dict(zip(table["token"], table["count"], strict=True)) == expected
    for token, received in zip(table["token"], table["received"], strict=True):
        ratios = []
        for item, weights in zip(INPUTS, maps, strict=True):
            n = len(item)
            for layer in weights.astype(float):
                for head in layer:
                    for at in (at for at in range(n) if str(item.input_ids[at]) == token):
                        ratios.append(math.fsum(head[:, at]) / math.fsum([1 / n] * n))
        assert received == pytest.approx(math.fsum(ratios) / len(ratios), rel=1e-6)


def test_the_table_has_its_columns_and_types_and_the_most_frequent_come_first(maps):
    table = table_of(INPUTS, maps, losses={5: 0.25})
    assert tuple(table.columns) == COLUMNS
    assert [str(kind) for kind in table.dtypes[["count", "received", "loss"]]] == ["int32", "float64", "float64"]
    assert (set(table["model"]), set(table["corpus"])) == ({"model"}, {"corpus"})
    assert table["count"].is_monotonic_decreasing
    assert table.set_index("token")["loss"].dropna().to_dict() == {"5": 0.25}


def test_uniform_attention_gives_every_type_one():
    maps = [np.full((2, 3, len(item), len(item)), 1 / len(item), np.float32) for item in INPUTS]
    np.testing.assert_allclose(table_of(INPUTS, maps)["received"], 1, 1e-6)


def test_who_attends_is_told_from_who_is_attended_to():
    """Every token attends to [CLS] alone."""
    maps = []
    for item in INPUTS:
        maps.append(np.zeros((1, 1, len(item), len(item)), np.float32))
        maps[-1][..., 0] = 1
    received = table_of(INPUTS, maps).set_index("token")["received"]
    assert received["0"] == pytest.approx(np.mean([len(item) for item in INPUTS]))
    assert (received.drop("0") == 0).all()
    turned = table_of(INPUTS, [np.ascontiguousarray(weights.swapaxes(-1, -2)) for weights in maps])
    assert turned.set_index("token")["received"]["0"] == 1


def test_a_long_input_weighs_by_its_occurrences(maps):
    """The mean is over occurrences, not over inputs."""
    few, many = made("few", [0, *[5] * 2, 1]), made("many", [0, *[5] * 30, 1])
    found = []
    for item, share in ((few, 0.1), (many, 0.9)):
        weights = np.full((1, 1, len(item), len(item)), (1 - share) / (len(item) - 1), np.float32)
        weights[..., 0] = share
        found.append(weights)
    received = table_of([few, many], found).set_index("token")["received"]
    each = [weights[0, 0, 0, 1].astype(float) * weights.shape[-1] for weights in found]
    assert received["5"] == pytest.approx((2 * each[0] + 30 * each[1]) / 32, rel=1e-6)


def test_the_order_of_inputs_changes_no_bit_and_maps_are_left_as_they_are(maps):
    turned, before = np.random.default_rng(1).permutation(len(INPUTS)), [weights.copy() for weights in maps]
    shuffled = table_of([INPUTS[at] for at in turned], [maps[at] for at in turned])
    pd.testing.assert_frame_equal(shuffled, table_of(INPUTS, maps), check_exact=True)
    assert all(map(np.array_equal, maps, before))


def test_of_every_type_as_many_occurrences_of_text_are_drawn():
    counts = Counter(token for item in INPUTS for token in item.input_ids)
    drawn = Counter()
    for item, places in hidden_places(INPUTS, SEED):
        assert len(set(places)) == len(places)
        assert all(item.classes[at] not in ADDED for at in places)
        drawn.update(item.input_ids[at] for at in places)
    special = {item.input_ids[at] for item in INPUTS for at, kind in enumerate(item.classes) if kind in ADDED}
    assert special == {0, 1}
    assert drawn == {token: HIDDEN for token, count in counts.items() if count >= FEWEST and token not in special}


def test_occurrences_are_drawn_from_all_over_the_text():
    """Each of them is as likely: over many seeds, first and second halves give equally many."""
    item = [made(f"d{number}", [0, *[5] * 20, 1, *[6] * 20, 1]) for number in range(2)]
    first, early = [], []
    for seed in range(200):
        for one, places in hidden_places(item, seed):
            first += [one.document == "d0"] * len(places)
            early += [(at - 1) % 21 < 10 for at in places]
    assert len(early) == 200 * 2 * HIDDEN
    assert np.mean(first) == pytest.approx(0.5, abs=0.04)
    assert np.mean(early) == pytest.approx(0.5, abs=0.04)


def test_draws_belong_to_the_seed_and_the_name_of_the_input():
    def drawn(inputs, seed):
        return {(item.document, item.part): places for item, places in hidden_places(inputs, seed)}

    assert drawn(INPUTS, 1) == drawn(INPUTS[::-1], 1)
    assert drawn(INPUTS, 1) != drawn(INPUTS, 2)
    renamed = [made(f"other{item.document}", list(item.input_ids), item.part) for item in INPUTS]
    assert list(drawn(renamed, 1).values()) != list(drawn(INPUTS, 1).values())


@pytest.mark.parametrize(("tokens", "hidden"), [(3, 2), (20, 3), (20, 7), (20, 0), (100, 15), (100, 16)])
def test_at_most_15_percent_or_one_token_are_hidden_together(tokens, hidden):
    item = made("d", [5] * tokens)
    places = np.random.default_rng(0).permutation(tokens)[:hidden].tolist()
    groups = together(item, places)
    assert [at for group in groups for at in group] == places
    sizes = [len(group) for group in groups]
    most = max(math.floor(SHARE * tokens), 1)
    assert len(sizes) == math.ceil(hidden / most)
    assert all(size <= most for size in sizes)
    assert not sizes or max(sizes) - min(sizes) <= 1


def test_losses_equal_single_forward_passes(masked_lm, read, losses):
    encoder, found, again = masked_lm.encoder, {}, 0
    encoder.model.set_attn_implementation("eager")
    try:
        for item, places in hidden_places(sorted(read, key=lambda one: (one.document, one.part)), SEED):
            again += len(together(item, places)) > 1
            for group in together(item, places):
                batch = collate([item], encoder.pad)
                for at in group:
                    batch.input_ids[0, at] = masked_lm.mask
                logits = forward(encoder, batch)[0].double().log_softmax(-1)
                for at in group:
                    found.setdefault(item.input_ids[at], []).append(-logits[at, item.input_ids[at]].item())
    finally:
        examine(encoder)
    assert again > 1
    assert set(losses) == set(found)
    for token, values in found.items():
        assert len(values) <= HIDDEN
        assert losses[token] == pytest.approx(math.fsum(values) / len(values), rel=ROUNDING)


def test_losses_do_not_depend_on_the_order_of_inputs(masked_lm, read, losses):
    assert type_losses(masked_lm, read[::-1], SEED) == losses


def test_special_tokens_have_no_loss_and_all_else_has_one(masked_lm, read, losses):
    encoder = masked_lm.encoder
    scores = TypeScores()
    plain = examine(encoder)
    for seen in observe(encoder, plain, read):
        scores.add(seen)
    pieces = encoder.tokenizer.convert_ids_to_tokens
    table = scores.table(encoder.id, "sentences", pieces, losses).set_index("token")
    assert {"[CLS]", "[SEP]", "##e"} <= set(table.index)
    assert set(table.index[table["loss"].isna()]) == {"[CLS]", "[SEP]"}
    assert (table["loss"].dropna() > 0).all()
    without = scores.table(encoder.id, "sentences", pieces, type_losses(None, read, SEED))
    assert without["loss"].isna().all()
    assert len(without) == len(table)


def test_a_type_that_is_always_predicted_has_no_loss_to_speak_of(masked_lm, read):
    """Its output bias is large; the loss of every other type grows by it."""
    head = masked_lm.encoder.model.get_output_embeddings()
    token = masked_lm.encoder.tokenizer.convert_tokens_to_ids("##e")
    before = head.bias.detach().clone()
    try:
        with torch.no_grad():
            head.bias[token] += 1000
        found = type_losses(masked_lm, read, SEED)
    finally:
        with torch.no_grad():
            head.bias.copy_(before)
    assert found.pop(token) < 1e-6
    assert min(found.values()) > 100


def test_a_text_without_types_has_an_empty_table():
    item = made("d", [0, 5, 6, 1])
    table = table_of([item], [np.full((1, 1, 4, 4), 0.25, np.float32)])
    assert table.empty
    assert tuple(table.columns) == COLUMNS
