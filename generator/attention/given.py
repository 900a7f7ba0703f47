"""Maps as others give them, made into float32 `[layer, head, query, key]` whose rows sum to one, or refused.

A model that ran in half precision gives rows that miss one by its rounding; they are scaled, like rows that were stored
with few decimals. An axis for a batch of one is dropped.
"""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from generator.errors import CorpusError
from generator.numbers.writing import number

TOKENS = ".tokens"
ROUNDED = 1e-3
"""How far from one the sum of a row may be: maps are often stored with four decimals."""
HALVES = {"bfloat16": 2**-7, "float16": 2**-9}
"""Precision -> how far from one a row may be then. A weight is rounded when an exponential is taken and when it is
divided by their sum, by at most 2^-8 or 2^-11 of it each time. For bfloat16 the sum of both is allowed, for float16
twice as much.
"""
PADDING = frozenset({"[PAD]", "<pad>", "<PAD>", "<|pad|>", "<|padding|>"})
"""Tokens that fill up a batch: no text, though a map may have rows for them."""
LAYER_HEAD = 2
"""How many axes stand before query and key."""


class Given(NamedTuple):
    """The maps of one document."""

    weights: np.ndarray
    tokens: list[str]
    rounded: str = ""
    """The precision whose rounding the rows had, if it was more than that of few decimals."""


def one_way(name: str, layer: int, layers: int) -> str:
    """The sentence that refuses a decoder, by a layer in which no token attends to a later one."""
    return (
        f"Expected {name} to attend to tokens before and after each token, found that in layer {layer} of {layers} "
        "nothing attends to a later token, as in a decoder; choose an encoder."
    )


def what_it_is(raw: bytes) -> str:
    """What a file is that is no archive of NumPy, as a few words; empty if it may be one, or nobody knows."""
    # Eight bytes with the length of a header come first, then this header, as JSON.
    if raw[8:9] == b"{" and 0 < int.from_bytes(raw[:8], "little") < len(raw):
        return "a safetensors file"
    for start, kind in (
        (b"\x80", "a pickle, which could run code"),
        (b"\x89HDF", "an HDF5 file"),
        (b"PAR1", "a Parquet file"),
        (b"\x1f\x8b", "a gzipped file"),
        (b"GGUF", "a GGUF file"),
    ):
        if raw.startswith(start):
            return kind
    if raw.startswith(b"PK") and b"/data.pkl" in raw[:1024]:
        return "a file of torch.save, which is a pickle and could run code"
    return "JSON" if raw.lstrip()[:1] in (b"{", b"[") else ""


def given(name: str, arrays: Mapping[str, np.ndarray], path: Path) -> Given:
    """One document's weights as float32 and its tokens. Raises CorpusError if they cannot be attention weights."""
    where = f"{name!r} of {path}"
    weights = _without_batch(_numbers(arrays[name], where), where)
    tokens = _tokens(name, arrays.get(name + TOKENS), where)
    n = len(tokens)
    if weights.ndim != LAYER_HEAD + 2 or not weights.size or weights.shape[LAYER_HEAD:] != (n, n):
        shape = weights.shape[:LAYER_HEAD] if weights.ndim == LAYER_HEAD + 2 else ("layers", "heads")
        raise wrong_shape(shape, n, where, weights.shape)
    exact = weights.astype(np.float64)
    wrong = np.argwhere(~np.isfinite(exact).all(-1) | (exact < 0).any(-1))
    away = np.abs(exact.sum(-1) - 1)
    precision = ""
    if not len(wrong) and away.max() > ROUNDED:
        precision = _precision(weights)
        wrong = np.argwhere(away > HALVES.get(precision, ROUNDED))
    if len(wrong):
        raise _wrong_row(exact, weights.dtype, tuple(map(int, wrong[0])), where)
    return Given((exact / exact.sum(-1, keepdims=True)).astype(np.float32), tokens, precision)


def wrong_shape(shape: tuple[object, ...], n: int, where: str, found: tuple[int, ...]) -> CorpusError:
    """The error for weights of another shape than layers and heads by `n` tokens."""
    missing = "save an axis for heads, too, as weights[:, None] for one head a layer"
    remedy = missing if len(found) == LAYER_HEAD + 1 else "save the map without padding"
    return CorpusError(
        f"Expected weights of {' x '.join(map(str, (*shape, n, n)))} (layer, head, query, key) for the {n} tokens "
        f"of {where}, found {' x '.join(map(str, found))}; {remedy}."
    )


def check_both_ways(maps: Mapping[str, np.ndarray], path: Path) -> None:
    """Raises CorpusError for the maps of a decoder: a layer that attends to earlier tokens and to no later one."""
    several = [weights for weights in maps.values() if weights.shape[-1] > 1]
    for layer in range(several[0].shape[0]) if several else ():
        later, earlier = (any(side(weights[layer]) for weights in several) for side in (_later, _earlier))
        if earlier and not later:
            raise CorpusError(one_way(str(path), layer + 1, several[0].shape[0]))


def _later(weights: np.ndarray) -> bool:
    return bool(np.triu(weights, 1).any())


def _earlier(weights: np.ndarray) -> bool:
    return bool(np.tril(weights, -1).any())


def _tokens(name: str, tokens: np.ndarray | None, where: str) -> list[str]:
    if tokens is not None and tokens.ndim == 2 and len(tokens) == 1:
        tokens = tokens[0]
    tokens = _as_text(tokens)
    if tokens is not None and tokens.dtype.kind == "U" and not PADDING.isdisjoint(tokens.ravel().tolist()):
        at, token = next((at, token) for at, token in enumerate(tokens.ravel().tolist(), 1) if token in PADDING)
        raise CorpusError(
            f"Expected no padding in {where}, found {token} as token {at}; save the map of each text without padding."
        )
    if tokens is None or tokens.ndim != 1 or tokens.dtype.kind != "U" or not len(tokens):
        some = tokens is not None and tokens.size
        kind = f"{' x '.join(map(str, tokens.shape))} of {tokens.dtype}" if tokens is not None and some else "none"
        raise CorpusError(
            f"Expected the tokens of {where} as a list of texts named {name + TOKENS!r}, found {kind}; save one text "
            "for each token."
        )
    found = [str(token) for token in tokens]
    for at, token in enumerate(found, 1):
        if any("\ud800" <= mark <= "\udfff" for mark in token):
            raise CorpusError(
                f"Expected tokens that are text in {where}, found half of a surrogate pair in token {at}, {token!a}; "
                "save that token as the characters it stands for."
            )
    return found


def _as_text(tokens: np.ndarray | None) -> np.ndarray | None:
    """Tokens as texts, where they are bytes in UTF-8, as TensorFlow and HDF5 keep texts; else as they are."""
    if tokens is None or tokens.dtype.kind != "S":
        return tokens
    try:
        return np.char.decode(tokens, "utf-8")
    except UnicodeDecodeError:
        return tokens


def _numbers(weights: np.ndarray, where: str) -> np.ndarray:
    if weights.dtype.kind == "V" and weights.dtype.itemsize == 2 and not weights.dtype.names:
        # bfloat16, which NumPy does not know
        bits = np.ascontiguousarray(weights).view(np.uint16).astype(np.uint32) << 16
        weights = bits.view(np.float32)
    if weights.dtype.kind not in "biuf":
        raise CorpusError(f"Expected numbers as weights of {where}, found {weights.dtype}; save the map as floats.")
    return weights


def _without_batch(weights: np.ndarray, where: str) -> np.ndarray:
    """The weights without the axis that stands for a batch of one text."""
    if weights.ndim != LAYER_HEAD + 3:
        return weights
    if weights.shape[1] == 1:
        return weights[:, 0]
    shape = " x ".join(map(str, weights.shape))
    raise CorpusError(
        f"Expected weights of four axes (layer, head, query, key) in {where}, found five, {shape}, of which one is "
        "that of a batch; save the map of each text alone, as weights[:, 0] if the second axis counts texts, or "
        "weights[0] if the first one does."
    )


def _precision(weights: np.ndarray) -> str:
    """The half precision in which every weight can be written; empty if there is none."""
    single = weights.astype(np.float32)
    if not (single == weights).all():
        return ""
    # A bfloat16 is the upper half of a float32.
    if not (single.view(np.uint32) & 0xFFFF).any():
        return "bfloat16"
    return "float16" if (single.astype(np.float16) == single).all() else ""


def _wrong_row(weights: np.ndarray, kind: np.dtype, place: tuple[int, ...], where: str) -> CorpusError:
    layer, head, query = place
    row = weights[place]
    least, total = float(np.fmin.reduce(row)), float(row.sum())
    found = "a weight that is no number" if math.isnan(total) else number(total, against=(1.0,))
    found = f"a weight of {number(least)}" if least < 0 else found
    whole = f" of whole numbers ({kind})" if kind.kind in "iu" else ""
    as_floats = "as floats, " if whole else ""
    return CorpusError(
        f"Expected rows that sum to one in {where}, found {found} in layer {layer + 1}, head {head + 1}, row "
        f"{query + 1}{whole}; save the weights {as_floats}after softmax, without dropout and with all their digits."
    )
