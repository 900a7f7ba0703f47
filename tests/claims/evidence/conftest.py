"""Columns of numbers that claims read."""

import numpy as np
import pytest

from tests.claims.evidence.columns import SHAPE


@pytest.fixture(scope="package")
def columns():
    """Two measures of seven documents; two documents define the first for every head, six the second."""
    rng = np.random.default_rng(1)
    first, second = rng.random(SHAPE), rng.random(SHAPE)
    first[1:6, 1, 0] = np.nan
    second[0] = np.nan
    return {"attention.self": first, "attention.max": second}
