"""What frequent token types do in the attention of a model: the `roles` table.

Everything is a mean over the heads of a layer. "Received" is the attention that an occurrence of the type receives from
all queries of its input, itself included; uniform attention gives every token exactly 1. "Breadth" is the entropy of an
occurrence's own rows (of each head, then averaged; smoothed if the settings say so) divided by ln n. The entropies of
partners follow the hypothesis of 2021, which asks whether a type has constant relations: over which token types does
the attention spread that it receives (attended_by) or gives (attends_to)? They are computed from equally many
occurrences of every type, spread over as many inputs as possible, because a small sample looks more constant than it is
(see `neighbours`).

Sums are kept in whole units of 2^-32, so that the order of inputs cannot change them.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from generator.attention.observed import Observed, Observer
from generator.corpora.files import TEXT
from generator.corpora.pairs import Input
from generator.numbers.compiled import compiled, one_type
from generator.results.tables import ROLE_COLUMNS
from generator.studies.procedure import Procedure, Subject, Tables, Watcher
from generator.topics.tokens.compute.neighbours import describe, equal_samples, frequent_types

UNIT = 2.0**32
"""Whole units per 1 of attention: the error is below 1e-9 per input, and two thousand million tokens can be added."""
COLUMNS = ("model", "corpus", "token", "layer", "rank", "count", *ROLE_COLUMNS)


class RoleCounts:
    """Adds up the attention of frequent token types over the inputs of one corpus.

    All inputs are given beforehand, because the whole corpus decides which types are frequent; then every input's map
    is added once, in any order.
    """

    def __init__(self, inputs: Sequence[Input], seed: int = 0) -> None:
        types = frequent_types(inputs)
        self._facts = describe(inputs, types)
        self._sampled: dict[tuple[str, int], list[tuple[int, int]]] = {}
        for token, places in equal_samples(inputs, types, seed).items():
            for place in places:
                pairs = self._sampled.setdefault((place.document, place.part), [])
                pairs.append((place.position, types.index(token)))
        vocabulary = np.unique(np.concatenate([item.input_ids for item in inputs]))
        self._vocabulary = vocabulary
        self._column = np.full(len(vocabulary), -1)
        self._column[np.searchsorted(vocabulary, types)] = np.arange(len(types))
        self._left = {item.place for item in inputs}
        self._sums: _Sums | None = None

    def add(self, seen: Observed) -> None:
        """Add one input that was observed by `observer`."""
        item = seen.input
        self._left.remove(item.place)
        received, entropy = (
            primitive.mean(axis=1) for primitive in (seen.primitives.received, seen.primitives.row_entropy)
        )
        if self._sums is None:
            self._sums = _Sums(len(received), len(self._facts), len(self._vocabulary))
        of_type, place = self._of_type(item)
        self._sums.received += _units(received @ of_type)
        # An input of one token has an entropy of 0, by whatever that is divided.
        self._sums.breadth += _units(entropy @ of_type / math.log(max(len(item), 2)))
        sampled, here = self._sampled.get(item.place, []), np.unique(place)
        by, to = seen.of(self.observer).reshape(len(received), 2, len(sampled), len(here)).swapaxes(0, 1)
        for at, (_, column) in enumerate(sampled):
            self._sums.attended_by[:, column, here] += _units(by[:, at])
            self._sums.attends_to[:, column, here] += _units(to[:, at])

    def observer(self, item: Input) -> Observer:
        """An observer that returns what sampled occurrences receive from each token type of the input, and give to it:
        `[2, occurrence, type]`, flattened.
        """
        _, place = self._of_type(item)
        here, kind = np.unique(place, return_inverse=True)
        positions = np.array([at for at, _ in self._sampled.get(item.place, [])], int)

        def observe(weights: np.ndarray, first: int) -> np.ndarray:
            return _by_type(one_type(weights), first, positions, kind, len(here)).ravel()

        return observe

    def _of_type(self, item: Input) -> tuple[np.ndarray, np.ndarray]:
        """`[token, type]`: 1 where a token is of a followed type; and every token's place in the vocabulary."""
        place = np.searchsorted(self._vocabulary, item.input_ids)
        column = self._column[place]
        return (column[:, None] == np.arange(len(self._facts))).astype(float), place

    def table(self, model: str, corpus: str, pieces: Callable[[list[int]], list[str]]) -> pd.DataFrame:
        """One row per type and layer; `pieces` gives the text of vocabulary ids.

        An entropy is NaN for a type with fewer than SAMPLE occurrences (or SAMPLE neighbours on that side).
        """
        assert self._sums is not None, "a table is asked for after every input was added"
        assert not self._left, "a table is asked for after every input was added"
        layers = len(self._sums.received)
        facts = pd.DataFrame([vars(fact) for fact in self._facts])
        facts = facts.assign(model=model, corpus=corpus, token=pieces(facts["token"].tolist()))
        table = facts.loc[facts.index.repeat(layers)].reset_index(drop=True)
        occurrences = facts["count"].to_numpy()[:, None] * UNIT
        return table.assign(
            layer=np.tile(np.arange(1, layers + 1), len(facts)),
            received=(self._sums.received.T / occurrences).ravel(),
            breadth=(self._sums.breadth.T / occurrences).ravel(),
            attended_by_entropy=_entropy(self._sums.attended_by).T.ravel(),
            attends_to_entropy=_entropy(self._sums.attends_to).T.ravel(),
        )[list(COLUMNS)]


@compiled()
def _by_type(weights: np.ndarray, first: int, positions: np.ndarray, kind: np.ndarray, kinds: int) -> np.ndarray:
    """What the tokens at some positions receive from the tokens of each kind, then what they give them, `[2, position,
    kind]`: means over heads. `kind [token]` are numbers from 0; the block of queries begins at `first`.
    """
    found = np.zeros((2, len(positions), kinds))
    heads, rows, keys = weights.shape
    received, given = np.zeros(len(positions)), np.empty(keys)
    for row in range(rows):
        received[:] = 0
        for head in range(heads):
            of_row = weights[head, row]
            for at in range(len(positions)):
                received[at] += of_row[positions[at]]
        # Summed over heads first: types are many, and their sums lie far apart in memory.
        for at in range(len(positions)):
            found[0, at, kind[first + row]] += received[at]
    for at in range(len(positions)):
        row = positions[at] - first
        if 0 <= row < rows:
            given[:] = 0
            for head in range(heads):
                of_row = weights[head, row]
                for key in range(keys):
                    given[key] += of_row[key]
            for key in range(keys):
                found[1, at, kind[key]] += given[key]
    return found / len(weights)


class _Sums:
    """Sums in whole units of 1/UNIT; int64 arrays with leading axes `[layer, type]`."""

    def __init__(self, layers: int, types: int, vocabulary: int) -> None:
        self.received = np.zeros((layers, types), np.int64)
        self.breadth = np.zeros((layers, types), np.int64)
        self.attended_by = np.zeros((layers, types, vocabulary), np.int64)
        """`[layer, type, query type]`."""
        self.attends_to = np.zeros((layers, types, vocabulary), np.int64)
        """`[layer, type, key type]`."""


def _units(values: np.ndarray) -> np.ndarray:
    return np.rint(values * UNIT).astype(np.int64)


def _entropy(mass: np.ndarray) -> np.ndarray:
    """Entropy of the mass over the last axis, in nats; NaN where there is no mass."""
    total = mass.sum(-1, keepdims=True)
    share = np.divide(mass, total, out=np.full(mass.shape, np.nan), where=total > 0)
    logarithm = np.log(share, out=np.zeros_like(share), where=share > 0)
    entropy: np.ndarray = -(share * logarithm).sum(-1)
    return entropy


def _watch(of: Subject) -> Watcher:
    counts = RoleCounts(of.inputs, of.seed)

    def tables() -> Tables:
        return {"roles": [counts.table(of.model, of.corpus, of.pieces)]}

    return Watcher(counts.add, tables, observer=counts.observer)


PROCEDURE = Procedure("roles", TEXT, _watch, tables=("roles",))
