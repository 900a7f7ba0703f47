"""Strong arrows: a slow count of them, heads whose precision is known, and both sides of one half."""

import numpy as np
import pandas as pd
import pytest

from generator.corpora.treebank import Sentence, Word
from generator.numbers.resampling import sample_counts
from generator.studies.halves import reported
from generator.topics.relations.compute.arrows import right_arrows
from generator.topics.relations.compute.relations import relation_heads
from generator.topics.relations.derived.arcs import are_links
from generator.topics.relations.derived.arrows import strong
from generator.topics.relations.derived.predictions import Predictions, predict
from tests.studies.stored import CORPUS, MODEL, SEED, row
from tests.topics.relations.compute.words import HEADS, LAYERS, random_sentence

POSSESSED = (Word("Ann", "PROPN", 3, "nmod:poss"), Word("'s", "PART", 1, "case"), Word("hat", "NOUN", 0, "root"))
BACK = "head<-dep"


@pytest.fixture(scope="module")
def corpus():
    """Random sentences, some with possessors before their markers, and maps that are sharp enough for strong arrows."""
    rng = np.random.default_rng(0)
    lengths = [1, 2, *rng.integers(3, 9, 150)]
    made = [random_sentence(words, f"s{number:03}", rng) for number, words in enumerate(lengths)]
    made += [Sentence(f"p{number}", POSSESSED) for number in range(60)]
    return [(one, rng.dirichlet(np.full(len(one.words) + 1, 0.3), (LAYERS, HEADS, len(one.words)))) for one in made]


def read(corpus):
    """Predictions, and whether arrows are strong, from sentences with rows of weights of which the last is special."""
    found = Predictions.of([(sentence, predict(maps[..., :-1])) for sentence, maps in corpus])
    by_name = {sentence.id: strong(maps[..., :-1]) for sentence, maps in corpus}
    return found, np.concatenate([by_name[name] for name in found.sentences], -1)


def table_of(corpus, chosen):
    return right_arrows(*read(corpus), chosen, MODEL, CORPUS, SEED)


def slow_link(words, at, to, relation, direction):
    """Whether the arrow from word `at` to word `to` is a link; a possessive marker stands for its word."""
    dependent, head = (at, to) if direction == "dep->head" else (to, at)
    ends = [dependent]
    if relation == "nmod:poss" and dependent and words[dependent].form == "'s":
        ends.append(dependent - 1)
    return any(words[end].relation == relation and words[end].head == head + 1 for end in ends)


def slow_counts(sentence, weights, relation, direction, offset):
    """Of one head and sentence: strong arrows, how many of them are right, and how many at the offset would be."""
    words, counts = sentence.words, [0, 0, 0]
    for at in range(len(words)):
        others = [(weights[at][to], -to) for to in range(len(words)) if to != at]
        if not others or max(others)[0] <= sum(weights[at][: len(words)]) / 2:
            continue
        to = -max(others)[1]
        shifted = min(max(at + (offset if direction == "dep->head" else -offset), 0), len(words) - 1)
        counts[0] += 1
        counts[1] += slow_link(words, at, to, relation, direction)
        counts[2] += slow_link(words, at, shifted, relation, direction)
    return counts


def slow_number(counts, part):
    """The share of all arrows, and its interval over sentences that have some."""
    counts = np.array([count for count in counts if count[0]], float)
    sums = {"right": counts[:, 1], "offset": counts[:, 2], "gain": counts[:, 1] - counts[:, 2]}[part]
    drawn = [(draw * sums).sum() / (draw * counts[:, 0]).sum() for draw in sample_counts(len(counts), SEED)]
    return sums.sum() / counts[:, 0].sum(), *np.quantile(drawn, (0.025, 0.975)), counts[:, 0].sum()


@pytest.mark.parametrize("turned", [False, True])
def test_numbers_equal_a_loop_over_words_on_the_half_that_is_reported(corpus, turned):
    chosen = relation_heads(read(corpus)[0], (), MODEL, CORPUS, SEED)
    if turned:
        chosen["direction"] = np.where(chosen["direction"] == BACK, "dep->head", BACK)
    table, tried = table_of(corpus, chosen), 0
    half = dict(zip(names := [one.id for one, _ in corpus], reported(names, SEED), strict=True))
    ordered = sorted((pair for pair in corpus if half[pair[0].id]), key=lambda pair: pair[0].id)
    for arrow in chosen[(chosen.protocol == "held-out") & ~chosen.relation.isin(["all", "punct"])].itertuples():
        counts = [
            slow_counts(sentence, maps[arrow.layer - 1, arrow.head - 1], arrow.relation, arrow.direction, arrow.offset)
            for sentence, maps in ordered
        ]
        for part in ("right", "offset", "gain"):
            numbers = slow_number(counts, part)
            got = row(table, f"{part}.{arrow.relation}", arrow.layer, arrow.head)
            if numbers[1] < numbers[2]:
                np.testing.assert_allclose((got.value, got.low, got.high, got.n), numbers, atol=1e-12)
            else:
                assert (got.value, got.n) == pytest.approx((numbers[0], numbers[3]))
                assert got.low < got.value + 1e-9 < got.high + 2e-9
            tried += 1
    assert tried == len(table) > 12
    assert "right.nmod:poss" in set(table["name"])
    assert not {f"right.{name}" for name in ("all", "punct", "root")} & set(table["name"])


def test_the_order_of_sentences_changes_nothing(corpus):
    chosen = relation_heads(read(corpus)[0], (), MODEL, CORPUS, SEED)
    pd.testing.assert_frame_equal(table_of(corpus, chosen), table_of(corpus[::-1], chosen))


@pytest.mark.parametrize(
    ("weights", "is_strong"),
    [
        ((0.0, 0.51, 0.49), True),
        ((0.0, 0.5, 0.5), False),
        ((0.49, 0.51, 0.0), True),
        ((0.51, 0.49, 0.0), False),
        ((0.0, 0.02, 0.01), True),
        ((0.0, 0.01, 0.01), False),
        ((0.0, 0.0, 0.0), False),
    ],
    ids=["more", "half", "more than to itself", "itself", "special tokens get the rest", "half of that", "nothing"],
)
def test_an_arrow_is_strong_above_half_of_what_words_get(weights, is_strong):
    maps = np.zeros((1, 1, 3, 3), np.float32)
    maps[0, 0, 0] = weights
    assert strong(maps)[0, 0].tolist() == [is_strong, False, False]


def test_a_word_alone_has_no_arrow_and_is_no_link():
    assert not strong(np.ones((LAYERS, HEADS, 1, 1), np.float32)).any()
    alone = Predictions.of([(Sentence("a", (Word("Go", "VERB", 0, "root"),)), predict(np.ones((1, 1, 1, 1))))])
    for direction in ("dep->head", BACK):
        assert not are_links(alone, "root", direction, alone.predicted[0]).any()


def test_no_link_leads_from_the_root_of_a_sentence_to_the_one_before():
    """The head of a root is stored as -1, which would be the last word of the sentence before."""
    pair = (Word("a", "X", 2, "det"), Word("b", "X", 0, "det"))
    maps = predict(np.array([[[[0.0, 1], [1, 0]]]]))
    found = Predictions.of([(Sentence(name, pair), maps) for name in "ab"])
    assert are_links(found, "det", "dep->head", found.predicted[0])[0, 0].tolist() == [True, False] * 2
    assert are_links(found, "det", BACK, found.predicted[0])[0, 0].tolist() == [False, True] * 2


OBJECT = (Word("see", "VERB", 0, "root"), Word("a", "DET", 3, "det"), Word("cat", "NOUN", 1, "obj"))


def made(strong_to, names, weak=0.2):
    """Sentences in which each word gives `strong_to[word]` most of what words get, and others give all the same."""
    maps = np.full((1, 1, 3, 4), weak)
    for word, to in strong_to.items():
        maps[0, 0, word] = 0.01
        maps[0, 0, word, to] = 0.1
    return [(Sentence(name, OBJECT), maps) for name in names]


def chosen_for(direction, offset=-1):
    """A row of `relation_heads`, of the protocol that counts."""
    row = {"relation": "obj", "protocol": "held-out", "direction": direction, "layer": 1, "head": 1, "offset": offset}
    return pd.DataFrame([row, row | {"protocol": "same data", "layer": 2}])


@pytest.mark.parametrize(
    ("direction", "strong_to", "value", "arrows"),
    [
        ("dep->head", {2: 0}, 1, 1),
        ("dep->head", {0: 2}, 0, 1),
        (BACK, {0: 2}, 1, 1),
        (BACK, {2: 0}, 0, 1),
        ("dep->head", {2: 0, 1: 2}, 1 / 2, 2),
        ("dep->head", {2: 0, 1: 2, 0: 1}, 1 / 3, 3),
    ],
)
def test_the_precision_of_hand_made_heads_is_what_they_were_made_with(direction, strong_to, value, arrows):
    names = [f"s{number}" for number in range(40)]
    table = table_of(made(strong_to, names), chosen_for(direction))
    right = row(table, "right.obj", 1, 1)
    assert (right.value, right.n) == (pytest.approx(value), arrows * reported(names, SEED).sum())
    assert right.low < right.high


def test_the_baseline_is_the_offset_from_the_words_of_strong_arrows():
    """The object is two words after its verb: from it alone, the offset is right; from the determiner, never."""
    names = [f"s{number}" for number in range(40)]
    for direction in ("dep->head", BACK):
        of = {"dep->head": {2: 1, 1: 0}, BACK: {0: 1, 1: 0}}[direction]
        for offset, base in ((-2, 1 / 2), (-1, 0), (2, 0)):
            table = table_of(made(of, names), chosen_for(direction, offset))
            assert row(table, "offset.obj").value == pytest.approx(base)
            assert row(table, "gain.obj").value == pytest.approx(-base)


def test_a_head_without_strong_arrows_has_undefined_numbers_and_few_sentences_no_interval():
    names = [f"s{number}" for number in range(40)]
    for number in table_of(made({}, names), chosen_for("dep->head")).itertuples():
        assert np.isnan([number.value, number.low, number.high]).all()
        assert number.n == 0
    shown = next(name for name in names if reported([name], SEED)[0])
    single = row(table_of(made({2: 0}, [shown]), chosen_for("dep->head")), "right.obj")
    assert (single.value, single.n) == (1, 1)
    assert np.isnan([single.low, single.high]).all()
    assert not len(table_of(made({2: 0}, [shown]), pd.DataFrame(columns=["relation", "protocol"])))


def test_hostile_relations_are_names_as_any_other():
    name = '"><script>{0}</script> | ` \\ שלום'
    words = (Word("see", "VERB", 0, "root"), Word("a", "DET", 3, "det"), Word("cat", "NOUN", 1, name))
    pairs = [(Sentence(f"s{number}", words), maps) for number, (_, maps) in enumerate(made({2: 0}, range(40)))]
    table = table_of(pairs, chosen_for("dep->head").assign(relation=name))
    assert row(table, f"right.{name}").value == 1


def test_the_lead_is_the_difference_on_the_same_arrows(corpus):
    table = table_of(corpus, relation_heads(read(corpus)[0], (), MODEL, CORPUS, SEED))
    right, offset, gain = (row(table, f"{name}.obj") for name in ("right", "offset", "gain"))
    assert gain.value == pytest.approx(right.value - offset.value)
    assert right.n == offset.n == gain.n
