"""How heads are placed by their distances: a map, clusters, and whether heads of a layer are alike (Clark et al. 2019).

Section 6 of the paper draws the map and gives no statistic; the permutation test, the silhouettes and the clusters are
ours. The distance of two heads is their Jensen-Shannon divergence, the mean over documents of the mean over rows.

The map has places in two dimensions with nearly these distances. The method is SMACOF (Borg and Groenen 2005), with the
settings of Clark et al.'s released notebook, but seeded. scikit-learn's MDS gives the same and takes several times as
long.
"""

from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.metrics import silhouette_score

from generator.errors import ResultsError
from generator.numbers.compiled import compiled_sums
from generator.numbers.number import UNDEFINED, Number, all_alone, alone
from generator.numbers.permutation import chance_of, orders
from generator.numbers.resampling import bootstrap_ratio, jackknife, leave_out
from generator.studies.fact_rows import facts, head_facts
from generator.topics.distances.compute.doubles import doubles
from generator.topics.distances.compute.groups import Groups
from generator.topics.distances.records import LANDSCAPE

MOST_CLUSTERS = 12
"""The most clusters into which heads are divided."""
FEWEST_HEADS = 3
"""The fewest heads that are placed."""
BROAD = 0.79
"""Share of uniform attention's entropy above which a head is broad: the paper's 3.8 of 4.8 nats at 128 tokens."""
RULES = (
    ("next", "attention.next", 0.5),
    ("previous", "attention.previous", 0.5),
    ("broad", "entropy.all", BROAD),
    ("cls", "attention.cls", 0.6),
    ("sep", "attention.sep", 0.6),
    ("punctuation", "attention.punctuation", 0.6),
)
"""Behaviour, measure, and what its mean must exceed; a later rule overwrites an earlier one."""
NO_BEHAVIOUR = ""
STARTS, STEPS, ENOUGH = 5, 1000, 1e-10
"""Random starts of the map; the most steps of each; the least fall of the squared error after which steps go on, as a
share of the sum of squared distances.
"""
NEAREST = 1e-5
"""The distance given to heads that lie in one place, because the scaling divides by distances."""


class Landscape(NamedTuple):
    """Rows of the tables `facts` and `head_facts`."""

    facts: pd.DataFrame
    head_facts: pd.DataFrame


def landscape(
    divergence: Groups, shape: tuple[int, int], behaviour: np.ndarray, model: str, corpus: str, seed: int
) -> Landscape:
    """`facts` and `head_facts` of study "landscape"; its records say what each number is.

    `divergence` has sums over documents of what `pairwise` gives, `shape` the numbers of layers and of heads,
    `behaviour` the names `[layer, head]` of `behaviours`.

    Undefined numbers are NaN. Intervals resample groups, and those of silhouettes leave groups out in turn; `n` counts
    documents. The order of groups does not matter. Raises ResultsError for fewer than FEWEST_HEADS heads.
    """
    layers, heads = shape
    if layers * heads < FEWEST_HEADS:
        raise ResultsError(
            f"Expected {FEWEST_HEADS} heads or more in {model}, found {layers * heads}; leave its distances out."
        )
    order = np.argsort(divergence.sums.sum(1), kind="stable")
    groups = Groups(divergence.sums[order], divergence.documents[order])
    mean, n = groups.mean, int(groups.documents.sum())
    layer = np.repeat(np.arange(1, layers + 1), heads)
    place, stress = _placed(mean, seed)
    cluster = clusters(mean)
    found: dict[str, Number[Any]] = {
        **_by_layer(groups, layer, seed),
        "p": alone(permutation_p(mean, layer, seed)),
        "silhouette.layer": _with_interval(lambda distance: silhouette(distance, layer), groups, seed),
        "silhouette.behaviour": _with_interval(
            lambda distance: _of_labelled(distance, behaviour.ravel()), groups, seed
        ),
        "stress": alone(stress),
        "clusters": alone(cluster.max()),
        **doubles(groups.sums, seed),
    }
    of_heads = {"x": place[:, 0], "y": place[:, 1], "cluster": cluster.astype(float)}
    of_model = LANDSCAPE, model, corpus
    return Landscape(
        facts({name: number._replace(n=n) for name, number in found.items()}, *of_model),
        head_facts({name: all_alone(values.reshape(shape), n) for name, values in of_heads.items()}, *of_model),
    )


def behaviours(means: Mapping[str, np.ndarray], uniform_entropy: float) -> np.ndarray:
    """What each head mostly does: `[layer, head]` of names in RULES, NO_BEHAVIOUR for heads that meet no rule.

    `means` maps the name of a measure to `[layer, head]`; `uniform_entropy` is the `entropy.all` of uniform attention
    on the same text. Thresholds are those of the figures in Clark et al. 2019, section 6.
    """
    names = np.full(means["entropy.all"].shape, NO_BEHAVIOUR, dtype=object)
    for name, measure, least in RULES:
        unit = uniform_entropy if measure == "entropy.all" else 1
        names[means[measure] > least * unit] = name
    return names


def clusters(mean: np.ndarray) -> np.ndarray:
    """The cluster of each head, `[head]`, numbered from 1 in the order of the heads.

    `mean` is `[pair]`. Average linkage is cut into 2 to MOST_CLUSTERS clusters; the largest silhouette wins, then the
    fewest clusters. If no division has a positive silhouette, all heads are one cluster.
    """
    distance, tree = squareform(mean), linkage(mean, "average")
    cuts = [fcluster(tree, most, "maxclust") for most in range(2, min(MOST_CLUSTERS, len(distance) - 1) + 1)]
    scores = np.nan_to_num([silhouette(distance, cut) for cut in cuts]).round(9)  # so that rounding breaks no tie
    if not (scores > 0).any():
        return np.ones(len(distance), dtype=int)
    _, first, member = np.unique(cuts[scores.argmax()], return_index=True, return_inverse=True)
    # Sorted twice: the rank of each cluster by its first head.
    return first.argsort().argsort()[member] + 1


def silhouette(distance: np.ndarray, labels: np.ndarray) -> float:
    """Mean silhouette coefficient (Rousseeuw 1987), -1 to 1; NaN where all labels are the same or all differ."""
    if not 1 < len(np.unique(labels)) < len(labels):
        return np.nan
    return float(silhouette_score(distance, labels, metric="precomputed"))


def permutation_p(mean: np.ndarray, layer: np.ndarray, seed: int) -> float:
    """Share of shuffles of the layer labels in which heads of a layer are at least as near as in the model; the true
    labels count as one shuffle.

    The sum of all distances stays the same, so a small mean within layers means a small ratio to that between layers.
    """
    first, second = np.triu_indices(len(layer), 1)
    same = layer[first] == layer[second]
    if same.all() or not same.any():
        return np.nan
    shuffles = layer[orders(len(layer), seed)]
    within = np.array([mean[shuffle[first] == shuffle[second]].mean() for shuffle in shuffles])
    return chance_of(within <= mean[same].mean())


def _by_layer(groups: Groups, layer: np.ndarray, seed: int) -> dict[str, Number[Any]]:
    first, second = np.triu_indices(len(layer), 1)
    same = layer[first] == layer[second]
    means = {"within": same, "between": ~same}
    by_group = {name: groups.sums[:, pairs].mean(1) for name, pairs in means.items() if pairs.any()}
    estimates = {name: bootstrap_ratio(values, groups.documents, seed) for name, values in by_group.items()}
    if len(by_group) == len(means):
        estimates["ratio"] = bootstrap_ratio(by_group["within"], by_group["between"], seed)
    return {name: estimates.get(name, UNDEFINED) for name in ("within", "between", "ratio")}


def _of_labelled(distance: np.ndarray, behaviour: np.ndarray) -> float:
    known = behaviour != NO_BEHAVIOUR
    return silhouette(distance[np.ix_(known, known)], behaviour[known].astype(str))


def _with_interval(statistic: Callable[[np.ndarray], float], groups: Groups, seed: int) -> Number[Any]:
    """A statistic of the mean distances `[head, head]`, with a jackknife interval over groups of documents.

    The bootstrap would be biased: documents drawn twice make distances noisier, so most draws have lower silhouettes.
    """
    sums, documents = groups
    value = statistic(squareform(groups.mean))
    if np.isnan(value) or len(sums) < 2:
        return alone(value)
    kept = leave_out(len(sums), seed)
    without = np.array([statistic(squareform(chosen @ sums / (chosen @ documents))) for chosen in kept])
    half = float(jackknife(without))
    return Number(value, max(value - half, -1), min(value + half, 1), len(sums))


def _placed(mean: np.ndarray, seed: int) -> tuple[np.ndarray, float]:
    """Coordinates `[head, 2]` and their stress-1, from distances `[pair]`.

    The map is turned so that x is its longer axis and the head farthest along an axis has a positive coordinate.
    """
    distance = squareform(mean)
    if not mean.any():
        return np.zeros((len(distance), 2)), np.nan  # scaling would divide by 0
    rng = np.random.RandomState(seed)
    starts = (rng.uniform(size=(len(distance), 2)) for _ in range(STARTS))
    place, stress = min((_scaled(distance, start) for start in starts), key=itemgetter(1))
    # A map may be turned and mirrored: its longest side lies along x, and the outermost head of each axis above 0.
    turned, lengths, _ = np.linalg.svd(place - place.mean(0), full_matrices=False)
    turned *= lengths
    return turned * np.sign(turned[np.abs(turned).argmax(0), [0, 1]]), stress


def _scaled(distance: np.ndarray, place: np.ndarray) -> tuple[np.ndarray, float]:
    """Where SMACOF gets from `place [head, 2]`, and the stress-1 there; `distance` is `[head, head]`."""
    place, before = np.ascontiguousarray(place.T), np.inf
    for step in range(STEPS + 1):
        further, off, size = _step(distance, place)
        if step == STEPS or before - off < ENOUGH * size:
            break
        place, before = further, off
    return place.T, float(np.sqrt(off / size))


@compiled_sums
def _step(distance: np.ndarray, place: np.ndarray) -> tuple[np.ndarray, float, float]:
    """The next `place [2, head]`, the squared error of this one, and the sum of its squared distances."""
    heads, x, y = len(distance), place[0], place[1]
    further = np.empty_like(place)
    off = size = 0.0
    for a in range(heads):
        along_x = along_y = 0.0
        for b in range(heads):
            across, up = x[a] - x[b], y[a] - y[b]
            apart = np.sqrt(across**2 + up**2)
            pull = distance[a, b] / max(apart, NEAREST)
            along_x += pull * across
            along_y += pull * up
            off += (apart - distance[a, b]) ** 2
            size += apart**2
        further[0, a], further[1, a] = along_x / heads, along_y / heads
    return further, off, size
