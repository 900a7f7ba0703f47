"""How much of the variance of some vectors one direction explains, in the three ways of Ethayarajh 2019.

    uncentred   sigma_1^2 / sum_i sigma_i^2 of the vectors as they are: the paper's formula. At least 1/m for m vectors.
    centred     the share of the variance about the mean along the first right singular vector of the vectors as they
                are: the ratio that scikit-learn's TruncatedSVD reports. The code that was released with the paper's
                stored statistics (analyze.py, first version) uses it for word types and for random words, so the
                printed 5 % is of this kind. The direction is close to the mean, along which vectors vary little.
    pca         the share of the variance about the mean along the first principal component, which later versions of
                the code use for word types. At least 1/(m - 1).

For a few vectors the shares are computed from their inner products, because there are fewer vectors than dimensions.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh

NO_VARIANCE = 1e-10
"""A variance no larger than this, relative to the squared lengths, is rounding of vectors in float32."""


class Explained(NamedTuple):
    """Shares of variance, 0 to 1, each `[layer]`; the last two are NaN if the vectors do not differ."""

    uncentred: np.ndarray
    centred: np.ndarray
    pca: np.ndarray


def explained(products: np.ndarray) -> Explained:
    """The shares from inner products `[layer, vector, vector]` of at least two vectors.

    >>> [share.item() for share in explained(np.array([[[4.0, 0.0], [0.0, 1.0]]]))]
    [0.8, 0.8, 1.0]
    """
    squares = products.trace(axis1=1, axis2=2)
    rows = products - products.mean(axis=-1, keepdims=True)
    about_mean = rows - rows.mean(axis=-2, keepdims=True)
    variance = _not_rounding(about_mean.trace(axis1=1, axis2=2), squares)
    values, vectors = np.linalg.eigh(products)
    first, coordinates = values[:, -1], vectors[..., -1]
    along = first * ((coordinates**2).sum(-1) - coordinates.sum(-1) ** 2 / coordinates.shape[-1])
    return Explained(first / squares, along / variance, np.linalg.eigvalsh(about_mean)[:, -1] / variance)


def centred(vectors: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Only the centred share, `[draw]`, for `vectors [vector, hidden]`, each counted `times [draw, vector]` times.

    In every draw the direction is that of all vectors, each counted once. Draws are about the mean of all vectors, from
    which theirs differ so little that float32 serves for these.
    """
    last = vectors.shape[1] - 1
    direction = eigh(vectors.T @ vectors, subset_by_index=[last, last])[1][:, 0]
    about = vectors - vectors.mean(0)
    weights = times / times.sum(1, keepdims=True)
    means = (weights.astype(np.float32) @ about.astype(np.float32)).astype(float)
    squares, variance = (weights @ (some**2).sum(1) for some in (vectors, about))
    along = weights @ (about @ direction) ** 2 - (means @ direction) ** 2
    share: np.ndarray = along / _not_rounding(variance - (means**2).sum(1), squares)
    return share


def _not_rounding(variance: np.ndarray, squares: np.ndarray) -> np.ndarray:
    return np.where(variance > NO_VARIANCE * squares, variance, np.nan)
