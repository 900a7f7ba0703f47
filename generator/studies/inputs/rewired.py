"""The masked-LM loss of the same texts, read with one kind of attention after the other."""

from collections.abc import Callable, Sequence

import numpy as np
import torch

from generator.attention.anatomy import Anatomy
from generator.attention.batches import Batch, batches
from generator.attention.changed.rewire import CutKeys, SwapValue, ValueKeeper
from generator.attention.gradient import MaskedInput, masked_losses
from generator.attention.seam import observing
from generator.attention.stream import BATCH_TOKENS
from generator.errors import ModelError
from generator.models.encoder import Encoder

Attention = ValueKeeper | CutKeys | SwapValue


class RewiredLosses:
    """The same texts with words behind masks, to be read with one kind of attention after the other."""

    def __init__(self, encoder: Encoder, anatomy: Anatomy, hidden: Sequence[MaskedInput]) -> None:
        """`hidden` are texts with words behind masks, one of each document."""
        self._encoder = encoder
        self._targets = {one.input.document: one.targets for one in hidden}
        self.documents = list(self._targets)
        self.layers = anatomy.layers
        budget = BATCH_TOKENS.get(encoder.device.type, BATCH_TOKENS["cpu"]) if anatomy.pads else 1
        self._batches = list(batches([one.input for one in hidden], budget, encoder.pad))

    def losses(self, make: Callable[[Batch], Attention]) -> np.ndarray:
        """`[document]`, each the mean over its targets; `make` gives the attention with which a batch is read.

        Raises ModelError for a model that does not compute attention once in every layer.
        """
        found: dict[str, float] = {}
        for batch in self._batches:
            attention = make(batch)
            with torch.inference_mode(), observing(attention):
                wanted = [self._targets[item.document] for item in batch.inputs]
                values = masked_losses(self._encoder, batch, wanted)
            if attention.calls != self.layers:
                raise ModelError(
                    f"Expected {self._encoder.id} to compute attention {self.layers} times in a forward pass, found "
                    f"{attention.calls}; single tokens of this model cannot be cut off."
                )
            found |= dict(zip((item.document for item in batch.inputs), values.tolist(), strict=True))
        return np.array([found[name] for name in self.documents])
