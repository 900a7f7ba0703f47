"""The check of the benchmark fails where a median misses its bound by more than 15 %, or was not measured."""

import json
from dataclasses import replace

import pytest

from tests.bench import record
from tests.bench.__main__ import ROWS, main


@pytest.mark.parametrize(("factor", "fails"), [(0.5, False), (1.1, False), (1.2, True)])
@pytest.mark.parametrize("name", ["text.384", "clark"], ids=["at most", "at least"])
def test_the_check_fails_beyond_fifteen_percent_of_a_bound(tmp_path, monkeypatch, capsys, name, factor, fails):
    monkeypatch.setattr(record, "KEPT", tmp_path / "build" / "bench.json")
    monkeypatch.setattr("sys.argv", ["bench", "--check"])
    row = ROWS[name]
    median = row.must * factor if row.most else row.must / factor
    for one in ROWS.values():
        value = median if one is row else one.must
        record.measured(replace(one, measure=lambda rounds, value=value: [value] * rounds), 3)
    assert main() == fails
    assert (row.what in capsys.readouterr().out) == fails
    kept = json.loads(record.KEPT.read_text())
    del kept[name]
    record.KEPT.write_text(json.dumps(kept))
    assert main() == 1
