"""The weights of a BERT by the names that the forward pass in the browser has for them."""

from collections.abc import Iterator, Mapping
from typing import Any

from torch import Tensor

from generator.errors import ModelError

FAMILY = "bert"
"""The family that the forward pass computes, as transformers calls it."""
ACTIVATION = "gelu"
EMBEDDINGS = {
    "word": "embeddings.word_embeddings.weight",
    "position": "embeddings.position_embeddings.weight",
    "segment": "embeddings.token_type_embeddings.weight",
    **{f"start.{part}": f"embeddings.LayerNorm.{part}" for part in ("weight", "bias")},
}
LAYER = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "output": "attention.output.dense",
    "middle": "attention.output.LayerNorm",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
    "end": "output.LayerNorm",
}
HEAD = {
    **{f"guess.{part}": f"cls.predictions.transform.dense.{part}" for part in ("weight", "bias")},
    **{f"guessed.{part}": f"cls.predictions.transform.LayerNorm.{part}" for part in ("weight", "bias")},
    "words.bias": "cls.predictions.bias",
}
"""The masked-LM head; its last matrix is that of the word embeddings."""


def check_family(name: str, config: Any) -> None:
    """Raises ModelError for a model of which the forward pass would compute something else."""
    if config.model_type != FAMILY or config.hidden_act != ACTIVATION or config.is_decoder:
        kind = f"{config.model_type} model" + (" that is a decoder" if getattr(config, "is_decoder", False) else "")
        with_act = f" with {getattr(config, 'hidden_act', 'no activation')}" if config.model_type == FAMILY else ""
        raise ModelError(
            f"Expected a BERT encoder with {ACTIVATION}, which a reader's browser can run, found {name}, a "
            f"{kind}{with_act}; take `live` away from it in the settings."
        )


def parts(model: Any, *, masked: bool) -> Mapping[str, Tensor]:
    """Name -> weights, in the order in which they are stored; those of the masked-LM head only if it is `masked`."""
    state = model.state_dict()
    inner = "" if model.base_model is model else f"{model.base_model_prefix}."
    return {name: state[key] for name, key in _keys(inner, model.config.num_hidden_layers, masked=masked)}


def _keys(inner: str, layers: int, *, masked: bool) -> Iterator[tuple[str, str]]:
    yield from ((name, inner + key) for name, key in EMBEDDINGS.items())
    for layer in range(layers):
        for name, key in LAYER.items():
            for part in ("weight", "bias"):
                yield f"{layer}.{name}.{part}", f"{inner}encoder.layer.{layer}.{key}.{part}"
    if masked:
        yield from HEAD.items()
