"""Attention to words of a kind: loops over tokens in float64, and heads made by hand."""

import math

import numpy as np
import pytest

from generator.attention.stream import Options, observe
from generator.corpora.classes import TokenClass
from generator.corpora.pairs import Input, PairMaker, WordInput
from generator.corpora.treebank import Sentence, Word
from generator.numbers.resampling import bootstrap
from generator.topics.frames.compute.features import LINGUISTIC, NEGATIONS, FeatureScores, feature_words
from generator.topics.frames.records import FEATURES
from tests.studies.stored import CORPUS, MODEL, SEED, fit_the_store, row, same, same_tables
from tests.topics.frames.compute.marked import HAND_MADE, MARKED

BEGIN, SEP, OTHER = TokenClass.BEGIN, TokenClass.SEPARATOR, TokenClass.OTHER
LAYERS, HEADS = 2, 3
ROUNDING = 1e-6
"""Scores of a sentence are kept as float32."""


def item_of(lengths, classes=None):
    pieces = int(sum(lengths))
    classes = classes or (BEGIN, *[OTHER] * pieces, SEP)
    start = classes.index(OTHER)
    item = Input("s", 1, (7,) * len(classes), (0,) * len(classes), tuple(classes))
    return WordInput(item, np.arange(start, start + pieces), np.array(lengths))


def _random(sentence, seed):
    rng = np.random.default_rng(seed)
    item = item_of(rng.integers(1, 4, len(sentence.words)))
    n = len(item.input)
    return sentence, rng.dirichlet(np.full(n, 0.3), (LAYERS, HEADS, n)).astype(np.float32), item


def _sentences():
    words, rng = HAND_MADE.words, np.random.default_rng(0)
    for number in range(40):
        chosen = tuple(words[at] for at in rng.choice(len(words), rng.integers(1, 9)))
        yield Sentence(f"s{number}", tuple(Word(w.form, w.upos, 0, w.relation) for w in chosen))


@pytest.fixture(scope="module")
def corpus():
    """Sentences of words drawn from the one above, without copulas, with their maps."""
    return [_random(sentence, number) for number, sentence in enumerate(_sentences())]


def _tables(corpus, seed=SEED):
    scores = FeatureScores()
    for item in corpus:
        scores.add(*item)
    return scores.tables(MODEL, CORPUS, seed)


@pytest.fixture(scope="module")
def tables(corpus):
    return _tables(corpus)


def _slow(feature, score, layer, head, sentence, weights, item):
    """One number of one sentence, token by token; NaN where it has no such token."""
    forms = MARKED.get(feature, set()) - ({"sailor"} if feature == "object" else set())  # no copula here
    tokens, at = [], 1
    for word, length in zip(sentence.words, item.lengths, strict=True):
        for _ in range(length):
            if word.form in forms:
                tokens.append(at)
            at += 1
    n = len(item.input)
    tokens = {"begin": [0], "separator": [n - 1]}.get(feature, tokens)
    weight = weights[layer, head].astype(float)
    columns = [sum(weight[i, j] for i in range(n)) / n for j in tokens]
    found = {
        "max": lambda: max(columns),
        "mean": lambda: sum(columns),
        "begin_row": lambda: max(weight[0, j] for j in tokens),
        "frequency": lambda: len(tokens) / n,
    }
    return found[score]() if tokens else math.nan


@pytest.mark.parametrize("feature", FEATURES)
@pytest.mark.parametrize("score", ["max", "mean", "begin_row"])
def test_every_head_scores_what_loops_over_tokens_say(corpus, tables, feature, score):
    ordered = sorted(corpus, key=lambda item: item[0].id)
    for layer, head in np.ndindex(LAYERS, HEADS):
        values = [_slow(feature, score, layer, head, *item) for item in ordered]
        same(row(tables[1], f"{feature}.{score}", layer + 1, head + 1), bootstrap(np.array(values), SEED), ROUNDING)


@pytest.mark.parametrize("feature", FEATURES)
def test_layers_are_means_of_heads_and_the_baseline_is_a_share_of_tokens(corpus, tables, feature):
    ordered = sorted(corpus, key=lambda item: item[0].id)
    for score in ("max", "mean", "begin_row"):
        for layer in range(LAYERS):
            by_head = [[_slow(feature, score, layer, head, *item) for head in range(HEADS)] for item in ordered]
            means = bootstrap(np.mean(by_head, axis=1), SEED)
            same(row(tables[0], f"{feature}.{score}", layer + 1), means, ROUNDING)
    shares = [_slow(feature, "frequency", 0, 0, *item) for item in ordered]
    same(row(tables[0], f"{feature}.frequency", 0), bootstrap(np.array(shares), SEED), ROUNDING)


def test_tables_fit_the_store_and_do_not_depend_on_the_order(corpus, tables):
    fit_the_store(tables, "features")
    same_tables(tables, _tables(corpus[::-1]))


def test_means_over_heads_by_sentence_are_those_of_single_heads(corpus):
    scores = FeatureScores()
    for one in corpus[::-1]:
        scores.add(*one)
    found = scores.means()
    by_name = sorted(corpus, key=lambda one: one[0].id)
    assert found.shape == (len(corpus), len(LINGUISTIC))
    assert set(FEATURES) - set(LINGUISTIC) == {"punctuation", "begin", "separator"}
    for means, one in zip(found, by_name, strict=True):
        for at, feature in enumerate(LINGUISTIC):
            heads = [_slow(feature, "max", layer, head, *one) for layer, head in np.ndindex(LAYERS, HEADS)]
            assert means[at] == pytest.approx(sum(heads) / len(heads), abs=ROUNDING, nan_ok=True)
    assert np.isnan(found).any()


def test_uniform_attention_gives_a_kind_its_share_of_tokens():
    item = item_of([2] * len(HAND_MADE.words))
    n = len(item.input)
    facts, heads = _tables([(HAND_MADE, np.full((1, 1, n, n), 1 / n, np.float32), item)])
    value = {**facts[facts.layer == 0].set_index("name").value, **heads.set_index("name").value}
    for feature in FEATURES:
        assert value[f"{feature}.mean"] == pytest.approx(value[f"{feature}.frequency"])
        assert value[f"{feature}.max"] == value[f"{feature}.begin_row"] == pytest.approx(1 / n)
    assert value["noun.frequency"] == pytest.approx(4 * 2 / n)
    assert value["begin.frequency"] == pytest.approx(1 / n)


def test_columns_count_and_rows_do_not():
    """Everyone looks at the verb; the verb looks elsewhere."""
    sentence = Sentence("s", (Word("Ann", "PROPN", 2, "nsubj"), Word("runs", "VERB", 0, "root")))
    weights = np.zeros((1, 1, 5, 5), np.float32)
    weights[..., 2] = 1  # the first piece of the verb
    weights[0, 0, 0] = [0, 0, 0.25, 0.75, 0]  # but for the begin token
    value = _tables([(sentence, weights, item_of([1, 2]))])[1].set_index("name").value
    assert value["verb.max"] == pytest.approx((4 + 0.25) / 5)
    assert value["verb.mean"] == pytest.approx(1)
    assert value["verb.begin_row"] == 0.75
    assert value["noun.max"] == value["subject.mean"] == value["begin.begin_row"] == value["separator.max"] == 0
    assert "object.max" not in value


def test_the_largest_of_several_separators_counts_and_all_of_them_in_the_mean():
    item = item_of([1], classes=(BEGIN, SEP, OTHER, SEP))
    weights = np.zeros((1, 1, 4, 4), np.float32)
    weights[..., 1], weights[..., 3] = 0.25, 0.75
    value = _tables([(Sentence("s", (Word("a", "X", 0, "root"),)), weights, item)])[1].set_index("name").value
    assert (value["separator.max"], value["separator.mean"], value["separator.begin_row"]) == (0.75, 1, 0.75)


def test_without_a_begin_token_there_is_no_row_of_it():
    item = item_of([1, 1], classes=(OTHER, OTHER, SEP))
    sentence = Sentence("s", (Word("Ann", "PROPN", 2, "nsubj"), Word("runs", "VERB", 0, "root")))
    facts, heads = _tables([(sentence, np.full((LAYERS, HEADS, 3, 3), 1 / 3, np.float32), item)])
    names = set(facts.name) | set(heads.name)
    assert not [name for name in names if name.startswith("begin.") or name.endswith("begin_row")]
    assert {"noun.max", "separator.mean", "subject.frequency"} < names


def test_maps_of_another_size_are_refused():
    weights = np.zeros((1, 1, 4, 4), np.float32)
    with pytest.raises(ValueError, match="expected maps of 20 tokens and 18 words for 'hand-made'"):
        FeatureScores().add(HAND_MADE, weights, item_of([1] * 18))
    with pytest.raises(ValueError, match="expected maps of 19 tokens and 18 words"):
        FeatureScores().add(HAND_MADE, np.zeros((1, 1, 19, 19), np.float32), item_of([1] * 17))


@pytest.mark.parametrize("family", ["bert", "t5"])
def test_an_encoder_gives_all_its_attention_to_what_is_marked_and_what_is_not(encoder, anatomy, family):
    """Marked and unmarked tokens, begin and separators share out every row."""
    item = PairMaker(encoder(family).tokenizer, 120).words("s", [word.form for word in HAND_MADE.words])
    (seen,) = observe(encoder(family), anatomy(family), [item.input], Options(keep_weights=True))
    value = _tables([(HAND_MADE, np.asarray(seen.weights), item)])[1]
    rest = [word.form not in MARKED["noun"] for word in HAND_MADE.words]
    pieces = item.pieces[np.repeat(rest, item.lengths)]
    others = seen.weights[..., pieces].sum(-1).mean(-1).ravel()
    shares = [value[value.name == f"{name}.mean"].value.to_numpy() for name in ("noun", "begin", "separator")]
    np.testing.assert_allclose(sum(share for share in shares if len(share)) + others, 1, atol=1e-5)


def test_words_are_sorted_as_the_list_in_the_head_of_the_file_says():
    found = feature_words(HAND_MADE)
    forms = np.array([word.form for word in HAND_MADE.words])
    assert {name: set(forms[marked]) for name, marked in found.items()} == MARKED


@pytest.mark.parametrize(
    ("word", "has"),
    [
        (Word("NOT", "PART", 1, "advmod"), {"negation"}),
        (Word("Don't", "AUX", 1, "aux"), {"negation"}),
        (Word("knot", "NOUN", 1, "nmod"), {"noun"}),
        (Word("notable", "ADJ", 1, "amod"), set()),
        (Word("no", "DET", 1, "det"), set()),
        (Word("nor", "CCONJ", 1, "cc"), {"negation"}),
        (Word("do", "AUX", 1, "aux"), set()),
        (Word("it", "PRON", 1, "nsubjpass"), {"pronoun", "subject"}),
        (Word("that", "SCONJ", 1, "csubj:outer"), {"subject"}),
        (Word("sich", "PRON", 1, "expl:pv"), {"pronoun"}),
        (Word("it", "PRON", 1, "obl"), {"pronoun"}),
        (Word("it", "PRON", 1, "object"), {"pronoun"}),
        (Word("x", "X", 1, "dobj"), {"object"}),
        (Word("x", "VERB", 1, "xcomp"), {"verb"}),
        (Word("x", "SYM", 1, "obj:x"), {"object"}),
    ],
    ids=lambda value: f"{value.form} {value.relation}" if isinstance(value, Word) else "",
)
def test_single_words(word, has):
    assert {name for name, marked in feature_words(Sentence("s", (word,))).items() if marked[0]} == has


def test_the_paper_has_seventeen_negations():
    assert len(NEGATIONS - {"n't"}) == 17
    assert {"won't", "can't", "neither", "couldn't"} < NEGATIONS
