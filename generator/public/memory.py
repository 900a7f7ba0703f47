"""What a notebook holds in memory: a model that is in no folder, and attention maps as transformers returns them."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from generator.attention.given import TOKENS
from generator.errors import CorpusError, ModelError
from generator.models.names import slug

PATTERN = re.compile(r"blocks\.\d+\.attn\.hook_pattern")
"""What TransformerLens calls the map of a layer."""


@contextmanager
def in_a_folder(model: Any, tokenizer: Any, name: str) -> Iterator[str]:
    """A folder with a model and its tokenizer for as long as the block runs. Raises ModelError."""
    if not name or tokenizer is None or not hasattr(model, "save_pretrained"):
        raise ModelError(
            "Expected the name of a model, or a model of transformers with a tokenizer and a name, found "
            f"{type(model).__name__} with {'no tokenizer' if tokenizer is None else 'a tokenizer'} and "
            f"{'no name' if not name else 'a name'}; give what is missing."
        )
    with TemporaryDirectory() as place:
        folder = Path(place) / slug(name)
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        yield str(folder)


def layers_of(attentions: Any, tokens: Sequence[Sequence[str]]) -> list[np.ndarray]:
    """The weights of each layer, `[document, head, query, key]`, as `save_maps` takes them. Raises CorpusError."""
    found = _hooked(attentions) if hasattr(attentions, "keys") else list(attentions)
    arrays = [np.asarray(layer.detach().float().cpu() if hasattr(layer, "detach") else layer) for layer in found]
    # TransformerLens can leave out the axis of documents where there is one.
    layers = [array[None] if array.ndim == 3 and len(tokens) == 1 else array for array in arrays]
    shapes, longest = sorted({layer.shape for layer in layers}), max(map(len, tokens), default=0)
    sizes = shapes[0] if len(shapes) == 1 else ()
    square = len(sizes) == 4 and sizes[2] == sizes[3]  # a slice of positions has fewer queries
    if not square or sizes[0] != len(tokens) or not 0 < longest <= sizes[3]:
        raise CorpusError(
            f"Expected a layer's weights as [document, head, query, key] of {len(tokens)} documents with up to "
            f"{longest} tokens, found {', '.join(map(str, shapes)) or 'no layer'}; give `output.attentions` or a cache "
            "of activations, and the tokens."
        )
    return layers


def _hooked(cache: Any) -> list[Any]:
    """The maps in a cache of TransformerLens, in the order of layers. Raises CorpusError if one before another is
    missing, because layers are counted.
    """
    found = {int(name.split(".")[1]): name for name in map(str, cache.keys()) if PATTERN.fullmatch(name)}
    missing = sorted({*range(max(found, default=0))} - {*found})
    if found and missing:
        raise CorpusError(
            f"Expected a cache with the maps of all layers up to the last that it has, found no blocks.{missing[0]}."
            "attn.hook_pattern; keep the hook_pattern of every layer."
        )
    return [cache[name] for _, name in sorted(found.items())]


def save_maps(path: str | Path, attentions: Any, tokens: Sequence[Sequence[str]]) -> Path:
    """Write attention maps to a `.npz` archive that `fieldguide analyze --maps` measures; returns its path.

    `attentions` has for each layer weights `[document, head, query, key]`, as a model of transformers returns them for
    a batch that is padded on the right, or is an `ActivationCache` of TransformerLens; of a single document the first
    axis may be missing. `tokens` has for each document its tokens without the padding, special ones included. Raises
    CorpusError.
    """
    layers = layers_of(attentions, tokens)
    held: dict[str, Any] = {}
    for number, of in enumerate(tokens):
        weights = np.stack([layer[number, :, : len(of), : len(of)] for layer in layers])
        held |= {f"{number + 1:04}": weights, f"{number + 1:04}{TOKENS}": np.array(of, dtype=str)}
    to = Path(path)
    np.savez(to, **held)
    return to if to.suffix == ".npz" else to.with_name(f"{to.name}.npz")
