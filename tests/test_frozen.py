"""No number and no verdict changes by accident: small-bert on a little text, against what it gave before.

Each week a second time, with other instructions of this processor, as another machine would compute it.
"""

import json
import os
import subprocess
import sys
from dataclasses import replace
from difflib import unified_diff

import pytest

from tests.frozen import FILE, compare, read, written
from tests.limits import SECONDS
from tests.test_guards import unfrozen
from tests.weekly import weekly

INSTRUCTIONS = {"widest": {}, "narrowest": {"ATEN_CPU_CAPABILITY": "default", "MKL_CBWR": "COMPATIBLE"}}
"""Which of this processor's instructions torch computes with -> environment."""
WRITTEN = "import json; from tests.frozen import written; print(json.dumps(written()))"


@pytest.fixture(scope="module", params=["widest", pytest.param("narrowest", marks=weekly)])
def now(request):
    if not INSTRUCTIONS[request.param]:
        return json.loads(json.dumps(written()))
    environment = os.environ | INSTRUCTIONS[request.param]
    command = [sys.executable, "-c", WRITTEN]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=SECONDS)
    return json.loads(run.stdout)


def test_no_number_and_no_verdict_is_new_gone_or_changed(now):
    found = compare(read(), now)
    if unfrozen():  # `tests/test_guards.py` says so once, and the renewal writes all that is new
        found = replace(found, changes=[change for change in found.changes if " is new: " not in change])
    assert not found.changes, found.complaint("tests.frozen")


def test_the_file_is_laid_out_as_a_renewal_writes_it():
    found = compare(read(), read())
    assert (found.changes, found.text) == ([], FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("was", [0.0, 0.001, 0.0099, 0.0101, -0.5, 20.0])
def test_a_number_has_changed_where_it_is_beyond_the_tolerance(was, sign):
    most = sign * max(1e-3 * abs(was), 1e-5)
    before, within, beyond = (record(was + part * most) for part in (0, 0.999, 1.001))
    found = compare(before, within)
    assert (found.changes, json.loads(found.text)) == ([], before)
    found = compare(before, beyond)
    assert [change.partition(" (")[0] for change in found.changes] == [
        f"roles, share: mean was {was} and is {was + 1.001 * most}"
    ]
    assert json.loads(found.text) == beyond


@pytest.mark.parametrize(
    ("was", "now", "told"), [(None, 1.0, "was undefined and is 1.0"), (1.0, None, "was 1.0 and is undefined")]
)
def test_a_number_that_is_undefined_equals_only_itself(was, now, told):
    assert compare(record(was), record(was)).changes == []
    assert compare(record(was), record(now)).changes == [f"roles, share: mean {told}."]
    assert json.loads(compare(record(was), record(now)).text) == record(now)


def test_of_one_changed_study_exactly_its_numbers_are_told_and_written_on_any_processor():
    """All others have moved, too, but by no more than a processor may change."""
    now, its = read(), []
    for table, rows in now["numbers"].items():
        for name, values in rows.items():
            its += [(table, name)] if name.startswith("occlusion: ") else []
            rows[name] = [moved(value, 1.1 if (table, name) in its else 0.9) for value in values]
    found = compare(read(), now)
    assert len(its) > 20
    assert len(found.changes) == len(its)
    for table, name in its:
        assert any(change.startswith(f"{table}, {name}: value was ") for change in found.changes)
    for lines in lines_changed(read(), found):
        assert [line.partition('": ')[0] for line in lines] == [f'"{name}' for _, name in its]


def test_what_changed_is_told_with_what_it_was_and_is_and_every_other_line_stays():
    before = {
        "numbers": {
            "facts": {"a: b": [-2.0, 1.0, 3.0, 20.0], "c: d": [0.0, None, None, 8.0]},
            "roles": {"e": [1.0, 0.5]},
        },
        "verdicts": {"C01": "holds", "C02": "fails", "C03": "fails"},
    }
    now = {
        "numbers": {
            "facts": {
                "a: b": [-2.5, 1.0, 3.0001, 21.0],
                "c: d": [0.25, None, None, 8.0],
                "f: g": [0.1, None, 0.2, 5.0],
            },
        },
        "verdicts": {"C01": "holds", "C02": "inconclusive", "C04": "holds"},
    }
    found = compare(before, now)
    assert found.changes == [
        "facts, a: b: value was -2.0 and is -2.5 (-0.5, -25.00%); n was 20.0 and is 21.0 (+1, +5.00%).",
        "facts, c: d: value was 0.0 and is 0.25 (+0.25).",
        "facts, f: g is new: value 0.1, low undefined, high 0.2, n 5.0.",
        "roles, e is gone; it was: mean 1.0, std 0.5.",
        "verdicts, C02: verdict was fails and is inconclusive.",
        "verdicts, C03 is gone; it was: verdict fails.",
        "verdicts, C04 is new: verdict holds.",
    ]
    assert found.compared == "3 numbers, 3 verdicts"
    now["numbers"]["facts"]["a: b"][2] = 3.0
    assert json.loads(found.text) == now, "and what is within the tolerance keeps its digits"


def test_the_order_of_names_is_not_that_of_the_code():
    now = read()
    now["numbers"] = {table: dict(reversed(rows.items())) for table, rows in reversed(now["numbers"].items())}
    assert compare(read(), now).text == FILE.read_text(encoding="utf-8")


def record(number):
    """With one number that has a tolerance to be tried."""
    return {"numbers": {"roles": {"share": [number, 1.0]}}, "verdicts": {}}


def moved(number, steps):
    """By so many tolerances."""
    return None if number is None else number + steps * max(1e-3 * abs(number), 1e-5)


def lines_changed(before, found):
    """The lines that a renewal takes away, and those that it adds."""
    texts = (text.splitlines() for text in (compare(before, before).text, found.text))
    lines = list(unified_diff(*texts, n=0))[2:]
    return [[line[1:] for line in lines if line[0] == sign] for sign in "-+"]
