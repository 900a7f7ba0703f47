"""Whether a head stays within a part of the sentence: the words between two punctuation marks.

The hypothesis of 2021 ("A Hypothesis about Learning Curve of BERT", phase three) says that deep heads find the tokens
of the same part. Words are near to others of their part, so a head that only looks at its neighbours would do so, too.
The baseline keeps distances fixed: a key of the same span counts with the head's mean weight at that signed distance,
over all pairs of words of the sentence at this distance, in one span or not. It is what the head would give its span if
spans were placed without regard to its attention. The mean includes the span's own pairs, which at long distances are
most of all pairs; so differences are understated.

Punctuation is neither query nor key. Both numbers are sums over a sentence of its weights times a fixed kernel.
"""

import numpy as np

from generator.corpora.treebank import Sentence
from generator.topics.relations.records.relations import MARK

OUTSIDE = -1
"""The span number of a punctuation mark."""


def spans(sentence: Sentence) -> np.ndarray:
    """`[word]`: the number of its span, from 0 in the order of the sentence; OUTSIDE for a mark."""
    mark = np.array([word.upos == MARK for word in sentence.words])
    # Words of one span have as many marks before them; two marks side by side leave a number out.
    numbers = np.unique(mark.cumsum()[~mark], return_inverse=True)[1]
    found = np.full(len(mark), OUTSIDE)
    found[~mark] = numbers
    return found


def span_masses(weights: np.ndarray, sentence: Sentence) -> tuple[np.ndarray, int]:
    """`[2, layer, head]`: sums over words of the weight within spans, and of its baseline; and the number of words that
    are no punctuation.

    `weights` is `[layer, head, query, key]`. For a sentence of one span both sums and the number of words are 0,
    because the two numbers would be the same.
    """
    span = spans(sentence)
    if span.max() < 1:
        return np.zeros((2, *weights.shape[:2])), 0
    masses = np.tensordot(_kernels(span), weights.astype(float), axes=((1, 2), (2, 3)))
    return masses, int((span != OUTSIDE).sum())


def _kernels(span: np.ndarray) -> np.ndarray:
    """`[2, query, key]`: whether a pair of words shares a span, and the share of pairs at its distance that do."""
    words = len(span)
    place = np.arange(words)
    # From 0 on, so that distances can be counted; words - 1 is that of a word to itself.
    distance = place - place[:, None] + words - 1
    text = span != OUTSIDE
    pairs = text[:, None] & text & (distance != words - 1)
    same = pairs & (span[:, None] == span)
    together, all_pairs = (np.bincount(distance[chosen], minlength=2 * words - 1) for chosen in (same, pairs))
    return np.stack([same, pairs * (together / np.maximum(all_pairs, 1))[distance]])
