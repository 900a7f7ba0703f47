"""How much a model reads at a time: as many tokens as suit the device, and fewer if memory does not suffice.

Sorting by length and filling a budget of tokens is about twice as fast as padding random batches; the same batch then
holds many short inputs or one long one.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import torch

from generator.errors import ModelError
from generator.models.encoder import Encoder

BATCH_TOKENS = {"cpu": 2048, "mps": 16384, "cuda": 16384}
"""Padded tokens in a batch. On a CPU more than 16 x 128 gains nothing; the GPU figures are not measured."""
Item = TypeVar("Item")
Found = TypeVar("Found")


def in_portions(
    encoder: Encoder,
    items: Sequence[Item],
    read: Callable[[Sequence[Item]], Iterable[Found]],
    *,
    size: Callable[[Any], int] = len,
    padded: bool = True,
    tokens: int | None = None,
    say: Callable[[str], object] = warnings.warn,
) -> Iterator[Found]:
    """All that `read` finds in the items, which it is given in portions, longest first; `size` counts an item's tokens.

    `read` must run the model before it returns; its results may be made lazily, and they are all handed on before the
    next portion is read.

    A portion holds at most `tokens` tokens, padding included, or one longer item; unless `padded`, all items of a
    portion have the same length. If memory does not suffice, the rest is read in portions of a quarter of the size, and
    `say` is told. Raises ModelError if memory does not suffice for these either.
    """
    allowed = tokens or tokens_at_once(encoder)
    waiting, start, again = sorted(items, key=size, reverse=True), 0, False
    while start < len(waiting):
        length = size(waiting[start])
        portion = waiting[start : start + max(allowed // length, 1)]
        if not padded:
            portion = [item for item in portion if size(item) == length]
        try:
            found = read(portion)
        except (MemoryError, RuntimeError) as error:
            if not (isinstance(error, MemoryError | torch.OutOfMemoryError) or "allocate memory" in str(error)):
                raise
            if again or len(portion) == 1:
                raise ModelError(
                    f"Expected memory for {len(portion)} x {length} tokens of {encoder.id}, found too little; lower "
                    "--max-tokens."
                ) from None
            again = True
        else:
            yield from found
            start += len(portion)
            continue
        say(f"Memory did not suffice for {allowed} tokens at once: the rest is read in batches of a quarter.")
        allowed = max(allowed // 4, 1)


def tokens_at_once(encoder: Encoder) -> int:
    """Padded tokens in a batch that suit the encoder's device."""
    return BATCH_TOKENS.get(encoder.device.type, BATCH_TOKENS["cpu"])
