"""How much vectors depend on context: every number against loops over the plain encoder's states."""

import math
from dataclasses import replace

import numpy as np
import pytest

from generator.numbers.resampling import DRAWS
from generator.topics.vectors.compute.contextuality import (
    centred,
    explained,
    intra_similarity,
    random_words_alike,
    self_similarity,
)
from generator.topics.vectors.compute.occurrences import (
    CONTEXTS,
    OCCURRENCES,
    random_words,
    sampled,
    sentence_ends,
    word_occurrences,
)
from tests.attention.observations import inputs_of
from tests.encoders import LAYERS
from tests.studies.surveyed import contextuality
from tests.topics.vectors.compute.slowly import (
    DOCUMENTS,
    SLOW,
    cosine,
    families,
    slow_centred,
    slow_occurrences,
    slow_states,
    texts,
)

SEED = 5


@families
def test_curves_equal_loops_over_the_states_of_the_plain_encoder(encoder, checkpoint, corpus, family):
    inputs = corpus(family)
    table = contextuality(encoder(family), inputs, "m", "c", SEED).set_index(["name", "layer"])
    places = slow_occurrences(encoder(family), inputs, family)
    assert max(map(len, places.values())) <= OCCURRENCES
    states = slow_states(checkpoint, inputs, family)
    for layer in range(LAYERS + 1):
        values = {name: [] for name in SLOW}
        for chosen in places.values():
            vectors = [states[number][layer][at] for number, at in chosen]
            for name, slow in SLOW.items():
                values[name].append(slow(vectors))
        for name, found in values.items():
            row = table.loc[(name, layer)]
            assert row["value"] == pytest.approx(np.mean(found), abs=2e-6)
            assert row["n"] == len(places)
            assert row["low"] <= row["value"] <= row["high"]
            assert np.min(found) - 1e-6 <= row["low"]
            assert row["high"] <= np.max(found) + 1e-6


@families
def test_similarity_within_sentences_equals_loops(encoder, checkpoint, corpus, family):
    inputs = corpus(family)
    table = contextuality(encoder(family), inputs, "m", "c", SEED).set_index(["name", "layer"])
    states = slow_states(checkpoint, inputs, family)
    values = {layer: [] for layer in range(LAYERS + 1)}
    for number, item in enumerate(inputs):
        sentence = []
        for at, (text, _) in enumerate(texts(encoder(family), item, family)):
            if text is not None:
                sentence.append(at)
            if text in (None, ".", "!", "?"):
                if len(sentence) >= 5:
                    for layer, found in values.items():
                        vectors = [states[number][layer][token] for token in sentence]
                        mean = sum(vectors) / len(vectors)
                        found.append(np.mean([cosine(vector, mean) for vector in vectors]))
                sentence = []
    assert len(values[0]) > len(inputs)
    for layer, found in values.items():
        row = table.loc[("intra_sentence", layer)]
        assert row["value"] == pytest.approx(np.mean(found), abs=2e-6)
        assert row["n"] == len(DOCUMENTS)
        base = table.loc[("self_similarity.baseline", layer), "value"]
        assert table.loc[("intra_sentence.adjusted", layer), "value"] == pytest.approx(row["value"] - base)


NAMES = [*SLOW, "intra_sentence"]
BASE = {name: f"{name}.baseline" for name in NAMES} | {
    "explained_variance.pca": "explained_variance.centred.baseline",
    "intra_sentence": "self_similarity.baseline",
}


def test_the_table_has_every_curve_in_every_layer_and_adjusted_is_the_difference(encoder, corpus):
    table = contextuality(encoder("bert"), corpus("bert"), "m", "c", SEED)
    assert list(table.columns) == ["model", "corpus", "study", "name", "layer", "value", "low", "high", "n"]
    assert set(table["study"]) == {"contextuality"}
    assert [str(kind) for kind in table.dtypes[["layer", "n"]]] == ["int16", "int32"]
    curves = {*NAMES, *(f"{name}.adjusted" for name in NAMES), *(f"{name}.baseline" for name in NAMES)}
    curves -= {"explained_variance.pca.baseline"}
    whole = {f"{name}.adjusted.mean" for name in SLOW if name != "self_similarity"} | {"self_similarity.adjusted.rise"}
    assert set(table["name"]) == curves | whole
    assert len(table) == len(curves) * (LAYERS + 1) + len(whole)
    assert sorted(set(table["layer"])) == list(range(LAYERS + 1))
    one = table[table["name"].isin(curves)].set_index(["name", "layer"])["value"]
    for name in NAMES:
        difference = one[name] - one[BASE[name]]
        np.testing.assert_allclose(one[f"{name}.adjusted"], difference, atol=1e-12)


def test_numbers_of_the_whole_model_resample_all_layers_together(encoder, corpus):
    """A mean over layers varies less than its layers do, and its interval is no wider than theirs on average."""
    table = contextuality(encoder("bert"), corpus("bert"), "m", "c", SEED).set_index(["name", "layer"])
    for name in ("explained_variance", "explained_variance.centred", "explained_variance.pca"):
        layers = table.loc[f"{name}.adjusted"].loc[1:]
        row = table.loc[(f"{name}.adjusted.mean", 0)]
        assert row["value"] == pytest.approx(layers["value"].mean())
        assert layers["low"].mean() - 1e-9 <= row["low"] < row["value"] < row["high"] <= layers["high"].mean() + 1e-9
        assert row["n"] == layers["n"].iloc[0]
    alike = table.loc["self_similarity.adjusted", "value"]
    rise = table.loc[("self_similarity.adjusted.rise", 0)]
    assert rise["value"] == pytest.approx(alike[LAYERS] - alike[1])
    assert rise["low"] < rise["value"] < rise["high"]


def test_baselines_are_what_random_words_show(encoder, checkpoint, corpus):
    """The text has so few sentences that all of them are used, each with one of its pieces."""
    inputs = corpus("bert")
    tokenizer = encoder("bert").tokenizer
    states = slow_states(checkpoint, inputs, "bert")
    rng = np.random.default_rng(SEED)
    sampled(word_occurrences(tokenizer, inputs), rng)  # draws first
    places = random_words(inputs, sentence_ends(tokenizer, inputs), rng)
    table = contextuality(encoder("bert"), inputs, "m", "c", SEED).set_index(["name", "layer"])
    for layer in range(LAYERS + 1):
        vectors = [states[number][layer][at] for number, at in places]
        for name in ("self_similarity", "explained_variance.centred"):
            row = table.loc[(f"{name}.baseline", layer)]
            assert row["value"] == pytest.approx(SLOW[name](vectors), abs=2e-6)
            assert row["low"] < row["value"] < row["high"]
            assert row["n"] == len(places)


def test_of_one_type_alone_the_baseline_of_the_formula_is_the_type_itself(encoder, corpus):
    tokenizer = encoder("bert").tokenizer
    the = tokenizer.convert_tokens_to_ids("the")
    keep = {the, *tokenizer.all_special_ids}
    other = tokenizer.convert_tokens_to_ids(";")
    inputs = [
        replace(item, input_ids=tuple(token if token in keep else other for token in item.input_ids))
        for item in corpus("bert")
    ]
    table = contextuality(encoder("bert"), inputs, "m", "c", SEED).set_index("name")
    for name in SLOW:
        assert set(table.loc[name, "n"]) == {1}
        assert table.loc[name, "low"].isna().all()
    np.testing.assert_allclose(table.loc["explained_variance.adjusted", "value"], 0, atol=1e-9)


def test_text_without_words_in_enough_contexts_gives_nothing_but_the_similarity_within_sentences(encoder, corpus):
    few = [item for item in corpus("bert") if item.document != "document 0"][: CONTEXTS - 1]
    table = contextuality(encoder("bert"), few, "m", "c", SEED).set_index("name")
    for name in SLOW:
        assert table.loc[[name, f"{name}.adjusted"], "value"].isna().all()
        assert set(table.loc[name, "n"]) == {0}
    assert not table.loc[["intra_sentence", "intra_sentence.adjusted"], "value"].isna().any()


@pytest.mark.parametrize("family", ["bert", "mpnet"])
def test_the_order_of_inputs_changes_no_number(encoder, family):
    inputs = inputs_of(encoder(family), DOCUMENTS, max_tokens=100)
    forth, back = (contextuality(encoder(family), order, "m", "c", SEED) for order in (inputs, inputs[::-1]))
    assert forth["name"].tolist() == back["name"].tolist()
    np.testing.assert_allclose(forth["value"], back["value"], atol=1e-5)


def test_random_words_are_resampled_one_by_one_and_make_no_pair_with_themselves():
    vectors = np.random.default_rng(0).normal(size=(7, 2, 5)) + 1
    found = random_words_alike(vectors.swapaxes(0, 1), SEED)
    times = np.random.default_rng(SEED).multinomial(7, np.full(7, 1 / 7), size=DRAWS)
    direction = np.linalg.svd(vectors[:, 1])[2][0]
    for draw in (0, 1, DRAWS - 1):
        chosen = [at for at, often in enumerate(times[draw]) for _ in range(often)]
        pairs = [cosine(vectors[a, 1], vectors[b, 1]) for a in chosen for b in chosen if a != b]
        assert found[0].draws[draw, 1] == pytest.approx(np.mean(pairs))
        sample = vectors[chosen, 1]
        assert found[1].draws[draw, 1] == pytest.approx((sample @ direction).var() / sample.var(axis=0).sum())
    assert found[0].value[1] == pytest.approx(SLOW["self_similarity"](list(vectors[:, 1])))
    assert found[1].value[1] == pytest.approx(slow_centred(list(vectors[:, 1])))


def test_a_draw_of_one_word_alone_has_no_pair():
    cosines, _ = random_words_alike(np.array([[[1.0, 0], [0.6, 0.8]]]), SEED)
    assert cosines.value == pytest.approx([0.6])
    times = np.random.default_rng(SEED).multinomial(2, [0.5, 0.5], size=DRAWS)
    alone = (times == 2).any(1)
    assert alone.any()
    np.testing.assert_allclose(cosines.draws[:, 0], np.where(alone, np.nan, 0.6))


def test_one_direction_explains_all_some_or_nothing():
    """The mean of the first four vectors points where they all point, and so does what they differ in."""
    line = np.outer([1.0, 2, 3, 4], [1, 1, 0])
    across = np.array([[5.0, 1, 0], [5, -1, 0], [5, 1, 0], [5, -1, 0]])
    same = np.tile([1.0, 2, 3], (4, 1))
    shares = explained(np.stack([rows @ rows.T for rows in (line, across, same)]))
    np.testing.assert_allclose(shares.uncentred, [1, 100 / 104, 1], atol=1e-12)
    np.testing.assert_allclose(shares.centred, [1, 0, np.nan], atol=1e-12)
    np.testing.assert_allclose(shares.pca, [1, 1, np.nan], atol=1e-12)
    each = np.ones((1, 4))
    np.testing.assert_allclose([centred(rows, each)[0] for rows in (line, across, same)], [1, 0, np.nan], atol=1e-12)


def test_equal_opposite_and_orthogonal_vectors_by_hand():
    x, y = np.array([1.0, 0, 0]), np.array([0, 2.0, 0])
    vectors = np.stack([np.stack([x, x, x]), np.stack([3 * x, -x, y])])  # two occurrences, three layers
    rows = vectors.swapaxes(0, 1)
    products = rows @ rows.swapaxes(1, 2)
    np.testing.assert_allclose(self_similarity(products), [1, -1, 0], atol=1e-12)
    np.testing.assert_allclose(explained(products).uncentred, [1, 1, 4 / 5], atol=1e-12)
    states = np.stack([np.stack([y, x, 5 * x, y]), np.stack([y, x, y / 2, y])])
    within = intra_similarity(states, [slice(1, 3), slice(2, 4)])
    np.testing.assert_allclose(within, [[1, 7 / 2 / math.sqrt(29)], [math.sqrt(1 / 2), 1]])
    assert intra_similarity(states, []).shape == (2, 0)
