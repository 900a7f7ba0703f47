"""No number and no verdict changes by accident: small-bert on a little text, against what it gave before.

Twice, with two sets of instructions of this processor, as two machines would compute it.
"""

import json
import os
import subprocess
import sys

import pytest

from tests.frozen import FILE
from tests.limits import SECONDS

CLOSE = {"rel": 1e-3, "abs": 1e-5}
"""What another processor may change; a wrong mask, axis or half changes far more."""
INSTRUCTIONS = {"widest": {}, "narrowest": {"ATEN_CPU_CAPABILITY": "default", "MKL_CBWR": "COMPATIBLE"}}
"""Which of this processor's instructions torch computes with -> environment."""
WRITTEN = "import json; from tests.frozen import written; print(json.dumps(written()))"


@pytest.fixture(scope="module", params=INSTRUCTIONS)
def now(request):
    environment = os.environ | INSTRUCTIONS[request.param]
    command = [sys.executable, "-c", WRITTEN]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=SECONDS)
    return json.loads(run.stdout)


@pytest.fixture(scope="module")
def before():
    return json.loads(FILE.read_text(encoding="utf-8"))


def test_the_same_numbers_are_stored_and_no_other(now, before):
    assert _names(now) == _names(before)


def test_every_number_and_its_interval_are_as_they_were(now, before):
    changed = {
        f"{table}: {name}": (was, now["numbers"][table][name])
        for table, rows in before["numbers"].items()
        for name, was in rows.items()
        if not _alike(was, now["numbers"][table].get(name, []))
    }
    assert changed == {}


def test_every_verdict_is_as_it_was(now, before):
    assert now["verdicts"] == before["verdicts"]


def _names(of):
    return {table: sorted(rows) for table, rows in of["numbers"].items()}


def _alike(was, now):
    return [one is None for one in was] == [one is None for one in now] and [
        one for one in now if one is not None
    ] == pytest.approx([one for one in was if one is not None], **CLOSE)
