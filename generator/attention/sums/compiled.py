"""The sums of `generator.attention.sums.rows` over a block of queries of one document, in one pass over its weights.

Compiled code for a CPU: every row is read while it lies in the nearest cache, which takes a fraction of the time of
operations that each go over a whole map.
"""

import numpy as np

from generator.attention.sums.primitives import REACH
from generator.corpora.classes import ADDED, CLASSES
from generator.numbers.compiled import compiled_sums


@compiled_sums
def add_up(
    weights: np.ndarray,
    known: np.ndarray,
    kinds: np.ndarray,
    first: int,
    given: np.ndarray,
    offsets: np.ndarray,
    largest: np.ndarray,
    entropies: np.ndarray,
) -> None:
    """Add the queries from position `first` on to the sums of one document, the last four, as `OfLayer` names them.

    `weights` is float32 `[head, query, key]`, and `known [2, head, query]` what `weigh_rows` gives; `kinds [token,
    kind]` is 1 where a token is of a class or a segment.
    """
    heads, queries, keys = weights.shape
    text = np.zeros(keys, np.float32)
    for kind in range(len(ADDED), CLASSES):
        text += kinds[:, kind]
    for head in range(heads):
        for query in range(queries):
            row, place = weights[head, query], first + query
            largest[head] += known[0, head, query]
            entropies[head, place] = known[1, head, query]
            # Kinds outside, keys inside: the row is read in order and stays in the cache.
            for kind in range(kinds.shape[1]):
                if kinds[place, kind]:
                    for key in range(keys):
                        given[head, kind, key] += row[key]
            before, text_before = np.float32(0), np.float32(0)
            # All keys before the band are one offset; those after it are the rest to 1.
            for key in range(place - REACH):
                before += row[key]
                text_before += row[key] * text[key]
            offsets[head, 0, 0] += before
            offsets[head, 1, 0] += text_before
            start = max(place - REACH, 0)
            column = start - place + REACH + 1
            for at in range(min(place + REACH + 1, keys) - start):
                offsets[head, 0, column + at] += row[start + at]
                offsets[head, 1, column + at] += row[start + at] * text[start + at]
