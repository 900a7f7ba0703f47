"""Arrays that lie in a temporary file instead of memory: all maps that probes learn from are too large to be held.

4,000 sentences of an encoder with 144 heads have 1.4 GB of maps, those of a twin as many, and a batch holds them in
both directions.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from generator.attention.words import WordMaps
from generator.numbers.on_disk import OnDisk

NO_NUMBER = "It keeps numbers as they are."


PART = 1 << 20
"""Zeros that are written at once."""


def space(size: int) -> np.ndarray:
    """So many float32, all 0, as one flat array. Raises CorpusError where there is no room for them.

    They are written: a file that only says how long it is would end the program when the disk gets full under it.
    """
    numbers, zeros = OnDisk(np.float32), np.zeros(min(size, PART), np.float32)
    for start in range(0, size, PART):
        numbers.add(zeros[: size - start])
    return numbers.whole()


class MapsOnDisk(Mapping[str, WordMaps]):
    """Maps of sentences by name; all are added before one is asked for."""

    def __init__(self) -> None:
        self._numbers = OnDisk(np.float32)
        self._places: dict[str, tuple[int, tuple[int, ...]]] = {}
        self._all = np.empty(0, np.float32)

    def add(self, name: str, maps: WordMaps) -> None:
        """Keep the maps of one sentence."""
        masses = (mass[..., None] for mass in (maps.begin, maps.separator))
        whole = np.concatenate([maps.weights, *masses], axis=-1)
        self._places[name] = self._numbers.add(whole), whole.shape

    def __getitem__(self, name: str) -> WordMaps:
        """The maps of one sentence, which are read from the file when they are used. Raises KeyError."""
        start, shape = self._places[name]
        if not self._all.size:
            self._all = self._numbers.whole()
        whole = self._all[start : start + int(np.prod(shape))].reshape(shape)
        return WordMaps(whole[..., :-2], whole[..., -2], whole[..., -1])

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
