"""Whether the layers of a model fall into three phases, where the boundaries lie, and what marks each phase.

The hypothesis of 2021 ("A Hypothesis about Learning Curve of BERT") tells three phases of BERT-base apart. One, in the
lower layers: broad attention, and attention to [CLS]. Two: relations in layers 4 to 9 and half of the attention on
[SEP] in layers 6 to 10. Three: half of the attention on periods and commas in the last two layers. Phase one therefore
ends with layer 3 and phase two with layer 10, or a quarter and five sixths of the depth of another model.

Ours: the boundaries are those of the least-squares division of the standardised layer curves into three parts (see
`changepoint`), with an interval over documents. Three parts fit any curve somewhat, so the share of variance they
explain is compared to what they explain when the layers are put in random order. A gradual drift passes that comparison
too: it says that neighbouring layers are alike, not that boundaries are sharp; a wide interval says they are not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from generator.numbers.resampling import DRAWS, outwards, sample_counts
from generator.studies.layers.changepoint import FLAT, best, divisions, errors, standardise
from generator.studies.layers.profiles import BERT_LAYERS, BREADTH, LayerProfiles

PARTS = 3
PUBLISHED = (3, 10)
"""Last layers of phases one and two in BERT-base."""
SYNTAX = "syntax"
QUANTITIES = (BREADTH, "attention.cls", "attention.sep", "attention.punctuation")
MARKS = ((BREADTH, "attention.cls"), ("attention.sep", SYNTAX), ("attention.punctuation",))
"""What the hypothesis expects to be strongest in each phase."""


@dataclass(frozen=True)
class Phases:
    """Three phases of a model's layers; boundaries are 1-based last layers of phases one and two."""

    layers: int
    quantities: tuple[str, ...]
    """The quantities that were used; those that no document defines, such as attention to a missing [CLS], are not."""
    boundaries: tuple[int, ...]
    """Empty where a model has too few layers."""
    low: tuple[float, ...]
    """95 % interval over documents; NaN with fewer than two."""
    high: tuple[float, ...]
    expected: tuple[int, ...]
    explained: float
    """Share of the variance over layers that lies between phases; NaN for a flat profile."""
    shuffled: float
    """The mean of this share over random orders of the layers."""
    p: float
    """How often a random order explains as much."""
    n: int
    """Documents."""
    note: str = ""
    """Why there are no phases, or none that mean anything."""


@dataclass(frozen=True)
class Signature:
    """What marks one phase."""

    first: int
    last: int
    """1-based layers."""
    quantity: str
    """The quantity that stands highest above its own mean over layers; empty for a flat profile."""
    level: float
    """How high, in standard deviations over layers."""
    support: float
    """Share of bootstrap draws over documents in which it is this quantity; NaN for a flat profile."""
    expected: bool
    """Whether the hypothesis names this quantity for this phase."""


def expected_boundaries(layers: int) -> tuple[int, ...]:
    """The published boundaries scaled to a model's depth, rounded half up, each phase at least one layer.

    >>> expected_boundaries(12), expected_boundaries(6), expected_boundaries(3)
    ((3, 10), (2, 5), (1, 2))
    """
    if layers < PARTS:
        return ()
    first, second = ((2 * at * layers + BERT_LAYERS) // (2 * BERT_LAYERS) for at in PUBLISHED)
    first = min(max(first, 1), layers - 2)
    return first, min(max(second, first + 1), layers - 1)


def find_phases(profiles: LayerProfiles, seed: int, syntax: np.ndarray | None = None) -> Phases:
    """Divide the layers into three phases; `syntax` is a further curve `[layer]`, the same for all documents."""
    names, mean, draws = _profile(profiles, seed, syntax)
    layers, n = profiles.layers, len(profiles.documents)
    if layers < PARTS:
        nan = float("nan")
        note = f"Three phases need at least {PARTS} layers; this model has {layers}."
        return Phases(layers, names, (), (), (), (), nan, nan, nan, n, note)
    cuts = divisions(layers, PARTS)
    low, high = _interval(cuts, best(draws, cuts)) if n > 1 else ((float("nan"),) * 2,) * 2
    explained, shuffled, p = _fit(mean, cuts, seed)
    return Phases(
        layers=layers,
        quantities=names,
        boundaries=tuple(cuts[best(mean, cuts).argmax()].tolist()),
        low=low,
        high=high,
        expected=expected_boundaries(layers),
        explained=explained,
        shuffled=shuffled,
        p=p,
        n=n,
        note="No quantity changes over layers, so every boundary is as good." if np.isnan(explained) else "",
    )


def signatures(
    profiles: LayerProfiles, boundaries: Sequence[int], seed: int, syntax: np.ndarray | None = None
) -> list[Signature]:
    """What marks each phase between these boundaries: those found, or those expected; none without boundaries."""
    if not boundaries:
        return []
    names, mean, draws = _profile(profiles, seed, syntax)
    edges = (0, *boundaries, profiles.layers)
    flat = np.abs(mean).max() <= FLAT
    found = []
    for marks, (start, end) in zip(MARKS, pairwise(edges), strict=True):
        level = mean[:, start:end].mean(-1)
        top = int(level.argmax())
        name = "" if flat else names[top]
        support = np.nan if flat else (draws[..., start:end].mean(-1).argmax(-1) == top).mean()
        found.append(Signature(start + 1, end, name, float(level[top]), float(support), name in marks))
    return found


def _profile(
    profiles: LayerProfiles, seed: int, syntax: np.ndarray | None
) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    """Names, standardised curves `[quantity, layer]`, and the same of every draw `[draw, quantity, layer]`."""
    names = tuple(name for name in QUANTITIES if not np.isnan(profiles.curves[name]).all())
    rows = np.stack([profiles.curves[name] for name in names], axis=1)
    documents = len(rows)
    weights = np.concatenate([np.ones((1, documents)), sample_counts(documents, seed)])
    defined = ~np.isnan(rows)
    total = np.tensordot(weights, np.where(defined, rows, 0.0), 1)
    count = np.tensordot(weights, defined, 1)
    mean = np.divide(total, count, out=np.zeros_like(total), where=count > 0)
    if syntax is not None:
        names = (*names, SYNTAX)
        mean = np.concatenate([mean, np.broadcast_to(syntax, (len(mean), 1, len(syntax)))], axis=1)
    standard = standardise(mean)
    return names, standard[0], standard[1:]


def _interval(cuts: np.ndarray, winners: np.ndarray) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Percentiles of the cuts over draws, whole layers, outwards; divisions that tie count with their extremes."""
    lowest = np.where(winners[..., None], cuts, np.iinfo(int).max).min(1)
    highest = np.where(winners[..., None], cuts, 0).max(1)
    low, high = outwards(lowest, highest)
    return tuple(map(float, low)), tuple(map(float, high))


def _fit(mean: np.ndarray, cuts: np.ndarray, seed: int) -> tuple[float, float, float]:
    """Share of variance explained, the mean of the same over random orders of layers, and how often it is as high."""
    total = (mean**2).sum()
    if total <= FLAT:
        return (float("nan"),) * 3
    layers = mean.shape[-1]
    orders = np.random.default_rng(seed).permuted(np.tile(np.arange(layers), (DRAWS, 1)), axis=1)
    explained = 1 - errors(mean, cuts).min() / total
    shuffled = 1 - errors(mean[:, orders].swapaxes(0, 1), cuts).min(-1) / total
    p = (1 + (shuffled >= explained - FLAT).sum()) / (1 + DRAWS)
    return float(explained), float(shuffled.mean()), float(p)
