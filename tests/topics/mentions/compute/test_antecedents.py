"""Heads drawn by hand select what their drawing says; counts equal a slow derivation; baselines are worked out."""

import numpy as np
import pytest

from generator.topics.mentions.compute.antecedents import (
    BASELINES,
    CANDIDATES,
    KINDS,
    score,
    tables,
)
from generator.topics.mentions.corpus.coreference import CorefDocument, Features, Mention, truncate
from generator.topics.mentions.corpus.entities import read_entities
from tests.topics.mentions.compute.drawn import ONE, random_document, random_maps

TEXT = "Ann saw the old dog . Bo and Cy called The dog , but it ran to ann . She smiled at it . They thanked him"
STORY = CorefDocument(
    "story",
    tuple(TEXT.split()),
    (
        Mention(0, 1, 0, "ann", "proper", ONE),
        Mention(2, 5, 4, "dog", "nominal", ONE),
        Mention(6, 9, 6, "pair", "proper", Features("Plur", None, "3")),
        Mention(6, 7, 6, "bo", "proper", ONE),
        Mention(8, 9, 8, "cy", "proper", ONE),
        Mention(10, 12, 11, "dog", "nominal", ONE),
        Mention(14, 15, 14, "dog", "pronoun", Features("Sing", "Neut", "3")),
        Mention(17, 18, 17, "ann", "proper", ONE),
        Mention(19, 20, 19, "ann", "pronoun", Features("Sing", "Fem", "3")),
        Mention(22, 23, 22, "dog", "pronoun", Features("Sing", "Neut", "3")),
        Mention(24, 25, 24, "pair", "pronoun", Features("Plur", None, "3")),
        Mention(26, 27, 26, "bo", "pronoun", Features("Sing", "Masc", "3")),
    ),
)
N = len(STORY.words)
LINKS = {11: 4, 14: 11, 17: 0, 19: 17, 22: 14, 24: 6, 26: 6}
"""Head word of every scored mention -> that of its nearest antecedent."""
TOTAL = [7, 5, 1, 1]


def pointing(links, n=N, rest=0.0):
    """A map in which each of `links` has all weight but `rest`, which its other columns share."""
    weights = np.full((n, n), rest / (n - 1))
    for query, key in links.items():
        weights[query, key] = 1 - rest
    return weights


def of_one_head(weights, document=STORY):
    """`[candidates, kind]`."""
    return score(document, weights[None, None]).correct[:, 0, 0]


def slow_pick(candidates, row):
    """The nearest of the candidates with the largest weight, None where all weights are 0."""
    best, weight = None, 0.0
    for position in sorted(candidates):
        if float(row[position]) > 0 and float(row[position]) >= weight:
            best, weight = position, float(row[position])
    return best


def slow_baseline(name, document, mention, earlier):
    def said(other, whole):
        words = document.words[other.start : other.end] if whole else [document.words[other.head]]
        return " ".join(words).lower()

    def passes(rule, other):
        if rule in (1, 2):
            return said(mention, rule == 1) == said(other, rule == 1)
        if rule == 3:
            known = [(a, b) for a, b in zip(mention.features, other.features, strict=True) if a and b]
            return [a for a, _ in known] == [b for _, b in known]
        return True

    for rule in {"nearest": [4], "nearest agreeing": [3, 4], "head match": [2], "rules": [1, 2, 3, 4]}[name]:
        fitting = [other.head for other in earlier if passes(rule, other)]
        if fitting:
            return max(fitting)
    return None


RULE_NAMES = ("nearest", "nearest agreeing", "head match", "rules")


def slow_scores(document, weights):
    """`correct`, `baselines`, `able`, `total` as nested loops."""
    layers, heads = weights.shape[:2]
    correct = np.zeros((2, layers, heads, 4))
    baselines, able, total = np.zeros((2, 5, 4)), np.zeros((5, 4)), np.zeros(4)
    for mention in document.mentions:
        earlier = [other for other in document.mentions if other.head < mention.start]
        right = [other.head for other in earlier if other.entity == mention.entity]
        if not right:
            continue
        for kind in ("all", mention.kind):
            column = ("all", "pronoun", "proper", "nominal").index(kind)
            total[column] += 1
            for row, name in enumerate(RULE_NAMES):
                picked = slow_baseline(name, document, mention, earlier)
                baselines[:, row, column] += picked in right
                able[row, column] += picked is not None
            able[4, column] += 1
            for which, candidates in enumerate((range(mention.start), {other.head for other in earlier})):
                baselines[which, 4, column] += sum(place in right for place in candidates) / len(candidates)
                for layer in range(layers):
                    for head in range(heads):
                        attended = weights[layer, head, mention.head]
                        correct[which, layer, head, column] += slow_pick(candidates, attended) in right
    return correct, baselines, able, total


def assert_equals_slow(document, weights):
    found = score(document, weights)
    arrays = (found.correct, found.baselines, found.able, found.total)
    for array, expected in zip(arrays, slow_scores(document, weights), strict=True):
        np.testing.assert_allclose(array, expected, rtol=0, atol=1e-9)
    return found


def test_a_head_that_attends_to_antecedents_is_always_right():
    np.testing.assert_array_equal(of_one_head(pointing(LINKS)), [TOTAL, TOTAL])
    np.testing.assert_array_equal(of_one_head(pointing(LINKS, rest=0.4)), [TOTAL, TOTAL])


def test_any_antecedent_will_do():
    np.testing.assert_array_equal(of_one_head(pointing(LINKS | {14: 4, 19: 0, 22: 4})), [TOTAL, TOTAL])


def test_a_head_that_attends_forwards_is_never_right():
    """The same map turned: antecedents attend to the mentions that follow them."""
    assert of_one_head(pointing(LINKS).T).sum() == 0
    assert of_one_head(pointing(dict.fromkeys(LINKS, N - 1))).sum() == 0


def test_only_the_row_of_the_head_word_counts():
    moved = {query - 1: key for query, key in LINKS.items()}
    assert of_one_head(pointing(moved)).sum() == 0


def test_weight_on_the_mention_itself_and_on_what_follows_does_not_count():
    weights = pointing(LINKS) * 0.1
    for query in LINKS:
        weights[query, query] = 0.6
        weights[query, (query + 1) % N] = 0.3 if query < N - 1 else 0
    weights[11, 10] = 0.5
    np.testing.assert_array_equal(of_one_head(weights), [TOTAL, TOTAL])


def test_words_outside_mentions_compete_only_among_all_words():
    weights = pointing(LINKS, rest=0.6)
    weights[list(LINKS), 1] = 0.5
    np.testing.assert_array_equal(of_one_head(weights), [[0] * 4, TOTAL])


def test_another_word_of_the_antecedent_is_not_its_head_word():
    found = of_one_head(pointing(LINKS | {11: 3}))
    np.testing.assert_array_equal(found[0], [6, 5, 1, 0])


def test_uniform_attention_selects_the_nearest_candidate():
    found = of_one_head(np.full((N, N), 1 / N))
    nearest = score(STORY, np.zeros((1, 1, N, N))).baselines[CANDIDATES.index("mentions"), 0]
    np.testing.assert_array_equal(found[1], nearest)
    assert found[0].sum() == 0


def test_layers_and_heads_are_told_apart():
    weights = np.zeros((2, 3, N, N))
    weights[1, 0] = pointing(LINKS)
    found = score(STORY, weights).correct[..., 0]
    assert found.shape == (2, 2, 3)
    assert [tuple(place) for place in np.argwhere(found[0])] == [(1, 0)]


def test_the_baselines_of_a_small_story_are_those_worked_out_by_hand():
    """The rules fail for "him" alone: "ann", whose gender is not known, is the nearest that agrees.

    For "ann" and the second "it", too, a mention whose gender is not known stands in between, and for "The dog" another
    of its number. Of the ten words before "The dog" one is an antecedent, of the head words of mentions one in four.
    """
    found = score(STORY, np.zeros((1, 1, N, N)))
    assert found.total.tolist() == TOTAL
    chance = BASELINES.index("chance")
    for of_candidates in found.baselines:
        assert dict(zip(BASELINES[:chance], of_candidates[:chance].tolist(), strict=True)) == {
            "nearest": [2, 2, 0, 0],
            "nearest agreeing": [3, 3, 0, 0],
            "head match": [3, 1, 1, 1],
            "rules": [6, 4, 1, 1],
        }
    nominal = found.baselines[:, chance, KINDS.index("nominal")]
    np.testing.assert_allclose(nominal, [1 / 10, 1 / 4])
    assert dict(zip(BASELINES, found.able.tolist(), strict=True)) == {
        "nearest": TOTAL,
        "nearest agreeing": TOTAL,
        "head match": [3, 1, 1, 1],
        "rules": TOTAL,
        "chance": TOTAL,
    }
    assert_equals_slow(STORY, random_maps(N, 0))


@pytest.mark.parametrize("seed", range(20))
def test_random_documents_equal_the_slow_derivation(seed):
    found = assert_equals_slow(random_document(seed), random_maps(30, seed))
    np.testing.assert_array_equal(found.correct[..., 0], found.correct[..., 1:].sum(-1))


def test_documents_of_gum_equal_the_slow_derivation(public):
    corpus = read_entities("gum", [public("ud-english-gum/en_gum-ud-dev.conllu.gz")])
    documents = [truncate(document, 100) for document in corpus.items]
    for seed, document in enumerate(documents):
        assert_equals_slow(document, random_maps(len(document.words), seed, heads=1))
    scores = [score(document, random_maps(len(document.words), 0)) for document in documents]
    table, _ = tables(scores, "m", "gum", seed=0)
    value = table[(table.kind == "all") & (table.protocol == "same data")].groupby("predictor").value.first()
    assert value["rules"] > value["head match"] > value["nearest"]


def test_weights_of_other_words_are_refused():
    with pytest.raises(ValueError, match="expected weights of 27 x 27 words for 'story'"):
        score(STORY, np.zeros((1, 1, N, N + 1)))
