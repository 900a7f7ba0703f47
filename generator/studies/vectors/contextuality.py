"""How much a word's vector depends on its context, layer by layer (Ethayarajh 2019).

A type is used when it occurs at least 5 times and in at least 5 documents; of more than 20 occurrences, or 500 types, a
seeded sample is taken. `occurrences` says what words, sentences and random words are.

Vectors of unrelated words point in similar directions, too, so every number stands beside a baseline and minus it. The
baseline of cosines is the mean cosine of two random words. That of the explained variance by the paper's formula is the
same number for as many occurrences as the type has, drawn from those of all types in use, because the number is large
for few vectors, whatever they are. That of the two centred numbers is TruncatedSVD's ratio for all random words
together, as in the released code (see `explained_variance`).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from generator.attention.anatomy import Anatomy, forward
from generator.attention.batches import collate, token_table
from generator.attention.seam import Watch, observing
from generator.corpora.kinds import CorpusKind
from generator.corpora.pairs import Input
from generator.models.encoder import Encoder
from generator.numbers.number import Grid
from generator.numbers.resampling import DRAWS, Resampled, resample, resample_ratio, sample_counts
from generator.studies.fact_rows import facts
from generator.studies.layers.profiles import lowest_third
from generator.studies.procedure import Need, Part, Procedure, Subject, Tables
from generator.studies.vectors.explained_variance import centred, explained
from generator.studies.vectors.occurrences import (
    Place,
    random_words,
    sampled,
    sentence_ends,
    sentences_of,
    word_occurrences,
)
from generator.studies.vectors.quantities import CONTEXTUALITY

SELF, UNCENTRED = "self_similarity", "explained_variance"
CENTRED, PCA = f"{UNCENTRED}.centred", f"{UNCENTRED}.pca"
OF_TYPES = (SELF, UNCENTRED, CENTRED, PCA)


def contextuality(encoder: Encoder, inputs: Sequence[Input], model: str, corpus: str, seed: int) -> pd.DataFrame:
    """`facts` of study "contextuality", by layer; layer 0 is what the first layer reads, `hidden_states[0]`.

    Words are means over types, and `n` counts types; `n` of `intra_sentence` counts documents. `.pca` has the baseline
    of `.centred`. The means over layers and the rise of self-similarity are of the whole model and have layer 0 too;
    the rise is left out where the upper and the lower third share a layer.

    Types are resampled, documents for `intra_sentence`, random words for the baselines that they give. NaN where the
    text has no such type or sentence.
    """
    ordered = sorted(inputs, key=lambda item: (item.document, item.part))
    rng = np.random.default_rng(seed)
    ends = sentence_ends(encoder.tokenizer, ordered)
    types = sampled(word_occurrences(encoder.tokenizer, ordered), rng)
    anywhere = random_words(ordered, ends, rng)
    row_of = {place: row for row, place in enumerate(dict.fromkeys(p for places in (*types, anywhere) for p in places))}
    vectors, sentences = _read(encoder, ordered, row_of, ends)

    groups = [np.array([row_of[place] for place in places]) for places in types]
    used = np.concatenate(groups) if groups else np.empty(0, int)
    drawn = [rng.choice(used, len(rows), replace=False) for rows in groups]
    layers = sentences.shape[1] - 1
    words, others = (_means(vectors, part, layers, seed) for part in (groups, drawn))
    cosine, share = random_words_alike(vectors[[row_of[place] for place in anywhere]], seed + 1)

    intra = resample_ratio(sentences[:, :layers], sentences[:, layers], seed)
    numbers = {**words, "intra_sentence": intra}
    base = {SELF: cosine, UNCENTRED: others[UNCENTRED], CENTRED: share, PCA: share, "intra_sentence": cosine}
    adjusted = {f"{name}.adjusted": number.minus(base[name]) for name, number in numbers.items()}
    numbers |= {f"{name}.baseline": one for name, one in base.items() if name != PCA} | adjusted
    of_model = _of_all_layers(adjusted, layers)
    tables = [
        facts({name: one.estimate() for name, one in numbers.items()}, CONTEXTUALITY, model, corpus, first_layer=0),
        facts(of_model, CONTEXTUALITY, model, corpus),
    ]
    return pd.concat(tables, ignore_index=True)


def self_similarity(products: np.ndarray) -> np.ndarray:
    """Mean cosine of two different vectors, `[layer]`, from their inner products `[layer, vector, vector]`."""
    lengths = np.sqrt(products.diagonal(axis1=1, axis2=2))
    cosines = products / (lengths[:, :, None] * lengths[:, None, :])
    count = products.shape[-1]
    mean: np.ndarray = (cosines.sum((1, 2)) - count) / (count * (count - 1))
    return mean


def intra_similarity(states: np.ndarray) -> np.ndarray:
    """Mean cosine of the vectors `[layer, token, hidden]` of one sentence with their mean, `[layer]`."""
    mean = states.mean(axis=1, keepdims=True)
    lengths = np.linalg.norm(states, axis=-1) * np.linalg.norm(mean, axis=-1)
    cosines: np.ndarray = ((states * mean).sum(-1) / lengths).mean(-1)
    return cosines


def random_words_alike(vectors: np.ndarray, seed: int) -> tuple[Resampled, Resampled]:
    """Of random words `[word, layer, hidden]`: mean cosine of two different ones, and centred share of variance.

    Words are resampled; one that is drawn twice makes no pair with itself. NaN for fewer than two words.
    """
    count, layers, _ = vectors.shape
    found = np.full((2, 1 + DRAWS, layers), np.nan)
    if count > 1:
        weights = np.vstack([np.ones(count), sample_counts(count, seed)])
        alone = (weights**2).sum(1)
        for at, layer in enumerate(vectors.astype(float).swapaxes(0, 1)):
            directions = layer / np.linalg.norm(layer, axis=-1, keepdims=True)
            found[0, :, at] = (((weights @ directions) ** 2).sum(1) - alone) / (count**2 - alone)
            found[1, :, at] = centred(layer, weights)
    cosine, share = (Resampled(part[0], part[1:], np.full(layers, count)) for part in found)
    return cosine, share


def _read(
    encoder: Encoder, inputs: Sequence[Input], row_of: Mapping[Place, int], ends: set[int]
) -> tuple[np.ndarray, np.ndarray]:
    """The vectors of the chosen places, `[row, layer, hidden]`, and per document the sums over its sentences.

    The sums are `[document, layer + 1]`: intra-sentence similarity by layer, then the number of sentences.
    """
    vectors = np.empty((0, 0, 0), dtype=np.float32)
    sums: dict[str, np.ndarray] = {}
    for number, item in enumerate(inputs):
        states = _hidden_states(encoder, item)
        if not vectors.size:
            vectors = np.empty((len(row_of), len(states), states.shape[-1]), dtype=np.float32)
        for at in range(len(item)):
            if (number, at) in row_of:
                vectors[row_of[number, at]] = states[:, at]
        total = sums.setdefault(item.document, np.zeros(len(states) + 1))
        for sentence in sentences_of(item, ends):
            total += np.append(intra_similarity(states[:, sentence].astype(float)), 1)
    return vectors, np.stack(list(sums.values()))


def _hidden_states(encoder: Encoder, item: Input) -> np.ndarray:
    """`[layer, token, hidden]`, layer 0 first; the input goes alone, and so without padding."""
    found: list[np.ndarray] = []

    def keep(_module: object, _arguments: object, output: Any) -> None:
        found.extend(states[0].float().cpu().numpy() for states in output.hidden_states)

    watch = Watch([token_table(item, encoder.device)], [])  # computes attention for a model that is set to the seam
    with encoder.model.register_forward_hook(keep), observing(watch):
        forward(encoder, collate([item], encoder.pad), output_hidden_states=True)
    return np.stack(found)


def _products(vectors: np.ndarray) -> np.ndarray:
    """`[layer, vector, vector]` of `[vector, layer, hidden]`."""
    rows = vectors.astype(float).swapaxes(0, 1)
    products: np.ndarray = rows @ rows.swapaxes(1, 2)
    return products


def _means(vectors: np.ndarray, groups: Sequence[np.ndarray], layers: int, seed: int) -> dict[str, Resampled]:
    """The numbers of OF_TYPES, means over groups of rows that are resampled; NaN where there is no group."""
    found = [(self_similarity(one), *explained(one)) for one in (_products(vectors[group]) for group in groups)]
    rows = np.array(found).transpose(1, 0, 2) if found else np.full((len(OF_TYPES), 1, layers), np.nan)
    return {name: resample(values, seed) for name, values in zip(OF_TYPES, rows, strict=True)}


def _of_all_layers(adjusted: Mapping[str, Resampled], layers: int) -> dict[str, Grid]:
    above = np.arange(layers) > 0
    found = {f"{name}.mean": one.mean(above).estimate() for name, one in adjusted.items() if name.startswith(UNCENTRED)}
    lowest = lowest_third(layers - 1)
    if not (lowest & lowest[::-1]).any():
        early, upper = (np.append(False, third) for third in (lowest, lowest[::-1]))
        alike = adjusted[f"{SELF}.adjusted"]
        found[f"{SELF}.adjusted.rise"] = alike.mean(upper).minus(alike.mean(early)).estimate()
    return found


def _facts(of: Subject, encoder: Encoder, _anatomy: Anatomy) -> Tables:
    return {"facts": [contextuality(encoder, of.inputs, of.model, of.corpus, of.seed)]}


PROCEDURE = Procedure("contextuality", CorpusKind.TEXT, parts=(Part(Need.MODEL, _facts),))
