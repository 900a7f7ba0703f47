"""What heads for spans gave -> how often ends lie before starts, what that costs, and what could do as well.

A number varies with the passages and with the seed of the training: the interval of a mean over seeds resamples both,
as for the scores of tasks. All numbers of a draw are of the same passages and seeds, so differences are paired.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from generator.numbers.number import Number, exact
from generator.numbers.resampling import estimated, sample_counts, unit_weights, with_all
from generator.topics.mentions.run.spans.passages import Passage, Passages
from generator.topics.mentions.run.spans.train import Pick

DRAW = 1
"""Seed of the draws of trainings and of random heads, beside that of passages."""


def span_numbers(
    test: Passages, trained: int, picks: Mapping[int, Sequence[Pick]], before: np.ndarray, seed: int = 0
) -> dict[str, Number]:
    """All numbers of the study, from what each seed picked in each passage; `before` is `[passage, head]`, whether the
    end lies before the start by random heads.
    """
    n = len(test.read)
    counts = with_all(sample_counts(n, seed))
    of_seeds = unit_weights(len(picks), np.random.default_rng([seed, DRAW]))
    of_heads = unit_weights(before.shape[1], np.random.default_rng([seed, DRAW + 1]))
    rows = [_rows(test.read, picked) for picked in picks.values()]
    each = {name: _shares(np.stack([one[name] for one in rows], axis=1), counts) for name in rows[0]}
    found = {name: (shares * of_seeds).sum(1) for name, shares in each.items()}
    found["crossed.null"] = (_null(picks, counts) * of_seeds).sum(1)
    found["crossed.random"] = (_shares(before, counts) * of_heads).sum(1)
    for name in ("nearest", "given"):
        hits = np.array([[getattr(one, name)] for one in test.read])
        found[f"exact.{name}"] = _shares(hits, counts)[:, 0]
    found["crossed.minus.null"] = found["crossed"] - found["crossed.null"]
    found["exact.gain"] = found["exact.pair"] - found["exact.independent"]
    found["exact.pair.minus.nearest"] = found["exact.pair"] - found["exact.nearest"]
    numbers = {name: estimated(values[0], values[1:], n) for name, values in found.items()}
    for name, shares in each.items():
        for number, column in zip(picks, shares.T, strict=True):
            numbers[f"{name}.seed{number}"] = estimated(column[0], column[1:], n)
    numbers |= _of_some(rows, counts, of_seeds)
    kept = {"trained": trained, "cut": test.cut, "lost": test.lost}
    return numbers | {name: exact(float(value), n) for name, value in kept.items()}


def _rows(passages: Sequence[Passage], picked: Sequence[Pick]) -> dict[str, np.ndarray]:
    """`[passage]` by name, whether the end lies before the start, and whether the name was found."""
    pairs = list(zip(passages, picked, strict=True))
    return {
        "crossed": np.array([pick.end < pick.start for _, pick in pairs]),
        "exact.independent": np.array([(pick.start, pick.end) == one.answer for one, pick in pairs]),
        "exact.pair": np.array([(pick.first, pick.last) == one.answer for one, pick in pairs]),
    }


def _shares(hits: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """`[1 + draw, column]`: the share of passages in each draw, from `[passage, column]`."""
    return counts @ hits / counts.sum(1, keepdims=True)


def _null(picks: Mapping[int, Sequence[Pick]], counts: np.ndarray) -> np.ndarray:
    """`[1 + draw, seed]`: the share of pairs of different passages in which the end of one lies before the start of the
    other; a passage that was drawn several times is no pair with itself.
    """
    found = []
    for picked in picks.values():
        starts, ends = (np.array([getattr(pick, name) for pick in picked]) for name in ("start", "end"))
        before = (ends[None, :] < starts[:, None]).astype(float)
        np.fill_diagonal(before, 0)
        pairs = counts.sum(1) ** 2 - (counts**2).sum(1)
        found.append(((counts @ before) * counts).sum(1) / pairs)
    return np.stack(found, axis=1)


def _of_some(rows: Sequence[Mapping[str, np.ndarray]], counts: np.ndarray, of_seeds: np.ndarray) -> dict[str, Number]:
    """How often the best pair is the name where the end lies before the start, and where it does not."""
    crossed, right = (np.stack([one[name] for one in rows], axis=1) for name in ("crossed", "exact.pair"))
    ways = {"exact.mended": crossed, "exact.uncrossed": ~crossed}
    found = {}
    for name, where in ways.items():
        part, whole = ((counts @ hits * of_seeds).sum(1) for hits in (where & right, where))
        if whole[0] > 0:
            with np.errstate(invalid="ignore", divide="ignore"):
                found[name] = np.where(whole > 0, part / whole, np.nan)
    numbers = {name: estimated(one[0], one[1:], int(ways[name].any(1).sum())) for name, one in found.items()}
    if len(found) == len(ways):
        apart = found["exact.mended"] - found["exact.uncrossed"]
        numbers["exact.mended.minus.uncrossed"] = estimated(apart[0], apart[1:], len(crossed))
    return numbers
