"""Word vectors that do not depend on context: read from a file in GloVe's text format, and reduced for a probe."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from generator.errors import CorpusError

LARGEST = 100
"""The most dimensions that a probe reads; the vectors of Clark et al. 2019, section 5, have as many."""


HIGHEST = float(np.finfo(np.float32).max)


def read_vectors(path: Path, keep: Collection[str] | None = None) -> dict[str, np.ndarray]:
    """Word -> `[dim]` float32, from lines with a word and its numbers, separated by spaces.

    Of a repeated word the first line counts. `keep` names the words that are wanted. Raises CorpusError naming the file
    and the line.
    """
    wanted = None if keep is None else frozenset(keep)
    found: dict[str, np.ndarray] = {}
    dim = 0
    for number, line in _lines(path):
        where = f"{path}, line {number}"
        fields = line.split(" ")
        dim = dim or _dimension(fields, where)
        beside = fields[:-dim]  # some published words have spaces in them
        if not beside or (len(beside) > 1 and _is_number(beside[-1])):
            numbers = len(fields) - 1
            raise CorpusError(f"Expected a word and {dim} numbers in {where}, found {numbers}; correct the line.")
        word = " ".join(beside)
        if (wanted is None or word in wanted) and word not in found:
            found[word] = _numbers(fields[-dim:], where)
    if not found:
        raise CorpusError(f"Expected vectors of the treebank's words in {path}, found none; check the file.")
    return found


def look_up(words: Sequence[str], vectors: Mapping[str, np.ndarray]) -> np.ndarray:
    """`[word, dim]`: each word as it is written, or else in lower case; zeros for a word that is missing."""
    missing = np.zeros_like(next(iter(vectors.values())))
    return np.stack([vectors.get(word, vectors.get(word.lower(), missing)) for word in words])


@dataclass(frozen=True)
class Reduction:
    """Reduces vectors to at most a hundred principal components, scaled so that their mean squared length is 1."""

    centre: np.ndarray
    """`[dim]`."""
    axes: np.ndarray
    """`[dim, component]`."""

    @classmethod
    def of(cls, vectors: np.ndarray) -> Self:
        """The reduction fitted to vectors `[word, dim]`; if all are equal, all become zero."""
        centre = vectors.mean(0, dtype=float)
        spread = vectors - centre
        # Eigenvalues come in ascending order.
        axes = np.linalg.eigh(spread.T @ spread)[1][:, ::-1][:, :LARGEST]
        largest = np.take_along_axis(axes, np.abs(axes).argmax(0)[None], axis=0)
        axes = axes * np.sign(largest)  # either sign solves the problem, and libraries differ in the choice
        length = math.sqrt(np.mean(np.square(spread @ axes).sum(-1)))
        return cls(centre, axes / length if length else np.zeros_like(axes))

    def __call__(self, vectors: np.ndarray) -> np.ndarray:
        """The reduced vectors, `[word, component]` float32."""
        reduced: np.ndarray = ((vectors - self.centre) @ self.axes).astype(np.float32)
        return reduced


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                yield number, line.decode("utf-8").rstrip(" \r\n")
    except OSError as error:
        raise CorpusError(f"Expected word vectors at {path}, found: {error.strerror}; check the path.") from None
    except UnicodeDecodeError:
        raise CorpusError(f"Expected UTF-8 text in {path}, found other bytes; save the file as UTF-8.") from None


def _dimension(fields: Sequence[str], where: str) -> int:
    """How many numbers the first line has after its word. Raises CorpusError if it is the heading of another format."""
    if len(fields) < 3:
        raise CorpusError(
            f"Expected a word and its numbers, separated by spaces, in {where}, found {' '.join(fields)[:40]!r}; "
            "give a file in the text format of GloVe, without a heading."
        )
    return len(fields) - 1


def _numbers(fields: Sequence[str], where: str) -> np.ndarray:
    wrong = [field for field in fields if not _is_number(field)]
    if wrong:
        raise CorpusError(f"Expected finite numbers after the word in {where}, found {wrong[0]!r}; correct the line.")
    return np.array(fields, dtype=np.float32)


def _is_number(field: str) -> bool:
    try:
        return abs(float(field)) <= HIGHEST
    except ValueError:
        return False
