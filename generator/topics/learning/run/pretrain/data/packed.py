"""The text of a run as pieces, packed into one file of its folder: cutting a long text into pieces takes minutes."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from generator.errors import ResultsError, reason
from generator.topics.learning.run.pretrain.data.vocabulary import Pieces
from generator.topics.learning.run.pretrain.state import write_file

PACKED = "pieces.npz"


class Packed(NamedTuple):
    """A text that was cut into pieces, and the checksum of the corpus from which it was made."""

    sha256: str
    pieces: Pieces


def pack(out: Path, sha256: str, text: Pieces) -> None:
    """Write the pieces of a corpus. Raises ResultsError."""

    def write(path: Path) -> None:
        with path.open("wb") as file:
            np.savez_compressed(
                file,
                sha256=np.array(sha256),
                ids=_narrow(text.ids),
                sentences=_narrow(np.diff(text.sentences)),
                documents=_narrow(np.diff(text.documents)),
            )

    write_file(out / PACKED, write)


def unpack(out: Path) -> Packed | None:
    """What `pack` wrote; None if there is no such file. Raises ResultsError for a file that is damaged."""
    path = out / PACKED
    if not path.exists():
        return None
    try:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:  # numpy leaves what is no archive open
            limits = (
                np.concatenate([[0], np.cumsum(file[name], dtype=np.int64)]) for name in ("sentences", "documents")
            )
            return Packed(str(file["sha256"]), Pieces(file["ids"].astype(np.int32), *limits))
    except Exception as error:  # noqa: BLE001 - a damaged archive can make numpy and zipfile raise anything
        raise ResultsError(
            f"Expected the pieces of a text in {path}, found a damaged file ({reason(error)}); delete it and give the "
            "same command again, with the text."
        ) from None


def _narrow(numbers: np.ndarray) -> np.ndarray:
    """The same whole numbers in as few bytes each as the largest needs."""
    return numbers.astype(np.min_scalar_type(numbers.max()))
