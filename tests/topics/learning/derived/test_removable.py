"""How many heads can go, from changes made by hand."""

import numpy as np

from generator.topics.learning.derived.removable import NO_LOSS, removable

TRIED = [0, 5, 10, 20]
SMALL, SURE, EVEN = [0.0, -0.005, -0.02, 0.1], [0.0, -0.02, -0.1, 0.1], [0.0, 0.1, 0.1, 0.1]


def share(value, low, high):
    """Of changes at 0, 5, 10 and 20 heads with simultaneous intervals."""
    return removable(TRIED, *map(np.array, (value, low, high)))


def test_what_is_removable_ends_before_the_first_number_with_a_loss():
    assert share(SMALL, SURE, [0.0, 0.1, 0.1, -0.1]) == (5 / 20, 0, 10 / 20)
    assert share(EVEN, EVEN, EVEN) == (1, 1, 1)
    assert share(SMALL, SURE, [0.0, -0.001, -0.01, 0.1]) == (0, 0, 0), "a small loss that is sure"


def test_a_loss_is_one_of_more_than_a_point():
    for loss, heads in ((NO_LOSS - 1e-6, 20), (NO_LOSS + 1e-6, 5)):
        changes = [0.0, 0.0, -loss, 0.0]
        assert share(changes, changes, EVEN)[0] == heads / 20


def test_what_is_undefined_is_no_gain():
    one = [0.0, np.nan, np.nan, np.nan]
    assert share(one, one, one) == (0, 0, 0)
    assert np.isnan(share(*[[np.nan] * 4] * 3)).all()
