"""A curve that cannot be drawn is refused before a checkpoint is analysed."""

from generator.corpora.catalogue import TREEBANK
from tests.cli.test_app import fieldguide
from tests.encoders import write


def test_a_curve_without_running_text_is_refused_at_once(tmp_path):
    """Its numbers are means over documents; without one there is nothing to resample."""
    for step in (0, 5):
        write("bert", tmp_path / "runs" / f"step-{step}")
    bank = TREEBANK.files[0]
    places = ("--work", tmp_path / "work", "--results", tmp_path / "results")
    code, out, heard = fieldguide("curve", tmp_path / "runs", "--corpus", bank, *places)
    assert (code, out) == (1, "")
    assert heard == (
        f"Error: Expected running text among the corpora of a curve, found {bank.name}; add a text with --corpus.\n"
    )
    assert not (tmp_path / "work").exists()
