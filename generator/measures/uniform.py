"""The primitives of a head that attends to every token equally, in closed form: the reference beside every number."""

import numpy as np

from generator.attention.sums.primitives import NEAR, REACH, Primitives
from generator.corpora.classes import ADDED, CLASSES
from generator.corpora.pairs import SEGMENTS, Input


def uniform_primitives(item: Input) -> Primitives:
    """The primitives of one layer with one head, with `A[i, j] = 1/n` and every transformed value of norm 1."""
    n = len(item)
    classes = np.bincount(item.classes, minlength=CLASSES).astype(float)
    segments = np.bincount(item.segment_ids, minlength=SEGMENTS).astype(float)
    band = [max(n - abs(o), 0) / n for o in range(-REACH, REACH + 1)]
    # By symmetry, half of what lies beyond the band is on each side.
    beyond = (n - sum(band)) / 2
    text = ~np.isin(item.classes, ADDED)
    places = np.flatnonzero(text)
    # Counted from the keys: queries after a key have it before them.
    far = [np.maximum(queries - REACH, 0).sum() / n for queries in (n - 1 - places, places)]
    near = sum(text[max(o, 0) : n + min(o, 0)].sum() for o in NEAR) / n
    return Primitives(
        mass=np.outer(classes, classes)[None, None] / n,
        same_segment=np.array([[(segments**2).sum() / n]]),
        offsets=np.array([[[beyond, *band, beyond]]]),
        near=np.array([[near]]),
        far=np.array([[far]]),
        entropy=classes[None, None] * np.log(n),
        largest=np.array([[1.0]]),
        sink=np.array([[1.0]]),
        sink_position=np.array([[0.0]]),
        norm=classes[None, None],
        received=np.ones((1, 1, n)),
        value_norm=np.ones((1, 1, n)),
        row_entropy=np.full((1, 1, n), np.log(n)),
    )
