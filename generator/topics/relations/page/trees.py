"""Stored maps of sentences whose trees are known, read for links of a relation: of the examples, and of our treebank.

They show a head at work on a relation of which no sentences were stored for it.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import accumulate

import numpy as np
import pandas as pd

from generator.corpora.catalogue import TREEBANK
from generator.corpora.treebank import Sentence, read_treebank
from generator.home import DATA
from generator.numbers.pieces import readable
from generator.pages.heads.atlas import Example
from generator.topics.relations.derived.arcs import OTHER, sentences
from generator.topics.relations.derived.arrows import strong
from generator.topics.relations.derived.predictions import Predictions, predict

EXAMPLES = DATA / "corpora" / "examples.conllu"
"""The trees of the example sentences."""


def links_in(maps: Iterable[Example], relation: str, direction: str) -> pd.DataFrame:
    """Rows of the table `arcs` from one head's maps; without a link of the relation, or a tree, a map gives none."""
    found = {tree.id: (tree, weights) for example in maps for tree, weights in _among_words(example)}
    if not found:
        return pd.DataFrame()
    read = Predictions.of([(tree, predict(weights)) for tree, weights in found.values()])
    flags = np.concatenate([strong(found[name][1]) for name in read.sentences], axis=-1)
    head = pd.DataFrame([{"relation": relation, "direction": direction, "layer": 1, "head": 1}])
    weights = {name: array for name, (_, array) in found.items()}
    rows = sentences(read, flags, weights, head, TREEBANK.name, longest=int(read.length.max()))
    return rows if (rows["kind"] != OTHER).any() else rows[:0]


@cache
def trees() -> Mapping[str, Sentence]:
    """All sentences whose trees are known, by name."""
    return {tree.id: tree for tree in _by_letters().values()}


def _among_words(example: Example) -> Iterator[tuple[Sentence, np.ndarray]]:
    """The tree of a sentence and its map among words, `[1, 1, query, key]`, if its pieces are those of a known one.

    As everywhere, a word gets what its pieces get together, and gives what they give on average.
    """
    pieces = [_letters(readable(token).removeprefix("##")) for token in example.tokens]
    first = min(1, len(pieces) - 1)
    tree = _by_letters().get("".join(pieces[first:-1]))
    if tree is None:
        return
    ends = list(accumulate(len(_letters(word.form)) for word in tree.words))
    starts = [0, *accumulate(map(len, pieces[first:-1]))][:-1]
    word_of = np.array([bisect_right(ends, start) for start in starts])
    inside = example.weights[first:-1, first:-1]
    belongs = (word_of[:, None] == np.arange(len(ends))).astype(float)
    if not belongs.any(0).all():
        return
    weights = (belongs / belongs.sum(0)).T @ inside @ belongs
    yield tree, weights[None, None]


@cache
def _by_letters() -> Mapping[str, Sentence]:
    paths = (EXAMPLES, *TREEBANK.paths)
    found = read_treebank(TREEBANK.name, paths).items
    return {_letters("".join(word.form for word in tree.words)): tree for tree in found}


def _letters(text: str) -> str:
    return "".join(text.split()).casefold()
