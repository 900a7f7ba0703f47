"""Tests of what others make, another engine or other instructions of a processor: no change of ours is likely to break
them alone, so they run once a week.
"""

import os

import pytest

VARIABLE = "FIELDGUIDE_WEEKLY"
weekly = pytest.mark.skipif(
    not os.environ.get(VARIABLE), reason=f"to run this, set {VARIABLE} to 1, as the workflow Test does each week"
)
