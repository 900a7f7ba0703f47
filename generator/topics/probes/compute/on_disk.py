"""Arrays that lie in a temporary file instead of memory: all maps that probes learn from are too large to be held.

4,000 sentences of an encoder with 144 heads have 1.4 GB of maps, those of a twin as many, and a batch holds them in
both directions.
"""

import tempfile
from collections.abc import Iterator, Mapping

import numpy as np

from generator.attention.words import WordMaps
from generator.numbers.on_disk import OnDisk

NO_NUMBER = "It keeps numbers as they are."


def space(size: int) -> np.ndarray:
    """So many float32, all 0, as one flat array."""
    with tempfile.TemporaryFile() as file:
        # The map goes on when the file is closed, which has no name and so is gone with the map.
        found: np.ndarray = np.memmap(file, np.float32, "w+", shape=(max(size, 1),))
        return found


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
