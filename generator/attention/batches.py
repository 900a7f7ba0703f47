"""From a list of inputs to one padded batch."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import one_hot

from generator.attention.sums.rows import Tokens
from generator.corpora.classes import CLASSES
from generator.corpora.pairs import SEGMENTS, Input, PairMaker
from generator.models.encoder import Encoder

TRIAL = ("A short one.", "This second trial sentence is a little longer than the first, so that one is padded.")


@dataclass(frozen=True)
class Batch:
    """Inputs padded on the right to the longest; tensors are `[document, token]`."""

    inputs: tuple[Input, ...]
    input_ids: Tensor
    segment_ids: Tensor
    mask: Tensor
    """1 for real tokens, 0 for padding."""

    def tokens(self, device: torch.device) -> Tokens:
        """The token table of the whole padded batch, as the primitives need it."""
        longest = self.mask.shape[1]
        # Everything is put together on the host, so that only one copy of it is made to the device.
        parts = [token_table(item, self.mask.device) for item in self.inputs]
        indicators = torch.zeros(len(parts), longest, parts[0].indicators.shape[-1])
        uniform = torch.zeros(len(parts), 1, 1, longest)
        for document, part in enumerate(parts):
            length = part.indicators.shape[1]
            indicators[document, :length] = part.indicators[0]
            uniform[document, ..., :length] = part.uniform[0]
        real = self.mask.to(device, torch.float32)[:, None, :, None]
        # Without padding nothing is multiplied, and compiled code may add up.
        some = len({len(item) for item in self.inputs}) > 1
        return Tokens(indicators.to(device), uniform.to(device), real if some else None)


def token_table(item: Input, device: torch.device) -> Tokens:
    """The token table of one input without padding, as the primitives need it."""
    classes = one_hot(torch.tensor(item.classes, device=device), CLASSES)
    segments = one_hot(torch.tensor(item.segment_ids, device=device), SEGMENTS)
    indicators = torch.cat([classes, segments], dim=-1).float().unsqueeze(0)
    uniform = torch.full((1, 1, 1, len(item)), 1 / len(item), device=device)
    return Tokens(indicators, uniform, None)


def collate(inputs: Sequence[Input], pad: int) -> Batch:
    """One padded batch of these inputs, in their order."""
    shape = len(inputs), max(map(len, inputs))
    ids = torch.full(shape, pad)
    segments, mask = torch.zeros_like(ids), torch.zeros_like(ids)
    for row, item in enumerate(inputs):
        ids[row, : len(item)] = torch.tensor(item.input_ids)
        segments[row, : len(item)] = torch.tensor(item.segment_ids)
        mask[row, : len(item)] = 1
    return Batch(tuple(inputs), ids, segments, mask)


def trial(encoder: Encoder, *, padded: bool = True) -> Batch:
    """The short texts on which `generator.attention.anatomy` tries a model; only the first if nothing may be padded."""
    maker = PairMaker(encoder.tokenizer, max_tokens=min(64, encoder.positions))
    texts = TRIAL if padded else TRIAL[:1]
    return collate([maker.sentence(str(number), text) for number, text in enumerate(texts)], encoder.pad)
