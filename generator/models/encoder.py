"""An encoder as the rest of the program uses it: a model in evaluation mode, its tokenizer, and their origin."""

import warnings
from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from generator.defaults import PRECISION, Precision
from generator.models.precision import BF16, at_least_float32, computing


@dataclass(frozen=True)
class Encoder:
    """A loaded checkpoint, its weights in float32."""

    id: str
    """What the model is called: a hub id, a catalogue name, the name of a local folder, or a name that was given."""
    model: Any
    tokenizer: Any
    positions: int
    """Longest input in tokens, special tokens included."""
    segments: bool
    """Whether the model takes segment ids."""
    device: torch.device
    precision: Precision = PRECISION

    def run(self, input_ids: Tensor, mask: Tensor, segment_ids: Tensor, **options: bool) -> Any:
        """What the model puts out, in float32 whatever the precision in which it computes.

        All tensors are `[document, token]`, on any device; `mask` is 1 for real tokens and 0 for padding, and a model
        without segments is given no segment ids. Gradients can flow.
        """
        arguments = {"input_ids": input_ids.to(self.device), "attention_mask": mask.to(self.device)}
        if self.segments:
            arguments["token_type_ids"] = segment_ids.to(self.device)
        with computing(self.precision, self.device), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = self.model(**arguments, **options)
        return _in_float32(found) if self.precision == BF16 else found

    @property
    def family(self) -> str:
        """The architecture's name in transformers, such as "bert"."""
        return str(self.model.config.model_type)

    @property
    def pad(self) -> int:
        """The id used for padding; any id serves where the tokenizer has none, since padding is masked."""
        return self.tokenizer.pad_token_id or 0


def encoder_within(model: Any) -> Any:
    """The part of a model that reads text: without its decoder, and without what makes one vector of a text."""
    decoder = getattr(model, "decoder", None)
    if model.config.is_encoder_decoder or getattr(getattr(decoder, "config", None), "is_decoder", False):
        return model.get_encoder()
    # Models within models, as heads and poolers around an encoder.
    while model.base_model is not model:
        model = model.base_model
    return model


def _in_float32(found: Any) -> Any:
    """The same output of a model with all its numbers in float32."""
    if isinstance(found, Tensor):
        return at_least_float32(found)
    if isinstance(found, tuple):
        return tuple(map(_in_float32, found))
    if isinstance(found, MutableMapping):
        for name in [*found]:
            found[name] = _in_float32(found[name])
    return found
