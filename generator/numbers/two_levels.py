"""A mean over units that are themselves resampled, such as trainings that are scored on resampled examples.

Each draw of the mean takes its own sample of what the units were measured on and its own sample of the units: a
bootstrap of two levels. `sample_counts` gives the first, `weights` the second.
"""

import numpy as np

from generator.numbers.resampling import DRAWS


def weights(units: int, rng: np.random.Generator) -> np.ndarray:
    """`[1 + draw, unit]`: the weight of each unit in the mean over all, then in means over resampled units.

    The variance among few resampled units is too small by the factor (units - 1) / units, so their distance from the
    mean of all is multiplied by the square root of units / (units - 1). A single unit says nothing about how units
    vary.

    >>> weights(2, np.random.default_rng(0)).shape, weights(1, np.random.default_rng(0)).min()
    ((1001, 2), np.float64(1.0))
    """
    even = np.full((1, units), 1 / units)
    if units == 1:
        return np.ones((1 + DRAWS, 1))
    drawn = rng.multinomial(units, even[0], size=DRAWS) / units
    return np.vstack([even, even + (drawn - even) * np.sqrt(units / (units - 1))])
