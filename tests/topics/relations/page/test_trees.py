"""Maps of sentences whose trees are known: the trees of the examples, and weights among words by a slow sum."""

import numpy as np
import pytest

from generator.corpora.relation_names import RELATIONS
from generator.pages.heads.atlas import Example
from generator.results.examples import EXAMPLES as TEXTS
from generator.topics.relations.derived.arcs import MISSED, RIGHT
from generator.topics.relations.page.trees import EXAMPLES, _among_words, _letters, links_in, trees

TOKENS = [
    "[CLS]",
    "our",
    "bake",
    "##r",
    "sells",
    "bread",
    ",",
    "cakes",
    "and",
    "pies",
    ";",
    "he",
    "does",
    "not",
    "sell",
    "coffee",
    ".",
    "[SEP]",
]


def baker(**weights: float) -> Example:
    """A map of an example in which words, named `query__key`, give others so much."""
    made = np.full((len(TOKENS), len(TOKENS)), 0.01)
    for pair, weight in weights.items():
        query, _, key = pair.partition("__")
        made[TOKENS.index(query), TOKENS.index(key)] = weight
    return Example("t", TOKENS, made)


def test_the_trees_of_the_examples_are_those_of_the_texts_with_relations_that_have_words():
    words = [tree.words for tree in list(trees().values())[: len(TEXTS)]]
    assert [_letters("".join(word.form for word in each)) for each in words] == list(map(_letters, TEXTS))
    assert EXAMPLES.name == "examples.conllu"
    for each in words:
        assert {word.relation for word in each} - {"root", "punct"} <= {*RELATIONS, "obl:unmarked"}


def test_weights_among_words_are_sums_over_keys_and_means_over_queries():
    example = Example("t", TOKENS, np.random.default_rng(0).random((len(TOKENS), len(TOKENS))))
    ((tree, found),) = _among_words(example)
    pieces = [[1], [2, 3], *([at] for at in range(4, len(TOKENS) - 1))]
    assert len(pieces) == len(tree.words)
    for query, its in enumerate(pieces):
        for key, theirs in enumerate(pieces):
            slow = sum(example.weights[one, other] for one in its for other in theirs) / len(its)
            assert found[0, 0, query, key] == pytest.approx(slow)


@pytest.mark.parametrize(("to", "kind"), [("sells", RIGHT), ("our", MISSED)])
def test_a_word_that_looks_where_its_tree_says_is_right(to, kind):
    rows = links_in([baker(**{f"bread__{to}": 0.5, "coffee__our": 0.5})], "obj", "dep->head")
    assert (rows["kind"].iloc[0], rows["word"].iloc[0], rows["to"].iloc[0]) == (kind, 3, 2)


def test_the_other_direction_is_read_from_the_word_on_which_others_depend():
    rows = links_in([baker(sell__coffee=0.5, sells__our=0.5)], "obj", "head<-dep")
    assert (rows["kind"].iloc[0], rows["word"].iloc[0], rows["to"].iloc[0]) == (RIGHT, 12, 13)


@pytest.mark.parametrize("words", ["[CLS] our baker sells bread . [SEP]", "[CLS] [SEP]", "[SEP]"])
def test_a_sentence_without_a_tree_gives_nothing(words):
    tokens = words.split()
    assert not len(links_in([Example("t", tokens, np.full((len(tokens), len(tokens)), 0.1))], "obj", "dep->head"))


def test_a_relation_that_no_sentence_has_gives_nothing():
    assert not len(links_in([baker(bread__sells=0.9)], "nummod", "dep->head"))
