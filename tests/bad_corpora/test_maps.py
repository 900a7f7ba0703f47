"""Saved maps that are wrong end in one sentence that says where."""

import zipfile
from pathlib import Path

import numpy as np
import pytest

TOKENS = np.array(["[CLS]", "a", ".", "[SEP]"])


def maps(folder: Path, **arrays: np.ndarray) -> Path:
    """An archive with a sound document `a`, and others."""
    path = folder / "maps.npz"
    np.savez(path, **{"a": even(), "a.tokens": TOKENS} | arrays)
    return path


def even(**wrong: float) -> np.ndarray:
    """Two layers of three heads of uniform attention; `wrong` goes to the first key of layer 2, head 3, row 4."""
    weights = np.full((2, 3, 4, 4), 0.25)
    weights[1, 2, 3, 0] = wrong.get("wrong", 0.25)
    return weights


@pytest.mark.parametrize(
    "words",
    [
        ["--maps", "maps.npz"],
        ["bert", "--maps", "maps.npz"],
        ["bert", "--maps", "maps.npz", "--name", "x"],
        ["--name", "x"],
        ["--maps"],
    ],
    ids=" ".join,
)
def test_maps_without_a_name_or_with_a_model_are_wrong_usage(tmp_path, run, monkeypatch, words):
    monkeypatch.chdir(maps(tmp_path).parent)
    outcome = run(*words)
    assert outcome.exit == 2
    assert outcome.err.startswith("Usage: ")


@pytest.mark.parametrize(
    ("wrong", "found"),
    [
        (0.3, "found 1.05"),
        (0.0, "found 0.75"),
        (np.nan, "found a weight that is no number"),
        (np.inf, "found inf"),
        (-0.25, "a weight of -0.25"),
    ],
    ids=str,
)
def test_maps_with_a_row_that_does_not_sum_to_one(tmp_path, refusal, wrong, found):
    path = maps(tmp_path, b=even(wrong=wrong), **{"b.tokens": TOKENS})
    said = refusal("--maps", path, "--name", "Saved")
    assert f"rows that sum to one in 'b' of {path}" in said
    assert f"{found} in layer 2, head 3, row 4" in said


@pytest.mark.parametrize(
    ("arrays", "says"),
    [
        ({"b": even()}, "Expected the tokens of 'b' of {}"),
        ({"b": even(), "b.tokens": np.arange(4)}, "Expected the tokens of 'b' of {}"),
        ({"b": even(), "b.tokens": TOKENS[:3]}, "for the 3 tokens of 'b' of {}, found 2 x 3 x 4 x 4"),
        ({"b": even()[:1], "b.tokens": TOKENS}, "for the 4 tokens of 'b' of {}, found 1 x 3 x 4 x 4"),
        ({"b": even()[0], "b.tokens": TOKENS}, "for the 4 tokens of 'b' of {}, found 3 x 4 x 4"),
        ({"b": even()[..., :0, :0], "b.tokens": TOKENS[:0]}, "Expected the tokens of 'b' of {}"),
        ({"b": even().astype(str), "b.tokens": TOKENS}, "Expected numbers as weights of 'b' of {}"),
        ({"b": np.array([{}, {}]), "b.tokens": TOKENS}, "archive of maps at {}, found: Object arrays"),
    ],
    ids=[
        "no tokens",
        "numbers for tokens",
        "a token missing",
        "a layer missing",
        "no layers",
        "no words",
        "text for weights",
        "pickled",
    ],
)
def test_maps_that_are_no_maps(tmp_path, refusal, arrays, says):
    path = maps(tmp_path, **arrays)
    assert says.format(path) in refusal("--maps", path, "--name", "Saved")


def test_a_file_that_is_missing_or_cut_short_is_no_archive(tmp_path, refusal):
    cut = tmp_path / "cut.npz"
    cut.write_bytes(maps(tmp_path).read_bytes()[:900])
    for path in (cut, tmp_path / "nowhere.npz", tmp_path):
        assert f"archive of maps at {path}" in refusal("--maps", path, "--name", "Saved")


@pytest.mark.parametrize("content", ["empty", "one array", "another archive"])
def test_a_file_of_another_kind_is_no_archive(tmp_path, refusal, content):
    path = tmp_path / "m.npz"
    if content == "one array":
        with path.open("wb") as file:
            np.save(file, even())
    elif content == "another archive":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("a.txt", "text")
    else:
        path.touch()
    assert str(path) in refusal("--maps", path, "--name", "Saved")


def test_an_empty_name_is_wrong_usage(tmp_path, run):
    assert run("--maps", maps(tmp_path), "--name", "").exit == 2


def test_saved_maps_bring_their_own_text(tmp_path, run, refusal):
    assert run("--maps", maps(tmp_path), "--name", "Saved", "--documents", "2").exit == 2
    said = refusal("--maps", maps(tmp_path), "--name", "Saved", "--corpus", "articles")
    assert "Expected treebanks for the words of" in said
    assert "found articles of kind text; name .conllu files" in said
