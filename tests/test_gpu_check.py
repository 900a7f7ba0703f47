"""The check of a GPU, with a second run on the CPU in the place of one."""

import shutil
from functools import partial

import pytest
import torch

from generator.claims.all import CLAIMS
from generator.corpora.opening import open_corpora
from tests import gpu_check
from tests.gpu_speed import CASES, Case, speeds


def test_the_page_is_written_and_a_difference_beyond_the_tolerance_fails(tmp_path, monkeypatch, checkpoint):
    page = shutil.copy(gpu_check.PAGE, tmp_path / "gpu.md")
    sizes = gpu_check.Sizes(str(checkpoint("bert")), ("articles",), 2, 128, ())
    compare, found = gpu_check.compare, {}

    def once(source, *how):
        """Both checks judge the same analyses."""
        if source.id not in found:
            found[source.id] = compare(source, *how)
        return found[source.id]

    monkeypatch.setattr(gpu_check, "compare", once)
    for rounded, code in ((0.1, 0), (1e-6, 1)):
        monkeypatch.setitem(gpu_check.TOLERANCE, "bfloat16", rounded)
        assert gpu_check.check("cpu", "a machine", page, sizes) == code
    text = page.read_text()
    for row in ("| bert | articles |", "| random weights | 128 tokens.txt |"):
        assert text.count(f"{row} float32 | ") == 1, "what an earlier check wrote is replaced"
        assert text.count(f"{row} bfloat16 | ") == 1
        assert f"{row} tf32 | " not in text, "a CPU has none"
    assert text.count(f"| 0.0e+00 | 1e-03 | 0 of {len(CLAIMS)} |") == 2, "one device gives the same numbers twice"
    assert "has not been run" not in text
    assert "## In a container" in text


def test_what_an_analysis_takes_is_told_beside_reading_the_text():
    cases = [Case("two texts", partial(open_corpora, ["articles"], 2), 64, head=True)]
    told = speeds(cases, torch.device("cpu"), layers=2, heads=2)
    name, precision, inputs, *numbers, memory = [cell.strip() for cell in told.splitlines()[-1].split("|")[1:-1]]
    analysis, in_a_second, bare = map(float, numbers)
    assert (name, precision, memory) == ("two texts, inputs of 128 tokens, hidden 64, cpu", "float32", "")
    assert in_a_second == pytest.approx(int(inputs) / analysis, rel=0.02)
    assert 0 < bare < analysis


def test_without_its_text_it_is_told_where_to_put_it(monkeypatch, tmp_path):
    monkeypatch.setenv("FIELDGUIDE_DATA", str(tmp_path))
    assert "put it there" in speeds(CASES, torch.device("cpu"))


def test_without_a_gpu_it_says_so(monkeypatch, capsys):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert gpu_check.main() == 2
    assert "found none" in capsys.readouterr().out
