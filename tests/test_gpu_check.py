"""The check of a GPU, with a second run on the CPU in the place of one."""

import shutil

from tests import gpu_check


def test_the_page_is_written_and_a_difference_beyond_the_tolerance_fails(tmp_path, monkeypatch, checkpoint):
    page = shutil.copy(gpu_check.PAGE, tmp_path / "gpu.md")
    sizes = gpu_check.Sizes(str(checkpoint("bert")), 2, 128)
    for rounded, code in ((0.1, 0), (1e-6, 1)):
        monkeypatch.setitem(gpu_check.TOLERANCE, "bfloat16", rounded)
        assert gpu_check.check("cpu", "a machine", page, sizes) == code
    text = page.read_text()
    for row in ("| bert | articles |", "| random weights | 128 tokens.txt |"):
        assert text.count(f"{row} float32 | ") == 1, "what an earlier check wrote is replaced"
        assert text.count(f"{row} bfloat16 | ") == 1
        assert f"{row} tf32 | " not in text, "a CPU has none"
    assert text.count("| 0.0e+00 | 1e-03 |") == 2, "the same device gives the same numbers in the same precision"
    assert "has not been run" not in text
    assert "## In a container" in text


def test_without_a_gpu_it_says_so(monkeypatch, capsys):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert gpu_check.main() == 2
    assert "found none" in capsys.readouterr().out
