"""What is added is guarded: a measure by a slow derivation, a claim by cases, and both, as any number of a study, by
frozen numbers. One sentence says which guard is missing.
"""

import json

import pytest

from generator.claims.all import CLAIMS
from generator.measures import COLUMNS
from tests import slow
from tests.claims.cases import CASES
from tests.frozen import FILE
from tests.studies.test_declared import unstored


def underived():
    """Columns that no slow derivation gives."""
    return set(COLUMNS) - set(slow.derived())


def untried():
    """Claims without cases."""
    return {claim.id for claim in CLAIMS} - set(CASES)


def unfrozen():
    """Columns, claims and numbers of studies of which neither the frozen analysis nor a kept result has anything."""
    frozen = json.loads(FILE.read_text(encoding="utf-8"))
    measured = set(COLUMNS) - set(frozen["numbers"]["heads"])
    return measured | ({claim.id for claim in CLAIMS} - set(frozen["verdicts"])) | unstored()


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        (underived, "Write the slow derivation of {} into tests/slow.py."),
        (untried, "Make cases of {} in a file of tests/claims/cases."),
        (unfrozen, "Run `python -m tests.frozen`, which adds what small-bert gives for {} to tests/frozen.json."),
    ],
    ids=("derivation", "cases", "frozen"),
)
def test_nothing_is_added_without_its_guard(missing, said):
    if names := missing():
        pytest.fail(said.format(", ".join(sorted(names))), pytrace=False)
