"""Vectors of words in context: every number against loops over the plain encoder's states, and hand-made vectors."""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
import torch
from sklearn.decomposition import PCA, TruncatedSVD

from generator.attention.anatomy import examine
from generator.corpora.classes import TokenClass
from generator.corpora.document import Document
from generator.corpora.pairs import Input
from generator.numbers.resampling import DRAWS
from generator.studies.vectors.contextuality import contextuality, intra_similarity, random_words_alike, self_similarity
from generator.studies.vectors.explained_variance import centred, explained
from generator.studies.vectors.occurrences import (
    CONTEXTS,
    OCCURRENCES,
    pieces_of,
    random_words,
    sampled,
    sentence_ends,
    sentences_of,
    word_occurrences,
)
from tests.attention.observations import inputs_of
from tests.attention.reference import WITH_SEGMENTS, plain_model
from tests.encoders import LAYERS, SENTENCES, loaded

SEED = 5
DOCUMENTS = tuple(
    Document(f"document {number}", (SENTENCES[number], "The sea froze, and boats were in lamplight! He sat."))
    for number in range(6)
)
"""The words of the second paragraph stand in every document; "lamplight" is read in pieces."""
families = pytest.mark.parametrize("family", ["bert", "roberta", "xlm-roberta"])
MARKS = {"roberta": "Ġ", "xlm-roberta": "▁"}


def texts(encoder, item, family):
    """Of every token: its letters, and whether it starts a word; read off the pieces' own marks."""
    found = []
    for piece, kind in zip(encoder.tokenizer.convert_ids_to_tokens(list(item.input_ids)), item.classes, strict=True):
        special = kind in (TokenClass.BEGIN, TokenClass.SEPARATOR)
        starts = not piece.startswith("##") if family == "bert" else piece.startswith(MARKS[family])
        found.append((None, True) if special else (piece.lstrip("#Ġ▁"), starts))
    return found


def slow_occurrences(encoder, inputs, family):
    """Type -> (number of the input, position), of types in enough contexts."""
    places = {}
    for number, item in enumerate(inputs):
        pieces = texts(encoder, item, family)
        for at, (text, starts) in enumerate(pieces[:-1]):
            after, fresh = pieces[at + 1]
            continues = after is not None and not fresh and any(letter.isalnum() for letter in after)
            if text and text.isalpha() and starts and not continues:
                places.setdefault(item.input_ids[at], []).append((number, at))
    return {
        token: found
        for token, found in places.items()
        if len(found) >= 5 and len({inputs[number].document for number, _ in found}) >= 5
    }


def slow_states(checkpoint, inputs, family):
    """`[layer][token]` of every input, float64."""
    states = []
    for item in inputs:
        arguments = {"input_ids": torch.tensor([item.input_ids])}
        if family in WITH_SEGMENTS:
            arguments["token_type_ids"] = torch.tensor([item.segment_ids])
        with torch.inference_mode():
            output = plain_model(checkpoint(family))(**arguments, output_hidden_states=True)
        states.append([layer[0].double().numpy() for layer in output.hidden_states])
    return states


def cosine(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True)) / math.sqrt(sum(a * a) * sum(b * b))


def slow_explained(vectors):
    singular = np.linalg.svd(np.stack(vectors), compute_uv=False)
    return singular[0] ** 2 / sum(singular**2)


def slow_centred(vectors):
    """As the released code has it: TruncatedSVD does not centre what it decomposes, but its ratio is of variances."""
    return TruncatedSVD(n_components=1, algorithm="arpack").fit(np.stack(vectors)).explained_variance_ratio_[0]


def slow_pca(vectors):
    return PCA(n_components=1, svd_solver="full").fit(np.stack(vectors)).explained_variance_ratio_[0]


SLOW = {
    "self_similarity": lambda vectors: np.mean([cosine(a, b) for a, b in combinations(vectors, 2)]),
    "explained_variance": slow_explained,
    "explained_variance.centred": slow_centred,
    "explained_variance.pca": slow_pca,
}


def ordered(inputs):
    return sorted(inputs, key=lambda item: (item.document, item.part))


@pytest.fixture(scope="module")
def corpus(encoder):
    """Gives a family's inputs of the documents, sorted."""
    return lambda family: ordered(inputs_of(encoder(family), DOCUMENTS, max_tokens=100))


@families
def test_words_are_the_types_in_one_piece_that_occur_in_enough_contexts(encoder, corpus, family):
    inputs = corpus(family)
    expected = slow_occurrences(encoder(family), inputs, family)
    found = word_occurrences(encoder(family).tokenizer, inputs)
    assert found == [expected[token] for token in sorted(expected)]
    kept = {encoder(family).tokenizer.decode([token]).strip().lower() for token in expected}
    assert {"in", "and"} <= kept
    assert "lamplight" not in kept


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


def test_random_words_are_of_different_sentences_and_stand_anywhere_in_them(encoder, corpus):
    inputs = corpus("bert")
    ends = sentence_ends(encoder("bert").tokenizer, inputs)
    sentences = [(number, part) for number, item in enumerate(inputs) for part in sentences_of(item, ends)]
    drawn = [random_words(inputs, ends, np.random.default_rng(seed)) for seed in range(300)]
    for places in drawn:
        for (number, at), (expected, part) in zip(places, sentences, strict=True):
            assert number == expected
            assert part.start <= at < part.stop
    number, part = sentences[0]
    assert {places[0][1] for places in drawn} == set(range(part.start, part.stop))


def test_random_words_are_resampled_one_by_one_and_make_no_pair_with_themselves():
    vectors = np.random.default_rng(0).normal(size=(7, 2, 5)) + 1
    found = random_words_alike(vectors, SEED)
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


def test_of_many_occurrences_a_sample_counts_that_the_seed_chooses(encoder):
    text = "the sea and the lamp and the rock and the door."
    documents = [Document(str(number), (f"{SENTENCES[number]} {text}", text)) for number in range(6)]
    inputs = inputs_of(encoder("bert"), documents, max_tokens=100)
    places = word_occurrences(encoder("bert").tokenizer, ordered(inputs))
    assert max(map(len, places)) > OCCURRENCES
    tables = [contextuality(encoder("bert"), inputs, "m", "c", seed).set_index("name") for seed in (1, 1, 2)]
    values = [table.loc["self_similarity", "value"].tolist() for table in tables]
    assert values[0] == values[1]
    assert values[0] != values[2]
    np.testing.assert_allclose(values[0], values[2], atol=0.05)


def test_text_without_words_in_enough_contexts_gives_nothing_but_the_similarity_within_sentences(encoder, corpus):
    few = [item for item in corpus("bert") if item.document != "document 0"][: CONTEXTS - 1]
    table = contextuality(encoder("bert"), few, "m", "c", SEED).set_index("name")
    for name in SLOW:
        assert table.loc[[name, f"{name}.adjusted"], "value"].isna().all()
        assert set(table.loc[name, "n"]) == {0}
    assert not table.loc[["intra_sentence", "intra_sentence.adjusted"], "value"].isna().any()


@pytest.mark.parametrize("family", ["bert", "mpnet"])
def test_neither_order_nor_the_way_attention_is_computed_changes_a_number(checkpoint, family):
    one = loaded(checkpoint(family))
    inputs = inputs_of(one, DOCUMENTS, max_tokens=100)
    eager = contextuality(one, inputs, "m", "c", SEED)
    examine(one)
    observed = contextuality(one, inputs[::-1], "m", "c", SEED)
    assert eager["name"].tolist() == observed["name"].tolist()
    np.testing.assert_allclose(eager["value"], observed["value"], atol=1e-5)


def test_equal_opposite_and_orthogonal_vectors_by_hand():
    x, y = np.array([1.0, 0, 0]), np.array([0, 2.0, 0])
    vectors = np.stack([np.stack([x, x, x]), np.stack([3 * x, -x, y])])  # two occurrences, three layers
    rows = vectors.swapaxes(0, 1)
    products = rows @ rows.swapaxes(1, 2)
    np.testing.assert_allclose(self_similarity(products), [1, -1, 0], atol=1e-12)
    np.testing.assert_allclose(explained(products).uncentred, [1, 1, 4 / 5], atol=1e-12)
    within = intra_similarity(np.stack([np.stack([x, 5 * x]), np.stack([x, y / 2])]))
    np.testing.assert_allclose(within, [1, math.sqrt(1 / 2)])


def test_sentences_end_at_marks_and_special_tokens_and_short_ones_are_left_out():
    begin, sep, mark, word = TokenClass.BEGIN, TokenClass.SEPARATOR, TokenClass.PUNCTUATION, TokenClass.OTHER
    end = 9
    ids = (1, 5, 5, 5, 5, end, 5, 5, end, 5, 5, 5, 5, 5, 2, 5, 5, 5, 5, 5, 5)
    kinds = [begin, *[mark if token == end else word for token in ids[1:14]], sep, *[word] * 6]
    item = Input("a", 1, ids, (0,) * len(ids), tuple(kinds))
    assert list(sentences_of(item, {end})) == [slice(1, 6), slice(9, 14), slice(15, 21)]


def test_pieces_that_begin_continue_or_are_words(encoder):
    tokenizer = encoder("bert").tokenizer
    ids = {piece: tokenizer.convert_tokens_to_ids(piece) for piece in ("the", "l", "##l", ",", "[SEP]", "-")}
    words, parts = pieces_of(tokenizer, list(ids.values()))
    assert words == {ids["the"], ids["l"]}
    assert parts == {ids["##l"], ids["[SEP]"]}
