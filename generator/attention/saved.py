"""Maps that were computed elsewhere: a `.npz` archive of weights and tokens, for models that cannot be run here.

For every document the archive holds `NAME`, weights `[layer, head, query, key]`, and `NAME.tokens`, the tokens with the
special ones in their places; no pickled objects. All that needs weights and tokens alone can be measured on them.
"""

import hashlib
import io
import math
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from generator.attention.batches import token_table
from generator.attention.observed import Observed
from generator.attention.sums.formulas import primitives
from generator.attention.sums.rows import RowSums
from generator.corpora.classes import CLASS_OF, TokenClass
from generator.corpora.pairs import Input
from generator.errors import CorpusError, reason
from generator.limits import checked
from generator.numbers.pieces import SPACE
from generator.numbers.writing import number
from generator.progress import tell

TOKENS = ".tokens"
ROUNDED = 1e-3
"""How far from one the sum of a row may be: maps are often stored with four decimals."""
PADDING = frozenset({"[PAD]", "<pad>", "<PAD>", "<|pad|>", "<|padding|>"})
"""Tokens that fill up a batch: no text, though a map may have rows for them."""


@dataclass(frozen=True)
class SavedMaps:
    """Documents with their maps; token types are numbered in alphabetical order, and the numbers serve as ids."""

    name: str
    sha256: str
    inputs: tuple[Input, ...]
    vocabulary: tuple[str, ...]
    weights: Mapping[str, np.ndarray]
    """The maps by document, `[layer, head, query, key]`, with rows scaled to sum to one exactly."""

    @property
    def shape(self) -> tuple[int, int]:
        """Layers, heads."""
        layers, heads, _, _ = next(iter(self.weights.values())).shape
        return layers, heads

    def observe(self, smoothing: float = 0.0, inputs: Sequence[Input] | None = None) -> Iterator[Observed]:
        """Observe each of the inputs once, all documents by default; norms are NaN, because values are not saved."""
        for item in self.inputs if inputs is None else inputs:
            weights = self.weights[item.document]
            layers, tokens = [], token_table(item, torch.device("cpu"))
            for layer in torch.from_numpy(weights):
                sums = RowSums(tokens, smoothing)
                sums.add(layer[None], layer.new_empty(1, len(layer), len(item), 0), 0)
                layers.append(sums.finish(None))
            yield Observed(item, primitives(layers, tokens).numpy()[0], weights)
            tell(len(item))


def read_maps(path: Path) -> SavedMaps:
    """Read an archive. Raises CorpusError naming the file, the document, and the row where there is one."""
    try:
        raw = path.read_bytes()
        _check_declared(raw)
        with np.load(io.BytesIO(raw), allow_pickle=False) as archive:
            arrays = {name: np.asarray(archive[name]) for name in archive.files}
    except Exception as error:  # noqa: BLE001 - a foreign file can make NumPy raise anything
        found = reason(error)
        raise CorpusError(f"Expected a .npz archive of maps at {path}, found: {found}; check the file.") from None
    names = sorted(name for name in arrays if not name.endswith(TOKENS))
    if not names:
        raise CorpusError(f"Expected maps in {path}, found none; save them as NAME with NAME{TOKENS} beside them.")
    first = arrays[names[0]].shape[:2]
    weights = {name: _checked(name, arrays, first, path) for name in names}
    tokens = {name: [str(token) for token in arrays[name + TOKENS]] for name in names}
    vocabulary = tuple(sorted({token for each in tokens.values() for token in each}))
    number = {token: at for at, token in enumerate(vocabulary)}
    inputs = tuple(_input(name, tokens[name], number) for name in names)
    return SavedMaps(path.stem, hashlib.sha256(raw).hexdigest(), inputs, vocabulary, weights)


def _check_declared(raw: bytes) -> None:
    """Raises ValueError for an array alone, and for an archive whose arrays would be far larger than such a file can
    hold.
    """
    if raw.startswith(np.lib.format.MAGIC_PREFIX):
        raise ValueError("a single array, as np.save writes it")
    if not zipfile.is_zipfile(io.BytesIO(raw)):
        return  # NumPy says what it is
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        sizes = checked(archive.infolist(), lambda one: (one.filename.removesuffix(".npy"), one.file_size), len(raw))
        for entry in [entry for entry in sizes if entry.filename.endswith(".npy")]:
            with archive.open(entry) as file:
                major, _ = np.lib.format.read_magic(file)
                read = np.lib.format.read_array_header_1_0 if major == 1 else np.lib.format.read_array_header_2_0
                shape, _, kind = read(file)
            if math.prod(shape) * kind.itemsize > entry.file_size:
                raise ValueError(f"{entry.filename} says it is larger than it is")


def _checked(name: str, arrays: Mapping[str, np.ndarray], shape: tuple[int, ...], path: Path) -> np.ndarray:
    """One document's weights as float32. Raises CorpusError if they cannot be attention weights."""
    where = f"{name!r} of {path}"
    tokens = arrays.get(name + TOKENS)
    if tokens is not None and tokens.dtype.kind == "U" and not PADDING.isdisjoint(tokens.ravel().tolist()):
        at, token = next((at, token) for at, token in enumerate(tokens.ravel().tolist(), 1) if token in PADDING)
        raise CorpusError(
            f"Expected no padding in {where}, found {token} as token {at}; save the map of each text without padding."
        )
    if tokens is None or tokens.ndim != 1 or tokens.dtype.kind != "U" or not len(tokens):
        raise CorpusError(
            f"Expected the tokens of {where} as a list of texts named {name + TOKENS!r}, found none; save one text for "
            "each token."
        )
    weights, n = arrays[name], len(tokens)
    if weights.ndim != 4 or not weights.size or weights.shape[2:] != (n, n) or weights.shape[:2] != shape:
        raise CorpusError(
            f"Expected weights of {' x '.join(map(str, (*shape, n, n)))} (layer, head, query, key) for the {n} tokens "
            f"of {where}, found {' x '.join(map(str, weights.shape))}; save the map without padding."
        )
    if weights.dtype.kind not in "biuf":
        raise CorpusError(f"Expected numbers as weights of {where}, found {weights.dtype}; save the map as floats.")
    weights = weights.astype(np.float64)
    wrong = np.argwhere(~np.isfinite(weights).all(-1) | (weights < 0).any(-1))
    if not len(wrong):
        wrong = np.argwhere(np.abs(weights.sum(-1) - 1) > ROUNDED)
    if len(wrong):
        layer, head, query = wrong[0]
        row = weights[layer, head, query]
        least, total = float(np.fmin.reduce(row)), float(row.sum())
        found = "a weight that is no number" if math.isnan(total) else number(total, against=(1.0,))
        found = f"a weight of {number(least)}" if least < 0 else found
        raise CorpusError(
            f"Expected rows that sum to one in {where}, found {found} in layer {layer + 1}, head {head + 1}, row "
            f"{query + 1}; save the weights after softmax."
        )
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)


def _input(name: str, tokens: list[str], number: Mapping[str, int]) -> Input:
    """The input of one document; its segment 1 begins after the first separator, unless that is the last token."""
    classes = tuple(CLASS_OF.get(token.lstrip(SPACE), TokenClass.OTHER) for token in tokens)
    segments, segment = [], 0
    for at, kind in enumerate(classes):
        segments.append(segment)
        if kind is TokenClass.SEPARATOR and at + 1 < len(classes):
            segment = 1
    return Input(name, 1, tuple(number[token] for token in tokens), tuple(segments), classes)
