"""Which tokens are words, what the plain encoder makes of them, and how alike vectors are, by loops."""

import math
from itertools import combinations

import numpy as np
import pytest
import torch
from sklearn.decomposition import PCA, TruncatedSVD

from generator.corpora.classes import TokenClass
from generator.corpora.pairs import Document
from tests.attention.reference import WITH_SEGMENTS, plain_model
from tests.encoders import SENTENCES

DOCUMENTS = tuple(
    Document(f"document {number}", (SENTENCES[number], "The sea froze, and boats were in lamplight! He sat."))
    for number in range(6)
)
"""The words of the second paragraph stand in every document; "lamplight" is read in pieces."""
families = pytest.mark.parametrize("family", ["bert", "roberta", "xlm-roberta"])
MARKS = {"roberta": "Ġ", "xlm-roberta": "▁"}


def texts(encoder, item, family):
    """Of every token: its letters, and whether it starts a word; read off the pieces' own marks."""
    found = []
    for piece, kind in zip(encoder.tokenizer.convert_ids_to_tokens(list(item.input_ids)), item.classes, strict=True):
        special = kind in (TokenClass.BEGIN, TokenClass.SEPARATOR)
        starts = not piece.startswith("##") if family == "bert" else piece.startswith(MARKS[family])
        found.append((None, True) if special else (piece.lstrip("#Ġ▁"), starts))
    return found


def slow_occurrences(encoder, inputs, family):
    """Type -> (number of the input, position), of types in enough contexts."""
    places = {}
    for number, item in enumerate(inputs):
        pieces = texts(encoder, item, family)
        for at, (text, starts) in enumerate(pieces[:-1]):
            after, fresh = pieces[at + 1]
            continues = after is not None and not fresh and any(letter.isalnum() for letter in after)
            if text and text.isalpha() and starts and not continues:
                places.setdefault(item.input_ids[at], []).append((number, at))
    return {
        token: found
        for token, found in places.items()
        if len(found) >= 5 and len({inputs[number].document for number, _ in found}) >= 5
    }


def slow_states(checkpoint, inputs, family):
    """`[layer][token]` of every input, float64."""
    states = []
    for item in inputs:
        arguments = {"input_ids": torch.tensor([item.input_ids])}
        if family in WITH_SEGMENTS:
            arguments["token_type_ids"] = torch.tensor([item.segment_ids])
        with torch.inference_mode():
            output = plain_model(checkpoint(family))(**arguments, output_hidden_states=True)
        states.append([layer[0].double().numpy() for layer in output.hidden_states])
    return states


def cosine(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True)) / math.sqrt(sum(a * a) * sum(b * b))


def slow_explained(vectors):
    singular = np.linalg.svd(np.stack(vectors), compute_uv=False)
    return singular[0] ** 2 / sum(singular**2)


def slow_centred(vectors):
    """As the released code has it: TruncatedSVD does not centre what it decomposes, but its ratio is of variances."""
    return TruncatedSVD(n_components=1, algorithm="arpack").fit(np.stack(vectors)).explained_variance_ratio_[0]


def slow_pca(vectors):
    return PCA(n_components=1, svd_solver="full").fit(np.stack(vectors)).explained_variance_ratio_[0]


SLOW = {
    "self_similarity": lambda vectors: np.mean([cosine(a, b) for a, b in combinations(vectors, 2)]),
    "explained_variance": slow_explained,
    "explained_variance.centred": slow_centred,
    "explained_variance.pca": slow_pca,
}


def ordered(inputs):
    return sorted(inputs, key=lambda item: (item.document, item.part))
