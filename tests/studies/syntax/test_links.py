"""Words of a treebank: loops over words in float64, heads made by hand, and spans placed so that answers are known."""

import numpy as np
import pandas as pd
import pytest

from generator.attention.words import WordMaps
from generator.corpora.treebank import Sentence, Word
from generator.numbers.resampling import DRAWS, bootstrap, bootstrap_ratio
from generator.results.tables import FACTS, HEAD_FACTS
from generator.studies.halves import reported
from generator.studies.syntax.links import LinkScores, noun_pronoun, own_relations, verb_subject
from generator.studies.syntax.predictions import Predictions, predict
from generator.studies.syntax.spans import OUTSIDE, span_masses, spans

MODEL, CORPUS, SEED = "some/model", "some trees", 5
LAYERS, HEADS = 2, 3
RELATIONS = ("det", "obj", "nsubj", "nsubj:pass", "csubj", "punct")
CLASSES = ("NOUN", "PROPN", "PRON", "VERB", "PUNCT", "DET")
ROUNDING = 1e-9
FEW = 20


def _maps(words, seed):
    """Random word maps: rows of weights, begin and separator sum to one."""
    rows = np.random.default_rng(seed).dirichlet(np.full(words + 2, 0.5), (LAYERS, HEADS, words)).astype(np.float32)
    return WordMaps(rows[..., :-2], rows[..., -2], rows[..., -1])


def _of(weights, separator=0.0):
    """Maps `[1, 1, ...]` of one head; what is left over goes to the begin token."""
    weights = np.asarray(weights, np.float32)[None, None]
    separator = np.broadcast_to(np.asarray(separator, np.float32), weights.shape[:3])
    return WordMaps(weights, 1 - weights.sum(-1) - separator, separator)


def _text(marked, name="s"):
    """Words in one string; a punctuation mark is a word of its own."""
    return Sentence(name, tuple(Word(form, "X" if form.isalpha() else "PUNCT", 0, "dep") for form in marked.split()))


def _random_sentence(words, name, rng):
    heads = np.zeros(words, int)
    order = rng.permutation(words)
    for at in range(1, words):
        heads[order[at]] = order[rng.integers(at)] + 1
    return Sentence(
        name,
        tuple(
            Word("w", str(rng.choice(CLASSES)), int(head), str(rng.choice(RELATIONS)) if head else "root")
            for head in heads
        ),
    )


@pytest.fixture(scope="module")
def corpus():
    """Sentences with their maps and the pieces of their words."""
    rng = np.random.default_rng(0)
    lengths = [1, 2, *rng.integers(3, 14, 70)]
    return [
        (_random_sentence(words, f"s{number}", rng), _maps(words, number), rng.integers(1, 4, words))
        for number, words in enumerate(lengths)
    ]


def _tables(corpus, seed=SEED):
    scores = LinkScores()
    for sentence, maps, lengths in corpus:
        scores.add(sentence, maps, lengths)
    found = Predictions.of([(sentence, predict(maps.weights)) for sentence, maps, _ in corpus])
    return scores.tables(found, MODEL, CORPUS, seed)


def _one(sentence, maps, lengths=None):
    """The `head_facts` of one sentence and one head, by name."""
    words = len(sentence.words)
    _, table = _tables([(sentence, maps, np.ones(words, int) if lengths is None else lengths)])
    return table.set_index("name")["value"]


@pytest.fixture(scope="module")
def tables(corpus):
    return _tables(corpus)


def _row(table, name, layer, head):
    rows = table[(table.name == name) & (table.layer == layer + 1) & (table["head"] == head + 1)]
    assert len(rows) == 1
    return rows.iloc[0]


def _same(row, estimate):
    got = np.array([row.value, row.low, row.high, row.n], float)
    expected = np.array([estimate.value, estimate.low, estimate.high, estimate.n], float)
    np.testing.assert_allclose(got, expected, atol=ROUNDING)


def _by_name(corpus):
    return sorted(corpus, key=lambda item: item[0].id)


every_head = pytest.mark.parametrize(("layer", "head"), list(np.ndindex(LAYERS, HEADS)))


# Special tokens


@every_head
def test_what_is_lost_to_special_tokens_is_counted_word_by_word(corpus, tables, layer, head):
    sums, words = [], []
    for sentence, maps, _ in _by_name(corpus):
        lost = 0
        for i, word in enumerate(sentence.words):
            others = [(float(maps.weights[layer, head, i, j]), -j) for j in range(len(sentence.words)) if j != i]
            if word.head and others:
                best, place = max(others)
                special = max(float(maps.begin[layer, head, i]), float(maps.separator[layer, head, i]))
                lost += -place == word.head - 1 and special > best
        sums.append(lost)
        words.append(len(sentence.words))
    assert sum(sums) > 0
    _same(_row(tables[1], "special.loss", layer, head), bootstrap_ratio(np.array(sums), np.array(words), SEED))


# Links


def _slow_link(sentence, weights, wanted):
    """The largest weight of any ordered pair of words, one of each kind; NaN without one."""
    weighed = []
    for i, first in enumerate(sentence.words):
        for j, second in enumerate(sentence.words):
            if wanted(first, second, i, j) or wanted(second, first, j, i):
                weighed.append(float(weights[i, j]))
    return max(weighed, default=float("nan"))


LINKED = {
    "link.noun_pronoun": lambda a, b, i, j: a.upos in {"NOUN", "PROPN"} and b.upos == "PRON",
    "link.verb_subject": lambda a, b, i, j: a.head == j + 1 and a.relation in {"nsubj", "nsubj:pass"},
}


@every_head
@pytest.mark.parametrize("name", LINKED)
def test_links_equal_a_loop_over_pairs_of_words(corpus, tables, name, layer, head):
    rows = np.array(
        [_slow_link(sentence, maps.weights[layer, head], LINKED[name]) for sentence, maps, _ in _by_name(corpus)]
    )
    assert np.isnan(rows).any()
    assert not np.isnan(rows).all()
    _same(_row(tables[1], name, layer, head), bootstrap(rows, SEED))


def test_pairs_of_a_sentence_made_by_hand():
    words = (
        Word("She", "PRON", 2, "nsubj"),
        Word("told", "VERB", 0, "root"),
        Word("Ann", "PROPN", 2, "iobj"),
        Word("it", "PRON", 5, "nsubj:pass"),
        Word("read", "VERB", 2, "ccomp"),
        Word("books", "NOUN", 5, "obj"),
    )
    sentence = Sentence("s", words)
    assert {tuple(pair) for pair in noun_pronoun(sentence)} == {(2, 0), (2, 3), (5, 0), (5, 3)}
    assert {tuple(pair) for pair in verb_subject(sentence)} == {(1, 0), (4, 3)}


@pytest.mark.parametrize(("query", "key", "noun", "subject"), [(0, 1, 0, 1), (1, 0, 0, 1), (2, 0, 1, 0), (0, 2, 1, 0)])
def test_a_link_counts_in_either_direction_and_no_other_pair_does(query, key, noun, subject):
    words = (Word("she", "PRON", 2, "nsubj"), Word("saw", "VERB", 0, "root"), Word("Ann", "PROPN", 2, "obj"))
    weights = np.zeros((3, 3))
    weights[query, key] = 0.7
    found = _one(Sentence("s", words), _of(weights))
    assert found["link.noun_pronoun"] == pytest.approx(0.7 * noun)
    assert found["link.verb_subject"] == pytest.approx(0.7 * subject)


def test_sentences_without_a_pair_do_not_count(tables, corpus):
    having = sum(bool(len(noun_pronoun(sentence))) for sentence, _, _ in corpus)
    assert 0 < having < len(corpus)
    assert set(tables[1].query("name == 'link.noun_pronoun'").n) == {having}


# Spans


def _slow_spans(sentence, weights):
    """Sums over words: weight on the same span, and the mean weight at its keys' distances; and words."""
    marks = [at for at, word in enumerate(sentence.words) if word.upos == "PUNCT"]
    text = [at for at in range(len(sentence.words)) if at not in marks]
    part = {at: sum(mark < at for mark in marks) for at in text}
    if len(set(part.values())) < 2:
        return 0.0, 0.0, 0
    inside = matched = 0.0
    for query in text:
        for key in text:
            if key != query and part[key] == part[query]:
                at_distance = [float(weights[i, j]) for i in text for j in text if j - i == key - query]
                inside += float(weights[query, key])
                matched += sum(at_distance) / len(at_distance)
    return inside, matched, len(text)


@every_head
def test_spans_equal_loops_over_pairs_of_words(corpus, tables, layer, head):
    rows = np.array([_slow_spans(sentence, maps.weights[layer, head]) for sentence, maps, _ in _by_name(corpus)])
    inside, matched, words = rows.T
    assert 0 < (words > 0).sum() < len(corpus)
    parts = {"span.inside": inside, "span.matched": matched, "span.gain": inside - matched}
    for name, part in parts.items():
        _same(_row(tables[1], name, layer, head), bootstrap_ratio(part, words, SEED))


def test_the_ratio_of_layers_resamples_sentences_and_takes_their_heads_together(corpus, tables):
    """Of the last third of layers, which is one here, and of each layer; a ratio of two means in every draw."""
    each = np.array(
        [
            [[_slow_spans(sentence, maps.weights[layer, head]) for head in range(HEADS)] for layer in range(LAYERS)]
            for sentence, maps, _ in _by_name(corpus)
        ]
    )
    inside, matched = each[..., 0].mean(2), each[..., 1].mean(2)
    times = np.random.default_rng(SEED).multinomial(len(each), np.full(len(each), 1 / len(each)), size=DRAWS)
    found = tables[0][tables[0].name == "span.ratio"].set_index("layer")
    for place, layer in [(0, LAYERS - 1), *((layer + 1, layer) for layer in range(LAYERS))]:
        row = found.loc[place]
        assert row.value == pytest.approx(inside[:, layer].sum() / matched[:, layer].sum(), abs=ROUNDING)
        drawn = (times @ inside[:, layer]) / (times @ matched[:, layer])
        assert [row.low, row.high] == pytest.approx(np.quantile(drawn, [0.025, 0.975]).tolist(), abs=ROUNDING)
        assert row.n == (each[:, 0, 0, 2] > 0).sum()


def test_spans_of_a_sentence_made_by_hand():
    assert spans(_text("a b , c ; d e f .")).tolist() == [0, 0, -1, 1, -1, 2, 2, 2, -1]
    assert spans(_text('" a , , b')).tolist() == [-1, 0, -1, -1, 1]
    assert spans(_text(". .")).tolist() == [OUTSIDE] * 2


def test_a_head_that_sees_only_its_span_is_far_above_its_distances():
    sentence = _text("a b c , d e f")
    span = spans(sentence)
    same = (span[:, None] == span) & (span != OUTSIDE)[:, None]
    found = _one(sentence, _of(same / same.sum(-1, keepdims=True).clip(1)))
    assert found["span.inside"] == pytest.approx(2 / 3)
    at_distance = {1: 4 / 4, 2: 2 / 3}  # pairs of one span among the pairs of words so far apart
    expected = (4 * at_distance[1] + 2 * at_distance[2]) * 2 / 6 / 3
    assert found["span.matched"] == pytest.approx(expected)
    assert found["span.gain"] == pytest.approx(2 / 3 - expected)


@pytest.mark.parametrize("seed", range(3))
def test_a_head_that_knows_only_distances_gains_nothing(seed):
    """Its weights are those of `table` by signed distance, whatever the spans are."""
    sentence = _text("a b , c d e ; f . g h i j !")
    words = len(sentence.words)
    place = np.arange(words)
    table = np.random.default_rng(seed).random(2 * words - 1) / (2 * words)
    found = _one(sentence, _of(table[place - place[:, None] + words - 1]))
    assert found["span.inside"] > 0
    assert found["span.gain"] == pytest.approx(0, abs=1e-7)


def test_weight_on_punctuation_on_itself_and_from_punctuation_counts_nowhere():
    sentence = _text("a b , c d")
    weights = np.eye(5) * 0.2
    weights[:, 2] = 0.5
    weights[2] = 0.2
    found = _one(sentence, _of(weights))
    assert found[["span.inside", "span.matched"]].tolist() == [0, 0]


@pytest.mark.parametrize("text", ["a b c .", "a", ". , .", ", a b ."])
def test_a_sentence_of_one_span_says_nothing(text):
    sentence = _text(text)
    masses, words = span_masses(_maps(len(sentence.words), 0).weights, sentence)
    assert words == 0
    assert masses.shape == (2, LAYERS, HEADS)
    assert not masses.any()


# Separators


def _slow_own(corpus, layer, head):
    """The relation with the highest accuracy above the best offset, in the half that chooses."""
    shown = dict(zip([s.id for s, _, _ in corpus], reported([s.id for s, _, _ in corpus], SEED), strict=True))
    words = {}
    for sentence, maps, _ in corpus:
        if not shown[sentence.id]:
            for at, word in enumerate(sentence.words):
                words.setdefault(word.relation, []).append((at, word.head - 1, maps.weights[layer, head]))
    gains = {}
    for relation in sorted(words.keys() - {"root"}):
        found = words[relation]
        if len(found) >= FEW:
            right = sum(_looks_at(weights, at) == gold for at, gold, weights in found)
            offsets = [
                sum(min(max(at + offset, 0), len(weights) - 1) == gold for at, gold, weights in found)
                for offset in (-3, -2, -1, 1, 2, 3)
            ]
            gains[relation] = (right - max(offsets)) / len(found)
    return max(gains, key=gains.get)


def _looks_at(weights, at):
    others = [other for other in range(len(weights)) if other != at]
    return max(others, key=lambda other: weights[at, other])


@every_head
def test_mass_on_separators_equals_loops_over_the_reporting_half(corpus, tables, layer, head):
    own = _slow_own(corpus, layer, head)
    ordered = _by_name(corpus)
    shown = reported([sentence.id for sentence, _, _ in ordered], SEED)
    for name, inside in (("sep.outside", False), ("sep.inside", True)):
        rows = []
        for (sentence, maps, _), late in zip(ordered, shown, strict=True):
            masses = [
                float(maps.separator[layer, head, at])
                for at, word in enumerate(sentence.words)
                if (word.relation == own) == inside
            ]
            if late:
                rows.append((sum(masses), len(masses)))
        _same(_row(tables[1], name, layer, head), bootstrap_ratio(*np.array(rows).T, SEED))


BEHIND = (
    Word("the", "DET", 2, "det"),
    Word("cat", "NOUN", 3, "nsubj"),
    Word("saw", "VERB", 0, "root"),
    Word("old", "ADJ", 5, "amod"),
    Word("mice", "NOUN", 3, "obj"),
)
BEFORE = (Word("mice", "NOUN", 5, "obj"), *(Word("x", "X", 5, "dep") for _ in range(3)), Word("saw", "VERB", 0, "root"))
"""Objects on either side of their verbs: no offset finds both; one offset finds each of the other relations."""


def _object_head(words, outside, inside, name):
    """Objects look at their verbs, all others at themselves; `outside` and `inside` is what separators get."""
    weights = np.eye(5) * 0.1
    separator = np.full(5, outside)
    for at, word in enumerate(words):
        if word.relation == "obj":
            weights[at, word.head - 1] = 0.2
            separator[at] = inside
    return Sentence(name, words), _of(weights, separator), np.ones(5, int)


def _objects(outside, inside):
    return [_object_head((BEHIND, BEFORE)[number % 2], outside, inside, f"s{number}") for number in range(120)]


def test_a_head_that_rests_on_separators_outside_its_relation():
    _, table = _tables(_objects(0.8, 0.1))
    values = table.set_index("name")["value"]
    assert values["sep.outside"] == pytest.approx(0.8)
    assert values["sep.inside"] == pytest.approx(0.1)


def test_relations_are_chosen_by_gain_in_one_direction_and_only_if_frequent(corpus):
    sentences = [sentence for sentence, _, _ in corpus]
    pairs = []
    for sentence in sentences:
        words = len(sentence.words)
        looks = np.eye(words) * 0.5
        for at, word in enumerate(sentence.words):
            if word.relation == "obj":
                looks[at, word.head - 1] = 1
        pairs.append((sentence, predict(np.stack([looks, looks.T])[None])))
    found = Predictions.of(pairs)
    every = np.ones(len(found.gold), bool)
    assert own_relations(found, every)[0, 0] == "obj"
    assert own_relations(found, every)[0, 1] != "obj", "head words that look at their objects are not dependents"
    objects = np.flatnonzero(found.relation == "obj")
    few, enough = (np.isin(np.arange(len(every)), objects[:count]) for count in (FEW - 1, FEW))
    others = found.relation != "obj"
    assert own_relations(found, others | few)[0, 0] != "obj"
    assert own_relations(found, others | enough)[0, 0] == "obj"
    assert own_relations(found, few) is None


def test_without_a_frequent_relation_nothing_is_said_of_separators():
    assert not any(name.startswith("sep.") for name in _one(*_objects(0.8, 0.1)[0]).index)


def test_a_tokenizer_without_separators_leaves_their_mass_undefined():
    _, table = _tables(_objects(0, 0))
    rows = table[table.name.str.startswith("sep.")]
    assert len(rows) == 2
    assert rows.value.isna().all()
    assert (rows.n == 0).all()


# Tables


def test_split_is_the_share_of_words_with_several_pieces(corpus, tables):
    ordered = _by_name(corpus)
    split = np.array([sum(length > 1 for length in lengths) for _, _, lengths in ordered])
    words = np.array([len(sentence.words) for sentence, _, _ in ordered])
    (row,) = tables[0][tables[0].name == "split"].itertuples()
    assert row.name == "split"
    _same(row, bootstrap_ratio(split, words, SEED))


def test_the_order_of_sentences_changes_nothing_and_the_seed_moves_only_intervals(corpus, tables):
    for ours, turned in zip(tables, _tables(corpus[::-1]), strict=True):
        pd.testing.assert_frame_equal(ours, turned)
    _, other = _tables(corpus, SEED + 1)
    fixed = ~tables[1].name.str.startswith("sep.")  # the seed also draws the halves
    pd.testing.assert_series_equal(other.value[fixed], tables[1].value[fixed])
    assert not (other.low == tables[1].low)[fixed].all()


def test_the_columns_are_those_of_the_store(tables):
    for table, schema in zip(tables, (FACTS, HEAD_FACTS), strict=True):
        assert list(table.columns) == schema.names
        assert not table.duplicated(schema.names[:-4]).any()
        assert set(table.study) == {"words"}
        assert (set(table.model), set(table.corpus)) == ({MODEL}, {CORPUS})
    assert [str(tables[1][name].dtype) for name in ("layer", "head", "n")] == ["int16", "int16", "int32"]
    assert len(tables[1]) == 8 * LAYERS * HEADS


def test_maps_may_be_used_again_after_they_were_added(corpus, tables):
    scores = LinkScores()
    for sentence, maps, lengths in corpus:
        whole = np.concatenate([maps.weights, maps.separator[..., None]], axis=-1)
        scores.add(sentence, WordMaps(whole[..., :-1], maps.begin, whole[..., -1]), lengths)
        whole[:] = np.nan
    found = Predictions.of([(sentence, predict(maps.weights)) for sentence, maps, _ in corpus])
    pd.testing.assert_frame_equal(scores.tables(found, MODEL, CORPUS, SEED)[1], tables[1])


def test_what_belongs_to_another_sentence_is_refused(corpus):
    sentence, maps, lengths = corpus[5]
    words = len(sentence.words)
    scores = LinkScores()
    with pytest.raises(ValueError, match=f"{words} words for 's5'"):
        scores.add(sentence, _maps(words + 1, 0), lengths)
    with pytest.raises(ValueError, match=f"and {words + 1}"):
        scores.add(sentence, maps, np.ones(words + 1, int))
    scores.add(sentence, maps, lengths)
    with pytest.raises(ValueError, match="expected predictions"):
        scores.tables(Predictions.of([(corpus[4][0], predict(corpus[4][1].weights))]), MODEL, CORPUS, SEED)
