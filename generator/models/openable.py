"""Whether the files of a model can be opened at all: what takes a second, before a model is listed or a run begins."""

import json
from pathlib import Path

from safetensors import safe_open
from tokenizers import Tokenizer

from generator.errors import ModelError, reason
from generator.models.source import Source

NO_NUMBER = "It refuses files, and reads no number from them."
TOKENIZER = "tokenizer.json"
SIZES = {"vocab_size": 0, "hidden_size": 1}
"""A size in config.json -> the axis of the matrix of token embeddings that has it."""
EMBEDDINGS = ".word_embeddings.weight"


def check_openable(source: Source) -> None:
    """Raises ModelError for weights that are cut, sizes that do not fit them, or a tokenizer that cannot be read."""
    shapes: dict[str, list[int]] = {}
    for path in source.weights():
        try:
            with safe_open(path, "numpy") as file:
                names = [name for name in list(file.keys()) if EMBEDDINGS in name]
                shapes |= {name: list(file.get_slice(name).get_shape()) for name in names}
        except Exception as error:  # noqa: BLE001 - the library has errors of its own
            raise _broken("whole weights", path, error) from None
    config = json.loads((source.folder / "config.json").read_text(encoding="utf-8"))  # which has been looked at
    for name, axis in SIZES.items():
        for tensor, shape in shapes.items():
            if isinstance(size := config.get(name), int) and size != shape[axis]:
                raise ModelError(
                    f"Expected weights of the sizes in config.json in {source.folder}, found {name} {size} there and "
                    f"{tensor} with {' x '.join(map(str, shape))}; check that both belong together."
                )
    if (path := source.folder / TOKENIZER).is_file():
        try:
            Tokenizer.from_file(str(path))
        except Exception as error:  # noqa: BLE001 - as above
            raise _broken("a tokenizer", path, error) from None


def _broken(what: str, path: Path, error: Exception) -> ModelError:
    return ModelError(f"Expected {what} in {path}, found what cannot be opened ({reason(error)}); get the file again.")
