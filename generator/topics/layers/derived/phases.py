"""Whether the layers of a model fall into three phases, where the boundaries lie, and what marks each phase.

The hypothesis of 2021 ("A Hypothesis about Learning Curve of BERT") distinguishes three phases of BERT-base. One, in
the lower layers: broad attention, and attention to [CLS]. Two: relations in layers 4 to 9, and half of the attention on
[SEP] in layers 6 to 10. Three: half of the attention on periods and commas in the last two layers. So phase one ends
with layer 3 and phase two with layer 10; in a model of another depth, after a quarter and five sixths of the layers.

Our method: the boundaries are those of the least-squares division of the layer curves into three parts, with an
interval over documents. The curves are standardised, each to mean 0 and standard deviation 1 over layers, so that all
weigh the same; the error of a division is the sum of squared deviations from the means of its parts. A model has few
layers, so all divisions are tried and the optimum is exact (Fisher 1958, "On Grouping for Maximum Homogeneity"). Three
parts fit any curve somewhat, so the share of variance they explain is compared with the share they explain when the
layers are in random order. An order that leaves the parts together explains as much, so of few layers a large share of
all orders always does, and nothing can be said (`rarest`). A gradual drift passes that comparison, too: it shows that
neighbouring layers are alike, not that boundaries are sharp. A wide interval shows that they are not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import factorial, perm, prod

import numpy as np

from generator.numbers.depth import BERT_LAYERS
from generator.numbers.makers import makes
from generator.numbers.permutation import chance_of, orders
from generator.numbers.resampling import outwards, sample_counts, with_all
from generator.topics.layers.derived.profiles import BREADTH, LayerProfiles
from generator.topics.layers.records import PHASES

PARTS = 3
PUBLISHED = (3, 10)
"""Last layers of phases one and two in BERT-base."""
SYNTAX = "syntax"
QUANTITIES = (BREADTH, "attention.cls", "attention.sep", "attention.punctuation")
MARKS = ((BREADTH, "attention.cls"), ("attention.sep", SYNTAX), ("attention.punctuation",))
"""For each phase, the quantities that the hypothesis expects to be strongest in it."""
FLAT = 1e-9
"""A quantity whose standard deviation over layers is no larger than this counts as constant, so that rounding makes no
phase.
"""
TIE = 1e-9
"""Divisions whose errors differ by no more than this count as equally good."""


@dataclass(frozen=True)
class Phases:
    """Three phases of a model's layers; boundaries are 1-based last layers of phases one and two."""

    layers: int
    quantities: tuple[str, ...]
    """The quantities that were used; those that no document defines, such as attention to a missing [CLS], were not."""
    boundaries: tuple[int, ...]
    """As found; empty if the model has too few layers."""
    low: tuple[float, ...]
    """Lower ends of the boundaries' 95 % intervals over documents; NaN for fewer than two documents."""
    high: tuple[float, ...]
    expected: tuple[int, ...]
    explained: float
    """Share of the variance over layers that lies between phases; NaN for a flat profile."""
    shuffled: float
    """The mean of this share over random orders of the layers."""
    p: float
    """How often a random order of the layers explains as much."""
    n: int
    """Number of documents."""
    note: str = ""
    """Why there are no phases, or no meaningful ones; empty otherwise."""


@dataclass(frozen=True)
class Signature:
    """What marks one phase."""

    first: int
    last: int
    """The phase's first and last layer, 1-based."""
    quantity: str
    """The quantity that stands highest above its own mean over layers; empty for a flat profile."""
    level: float
    """How far it stands above its mean, in standard deviations over layers."""
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
    # In whole numbers, as `round` takes a half to the even side.
    first, second = ((2 * at * layers + BERT_LAYERS) // (2 * BERT_LAYERS) for at in PUBLISHED)
    first = min(max(first, 1), layers - 2)
    return first, min(max(second, first + 1), layers - 1)


def rarest(layers: int) -> float:
    """The least share of the orders of so many layers that explains as much as some division into three: that of the
    orders that leave its parts together.

    >>> [round(rarest(layers), 3) for layers in (3, 4, 6, 7, 12)]
    [1.0, 0.5, 0.067, 0.029, 0.0]
    """
    sizes = (np.diff([0, *cuts, layers]).tolist() for cuts in divisions(layers, PARTS))
    return min(factorial(PARTS) * prod(map(factorial, some)) for some in sizes) / perm(layers)


@makes(PHASES, "boundary.{phase}", "explained", "shuffled", "p")
def find_phases(profiles: LayerProfiles, seed: int, syntax: np.ndarray | None = None) -> Phases:
    """Divide the layers into three phases; `syntax` is a further curve `[layer]`, the same for all documents."""
    names, mean, draws = _profile(profiles, seed, syntax)
    layers, n = profiles.layers, len(profiles.documents)
    if layers < PARTS:
        nan = float("nan")
        note = f"Three phases need at least {PARTS} layers; this model has {layers}."
        return Phases(
            layers,
            quantities=names,
            boundaries=(),
            low=(),
            high=(),
            expected=(),
            explained=nan,
            shuffled=nan,
            p=nan,
            n=n,
            note=note,
        )
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


@makes(PHASES, "level.{phase}", "support.{phase}")
def signatures(
    profiles: LayerProfiles, boundaries: Sequence[int], seed: int, syntax: np.ndarray | None = None
) -> list[Signature]:
    """What marks each phase between these boundaries, which may be found or expected ones; empty without boundaries."""
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
        found.append(
            Signature(
                start + 1,
                last=end,
                quantity=name,
                level=float(level[top]),
                support=float(support),
                expected=name in marks,
            )
        )
    return found


def divisions(layers: int, parts: int) -> np.ndarray:
    """All ways to divide `layers` into at least two `parts`: `[division, cut]`, the 1-based last layers of all but one.

    >>> divisions(4, 3).tolist()
    [[1, 2], [1, 3], [2, 3]]
    """
    return np.array(list(combinations(range(1, layers), parts - 1)), dtype=int).reshape(-1, parts - 1)


def standardise(profile: np.ndarray) -> np.ndarray:
    """Each curve of `[..., layer]` with mean 0 and standard deviation 1; a flat curve becomes 0 throughout."""
    centred = profile - profile.mean(-1, keepdims=True)
    spread = centred.std(-1, keepdims=True)
    return np.divide(centred, spread, out=np.zeros_like(centred), where=spread > FLAT)


def errors(profile: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """Squared error of every division, `[..., division]`.

    `profile` is `[..., quantity, layer]`, `cuts` is `[division, cut]`.
    """
    layers = profile.shape[-1]
    start = np.zeros((*profile.shape[:-1], 1))
    total = np.concatenate([start, profile.cumsum(-1)], -1)
    squares = (profile**2).sum((-2, -1))
    edges = np.hstack([np.zeros((len(cuts), 1), int), cuts, np.full((len(cuts), 1), layers)])
    # Sums from edge to edge are differences of running sums, so all divisions are tried at once.
    sums = np.diff(total[..., edges], axis=-1)
    explained = (sums**2 / np.diff(edges, axis=-1)).sum((-3, -1))
    found: np.ndarray = squares[..., None] - explained
    return found


def best(profile: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """`[..., division]`: whether a division is as good as the best, up to TIE; for a flat profile all are."""
    found = errors(profile, cuts)
    winners: np.ndarray = found <= found.min(-1, keepdims=True) + TIE
    return winners


def _profile(
    profiles: LayerProfiles, seed: int, syntax: np.ndarray | None
) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    """Names of the quantities, their standardised curves `[quantity, layer]`, and those of every draw of documents,
    `[draw, quantity, layer]`.
    """
    names = tuple(name for name in QUANTITIES if not np.isnan(profiles.curves[name]).all())
    rows = np.stack([profiles.curves[name] for name in names], axis=1)
    documents = len(rows)
    weights = with_all(sample_counts(documents, seed))
    defined = ~np.isnan(rows)
    total = np.tensordot(weights, np.where(defined, rows, 0.0), 1)
    count = np.tensordot(weights, defined, 1)
    mean = np.divide(total, count, out=np.zeros_like(total), where=count > 0)
    if syntax is not None:
        names = (*names, SYNTAX)
        mean = np.concatenate([mean, np.broadcast_to(syntax, (len(mean), 1, len(syntax)))], axis=1)
    standard = standardise(mean)
    # The first of the samples has each document once.
    return names, standard[0], standard[1:]


def _interval(cuts: np.ndarray, winners: np.ndarray) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Lower and upper ends of the cuts' intervals over draws, as whole layers; of tied divisions the extremes count."""
    lowest = np.where(winners[..., None], cuts, np.iinfo(int).max).min(1)
    highest = np.where(winners[..., None], cuts, 0).max(1)
    low, high = outwards(lowest, highest)
    return tuple(map(float, low)), tuple(map(float, high))


def _fit(mean: np.ndarray, cuts: np.ndarray, seed: int) -> tuple[float, float, float]:
    """Share of variance explained, its mean over random orders of the layers, and how often one explains as much."""
    total = (mean**2).sum()
    if total <= FLAT:
        return (float("nan"),) * 3
    in_any_order = mean[:, orders(mean.shape[-1], seed)].swapaxes(0, 1)
    explained = 1 - errors(mean, cuts).min() / total
    shuffled = 1 - errors(in_any_order, cuts).min(-1) / total
    # An order that explains just as much must count, whatever rounding makes of it.
    return float(explained), float(shuffled.mean()), chance_of(shuffled >= explained - FLAT)
