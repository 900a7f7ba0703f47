"""The sums of `generator.attention.sums.rows` over a block of queries of one document, in one pass over its weights.

Compiled code for a CPU: every row is read while it lies in the nearest cache, which takes a fraction of the time of
operations that each go over a whole map.
"""

from typing import Any

import numpy as np

from generator.attention.sums.primitives import REACH
from generator.numbers.compiled import compiled

_compiled = compiled(fastmath={"reassoc", "contract"})
"""Sums may be taken in any order, but NaN stays NaN."""


@_compiled
def add_up(
    weights: np.ndarray, logits: np.ndarray, kinds: np.ndarray, text: np.ndarray, first: int
) -> tuple[np.ndarray, ...]:
    """What the queries from position `first` on add to the sums of one document.

    `weights` and `logits` are float32 `[head, query, key]`; of all tokens of the document, `kinds [token, kind]` is 1
    where one is of a class or a segment, and `text [token]` where it is of the text. Gives:

        given       `[head, kind, key]`, the rows of the queries of each kind, added up
        offsets     `[head, 2 REACH + 2]`, the mass before -REACH and at every offset from -REACH to REACH
        of_text     the same of the mass that falls on the text
        largest     `[head]`, the largest weights of the rows, added up
        entropies   `[head, query]`
    """
    heads, queries, keys = weights.shape
    bits = weights.view(np.int32)
    given = np.zeros((heads, kinds.shape[1], keys), np.float32)
    offsets, of_text = np.zeros((heads, 2 * REACH + 2)), np.zeros((heads, 2 * REACH + 2))
    largest = np.zeros(heads)
    entropies = np.empty((heads, queries), np.float32)
    for head in range(heads):
        for query in range(queries):
            row, scores, place = weights[head, query], logits[head, query], first + query
            top = first_largest(bits[head, query])
            below = np.float32(0)
            for key in range(keys):
                below += row[key] * (scores[key] - scores[top])
            entropies[head, query] = -np.log(row[top]) - below
            largest[head] += row[top]
            for kind in range(kinds.shape[1]):
                if kinds[place, kind]:
                    for key in range(keys):
                        given[head, kind, key] += row[key]
            before, text_before = np.float32(0), np.float32(0)
            for key in range(place - REACH):
                before += row[key]
                text_before += row[key] * text[key]
            offsets[head, 0] += before
            of_text[head, 0] += text_before
            start = max(place - REACH, 0)
            column = start - place + REACH + 1
            for at in range(min(place + REACH + 1, keys) - start):
                offsets[head, column + at] += row[start + at]
                of_text[head, column + at] += row[start + at] * text[start + at]
    return given, offsets, of_text, largest, entropies


@_compiled
def first_largest(bits: np.ndarray) -> Any:
    """The place of the first largest of some weights, which have the order of their bits as integers, because none is
    negative; it is found twice as fast by these.
    """
    largest = bits[0]
    for at in range(len(bits)):
        largest = max(largest, bits[at])
    none = np.int32(len(bits))
    found = none
    for at in range(len(bits)):
        place = np.int32(at) if bits[at] == largest else none
        found = min(found, place)
    return found
