"""Numbers that lie in a temporary file instead of memory, because there may be more of them than it holds.

The file has no name, is gone with what uses it, and lies where the system keeps temporary files; what is read often
stays in memory as long as there is room.
"""

import math
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import finalize

import numpy as np
from numpy.typing import DTypeLike

from generator.errors import CorpusError

NO_NUMBER = "It keeps numbers as they are."


class OnDisk:
    """Numbers of one type, one after the other; each has its place, from 0 on. Not for several threads at a time.

    Raises CorpusError where there is no room for a file.
    """

    def __init__(self, kind: DTypeLike) -> None:
        self._kind = np.dtype(kind)
        with _room():
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed when nothing refers to these numbers
        finalize(self, self._file.close)

    def add(self, values: np.ndarray) -> int:
        """Put numbers behind all others; returns the place of the first."""
        place = self._file.seek(0, os.SEEK_END) // self._kind.itemsize
        self._write(values)
        return place

    def replace(self, place: int, values: np.ndarray) -> None:
        """Put other numbers in the place of some."""
        self._file.seek(place * self._kind.itemsize)
        self._write(values)

    def read(self, place: int, shape: tuple[int, ...]) -> np.ndarray:
        """The numbers from a place on, as an array of their own."""
        self._file.seek(place * self._kind.itemsize)
        # An array over bytes could not be changed.
        read = bytearray(self._file.read(math.prod(shape) * self._kind.itemsize))
        return np.frombuffer(read, self._kind).reshape(shape)

    def whole(self) -> np.ndarray:
        """All numbers so far as one flat array, which is read from the file when it is used, and may be changed."""
        with _room():
            self._file.flush()
        empty = not self._file.seek(0, os.SEEK_END)
        return np.empty(0, self._kind) if empty else np.asarray(np.memmap(self._file, self._kind, "r+"))

    def _write(self, values: np.ndarray) -> None:
        with _room():
            self._file.write(np.ascontiguousarray(values, self._kind).data)


@contextmanager
def _room() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CorpusError(
            f"Expected room for numbers of a text among the temporary files in {tempfile.gettempdir()}, found: "
            f"{error.strerror or error}; free some space, or name another folder with TMPDIR."
        ) from None
