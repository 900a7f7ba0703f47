"""How much a word's vector depends on its context, layer by layer (Ethayarajh 2019).

A type is used if it occurs at least 5 times and in at least 5 documents; of more than 20 occurrences, or 500 types, a
seeded sample is taken. `occurrences` says what words, sentences and random words are.

Vectors of unrelated words point in similar directions, too, so every number has a baseline, and its difference from
the baseline is given as well. The baseline of cosines is the mean cosine of two random words. For the explained
variance by the paper's formula it is the same number for as many occurrences as the type has, drawn from those of all
types in use, because for few vectors this number is always large. For the two centred numbers it is TruncatedSVD's
ratio for all random words together, as in the released code. How much of the variance of some vectors one direction
explains is given in the paper's three ways:

    uncentred   sigma_1^2 / sum_i sigma_i^2 of the vectors as they are: the paper's formula. At least 1/m for m vectors.
    centred     the share of the variance about the mean along the first right singular vector of the vectors as they
                are: the ratio that scikit-learn's TruncatedSVD reports. The code that was released with the paper's
                stored statistics (analyze.py, first version) uses it for word types and for random words, so the
                printed 5 % is of this kind. The direction is close to the mean, along which vectors vary little.
    pca         the share of the variance about the mean along the first principal component, which later versions of
                the code use for word types. At least 1/(m - 1).

For a few vectors the shares are computed from their inner products, because there are fewer vectors than dimensions.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.linalg import eigh

from generator.attention.anatomy import Anatomy
from generator.attention.observed import Observed
from generator.corpora.files import TEXT
from generator.corpora.pairs import Input
from generator.models.encoder import Encoder
from generator.numbers.depth import lowest_third
from generator.numbers.number import Grid
from generator.numbers.resampling import DRAWS, Resampled, resample, resample_ratio, sample_counts, with_all
from generator.studies.fact_rows import facts
from generator.studies.procedure import Need, Procedure, Subject, Watcher
from generator.topics.vectors.compute.occurrences import (
    Place,
    random_words,
    sampled,
    sentence_ends,
    sentences_of,
    word_occurrences,
)
from generator.topics.vectors.records.contextuality import CONTEXTUALITY

SELF, UNCENTRED = "self_similarity", "explained_variance"
CENTRED, PCA = f"{UNCENTRED}.centred", f"{UNCENTRED}.pca"
OF_TYPES = (SELF, UNCENTRED, CENTRED, PCA)
NO_VARIANCE = 1e-10
"""A variance no larger than this, relative to the squared lengths, is rounding of vectors in float32."""


class ContextRows:
    """Gathers, while one corpus is read, the vectors of chosen words and how alike the vectors of each sentence are."""

    def __init__(self, tokenizer: Any, inputs: Sequence[Input], seed: int) -> None:
        """All inputs are given beforehand, because words are chosen from the whole corpus."""
        self._inputs, self._seed = sorted(inputs, key=lambda item: item.place), seed
        self._rng = np.random.default_rng(seed)
        self._ends = sentence_ends(tokenizer, self._inputs)
        self._types = sampled(word_occurrences(tokenizer, self._inputs), self._rng)
        self._anywhere = random_words(self._inputs, self._ends, self._rng)
        self._number = {item.place: number for number, item in enumerate(self._inputs)}
        self._chosen: dict[int, list[int]] = {number: [] for number in self._number.values()}
        for number, at in dict.fromkeys(place for places in (*self._types, self._anywhere) for place in places):
            self._chosen[number].append(at)
        self._vectors: dict[int, np.ndarray] = {}
        """Of each input the vectors of its chosen words, `[layer, word, hidden]`."""
        self._sums: dict[int, np.ndarray] = {}

    def add(self, seen: Observed) -> None:
        """Add one input, which must have been observed with its hidden states; the order of inputs does not matter."""
        assert seen.states is not None, "how alike vectors are is measured on states"
        number = self._number[seen.input.place]
        self._vectors[number] = np.stack([vectors[self._chosen[number]] for vectors in seen.states])
        alike = intra_similarity(seen.states, [*sentences_of(seen.input, self._ends)])
        self._sums[number] = np.append(alike.sum(1), alike.shape[1])

    def facts(self, model: str, corpus: str) -> pd.DataFrame:
        """`facts` of study "contextuality", by layer; layer 0 is what the first layer reads, `hidden_states[0]`.

        Numbers of words are means over types, and `n` counts types; for `intra_sentence`, `n` counts documents. `.pca`
        has the baseline of `.centred`. Means of explained variances over layers 1 and up, and the rise of
        self-similarity, are numbers of the whole model and also have layer 0; the rise is left out if the upper and the
        lower third share a layer.

        Intervals resample types, for `intra_sentence` documents, and random words for the baselines made from them. NaN
        if the text has no such type or sentence.
        """
        seed, layers = self._seed, len(self._sums[0]) - 1
        chosen: list[Place] = [(number, at) for number in self._vectors for at in self._chosen[number]]
        row_of = {place: row for row, place in enumerate(chosen)}
        vectors = np.concatenate(list(self._vectors.values()), axis=1)
        groups = [np.array([row_of[place] for place in places]) for places in self._types]
        used = np.concatenate(groups) if groups else np.empty(0, int)
        drawn = [self._rng.choice(used, len(rows), replace=False) for rows in groups]
        words, others = (_means(vectors, part, layers, seed) for part in (groups, drawn))
        # The space of vectors is no ball: even unrelated words are alike, so all numbers are given beyond that.
        cosine, share = random_words_alike(vectors[:, [row_of[place] for place in self._anywhere]], seed + 1)

        sentences = self._by_document()
        intra = resample_ratio(sentences[:, :layers], sentences[:, layers], seed)
        numbers = {**words, "intra_sentence": intra}
        base = {SELF: cosine, UNCENTRED: others[UNCENTRED], CENTRED: share, PCA: share, "intra_sentence": cosine}
        adjusted = {f"{name}.adjusted": number.minus(base[name]) for name, number in numbers.items()}
        numbers |= {f"{name}.baseline": resampled for name, resampled in base.items() if name != PCA} | adjusted
        of_model = _of_all_layers(adjusted, layers)
        tables = [
            facts(
                {name: number.estimate() for name, number in numbers.items()},
                CONTEXTUALITY,
                model,
                corpus,
                first_layer=0,
            ),
            facts(of_model, CONTEXTUALITY, model, corpus),
        ]
        return pd.concat(tables, ignore_index=True)

    def _by_document(self) -> np.ndarray:
        """`[document, layer + 1]`: sums over its sentences of their similarity by layer, then their number."""
        sums: dict[str, np.ndarray] = {}
        for number, item in enumerate(self._inputs):
            sums[item.document] = sums.get(item.document, 0) + self._sums[number]
        return np.stack(list(sums.values()))


def self_similarity(products: np.ndarray) -> np.ndarray:
    """Mean cosine of two different vectors, `[layer]`, from their inner products `[layer, vector, vector]`."""
    lengths = np.sqrt(products.diagonal(axis1=1, axis2=2))
    cosines = products / (lengths[:, :, None] * lengths[:, None, :])
    count = products.shape[-1]
    # Without each vector's cosine with itself, which is 1.
    mean: np.ndarray = (cosines.sum((1, 2)) - count) / (count * (count - 1))
    return mean


def intra_similarity(states: Sequence[np.ndarray], sentences: Sequence[slice]) -> np.ndarray:
    """Mean cosine of the vectors of each sentence with their mean, `[layer, sentence]`, from `[token, hidden]` of each
    layer.

    It is the sum of the vectors times the sum of their directions, divided by the length of the first and the number of
    vectors.
    """
    inside = np.zeros((len(sentences), len(states[0])), states[0].dtype)
    for row, part in zip(inside, sentences, strict=True):
        row[part] = 1
    found = []
    for vectors in states:
        lengths = np.sqrt(np.vecdot(vectors, vectors))
        found.append(np.concatenate([inside, inside / lengths]) @ vectors)
    sums, directions = np.split(np.stack(found).astype(float), 2, axis=1)
    along: np.ndarray = (sums * directions).sum(-1) / np.linalg.norm(sums, axis=-1)
    return along / inside.sum(1)


def random_words_alike(vectors: np.ndarray, seed: int) -> tuple[Resampled, Resampled]:
    """Two baselines from random words `[layer, word, hidden]`: mean cosine of two words, and centred share of variance.

    Words are resampled; one that is drawn twice makes no pair with itself. NaN for fewer than two words, and in a draw
    that has only one word. Sums of draws are float32: of 1,000 words no number was off by more than 8e-8.
    """
    layers, count, _ = vectors.shape
    found = np.full((2, 1 + DRAWS, layers), np.nan)
    if count > 1:
        weights = with_all(sample_counts(count, seed))
        # A word that is drawn twice is no pair: those of a word with itself are taken away.
        alone = (weights**2).sum(1)
        pairs = np.where(alone < count**2, count**2 - alone, np.nan)
        times = weights.astype(np.float32)
        for at, layer in enumerate(vectors):
            sums = times @ (layer / np.linalg.norm(layer, axis=-1, keepdims=True))
            found[0, :, at] = ((sums.astype(float) ** 2).sum(1) - alone) / pairs
            found[1, :, at] = centred(layer.astype(float), weights)
    cosine, share = (Resampled(part[0], part[1:], np.full(layers, count)) for part in found)
    return cosine, share


class Explained(NamedTuple):
    """Shares of variance, 0 to 1, each `[layer]`; the last two are NaN if the vectors do not differ."""

    uncentred: np.ndarray
    centred: np.ndarray
    pca: np.ndarray


def explained(products: np.ndarray) -> Explained:
    """The shares from inner products `[layer, vector, vector]` of at least two vectors.

    >>> [share.item() for share in explained(np.array([[[4.0, 0.0], [0.0, 1.0]]]))]
    [0.8, 0.8, 1.0]
    """
    squares = products.trace(axis1=1, axis2=2)
    rows = products - products.mean(axis=-1, keepdims=True)
    about_mean = rows - rows.mean(axis=-2, keepdims=True)
    variance = _not_rounding(about_mean.trace(axis1=1, axis2=2), squares)
    values, vectors = np.linalg.eigh(products)
    first, coordinates = values[:, -1], vectors[..., -1]
    # Variance about the mean, along the direction that explains most of the vectors as they are.
    along = first * ((coordinates**2).sum(-1) - coordinates.sum(-1) ** 2 / coordinates.shape[-1])
    return Explained(first / squares, along / variance, np.linalg.eigvalsh(about_mean)[:, -1] / variance)


def centred(vectors: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Only the centred share, `[draw]`, for `vectors [vector, hidden]`, each counted `times [draw, vector]` times.

    In every draw the direction is that of all vectors, each counted once. Draws are about the mean of all vectors, from
    which theirs differ so little that float32 serves for these.
    """
    last = vectors.shape[1] - 1
    direction = eigh(vectors.T @ vectors, subset_by_index=[last, last])[1][:, 0]
    about = vectors - vectors.mean(0)
    weights = times / times.sum(1, keepdims=True)
    means = (weights.astype(np.float32) @ about.astype(np.float32)).astype(float)
    squares, variance = (weights @ (some**2).sum(1) for some in (vectors, about))
    along = weights @ (about @ direction) ** 2 - (means @ direction) ** 2
    share: np.ndarray = along / _not_rounding(variance - (means**2).sum(1), squares)
    return share


def _not_rounding(variance: np.ndarray, squares: np.ndarray) -> np.ndarray:
    return np.where(variance > NO_VARIANCE * squares, variance, np.nan)


def _products(vectors: np.ndarray) -> np.ndarray:
    """Inner products `[layer, vector, vector]` of vectors `[layer, vector, hidden]`."""
    rows = vectors.astype(float)
    products: np.ndarray = rows @ rows.swapaxes(1, 2)
    return products


def _means(vectors: np.ndarray, groups: Sequence[np.ndarray], layers: int, seed: int) -> dict[str, Resampled]:
    """Name in OF_TYPES -> mean over groups of rows, with groups resampled; NaN if there is no group."""
    products = (_products(vectors.take(group, axis=1)) for group in groups)
    found = [(self_similarity(product), *explained(product)) for product in products]
    rows = np.array(found).transpose(1, 0, 2) if found else np.full((len(OF_TYPES), 1, layers), np.nan)
    return {name: resample(values, seed) for name, values in zip(OF_TYPES, rows, strict=True)}


def _of_all_layers(adjusted: Mapping[str, Resampled], layers: int) -> dict[str, Grid]:
    # Layer 0 is what the first layer reads.
    above = np.arange(layers) > 0
    found = {
        f"{name}.mean": resampled.mean(above).estimate()
        for name, resampled in adjusted.items()
        if name.startswith(UNCENTRED)
    }
    lowest = lowest_third(layers - 1)
    if not (lowest & lowest[::-1]).any():
        early, upper = (np.append(False, third) for third in (lowest, lowest[::-1]))
        alike = adjusted[f"{SELF}.adjusted"]
        found[f"{SELF}.adjusted.rise"] = alike.mean(upper).minus(alike.mean(early)).estimate()
    return found


def _watch(of: Subject, encoder: Encoder, _anatomy: Anatomy) -> Watcher:
    rows = ContextRows(encoder.tokenizer, of.inputs, of.seed)
    return Watcher(rows.add, lambda: {"facts": [rows.facts(of.model, of.corpus)]}, states=True)


PROCEDURE = Procedure("contextuality", TEXT, _watch, Need.MODEL)
