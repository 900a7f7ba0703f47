"""Whether the attention of a head, read as a graph, contains the dependency tree (Htut et al. 2019).

The tree of a head is the maximum spanning arborescence of its word-level map, rooted at the gold root (Chu-Liu and
Edmonds). There are two ways to read a map as edges from head words to dependents:

    uuas                  the weight of an edge is A[dependent, head word]: dependents look at their heads, as they do
                          in most of the relations that heads track (ours)
    uuas.to_dependents    it is A[head word, dependent]: edges point from a word to those it attends to (the paper's)

Which of several equally good trees is taken depends only on the order of words. A link of the gold tree is found if the
arborescence links the same two words, whichever is the head (UUAS). All words count, punctuation included. The trivial
baseline is the adjacent chain, which links every word to the next.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from generator.corpora.treebank import TREEBANK, Sentence
from generator.numbers.compiled import compiled, one_type
from generator.numbers.number import Grid, Number
from generator.numbers.resampling import bootstrap_ratio
from generator.studies.fact_rows import facts, stored_rows
from generator.studies.halves import at_place, reported
from generator.studies.procedure import Procedure, Subject, Watcher, watched_by
from generator.topics.relations.derived.predictions import NOTHING
from generator.topics.relations.records.trees import TREES

READINGS = ("uuas", "uuas.to_dependents")


def spanning_trees(weights: np.ndarray, root: int) -> np.ndarray:
    """`[layer, head, word]`: the 0-based head word of each word in a head's best tree; NOTHING for the root.

    `weights` is `[layer, head, query, key]` among the words of one sentence, `root` the 0-based place of its root.

    >>> spanning_trees(np.array([[[[0, 0.9, 0.1], [0, 1, 0], [0.6, 0.4, 0]]]]), root=1)
    array([[[ 1, -1,  0]]])
    """
    layers, heads, words, _ = weights.shape
    maps = one_type(weights, np.float64)
    trees = [_arborescence(array, root) for array in maps.reshape(-1, words, words)]
    return np.stack(trees).reshape(layers, heads, words)


@dataclass(frozen=True)
class _Row:
    """The numbers of one sentence."""

    sentence: str
    found: np.ndarray
    """`[reading, layer, head]`: number of links of the gold tree in the head's tree; readings as in READINGS."""
    adjacent: int
    """Number of links of the gold tree between neighbouring words."""
    links: int
    """Number of links of the gold tree, one less than words."""


class TreeScores:
    """Gathers the sentences of one treebank; each is added once, in any order."""

    def __init__(self) -> None:
        self._rows: list[_Row] = []

    def add(self, sentence: Sentence, weights: np.ndarray) -> None:
        """Score one sentence; `weights` is its word-level map `[layer, head, query, key]` and is not changed."""
        gold = np.array([word.head - 1 for word in sentence.words])
        if weights.shape[2:] != (len(gold), len(gold)):
            raise ValueError(
                f"expected weights of {len(gold)} x {len(gold)} words for {sentence.id!r}, found {weights.shape}"
            )
        root = int(np.flatnonzero(gold == NOTHING)[0])
        # The root is given: only links are judged.
        trees = np.stack([spanning_trees(array, root) for array in (weights, weights.swapaxes(2, 3))])
        below = np.flatnonzero(gold != NOTHING)
        above = gold[below]
        hits = (trees[..., below] == above) | (trees[..., above] == below)
        # What linking each word to the next one gets right.
        adjacent = int((abs(above - below) == 1).sum())
        self._rows.append(_Row(sentence.id, hits.sum(-1), adjacent, len(below)))

    def tables(self, model: str, corpus: str, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
        """`facts` and `head_facts` of study "trees"; `n` counts links of gold trees, one for each word but roots.

        The best head is chosen on one half of the sentences and reported on the other; it is left out where a half is
        empty. Intervals resample sentences; those of gains are paired. NaN where no sentence has two words.
        """
        rows = sorted(self._rows, key=lambda row: row.sentence)
        found = np.stack([row.found for row in rows]).astype(float)
        adjacent = np.array([row.adjacent for row in rows], float)
        links = np.array([row.links for row in rows])
        gain = found - adjacent[:, None, None, None]

        of_model: dict[str, Number[Any]] = {
            "uuas.adjacent": bootstrap_ratio(adjacent, links, seed)._replace(n=links.sum())
        }
        shown = reported([row.sentence for row in rows], seed)
        if shown.any() and not shown.all():
            for at, name in enumerate(READINGS):
                layer, head = np.unravel_index(found[~shown, at].sum(0).argmax(), found.shape[2:])
                for end, part in (("", found), (".gain", gain)):
                    own = bootstrap_ratio(part[shown, at, layer, head], links[shown], seed)
                    of_model[f"{name}.best{end}"] = own._replace(n=links[shown].sum())
                of_model |= at_place(f"{name}.best", layer, head, int(links[shown].sum()))
        every = bootstrap_ratio(np.stack([found, gain], axis=-1), links, seed)
        return (
            facts(of_model, TREES, model, corpus),
            stored_rows(_by_head(every, links), TREES, model, corpus),
        )


def _by_head(estimate: Grid, links: np.ndarray) -> pd.DataFrame:
    """One row per head and name, from `[reading, layer, head, (UUAS, gain)]`."""
    _, layers, heads, _ = estimate.value.shape
    place = [READINGS, range(1, layers + 1), range(1, heads + 1), ["", ".gain"]]
    index = pd.MultiIndex.from_product(place, names=["reading", "layer", "head", "end"])
    values = {field: getattr(estimate, field).ravel() for field in ("value", "low", "high")}
    table = pd.DataFrame({**values, "n": int(links.sum())}, index).reset_index()
    return table.assign(name=table["reading"] + table["end"])


@compiled()
def _best_head(into: np.ndarray, group: np.ndarray, top: int) -> int:
    """The word outside the group `top` from which its best edge comes; -1 if there is none."""
    best = -1
    for word in range(len(group)):
        if group[word] != top and (best < 0 or into[word] > into[best]):
            best = word
    return best


@compiled()
def _contract(into: np.ndarray, entry: np.ndarray, cycle: np.ndarray, lost: np.ndarray) -> None:
    """Merge the groups of a cycle into one, in place, under the name of the first; `lost` are the edges of the cycle.

    An edge into the cycle replaces the edge that now leads to the same group, so its worth is the difference.
    """
    for word in range(into.shape[1]):
        best = 0
        for at in range(1, len(cycle)):
            if into[cycle[at], word] - lost[at] > into[cycle[best], word] - lost[best]:
                best = at
        entry[cycle[0], word] = entry[cycle[best], word]
        into[cycle[0], word] = into[cycle[best], word] - lost[best]


@compiled()
def _expanded(head: np.ndarray, dependent: np.ndarray, above: np.ndarray, made: int, words: int) -> np.ndarray:
    """`[word]`: the head of every word, from the edges into all groups that were made, the last group first."""
    heads = np.full(words, -1)
    entered = np.zeros(made, np.bool_)
    for at in range(made - 1, -1, -1):
        if not entered[at] and head[at] >= 0:
            heads[dependent[at]] = head[at]
            inner = dependent[at]
            while inner != at:  # groups inside, which this edge leads through, lose their own edge
                entered[inner] = True
                inner = above[inner]
    return heads


@compiled()
def _arborescence(weights: np.ndarray, root: int) -> np.ndarray:
    """`[word]`: the head of every word in the best tree of one map, in a time that grows with the square of its length.

    From each word a path is followed upwards along best edges. If it meets itself, the cycle becomes a group, named
    after one of its words; if it meets the root, or a path that led there, it is finished (Gabow et al. 1986).
    """
    words = len(weights)
    into = weights.copy()  # [group, head word]
    entry = np.arange(words).repeat(words).reshape(words, words)  # which word of the group that edge enters
    group = np.arange(words)
    number = np.arange(words)  # of a group, in the order in which groups are made
    above = np.full(2 * words, -1)  # the group that swallowed it; these three by number
    head = np.full(2 * words, -1)
    dependent = np.full(2 * words, -1)
    made = words
    settled = group == root
    path, lost = np.empty(words, np.int64), np.empty(words)
    for start in range(words):
        length = 0
        if not settled[group[start]]:
            path[0], length = group[start], 1
        while length:
            top = path[length - 1]
            best = _best_head(into[top], group, top)
            head[number[top]], dependent[number[top]] = best, entry[top, best]
            met = group[best]
            since = length - 1
            while since >= 0 and path[since] != met:
                since -= 1
            if settled[met]:
                for member in path[:length]:
                    settled[member] = True
                length = 0
            elif since < 0:
                path[length] = met
                length += 1
            else:
                cycle = path[since:length]
                for at, member in enumerate(cycle):
                    lost[at] = into[member, head[number[member]]]
                    above[number[member]] = made
                    for word in range(words):
                        group[word] = met if group[word] == member else group[word]
                _contract(into, entry, cycle, lost)
                number[met] = made
                made += 1
                length = since + 1
    return _expanded(head, dependent, above, made, words)


def _watch(of: Subject) -> Watcher:
    scores = TreeScores()
    return watched_by(scores, lambda seen: scores.add(seen.annotated, seen.maps.weights), of)


PROCEDURE = Procedure("trees", TREEBANK, _watch)
