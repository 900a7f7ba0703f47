"""Whether frequent tokens have small transformed values, and receive much attention (Kobayashi et al. 2020).

A token type is a vocabulary id; special tokens are types like any other. Its frequency is its count in the corpus that
is read, rank 1 the most frequent; the paper ranks by counts in BERT's own training text, which is not public. With few
documents most types occur once or twice and share their ranks, so numbers from corpora of different size cannot be
compared.

The correlations by layer are over types, each counted once. The released code of the paper correlates over tokens
instead, every occurrence with the rank of its type, and takes the mean over all layers first: `.tokens.spearman`.
There frequent types weigh most.

The interval is a jackknife over documents, because the bootstrap fails here: documents drawn twice double the
counts of their rare types, and the correlations of such draws lie to one side of the corpus's own.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_array
from scipy.stats import rankdata

from generator.attention.anatomy import Anatomy, forward, taking_maps
from generator.attention.batches import collate, token_table
from generator.attention.primitives import value_norms
from generator.attention.seam import Watch, observing
from generator.corpora.kinds import CorpusKind
from generator.corpora.pairs import Input
from generator.models.encoder import Encoder
from generator.numbers.number import Grid, Number
from generator.numbers.resampling import jackknife, leave_out
from generator.studies.fact_rows import facts
from generator.studies.procedure import Need, Part, Procedure, Subject, Tables
from generator.studies.tokens.quantities import NORMS

QUANTITIES = ("frequency_norm", "frequency_weight")


class TokenWatch(Watch):
    """Keeps what every token of one input receives and how long its transformed value is, both as means over heads."""

    def __init__(self, item: Input, encoder: Encoder, anatomy: Anatomy) -> None:
        super().__init__([token_table(item, encoder.device)], [], keep_weights=True)
        self._of_layer = anatomy.grams
        self.norms: list[np.ndarray] = []
        """`[layer]` -> `[token]`: mean over heads of `||f_h(x)||`; NaN where no output projection was found."""
        self.received: list[np.ndarray] = []
        """`[layer]` -> `[token]`: mean over heads of the sum over queries of A[i, token]; 1 for uniform attention."""

    def layer(self, query: Any, key: Any, value: Any, bias: Any, scale: float) -> Any:
        """Attention of one layer, as in Watch."""
        output = super().layer(query, key, value, bias, scale)
        self._take(value)
        return output

    def maps(self, weights: Any, value: Any) -> None:
        """Finished weights of one layer, as in Watch."""
        super().maps(weights, value)
        self._take(value)

    def _take(self, value: Any) -> None:
        weights = self.weights[-1].pop()  # one layer's map is alive at a time
        gram = self._of_layer[len(self.norms)]
        self.received.append(weights.sum(-2).mean(1)[0].double().cpu().numpy())
        norms = np.full(weights.shape[-1], np.nan)
        self.norms.append(norms if gram is None else value_norms(value, gram).mean(1)[0].double().cpu().numpy())


def frequency_facts(
    encoder: Encoder, anatomy: Anatomy, inputs: Sequence[Input], model: str, corpus: str, seed: int
) -> pd.DataFrame:
    """`facts` of study "norms": Spearman's correlations with the frequency rank of a token's type.

    By layer they are over types, with means over occurrences and heads; above 0 where frequent types have small
    transformed values. With layer 0 stand their means over layers, and the paper's, over tokens: with the mean over
    heads and layers of a token's own norm, and of the mean weight that the queries of its input give it. `n` counts
    documents; `seed` decides which documents are left out together.
    """
    ordered = sorted(inputs, key=lambda item: (item.document, item.part))
    names = sorted({item.document for item in ordered})
    lengths = [len(item) for item in ordered]
    rows = np.repeat([names.index(item.document) for item in ordered], lengths)
    types, columns = np.unique([token for item in ordered for token in item.input_ids], return_inverse=True)

    def by_document(values: np.ndarray) -> csr_array:
        return csr_array((values, (rows, columns)), shape=(len(names), len(types)))

    tokens = np.concatenate([_tokens(encoder, anatomy, item) for item in ordered], axis=-1)
    sums = [by_document(values) for values in tokens.reshape(-1, len(rows))]
    selections = np.vstack([np.ones((1, len(names))), leave_out(len(names), seed)])
    of_types = correlations(selections, by_document(np.ones(len(rows))), sums)
    means = of_types.reshape(len(selections), len(QUANTITIES), -1).mean(-1)
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
        found[at] = _spearman(-count[there], means)
    return found


def token_correlations(selections: np.ndarray, rows: np.ndarray, columns: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Spearman's correlation over tokens of the frequency rank of their type and their values, `[selection, quantity]`.

    `rows` and `columns` are the document and the type of every token, `values` is `[quantity, token]`.
    """
    found = np.empty((len(selections), len(values)))
    for at, chosen in enumerate(selections):
        there = chosen[rows] > 0
        count = np.bincount(columns[there])
        found[at] = _spearman(-count[columns[there]], values[:, there])
    return found


def _spearman(first: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Of `[item]` with each row of `[quantity, item]`; NaN where either does not vary."""
    frequency, ranks = rankdata(first), rankdata(others, axis=1)
    frequency -= frequency.mean()
    ranks -= ranks.mean(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        found: np.ndarray = ranks @ frequency / (np.linalg.norm(ranks, axis=1) * np.linalg.norm(frequency))
    return found


def _jackknifed(found: np.ndarray, documents: int) -> Grid:
    """Correlations `[selection, ...]`, that of the whole corpus first, as a number within -1 and 1."""
    half = jackknife(found[1:])
    n = np.where(np.isnan(found[0]), 0, documents)
    return Number(found[0], np.maximum(found[0] - half, -1), np.minimum(found[0] + half, 1), n)


def _tokens(encoder: Encoder, anatomy: Anatomy, item: Input) -> np.ndarray:
    """`[quantity, layer, token]` of one input, alone and so without padding."""
    watch = TokenWatch(item, encoder, anatomy)
    batch = collate([item], encoder.pad)
    if anatomy.sites:
        with taking_maps(anatomy, watch):
            forward(encoder, batch, output_attentions=True)
    else:
        with observing(watch):
            forward(encoder, batch)
    return np.stack([watch.norms, watch.received])


def _facts(of: Subject, encoder: Encoder, anatomy: Anatomy) -> Tables:
    return {"facts": [frequency_facts(encoder, anatomy, of.inputs, of.model, of.corpus, of.seed)]}


PROCEDURE = Procedure("norms", CorpusKind.TEXT, parts=(Part(Need.MODEL, _facts),))
