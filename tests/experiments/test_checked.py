"""What is found of experiments that were run with the code before and after, and what the file of checks then says."""

from pathlib import Path

import pandas as pd
import pytest

from generator.experiments.code import CHECKED, MADE_BY, checks, code_of
from generator.survey.code import CODE
from tests.checked import KINDS, ROUNDING, differs, noted

ROWS = pd.DataFrame({"name": ["a", "a", "b"], "layer": [1, 1, 2], "value": [0.5, None, 2.0]})
TABLE = "tiny@curve/curves.parquet"


@pytest.fixture
def stored(tmp_path):
    """Stores rows as those of the code before or of today's; gives the folder."""

    def store(name: str, rows: pd.DataFrame) -> Path:
        path = tmp_path / name / TABLE
        path.parent.mkdir(parents=True)
        rows.to_parquet(path)
        return tmp_path / name

    return store


@pytest.mark.parametrize(
    ("now", "found"),
    [
        (ROWS.iloc[[2, 0, 1]], []),
        (ROWS.assign(value=ROWS["value"] + 0.9 * ROUNDING), []),
        (ROWS.assign(value=ROWS["value"] + 1.1 * ROUNDING), ["value is another by 1.1e-06"]),
        (ROWS.fillna(0.0), ["value is another by nan"]),
        (ROWS.assign(more=1.0), []),
        (pd.concat([ROWS, ROWS.assign(name="c")]), []),
        (ROWS.iloc[:2], ["1 of 3 rows are gone, such as b 2 0"]),
        (ROWS.drop(columns="layer"), ["no column layer"]),
    ],
)
def test_a_number_that_is_lost_or_another_is_found_and_a_new_one_is_none(stored, now, found):
    assert [*differs(stored("before", ROWS), stored("now", now))] == [f"{TABLE}: {one}" for one in found]


def test_rows_that_are_meant_to_go_may_be_gone_and_no_others(stored):
    before, now = stored("before", ROWS), stored("now", ROWS.iloc[:2])
    assert [*differs(before, now, "b")] == []
    assert [*differs(before, now, "a")] == [f"{TABLE}: 1 of 1 rows are gone, such as b 2 0"]


def test_tables_that_are_gone_and_other_weights_are_found(stored):
    before, now = stored("before", ROWS), stored("now", ROWS)
    (now / TABLE).unlink()
    for folder, weights in ((before, b"1"), (now, b"2")):
        (folder / "model.safetensors").write_bytes(weights)
    assert [*differs(before, now)] == ["model.safetensors holds other weights", f"{TABLE} is gone"]


def test_what_was_compared_with_the_code_before_is_compared_with_todays(tmp_path):
    text = '[[checked]]\ndate = 2026-11-28\nmade = [\n  "a", # tiny@curve\n]\ncode = "b"\ncheck = "Equal."\n'
    was = {"curve": "b", "seeds": "c", "finetune.rte": "d"}
    file = tmp_path / CHECKED
    file.write_text(noted(text, was, {"curve": "e", "seeds": "f", "finetune.rte": "d"}, 'A "measure" was added.'))
    first, second = checks(file)
    assert (first.made, first.code, second.made, second.code) == (("a", "b"), "e", ("c",), "f"), (
        'also what "b" has made'
    )
    assert (first.check, second.check) == ('Equal. A "measure" was added.', 'A "measure" was added.')


def test_every_experiment_that_there_is_is_compared():
    assert {code_of(kind) for kind in KINDS} == {CODE.checksum([made]) for made in MADE_BY.values()}
