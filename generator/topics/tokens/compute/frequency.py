"""Whether frequent tokens have small transformed values, and receive much attention (Kobayashi et al. 2020).

A token type is a vocabulary id; special tokens are types like any other. Its frequency is its count in the corpus that
is read, and rank 1 is the most frequent; the paper ranks by counts in BERT's own training text, which is not public.
With few documents most types occur once or twice and share their ranks, so numbers from corpora of different size
cannot be compared.

The correlations by layer are over types, each counted once. The released code of the paper correlates over tokens
instead, with the rank of each token's type, and takes the mean over all layers first: `.tokens.spearman`. There
frequent types weigh most.

The interval is a jackknife over documents, because the bootstrap fails here: documents drawn twice double the counts of
their rare types, so correlations in such draws are all shifted to one side.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from generator.attention.anatomy import Anatomy
from generator.attention.observed import Observed
from generator.corpora.files import TEXT
from generator.corpora.pairs import Input
from generator.models.encoder import Encoder
from generator.numbers.correlation import plain_spearman
from generator.numbers.number import Grid, Number
from generator.numbers.resampling import jackknife, leave_out, with_all
from generator.studies.fact_rows import facts
from generator.studies.procedure import Need, Procedure, Subject, Watcher
from generator.topics.tokens.records.tokens import NORMS

QUANTITIES = ("frequency_norm", "frequency_weight")


class TokenRows:
    """Gathers what the tokens of one corpus receive and how long their transformed values are, as means over heads."""

    def __init__(self) -> None:
        self._parts: list[tuple[Input, np.ndarray]] = []

    def add(self, seen: Observed) -> None:
        """Keep the numbers of one input; each is added once, in any order."""
        found = seen.primitives.value_norm, seen.primitives.received
        self._parts.append((seen.input, np.stack([values.mean(1) for values in found])))

    def facts(self, model: str, corpus: str, seed: int) -> pd.DataFrame:
        """`facts` of study "norms": Spearman's correlations with the frequency rank of a token's type.

        By layer they are over types, with means over occurrences and heads; above 0 if frequent types have small
        transformed values. With layer 0 there are their means over layers, and the paper's correlations over tokens:
        with a token's own norm, and with the mean weight that it gets from the queries of its input, both means over
        heads and layers. `n` counts documents; `seed` decides which documents are left out together.
        """
        ordered = sorted(self._parts, key=lambda part: (part[0].document, part[0].part))
        names = sorted({item.document for item, _ in ordered})
        lengths = [len(item) for item, _ in ordered]
        rows = np.repeat([names.index(item.document) for item, _ in ordered], lengths)
        types, columns = np.unique([token for item, _ in ordered for token in item.input_ids], return_inverse=True)

        def by_document(values: np.ndarray) -> csr_array:
            return csr_array((values, (rows, columns)), shape=(len(names), len(types)))

        tokens = np.concatenate([values for _, values in ordered], axis=-1)
        sums = [by_document(values) for values in tokens.reshape(-1, len(rows))]
        selections = with_all(leave_out(len(names), seed))
        of_types = correlations(selections, by_document(np.ones(len(rows))), sums)
        means = of_types.reshape(len(selections), len(QUANTITIES), -1).mean(-1)
        # What a token receives adds up over the queries of its input; per query it is a mean weight.
        own = tokens.mean(1) / np.stack([np.ones(len(rows)), np.repeat(lengths, lengths)])
        of_tokens = token_correlations(selections, rows, columns, own)
        found = dict(zip(QUANTITIES, np.split(of_types, len(QUANTITIES), axis=1), strict=True))
        numbers = {f"{name}.spearman": _jackknifed(part, len(names)) for name, part in found.items()}
        for end, part in ((".spearman.mean", means), (".tokens.spearman", of_tokens)):
            numbers |= {name + end: _jackknifed(part[:, at], len(names)) for at, name in enumerate(QUANTITIES)}
        return facts(numbers, NORMS, model, corpus)


def correlations(selections: np.ndarray, counts: csr_array, sums: Sequence[csr_array]) -> np.ndarray:
    """Spearman's correlation of frequency rank and mean over occurrences, `[selection, quantity]`.

    `selections` is `[selection, document]`, 1 for documents that count; `counts` and each of `sums` are
    `[document, type]`. NaN where all types have one rank.
    """
    found = np.empty((len(selections), len(sums)))
    for at, chosen in enumerate(selections):
        count = chosen @ counts
        there = count > 0
        means = np.stack([(chosen @ total)[there] / count[there] for total in sums])
        # The most frequent type has rank 1.
        found[at] = plain_spearman(-count[there], means)
    return found


def token_correlations(selections: np.ndarray, rows: np.ndarray, columns: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Spearman's correlation over tokens of the frequency rank of their type and their values, `[selection, quantity]`.

    `rows` and `columns` are the document and the type of every token, `values` is `[quantity, token]`.
    """
    found = np.empty((len(selections), len(values)))
    for at, chosen in enumerate(selections):
        there = chosen[rows] > 0
        count = np.bincount(columns[there])
        found[at] = plain_spearman(-count[columns[there]], values[:, there])
    return found


def _jackknifed(found: np.ndarray, documents: int) -> Grid:
    """Numbers with jackknife intervals within -1 and 1, from correlations `[selection, ...]`, whole corpus first."""
    half = jackknife(found[1:])
    n = np.where(np.isnan(found[0]), 0, documents)
    return Number(found[0], np.maximum(found[0] - half, -1), np.minimum(found[0] + half, 1), n)


def _watch(of: Subject, _encoder: Encoder, _anatomy: Anatomy) -> Watcher:
    rows = TokenRows()
    return Watcher(rows.add, lambda: {"facts": [rows.facts(of.model, of.corpus, of.seed)]})


PROCEDURE = Procedure("norms", TEXT, _watch, Need.MODEL)
