"""Files that hold no maps are refused, with the row of the document that is wrong."""

import pickle
import zipfile

import numpy as np
import pytest

from generator.attention.saved import read_maps
from generator.errors import CorpusError
from tests.attention.archives import TOKENS, saved


def spoilt(row):
    """Maps of two layers and three heads, of which the last row of layer 2, head 3 is this one."""
    weights = np.full((2, 3, 3, 3), 1 / 3)
    weights[1, 2, 2] = row
    return weights


EVEN = spoilt(1 / 3)


@pytest.mark.parametrize(
    ("weights", "tokens", "words"),
    [
        (spoilt((0.5, 0.2, 0.0)), TOKENS, ("sum to one", "0.7", "layer 2, head 3, row 3")),
        (
            spoilt((np.nan, 0.5, 0.5)),
            TOKENS,
            ("sum to one", "found a weight that is no number in", "layer 2, head 3, row 3"),
        ),
        (spoilt((np.inf, 0.0, 0.0)), TOKENS, ("sum to one", "inf", "layer 2, head 3, row 3")),
        (spoilt((1.5, -0.5, 0.0)), TOKENS, ("sum to one", "found a weight of -0.5 in", "layer 2, head 3, row 3")),
        (EVEN * 10_000, TOKENS, ("sum to one", "found 10,000 in", "layer 1, head 1, row 1")),
        (EVEN, TOKENS[:2], ("2 x 3 x 2 x 2", "2 tokens", "2 x 3 x 3 x 3")),
        (EVEN[0], TOKENS, ("3 tokens", "3 x 3 x 3", "layer, head, query, key")),
        (EVEN, None, ("tokens", "none")),
        (EVEN, (1, 2, 3), ("tokens", "none")),
        (EVEN[:, :, :0, :0], np.array([], dtype=str), ("tokens", "none")),
        (EVEN[:0], TOKENS, ("3 tokens", "0 x 3 x 3 x 3")),
        (EVEN.astype(str), TOKENS, ("numbers", "<U")),
        (EVEN.astype(complex), TOKENS, ("numbers", "complex")),
    ],
    ids=[
        *("sum", "NaN", "infinite", "negative", "not scaled", "too few tokens", "three axes", "no tokens"),
        *("tokens are numbers", "no token", "no layer", "weights are texts", "weights are complex"),
    ],
)
def test_what_is_no_attention_is_refused_with_its_file_document_and_row(tmp_path, weights, tokens, words):
    path = saved(tmp_path / "m.npz", {"spoilt one": (weights, tokens)})
    message = refusal(path)
    assert all(word in message for word in (*words, "'spoilt one'")), message


def test_a_document_of_other_layers_than_the_first_is_refused(tmp_path):
    path = saved(tmp_path / "m.npz", {"a": (EVEN, TOKENS), "b": (EVEN[:1], TOKENS)})
    message = refusal(path)
    assert "2 x 3 x 3 x 3" in message
    assert "found 1 x 3 x 3 x 3" in message
    assert "'b'" in message


def refusal(path):
    with pytest.raises(CorpusError) as error:
        read_maps(path)
    message = str(error.value)
    assert message.startswith("Expected ")
    assert message.endswith(".")
    assert "\n" not in message
    assert str(path) in message
    return message


def _pickled(path):
    np.savez(path, **{"d": np.array([EVEN], dtype=object), "d.tokens": np.array(TOKENS)})


def _compressed_and_damaged(path):
    np.savez_compressed(path, d=np.random.default_rng(0).random((2, 3, 3, 3)))
    raw = bytearray(path.read_bytes())
    raw[60:200:7] = bytes(byte ^ 0x55 for byte in raw[60:200:7])
    path.write_bytes(raw)


def _damaged(path):
    saved(path, {"d": (EVEN, TOKENS)})
    raw = bytearray(path.read_bytes())
    raw[250] ^= 255
    path.write_bytes(raw)


def _array(path):
    with path.open("wb") as file:
        np.save(file, EVEN)


def _other_files(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("README.txt", "maps")


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda path: None, "No such file"),
        (lambda path: path.mkdir(), "directory"),
        (lambda path: path.write_bytes(b""), "No data"),
        (lambda path: path.write_text("some text"), "check the file"),
        (lambda path: path.write_bytes(pickle.dumps({"d": 1})), "pickle"),
        (_pickled, "Object arrays"),
        (_array, "np.save"),
        (_damaged, "CRC"),
        (_compressed_and_damaged, "check the file"),
        (_other_files, "README.txt"),
        (lambda path: saved(path, {}), "found none"),
        (lambda path: saved(path, {"d": (None, TOKENS)}), "found none"),
    ],
    ids=[
        *("missing", "folder", "empty", "text", "pickle", "pickled objects", "one array", "damaged", "damaged stream"),
        *("other files", "no maps", "tokens alone"),
    ],
)
def test_a_file_that_is_no_archive_of_maps_is_refused(tmp_path, make, word):
    path = tmp_path / "m.npz"
    make(path)
    assert word in refusal(path)


def test_nothing_in_a_pickle_is_run(tmp_path):
    class Trap:
        def __reduce__(self):
            return (tmp_path / "ran").touch, ()

    path = tmp_path / "m.npz"
    np.savez(path, **{"d": np.array([Trap()], dtype=object), "d.tokens": np.array(TOKENS)})
    refusal(path)
    path.write_bytes(pickle.dumps(Trap()))
    refusal(path)
    assert not (tmp_path / "ran").exists()
