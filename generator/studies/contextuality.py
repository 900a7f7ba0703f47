"""How much a word's vector depends on its context, layer by layer (Ethayarajh 2019).

A word here is a type that the tokenizer keeps in one piece: a piece of letters only that is what its own text becomes
when it stands behind another word. An occurrence counts where no further piece of the same word follows. A type is used
when it occurs at least 5 times and in at least 5 documents; of more than 20 occurrences, or 500 types, a seeded sample
is taken. A sentence is a stretch of text up to ".", "!" or "?", of at least 5 pieces; all its pieces count.

The baseline of a type is the same number for as many occurrences, drawn at random from those of all types in use. Its
size is that of what it is compared with, because the explained variance of few vectors is large whatever they are: at
least 1/m for m of them. The baseline of a sentence is the mean cosine of these random occurrences.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from generator.attention.anatomy import forward
from generator.attention.batches import collate, token_table
from generator.attention.seam import Watch, observing
from generator.corpora.classes import ADDED
from generator.corpora.pairs import Input
from generator.models.encoder import Encoder
from generator.results.intervals import Estimate, bootstrap, bootstrap_ratio

CONTEXTS = 5
"""Occurrences, and documents, that a type needs; Ethayarajh 2019 asks for 5 contexts."""
OCCURRENCES = 20
TYPES = 500
SHORTEST = 5
"""Pieces: shorter stretches are mostly abbreviations and what a cut left over."""
ENDS = (".", "!", "?")
Place = tuple[int, int]
"""Number of an input, position of a token in it."""


def contextuality(encoder: Encoder, inputs: Sequence[Input], model: str, corpus: str, seed: int) -> pd.DataFrame:
    """`facts` of study "contextuality", by layer; layer 0 is what the first layer reads, `hidden_states[0]`.

    `self_similarity` is the mean cosine between two occurrences of a type, `explained_variance` the share of the first
    singular value in the sum of squares of a type's (uncentred) occurrences, both means over types; `n` counts types.
    `intra_sentence` is the mean over sentences of the mean cosine of a piece's vector and the sentence's mean vector;
    `n` counts documents. `.adjusted` is the number less its `.baseline`. Types are resampled for the first two,
    documents for the third, whose baseline is held fixed. NaN where the text has no such type or sentence.
    """
    ordered = sorted(inputs, key=lambda item: (item.document, item.part))
    rng = np.random.default_rng(seed)
    occurrences = _sample(word_occurrences(encoder.tokenizer, ordered), rng)
    row_of = {place: row for row, place in enumerate(place for places in occurrences for place in places)}
    vectors, sentences = _read(encoder, ordered, row_of)

    sizes = [len(places) for places in occurrences]
    of_types = np.split(np.arange(len(row_of)), np.cumsum(sizes)[:-1]) if sizes else []
    drawn = [rng.choice(len(row_of), size, replace=False) for size in sizes]
    layers = sentences.shape[1] - 1
    words, random = (_similarities(vectors, groups, layers) for groups in (of_types, drawn))

    found = {}
    for at, name in enumerate(("self_similarity", "explained_variance")):
        found[name] = bootstrap(words[at], seed)
        found[f"{name}.baseline"] = bootstrap(random[at], seed)
        found[f"{name}.adjusted"] = bootstrap(words[at] - random[at], seed)
    intra = bootstrap_ratio(sentences[:, :layers], sentences[:, layers], seed)
    base = found["self_similarity.baseline"]
    level = base.value
    found["intra_sentence"] = intra
    found["intra_sentence.baseline"] = base
    found["intra_sentence.adjusted"] = Estimate(intra.value - level, intra.low - level, intra.high - level, intra.n)
    return _facts(found, model, corpus)


def word_occurrences(tokenizer: Any, inputs: Sequence[Input]) -> list[list[Place]]:
    """The places of every type that occurs in enough contexts, in the order of vocabulary ids."""
    words, parts = pieces_of(tokenizer, sorted({token for item in inputs for token in item.input_ids}))
    places: dict[int, list[Place]] = defaultdict(list)
    for number, item in enumerate(inputs):
        for at, (token, kind) in enumerate(zip(item.input_ids, item.classes, strict=True)):
            follows = at + 1 < len(item) and item.classes[at + 1] not in ADDED and item.input_ids[at + 1] in parts
            if kind not in ADDED and token in words and not follows:
                places[token].append((number, at))

    def enough(found: list[Place]) -> bool:
        return len(found) >= CONTEXTS and len({inputs[number].document for number, _ in found}) >= CONTEXTS

    return [places[token] for token in sorted(places) if enough(places[token])]


def pieces_of(tokenizer: Any, ids: Sequence[int]) -> tuple[set[int], set[int]]:
    """Which of these pieces are whole words of letters, and which continue a word that began before them."""
    options = {"add_special_tokens": False, "split_special_tokens": True, "verbose": False}
    texts = [tokenizer.decode([token]).strip() for token in ids]
    start = len(tokenizer("a", **options)["input_ids"])
    behind = [tokenizer(f"a {text}", **options)["input_ids"][start:] for text in texts]
    words, parts = set(), set()
    for token, text, pieces in zip(ids, texts, behind, strict=True):
        if pieces == [token] and text.isalpha():
            words.add(token)
        elif pieces[:1] != [token] and any(letter.isalnum() for letter in text):
            parts.add(token)
    return words, parts


def similarities(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean cosine of two different vectors, and variance explained by the first component, each `[layer]`.

    `vectors` is `[vector, layer, hidden]`, at least two of them.
    """
    rows = vectors.astype(float).swapaxes(0, 1)
    products = rows @ rows.swapaxes(1, 2)
    squares = products.diagonal(axis1=1, axis2=2)
    lengths = np.sqrt(squares)
    cosines = products / (lengths[:, :, None] * lengths[:, None, :])
    count = rows.shape[1]
    mean = (cosines.sum((1, 2)) - count) / (count * (count - 1))
    return mean, np.linalg.eigvalsh(products)[:, -1] / squares.sum(-1)


def intra_similarity(states: np.ndarray) -> np.ndarray:
    """Mean cosine of the vectors `[layer, token, hidden]` of one sentence with their mean, `[layer]`."""
    mean = states.mean(axis=1, keepdims=True)
    lengths = np.linalg.norm(states, axis=-1) * np.linalg.norm(mean, axis=-1)
    cosines: np.ndarray = ((states * mean).sum(-1) / lengths).mean(-1)
    return cosines


def _sample(occurrences: list[list[Place]], rng: np.random.Generator) -> list[list[Place]]:
    kept = np.sort(rng.permutation(len(occurrences))[:TYPES])
    return [[occurrences[at][i] for i in np.sort(rng.permutation(len(occurrences[at]))[:OCCURRENCES])] for at in kept]


def _read(encoder: Encoder, inputs: Sequence[Input], row_of: Mapping[Place, int]) -> tuple[np.ndarray, np.ndarray]:
    """The vectors of the chosen places, `[row, layer, hidden]`, and per document the sums over its sentences.

    The sums are `[document, layer + 1]`: intra-sentence similarity by layer, then the number of sentences.
    """
    vectors = np.empty((0, 0, 0), dtype=np.float32)
    sums: dict[str, np.ndarray] = {}
    ends = {token for item in inputs for token in item.input_ids if encoder.tokenizer.decode([token]).strip() in ENDS}
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


def sentences_of(item: Input, ends: set[int]) -> Iterator[slice]:
    """Positions of the stretches of text that end at one of these pieces, at a special token or with the input."""
    start = 0
    for at, (token, kind) in enumerate(zip(item.input_ids, item.classes, strict=True)):
        stop = at if kind in ADDED else at + 1
        last = kind in ADDED or token in ends or stop == len(item)
        if last and stop - start >= SHORTEST:
            yield slice(start, stop)
        if last:
            start = at + 1


def _hidden_states(encoder: Encoder, item: Input) -> np.ndarray:
    """`[layer, token, hidden]`, layer 0 first; the input goes alone, and so without padding."""
    found: list[np.ndarray] = []

    def keep(_module: object, _arguments: object, output: Any) -> None:
        found.extend(states[0].float().cpu().numpy() for states in output.hidden_states)

    watch = Watch([token_table(item, encoder.device)], [])  # computes attention for a model that is set to the seam
    with encoder.model.register_forward_hook(keep), observing(watch):
        forward(encoder, collate([item], encoder.pad), output_hidden_states=True)
    return np.stack(found)


def _similarities(vectors: np.ndarray, groups: Sequence[np.ndarray], layers: int) -> tuple[np.ndarray, np.ndarray]:
    """Both numbers of every group of rows, each `[group, layer]`; a single group of NaN where there is none."""
    if not groups:
        return np.full((1, layers), np.nan), np.full((1, layers), np.nan)
    means, shares = zip(*(similarities(vectors[group]) for group in groups), strict=True)
    return np.stack(means), np.stack(shares)


def _facts(found: Mapping[str, Estimate], model: str, corpus: str) -> pd.DataFrame:
    frames = [
        pd.DataFrame({"name": name, "layer": np.arange(len(part.value))} | part._asdict())
        for name, part in found.items()
    ]
    table = pd.concat(frames, ignore_index=True)
    table.insert(0, "model", model)
    table.insert(1, "corpus", corpus)
    table.insert(2, "study", "contextuality")
    return table.astype({"layer": "int16", "n": "int32"})
