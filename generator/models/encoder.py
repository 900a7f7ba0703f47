"""An encoder as the rest of the program uses it: a model in evaluation mode, its tokenizer, and their origin."""

from dataclasses import dataclass
from typing import Any

import torch


@dataclass(frozen=True)
class Encoder:
    """A loaded checkpoint in float32."""

    id: str
    """As the user wrote it: a hub id, a catalogue name, or the name of a local folder."""
    model: Any
    tokenizer: Any
    positions: int
    """Longest input in tokens, special tokens included."""
    segments: bool
    """Whether the model takes segment ids."""
    device: torch.device

    @property
    def family(self) -> str:
        """The architecture's name in transformers, such as "bert"."""
        return str(self.model.config.model_type)

    @property
    def pad(self) -> int:
        """The id used for padding; any id serves where the tokenizer has none, since padding is masked."""
        return self.tokenizer.pad_token_id or 0
