"""Whether heads have doubles, and whether more do than among random heads: part of study "landscape".

A head has a double if another head lies nearer to it than HALF of the mean divergence of two heads. That alone says
little: of points drawn at random in a few dimensions nearly all have such a neighbour. So the share is compared with
two references that might be as high.

    random heads    points of a normal distribution with the covariance of the heads' own coordinates: as many as there
                    are heads, in as many dimensions, with the same mean distance, but in no groups
    untrained twin  the model with its embeddings and otherwise random weights, on the same text (`twin_doubles`)

The Jensen-Shannon divergence is a squared Euclidean distance (Fuglede and Topsoe 2004, "Jensen-Shannon divergence and
Hilbert space embedding"), and so is a mean of such divergences over rows and documents; coordinates that classical
scaling finds for the heads therefore have exactly these distances.
"""

from collections.abc import Sequence

import numpy as np
from scipy.spatial.distance import num_obs_y, squareform

from generator.numbers.number import Number
from generator.numbers.resampling import estimated, interval, sample_counts
from generator.topics.distances.records import HALF

RANDOM_SETS = 200
"""How many sets of random heads are drawn."""
PARTS = 10
"""How many parts the draws of documents are processed in, to save memory."""


def doubles(rows: np.ndarray, seed: int) -> dict[str, Number]:
    """Shares of heads with a double, from sums over groups of documents of what `pairwise` gives, `[group, pair]`.

    `doubles.random` is the mean over sets of random heads, and its interval is the range of the middle 95 % of them.
    The interval of `doubles.excess` allows both for the choice of documents and for the draw of random heads. NaN if no
    two heads differ. `n` counts groups; how large distances are makes no difference to a share.
    """
    n = len(rows)
    if not rows.any():
        return dict.fromkeys(("doubles", "doubles.random", "doubles.excess"), estimated(np.nan, np.empty(0), n))
    mean = rows.mean(0)
    share, draws = float(shares_with_double(mean[None])[0]), _resampled(rows, seed)
    random = random_shares(mean, seed)
    return {
        "doubles": estimated(share, draws, n),
        "doubles.random": Number(float(random.mean()), *interval(random), n),
        # Each draw of documents is compared with each set of random heads.
        "doubles.excess": estimated(share - random.mean(), np.subtract.outer(draws, random), n),
    }


def twin_doubles(model: np.ndarray, twins: Sequence[np.ndarray], seed: int) -> dict[str, Number]:
    """Shares of heads with a double in untrained twins, from divergences `[document, pair]` of the model and each twin.

    Intervals allow both for the choice of documents and for the draw of a twin.
    """
    share, *random = shares_with_double(np.stack([rows.mean(0) for rows in (model, *twins)])).tolist()
    own, of_twins = _resampled(model, seed), float(np.mean(random))
    draws = np.stack([_resampled(rows, seed) for rows in twins])
    return {
        "doubles.twin": estimated(of_twins, draws, len(model)),
        "doubles.twin.excess": estimated(share - of_twins, own - draws, len(model)),
    }


def shares_with_double(distances: np.ndarray) -> np.ndarray:
    """For each set of distances, the share of heads whose nearest neighbour is nearer than HALF of the mean.

    Takes `[set, pair]` and gives `[set]`.

    >>> shares_with_double(np.array([[1.0, 9, 9]])).round(3)
    array([0.667])
    """
    of_pair = np.ascontiguousarray(distances.T)  # all sets of a pair side by side
    heads = num_obs_y(distances[0])
    nearest, start = np.full((heads, len(distances)), np.inf), 0
    for head in range(1, heads):  # the pairs of one head with all later ones follow each other
        others = of_pair[start : start + heads - head]
        start += len(others)
        np.minimum(nearest[head - 1], others.min(0), out=nearest[head - 1])
        np.minimum(nearest[head:], others, out=nearest[head:])
    found: np.ndarray = (nearest < HALF * distances.mean(-1)).mean(0)
    return found


def random_shares(mean: np.ndarray, seed: int) -> np.ndarray:
    """Shares of heads with a double, `[set]`, in sets of random heads with the covariance of the real ones.

    `mean` has the mean divergences of the real heads, `[pair]`.
    """
    distance = squareform(mean)
    heads = len(distance)
    centring = np.eye(heads) - 1 / heads
    products = np.linalg.eigvalsh(-centring @ distance @ centring / 2)  # of the coordinates that have these distances
    spread = np.sqrt(np.maximum(products, 0) / (heads - 1))
    rng = np.random.default_rng(seed)
    points = (rng.normal(size=(heads, heads)) * spread for _ in range(RANDOM_SETS))
    return shares_with_double(np.stack([_squared_distances(point) for point in points]))


def _squared_distances(points: np.ndarray) -> np.ndarray:
    """`[pair]` of `points [point, dimension]`, from their inner products; for 144 points half the time of `pdist`."""
    products = points @ points.T
    lengths = products.diagonal()
    squares: np.ndarray = squareform(lengths[:, None] + lengths - 2 * products, checks=False)
    return squares


def _resampled(rows: np.ndarray, seed: int) -> np.ndarray:
    """`[draw]`: the share of heads with a double when documents are resampled; no draws for a single document."""
    documents = len(rows)
    if documents < 2:
        return np.empty(0)
    parts = np.split(sample_counts(documents, seed), PARTS)  # the sums of all draws would be large
    return np.concatenate([shares_with_double((rows.T @ part.T).T) for part in parts])  # those of the means
