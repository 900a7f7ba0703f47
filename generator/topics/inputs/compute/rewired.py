"""The masked-LM losses of the same texts under several kinds of changed attention."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch

from generator.attention.anatomy import Anatomy, check_calls
from generator.attention.batches import Batch, collate
from generator.attention.changed.rewire import CutKeys, SwapValue, ValueKeeper
from generator.attention.gradient import MaskedInput, masked_losses
from generator.attention.hook import observing
from generator.attention.portions import in_portions
from generator.models.encoder import Encoder

Attention = ValueKeeper | CutKeys | SwapValue


class RewiredLosses:
    """Texts with words behind masks, which can be read with one kind of changed attention after the other."""

    def __init__(self, encoder: Encoder, anatomy: Anatomy, hidden: Sequence[MaskedInput]) -> None:
        """`hidden` are texts with words behind masks, one of each document."""
        self._encoder, self._anatomy, self._hidden = encoder, anatomy, hidden
        self.documents = [masked.input.document for masked in hidden]
        self.layers = anatomy.layers

    def losses(self, make: Callable[[Batch], Attention]) -> np.ndarray:
        """Losses `[document]` in nats, means over targets; `make` returns the attention with which a batch is read.

        Raises ModelError for a model that does not compute attention once in every layer.
        """

        def read(portion: Sequence[MaskedInput]) -> Iterator[tuple[str, float]]:
            batch = collate([masked.input for masked in portion], self._encoder.pad)
            attention = make(batch)
            with torch.inference_mode(), observing(attention):
                values = masked_losses(self._encoder, batch, [masked.targets for masked in portion])
            check_calls(self._encoder, self._anatomy, attention.calls, "single tokens of this model cannot be cut off")
            return zip((masked.input.document for masked in portion), values.tolist(), strict=True)

        found = dict(
            in_portions(self._encoder, self._hidden, read, size=lambda one: len(one.input), padded=self._anatomy.pads)
        )
        return np.array([found[name] for name in self.documents])
