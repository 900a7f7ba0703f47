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
from generator.attention.given import TOKENS, check_both_ways, given, what_it_is, wrong_shape
from generator.attention.observed import Observed
from generator.attention.sums.formulas import primitives
from generator.attention.sums.rows import RowSums
from generator.corpora.classes import CLASS_OF, TokenClass
from generator.corpora.pairs import Input
from generator.errors import CorpusError, reason
from generator.limits import checked
from generator.numbers.pieces import bare
from generator.progress import tell


@dataclass(frozen=True)
class SavedMaps:
    """Documents with their maps; token types are numbered in alphabetical order, and the numbers serve as ids."""

    name: str
    sha256: str
    inputs: tuple[Input, ...]
    vocabulary: tuple[str, ...]
    weights: Mapping[str, np.ndarray]
    """The maps by document, `[layer, head, query, key]`, with rows scaled to sum to one."""
    rounded: tuple[str, ...] = ()
    """The half precisions whose rounding was scaled away, such as bfloat16."""

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
        kind = what_it_is(raw)
        if kind:
            raise ValueError(f"{kind}, which is not read")
        # Before NumPy unpacks anything: a small archive may declare arrays that would fill the memory.
        _check_declared(raw)
        with np.load(io.BytesIO(raw), allow_pickle=False) as archive:
            arrays = {name: np.asarray(archive[name]) for name in archive.files}
    except Exception as error:  # noqa: BLE001 - a foreign file can make NumPy raise anything
        raise CorpusError(
            f"Expected a .npz archive of maps at {path}, found: {_described(error)}; check the file, or save the maps "
            "with numpy.savez."
        ) from None
    names = sorted(name for name in arrays if not name.endswith(TOKENS))
    if not names:
        raise CorpusError(f"Expected maps in {path}, found none; save them as NAME with NAME{TOKENS} beside them.")
    maps = {name: given(name, arrays, path) for name in names}
    weights = {name: arrays_of.weights for name, arrays_of in maps.items()}
    tokens = {name: arrays_of.tokens for name, arrays_of in maps.items()}
    first = weights[names[0]].shape[:2]
    for name, weight in weights.items():
        if weight.shape[:2] != first:
            raise wrong_shape(first, len(tokens[name]), f"{name!r} of {path}", weight.shape)
    check_both_ways(weights, path)
    vocabulary = tuple(sorted({token for each in tokens.values() for token in each}))
    number = {token: at for at, token in enumerate(vocabulary)}
    inputs = tuple(_input(name, tokens[name], number) for name in names)
    rounded = tuple(sorted({arrays_of.rounded for arrays_of in maps.values() if arrays_of.rounded}))
    return SavedMaps(
        path.stem,
        sha256=hashlib.sha256(raw).hexdigest(),
        inputs=inputs,
        vocabulary=vocabulary,
        weights=weights,
        rounded=rounded,
    )


def _described(error: Exception) -> str:
    """What is wrong, without NumPy's advice to load pickles, which it takes all unknown files for."""
    said = (isinstance(error, OSError) and error.strerror) or reason(error)
    if "allow_pickle" not in said:
        return said
    return "Object arrays, which are pickles and could run code" if said.startswith("Object") else "something else"


def _check_declared(raw: bytes) -> None:
    """Raises ValueError for an array alone, and for an archive whose arrays would be far larger than such a file can
    hold, or of any number of items without a size.
    """
    if raw.startswith(np.lib.format.MAGIC_PREFIX):
        raise ValueError("a single array, as np.save writes it")
    if not zipfile.is_zipfile(io.BytesIO(raw)):
        return  # NumPy says what it is
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        sizes = checked(
            archive.infolist(), lambda zip_info: (zip_info.filename.removesuffix(".npy"), zip_info.file_size), len(raw)
        )
        for entry in [entry for entry in sizes if entry.filename.endswith(".npy")]:
            with archive.open(entry) as file:
                major, _ = np.lib.format.read_magic(file)
                read = np.lib.format.read_array_header_1_0 if major == 1 else np.lib.format.read_array_header_2_0
                shape, _, kind = read(file)
            if not kind.itemsize:
                raise ValueError(f"{entry.filename} says that its items have no size")
            if math.prod(shape) * kind.itemsize > entry.file_size:
                raise ValueError(f"{entry.filename} says it is larger than it is")


def _input(name: str, tokens: list[str], number: Mapping[str, int]) -> Input:
    """The input of one document; its segment 1 begins after the first separator, unless that is the last token."""
    classes = tuple(CLASS_OF.get(bare(token), TokenClass.OTHER) for token in tokens)
    segments, segment = [], 0
    for at, kind in enumerate(classes):
        segments.append(segment)
        if kind is TokenClass.SEPARATOR and at + 1 < len(classes):
            segment = 1
    return Input(name, 1, tuple(number[token] for token in tokens), tuple(segments), classes)
