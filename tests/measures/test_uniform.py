"""The uniform reference in closed form equals what the general code finds on a uniform map."""

import numpy as np
import pytest
import torch

from generator.corpora.pairs import Input
from generator.measures import COLUMNS, OF_COLUMN
from generator.measures.uniform import uniform_primitives
from tests import slow
from tests.measures.maps import columns, measured, pair, text_of, uniform

FLOAT32 = 1e-5
"""Of a column's range: the worst that a float32 sum of 512 equal entropies comes to."""
LENGTHS = (1, 2, 3, 5, 7, 8, 9, 10, 17, 18, 64, 512)


def _shapes(n: int) -> list[Input]:
    marks = (1,) if n > 2 else ()
    return [pair(n, separators=n > 4, marks=marks), pair(n, begin=False, separators=n > 4), pair(n, separators=False)]


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("shape", range(3), ids=["pair", "no begin token", "no separators"])
def test_the_closed_form_equals_the_general_code_on_a_uniform_map(n, shape):
    item = _shapes(n)[shape]
    general = columns(uniform(n)[None, None], item, torch.ones(1, 1, n, 1))
    gaps = slow.difference(measured(uniform_primitives(item), item), general)
    assert set(gaps) == set(COLUMNS)
    for name, gap in gaps.items():
        assert gap <= FLOAT32 * (np.log(n) if OF_COLUMN[name].unit == "nats" else 1), name


@pytest.mark.parametrize("n", [5, 8, 9, 17, 40])
def test_the_closed_form_equals_the_slow_derivation(n):
    item = pair(n, marks=(1,))
    expected = slow.columns(uniform(n)[None, None], text_of(item), np.ones((1, 1, n, 4)))
    assert max(slow.difference(measured(uniform_primitives(item), item), expected).values()) < 1e-12


@pytest.mark.parametrize("n", LENGTHS)
def test_the_closed_form_never_leaves_the_range_of_a_share(n):
    for name, value in measured(uniform_primitives(pair(n, separators=n > 4)), pair(n, separators=n > 4)).items():
        if OF_COLUMN[name].unit == "share" and not np.isnan(value).any():
            assert 0 <= value.item() <= 1, name
