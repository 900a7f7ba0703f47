"""The gate names what heads made by hand do, and not what they only seem to do; of random weights it names no head."""

import pytest

from tests.made_encoders.encoders import ENCODERS, Made
from tests.made_encoders.trials import trial
from tests.made_encoders.untrained import FROM_GEOMETRY, untrained

SAMPLE = 24
"""Documents and sentences of the project that random weights read here."""


@pytest.mark.parametrize("made", ENCODERS, ids=lambda made: made.title)
def test_the_true_specialty_is_named_and_the_false_one_is_not(made: Made, tmp_path):
    found = trial(made, 0, tmp_path)
    assert found.named, found.told
    assert not found.misled, found.told
    assert found.others == ()


@pytest.mark.parametrize("seed", range(3))
def test_random_weights_with_sharp_maps_have_no_name_and_no_lean(tmp_path, seed):
    """With the cut-off for leans at twice what uniform attention gives, seeds 0 and 2 have one."""
    found = untrained(tmp_path, seed, sharp=True, documents=SAMPLE)
    assert found.named == FROM_GEOMETRY[True]
    assert not found.leaning
    assert found.directed != "holds"
