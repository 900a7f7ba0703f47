"""Whether a head links the words that fill a frame's roles with the word that evokes it: study "frames".

Kovaleva et al. 2019, section 4.2: the score of a head is the mean over annotated frames of the largest weight between a
word of a core element and a word of the target. The released code pairs tokens one by one and reads them from element
to target alone; here every element word is paired with every target word, in both directions, among words. A word of
the target does not count as an element, because it would be paired with itself.

The baseline takes other words at the same distances: all pairs of a frame are moved together along their sentence to
every other place where they fit. A head that looks two words ahead, whatever stands there, gains nothing. Moved pairs
may fall on words of any kind, so a head that looks from content words to content words gains something without knowing
frames.

All numbers exist twice: under their plain names for all frames, and with the prefix `paper.` for the frames that pass
the paper's filters.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from generator.corpora.formats.annotation import FrameSentence
from generator.numbers.number import Grid, Number, alone
from generator.numbers.resampling import DRAWS, bootstrap_ratio, estimated, resample_ratio
from generator.numbers.simultaneous import simultaneous
from generator.studies.fact_rows import facts, head_facts
from generator.studies.halves import at_place, reported
from generator.studies.procedure import Procedure, Subject, Watcher, watched_by
from generator.topics.frames.corpus.frames import FILTERS, FRAMES
from generator.topics.frames.records import DIRECTIONS, FRAME, PERCENTILE

ROUNDING = 1e-9
"""Weights in float32 that differ by no more than this count as equal."""


def link_scores(weights: np.ndarray, elements: Sequence[int], target: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Two arrays `[layer, head, direction]`: the largest weight of a pair, and the mean of the largest weights at all
    other places to which the pairs can be moved.

    `weights` is `[layer, head, query, key]` among the words of one sentence. The second is NaN if the pairs fit nowhere
    else in the sentence.
    """
    layers, heads, words, _ = weights.shape
    first, last = min(*elements, *target), max(*elements, *target)
    # All moves that keep every word inside the sentence; the one at `first` is 0, which leaves the pair where it is.
    moves = np.arange(-first, words - last)
    element = np.repeat(elements, len(target))[:, None] + moves
    evoking = np.tile(target, len(elements))[:, None] + moves
    flat = weights.reshape(layers * heads, words * words)
    # Places in a flattened map, in both directions.
    places = np.stack([element * words + evoking, evoking * words + element])
    strongest = flat[:, places].max(axis=2).reshape(layers, heads, len(DIRECTIONS), len(moves))  # [..., move]
    own = strongest[..., first].astype(float)
    others = np.delete(strongest, first, axis=-1).astype(float)
    return own, others.mean(-1) if len(moves) > 1 else np.full_like(own, np.nan)


@dataclass(frozen=True)
class _Row:
    """Sums over the frames of one sentence that pass a filter."""

    sentence: str
    frames: int
    movable: int
    score: np.ndarray
    """`[layer, head, direction]`: sums of scores over all frames."""
    moved: np.ndarray
    """`[layer, head, direction, 2]`: sums of the matched score and of the gain, over frames that can be moved."""


class FrameScores:
    """Gathers the sentences of one corpus; each is added once, in any order."""

    def __init__(self) -> None:
        self._rows: dict[str, list[_Row]] = defaultdict(list)

    def add(self, frames: Sequence[FrameSentence], weights: np.ndarray) -> None:
        """Score the frames of one sentence by its word-level maps `[layer, head, query, key]`."""
        words = len(frames[0].words)
        if weights.shape[2:] != (words, words):
            raise ValueError(
                f"expected weights of {words} x {words} words for {frames[0].sentence!r}, found {weights.shape}"
            )
        for prefix, filters in FILTERS.items():
            linked = [(frame, filters.linked(frame)) for frame in sorted(frames, key=lambda one: one.id)]
            scores = [link_scores(weights, elements, sentence.target) for sentence, elements in linked if elements]
            if scores:
                own, matched = (np.stack(part) for part in zip(*scores, strict=True))
                able = ~np.isnan(matched).any((1, 2, 3))
                moved = np.stack([matched[able], own[able] - matched[able]], axis=-1).sum(0)
                self._rows[prefix].append(_Row(frames[0].sentence, len(own), int(able.sum()), own.sum(0), moved))

    def tables(self, model: str, corpus: str, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
        """`facts` and `head_facts` of study "frames"; means over frames. `n` counts sentences, which are resampled.

        The best head is chosen on one half of the sentences and reported on the other; it is left out if a half is
        empty. Numbers that no frame defines are left out, too.
        """
        of_model: dict[str, Number[Any]] = {}
        of_heads: dict[str, Grid] = {}
        for prefix, unsorted in sorted(self._rows.items()):
            rows = sorted(unsorted, key=lambda row: row.sentence)
            for found, kept in zip(_figures(rows, seed), (of_model, of_heads), strict=True):
                kept |= {prefix + name: estimate for name, estimate in found.items()}
        return facts(of_model, FRAME, model, corpus), head_facts(of_heads, FRAME, model, corpus)


def _figures(rows: Sequence[_Row], seed: int) -> tuple[dict[str, Number[Any]], dict[str, Grid]]:
    """Name -> number of the model, and name -> numbers of its heads, `[layer, head]`."""
    parts, frames = np.stack([row.score for row in rows]), np.array([row.frames for row in rows])
    resampled = resample_ratio(parts, frames, seed)
    score = resampled.estimate()
    of_model = {"frames": alone(frames.sum(), len(rows))}
    of_heads = {}
    for at, direction in enumerate(DIRECTIONS):
        of_heads[direction] = score.part(..., at)
        # The percentile is taken in every draw: a maximum over heads is biased upwards, and its interval says by how
        # much.
        tops = np.percentile(resampled.draws[..., at].reshape(DRAWS, -1), PERCENTILE, axis=1)
        top = np.percentile(score.value[..., at], PERCENTILE)
        of_model[f"{direction}.percentile{PERCENTILE}"] = estimated(top, tops, len(rows))
    movable = [row for row in rows if row.movable]
    if not movable:
        return of_model, of_heads
    parts, frames = np.stack([row.moved for row in movable]), np.array([row.movable for row in movable])
    moved = bootstrap_ratio(parts, frames, seed)
    # Many heads are tried, so that an interval for each alone would find some by chance.
    low, high = simultaneous(moved.value[..., 1], resample_ratio(parts[..., 1], frames, seed).draws, ROUNDING)
    shown = reported([row.sentence for row in movable], seed)
    for at, direction in enumerate(DIRECTIONS):
        matched, gain = (moved.part(..., at, kind) for kind in (0, 1))
        of_heads |= {f"{direction}.matched": matched, f"{direction}.gain": gain}
        if len(movable) > 1:
            of_heads[f"{direction}.gain.family"] = gain._replace(low=low[..., at], high=high[..., at])
            of_model[f"{direction}.above"] = alone((low[..., at] > ROUNDING).sum(), len(movable))
        if shown.any() and not shown.all():
            # Chosen on one half, reported on the other.
            layer, head = np.unravel_index(parts[~shown, :, :, at, 1].sum(0).argmax(), low.shape[:2])
            best = bootstrap_ratio(parts[shown, layer, head, at, 1], frames[shown], seed)
            of_model |= {f"{direction}.best.gain": best.at()}
            of_model |= at_place(f"{direction}.best", layer, head, int(shown.sum()))
    return of_model, of_heads


def _watch(of: Subject) -> Watcher:
    scores = FrameScores()
    return watched_by(scores, lambda seen: scores.add(seen.annotated, seen.maps.weights), of)


PROCEDURE = Procedure("frames", FRAMES, _watch)
