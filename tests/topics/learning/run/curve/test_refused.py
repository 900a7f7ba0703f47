"""A curve that cannot be drawn is refused before a checkpoint is analysed."""

import json
import shutil

import pandas as pd
import pytest

from generator.corpora.catalogue import TREEBANK
from generator.errors import ResultsError
from generator.topics.learning.run.pretrain.state import COUNTS, RUN, read_counts, read_run
from tests.cli.command import fieldguide, write_corpus
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


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("", "Expected 2 checkpoints or more in .*list.txt, found 0"),
        ("0 {0}\n", "found 1; add some"),
        ("0 {0}\n5 {1}\n5 {1} main\n", "found step 5 twice"),
        ("0 {0}\nfive {1}\n", "in line 2 of .*list.txt, found 'five"),
        ("0 {0}\n5\n", "in line 2 of .*list.txt, found '5'"),
        ("0 {0}\n5 {1}-gone\n", "step-0000004-gone.*found none; check the path"),
        ("0 {0}\n5 someone/some-model step_20k\n", "'someone/some-model' at revision 'step_20k', but"),
        ("0 {0}  # the start\n5 {2}\n", "Expected 2 layers of 2 heads at step 5 as at step 0, found 3 of 4"),
    ],
)
def test_a_list_that_is_no_curve_gives_one_sentence(place, tmp_path, checkpoint, lines, said):
    folders = [place / "run" / "checkpoints" / f"step-{step:07d}" for step in (0, 4)]
    listed = tmp_path / "list.txt"
    listed.write_text(lines.format(*folders, checkpoint("bert")), encoding="utf-8")
    text = write_corpus(tmp_path / "one.txt", 1)
    read = ("--corpus", text, "--work", tmp_path / "work", "--results", tmp_path / "results")
    code, out, heard = fieldguide("curve", listed, *read)
    assert (code, out) == (1, "")
    errors = [line for line in heard.splitlines() if line.startswith("Error: ")]
    assert len(errors) == 1
    assert pd.Series(errors).str.contains(said).all(), errors
    assert not (tmp_path / "results" / "list@curve").exists()


@pytest.mark.parametrize("written", ["[1]", '{"the": 2.5}', '{"the": -1}', '{"the": true}', "{", '{"the": "2"}'])
def test_counts_that_are_no_counts_are_refused_in_a_sentence(tmp_path, written):
    (tmp_path / COUNTS).write_text(written)
    with pytest.raises(ResultsError, match=r"Expected how often each piece stands in the training text in .*; delete"):
        read_counts(tmp_path)


def test_a_run_without_counts_has_none(tmp_path):
    assert read_counts(tmp_path) == {}


@pytest.mark.parametrize("text", ["{", "[]", "{}", "[" * 100_000])
def test_a_folder_with_another_run_json_is_no_run(text, tmp_path):
    (tmp_path / RUN).write_text(text)
    with pytest.raises(ResultsError, match="to describe a run of `fieldguide pretrain`, found something else"):
        read_run(tmp_path)


def test_runs_that_differ_in_more_are_no_contrast(place, tmp_path):
    other = shutil.copytree(place / "without", tmp_path / "other")
    described = json.loads((other / "run.json").read_text())
    described["settings"]["rate"] = 1
    (other / "run.json").write_text(json.dumps(described))
    for wrong in (other, place / "run", place / "text"):
        code, _, heard = fieldguide("curve", place / "run", "--without", wrong, "--results", tmp_path / "results")
        assert code == 1
        assert heard.startswith("Error: Expected")
        assert len(heard.splitlines()) == 1


@pytest.mark.parametrize("more", [("--seed", "3"), ("--corpus", "articles"), ("--without", "another-run")])
def test_what_fine_tuning_would_ignore_is_refused(tmp_path, more):
    code, out, heard = fieldguide("curve", tmp_path / "run", "--task", "rte", *more)
    assert (code, out) == (2, "")
    assert heard.endswith("and reads no text; leave out --corpus, --without and --seed.\n")
