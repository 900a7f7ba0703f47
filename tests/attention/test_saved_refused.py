"""Files that hold no maps are refused, with the row of the document that is wrong."""

import pickle
import zipfile

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from generator.attention.given import one_way
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
        (EVEN[0], TOKENS, ("3 tokens", "3 x 3 x 3", "layer, head, query, key", "weights[:, None] for one head")),
        (EVEN, None, ("tokens", "none")),
        (EVEN, (1, 2, 3), ("tokens", "found 3 of int64")),
        (EVEN, [TOKENS, TOKENS], ("tokens", "found 2 x 3 of <U5")),
        (EVEN, (b"[CLS]", b"\xff", b"[SEP]"), ("tokens", "found 3 of |S5")),
        (
            (EVEN * 255).astype(np.uint8),
            TOKENS,
            ("found 255 in", "whole numbers (uint8); save the weights as floats"),
        ),
        (EVEN / 0.9, TOKENS, ("1.11", "after softmax, without dropout and with all their digits")),
        (EVEN[:, :, :0, :0], np.array([], dtype=str), ("tokens", "none")),
        (EVEN[:0], TOKENS, ("3 tokens", "0 x 3 x 3 x 3")),
        (EVEN.astype(str), TOKENS, ("numbers", "<U")),
        (EVEN.astype(complex), TOKENS, ("numbers", "complex")),
    ],
    ids=[
        *("sum", "NaN", "infinite", "negative", "not scaled", "too few tokens", "three axes", "no tokens"),
        *("tokens are numbers", "tokens of two", "tokens are no UTF-8", "whole numbers", "dropout"),
        *("no token", "no layer", "weights are texts", "weights are complex"),
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


def causal(layers, heads, n):
    weights = np.tril(np.ones((layers, heads, n, n)))
    return weights / weights.sum(-1, keepdims=True)


def test_maps_of_a_decoder_are_refused_in_the_words_that_refuse_the_model(tmp_path):
    both = causal(2, 3, 3)
    both[0] = 1 / 3
    path = saved(tmp_path / "m.npz", {"a": (both, TOKENS), "b": (both, TOKENS)})
    message = refusal(path)
    assert message == one_way(str(path), 2, 2)
    assert "in layer 2 of 2 nothing attends to a later token, as in a decoder; choose an encoder." in message
    both[1, 2, 0, 1:] = both[1, 2, 0, 0] = 1 / 3
    saved(path, {"a": (causal(2, 3, 3), TOKENS), "b": (np.full_like(both, 1 / 3), TOKENS)})
    assert len(read_maps(path).inputs) == 2, "one text whose rows see no later token is no decoder"
    saved(path, {"a": (np.tile(np.eye(3), (2, 3, 1, 1)), TOKENS)})
    assert len(read_maps(path).inputs) == 1, "nor are heads that see themselves alone"


@pytest.mark.parametrize(
    ("shape", "said"),
    [((2, 2, 3, 3, 3), "2 x 2 x 3 x 3 x 3"), ((1, 2, 3, 3, 3), "1 x 2 x 3 x 3 x 3"), ((2, 0, 3, 3, 3), "2 x 0")],
)
def test_an_axis_of_a_batch_of_several_is_named(tmp_path, shape, said):
    message = refusal(saved(tmp_path / "m.npz", {"d": (np.full(shape, 1 / 3), TOKENS)}))
    assert f"found five, {said}" in message
    assert "is that of a batch; save the map of each text alone" in message
    assert message.endswith("weights[:, 0] if the second axis counts texts, or weights[0] if the first one does.")


def test_an_axis_of_a_batch_is_named_before_its_tokens_are(tmp_path):
    message = refusal(saved(tmp_path / "m.npz", {"d": (np.full((2, 2, 3, 3, 3), 1 / 3), [TOKENS, TOKENS])}))
    assert "found five, 2 x 2 x 3 x 3 x 3" in message


@pytest.mark.parametrize(
    ("off", "halve", "is_read"),
    [
        (2**-7, np.float64, False),
        (0.0009, np.float64, True),
        (0.0011, np.float64, False),
        (2**-7, "bfloat16", True),
        (2**-6, "bfloat16", False),
        (2**-9, np.float16, True),
        (2**-8, np.float16, False),
    ],
)
def test_rows_may_miss_one_by_the_rounding_of_their_precision(tmp_path, off, halve, is_read):
    least = {"bfloat16": 2.0**-30, np.float16: 2.0**-12 * 1023 / 1024}.get(halve, 0.1)
    """What the other half precision has no digits for."""
    row = np.array((least, 0.5 - off, 0.5 if halve != np.float64 else 0.4))
    weights = np.tile(row, (2, 3, 3, 1)).astype(np.float64 if halve == "bfloat16" else halve)
    path = saved(tmp_path / "m.npz", {"d": (weights, TOKENS)})
    if is_read:
        maps = read_maps(path)
        np.testing.assert_allclose(maps.weights["d"].sum(-1), 1, atol=1e-6)
        assert maps.rounded == ({"bfloat16": ("bfloat16",), np.float16: ("float16",)}.get(halve, ()))
    else:
        assert "save the weights after softmax" in refusal(path)


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
        (lambda path: path.mkdir(), "found: Is a directory; check"),
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


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda path: save_file({"d": torch.ones(2)}, path), "a safetensors file"),
        (lambda path: path.write_text('{"d": [[[[1.0]]]]}'), "JSON"),
        (lambda path: path.write_text("[[1.0]]"), "JSON"),
        (lambda path: torch.save({"d": torch.ones(2)}, path), "a file of torch.save"),
        (lambda path: path.write_bytes(pickle.dumps({"d": 1})), "a pickle"),
        (_pickled, "Object arrays"),
        (lambda path: path.write_bytes(b"\x89HDF\r\n\x1a\n"), "an HDF5 file"),
        (lambda path: path.write_text("some text"), "something else"),
    ],
)
def test_a_file_is_named_as_what_it_is_and_no_advice_is_to_load_pickles(tmp_path, make, kind):
    path = tmp_path / "m.npz"
    make(path)
    message = refusal(path)
    assert f"found: {kind}" in message
    assert "numpy.savez" in message
    assert "allow_pickle" not in message


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
