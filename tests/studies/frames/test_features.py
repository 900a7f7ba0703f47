"""Attention to words of a kind: loops over tokens in float64, heads made by hand, and the paper's lists."""

import math

import numpy as np
import pytest

from generator.attention.stream import Options, observe
from generator.corpora.classes import TokenClass
from generator.corpora.pairs import Input, PairMaker, WordInput
from generator.corpora.treebank import Sentence, Word
from generator.numbers.resampling import bootstrap
from generator.results.tables import FACTS, HEAD_FACTS
from generator.studies.frames.features import FEATURES, LINGUISTIC, NEGATIONS, FeatureScores, feature_words

MODEL, CORPUS, SEED = "some/model", "some trees", 3
LAYERS, HEADS = 2, 3
BEGIN, SEP, OTHER = TokenClass.BEGIN, TokenClass.SEPARATOR, TokenClass.OTHER
ROUNDING = 1e-6
"""Scores of a sentence are kept as float32."""

HAND_MADE = Sentence(
    "hand-made",
    (
        Word("Nobody", "PRON", 4, "nsubj:pass"),
        Word("was", "AUX", 4, "aux:pass"),
        Word("n\N{RIGHT SINGLE QUOTATION MARK}t", "PART", 4, "advmod"),
        Word("told", "VERB", 0, "root"),
        Word("knots", "NOUN", 4, "obj"),
        Word("by", "ADP", 7, "case"),
        Word("Ann", "PROPN", 4, "obl:agent"),
        Word(",", "PUNCT", 12, "punct"),
        Word("she", "PRON", 12, "nsubj"),
        Word("is", "AUX", 12, "cop"),
        Word("a", "DET", 12, "det"),
        Word("sailor", "NOUN", 4, "parataxis"),
        Word("called", "VERB", 12, "acl"),
        Word("Captain", "PROPN", 13, "xcomp"),
        Word("there", "PRON", 16, "expl"),
        Word("remains", "VERB", 4, "conj"),
        Word("him", "PRON", 16, "iobj"),
        Word("red", "ADJ", 16, "xcomp"),
    ),
)
MARKED = {
    "noun": {"knots", "Ann", "sailor", "Captain"},
    "verb": {"told", "called", "remains"},
    "pronoun": {"Nobody", "she", "there", "him"},
    "subject": {"Nobody", "Ann", "she", "there"},
    "object": {"knots", "sailor", "Captain", "him"},
    "negation": {"n\N{RIGHT SINGLE QUOTATION MARK}t"},
    "punctuation": {","},
}


def _item(lengths, classes=None):
    pieces = int(sum(lengths))
    classes = classes or (BEGIN, *[OTHER] * pieces, SEP)
    start = classes.index(OTHER)
    item = Input("s", 1, (7,) * len(classes), (0,) * len(classes), tuple(classes))
    return WordInput(item, np.arange(start, start + pieces), np.array(lengths))


def _random(sentence, seed):
    rng = np.random.default_rng(seed)
    item = _item(rng.integers(1, 4, len(sentence.words)))
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


def _same(row, rows):
    estimate = bootstrap(np.array(rows), SEED)
    got = np.array([row.value, row.low, row.high, row.n], float)
    np.testing.assert_allclose(got, [float(field) for field in estimate], atol=ROUNDING)


@pytest.mark.parametrize("feature", FEATURES)
@pytest.mark.parametrize("score", ["max", "mean", "begin_row"])
def test_every_head_scores_what_loops_over_tokens_say(corpus, tables, feature, score):
    table = tables[1]
    ordered = sorted(corpus, key=lambda item: item[0].id)
    for layer, head in np.ndindex(LAYERS, HEADS):
        (row,) = table[
            (table.name == f"{feature}.{score}") & (table.layer == layer + 1) & (table["head"] == head + 1)
        ].itertuples()
        _same(row, [_slow(feature, score, layer, head, *item) for item in ordered])


@pytest.mark.parametrize("feature", FEATURES)
def test_layers_are_means_of_heads_and_the_baseline_is_a_share_of_tokens(corpus, tables, feature):
    table = tables[0]
    ordered = sorted(corpus, key=lambda item: item[0].id)
    for score in ("max", "mean", "begin_row"):
        for layer in range(LAYERS):
            (row,) = table[(table.name == f"{feature}.{score}") & (table.layer == layer + 1)].itertuples()
            by_head = [[_slow(feature, score, layer, head, *item) for head in range(HEADS)] for item in ordered]
            _same(row, np.mean(by_head, axis=1))
    (row,) = table[table.name == f"{feature}.frequency"].itertuples()
    assert row.layer == 0
    _same(row, [_slow(feature, "frequency", 0, 0, *item) for item in ordered])


def test_tables_have_their_columns_and_do_not_depend_on_the_order(corpus, tables):
    facts, head_facts = tables
    assert (list(facts), list(head_facts)) == (FACTS.names, HEAD_FACTS.names)
    for one, other in zip((facts, head_facts), _tables(corpus[::-1]), strict=True):
        assert one.equals(other)
    assert set(facts.study) == set(head_facts.study) == {"features"}


def test_means_over_heads_by_sentence_are_those_of_single_heads(corpus):
    scores = FeatureScores()
    for one in corpus[::-1]:
        scores.add(*one)
    found = scores.means()
    by_name = sorted(corpus, key=lambda one: one[0].id)
    assert found.shape == (len(corpus), len(LINGUISTIC))
    assert set(FEATURES) - set(LINGUISTIC) == {"punctuation", "begin", "separator"}
    for row, one in zip(found, by_name, strict=True):
        for at, feature in enumerate(LINGUISTIC):
            heads = [_slow(feature, "max", layer, head, *one) for layer, head in np.ndindex(LAYERS, HEADS)]
            assert row[at] == pytest.approx(sum(heads) / len(heads), abs=ROUNDING, nan_ok=True)
    assert np.isnan(found).any()


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


def test_uniform_attention_gives_a_kind_its_share_of_tokens():
    item = _item([2] * len(HAND_MADE.words))
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
    value = _tables([(sentence, weights, _item([1, 2]))])[1].set_index("name").value
    assert value["verb.max"] == pytest.approx((4 + 0.25) / 5)
    assert value["verb.mean"] == pytest.approx(1)
    assert value["verb.begin_row"] == 0.75
    assert value["noun.max"] == value["subject.mean"] == value["begin.begin_row"] == value["separator.max"] == 0
    assert "object.max" not in value


def test_the_largest_of_several_separators_counts_and_all_of_them_in_the_mean():
    item = _item([1], classes=(BEGIN, SEP, OTHER, SEP))
    weights = np.zeros((1, 1, 4, 4), np.float32)
    weights[..., 1], weights[..., 3] = 0.25, 0.75
    value = _tables([(Sentence("s", (Word("a", "X", 0, "root"),)), weights, item)])[1].set_index("name").value
    assert (value["separator.max"], value["separator.mean"], value["separator.begin_row"]) == (0.75, 1, 0.75)


def test_without_a_begin_token_there_is_no_row_of_it():
    item = _item([1, 1], classes=(OTHER, OTHER, SEP))
    sentence = Sentence("s", (Word("Ann", "PROPN", 2, "nsubj"), Word("runs", "VERB", 0, "root")))
    facts, heads = _tables([(sentence, np.full((LAYERS, HEADS, 3, 3), 1 / 3, np.float32), item)])
    names = set(facts.name) | set(heads.name)
    assert not [name for name in names if name.startswith("begin.") or name.endswith("begin_row")]
    assert {"noun.max", "separator.mean", "subject.frequency"} < names


def test_maps_of_another_size_are_refused():
    weights = np.zeros((1, 1, 4, 4), np.float32)
    with pytest.raises(ValueError, match="expected maps of 20 tokens and 18 words for 'hand-made'"):
        FeatureScores().add(HAND_MADE, weights, _item([1] * 18))
    with pytest.raises(ValueError, match="expected maps of 19 tokens and 18 words"):
        FeatureScores().add(HAND_MADE, np.zeros((1, 1, 19, 19), np.float32), _item([1] * 17))


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
