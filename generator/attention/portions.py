"""How much a model reads at a time: as many tokens as suit the device, and fewer if memory does not suffice.

On a CPU that is a constant. Elsewhere it follows from the free memory, by an estimate for the task that needs most:
taking gradients, for which the maps of all layers, their gradients and what the layers computed are kept.

Sorting by length and filling a budget of tokens is about twice as fast as padding random batches; the same batch then
holds many short inputs or one long one.
"""

import collections.abc
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import torch

from generator.errors import TooLongError
from generator.limits import free_memory
from generator.models.encoder import Encoder
from generator.progress import tell

ON_CPU = 2048
"""Padded tokens in a batch on a CPU: more than 16 x 128 gain nothing."""
MOST = 1 << 16
"""The most padded tokens in a batch on any other device, so that copies of its maps fit into the memory of the host."""
PART = 4
"""The free memory is divided by this: two pieces of work may run, and the estimate leaves out what exists briefly."""
KEPT = 8
"""Numbers that a layer keeps for a backward pass, for each token and dimension; measured on layers of BERT: 4 to 8."""
MAPS = 2
"""A layer's map, and its gradient."""
PASSING = 4
"""Copies of one layer's map that exist while it is observed."""
FLOAT = 4
Item = TypeVar("Item")
Sized = TypeVar("Sized", bound=collections.abc.Sized)
Found = TypeVar("Found")


def in_portions(
    encoder: Encoder,
    items: Sequence[Item],
    read: Callable[[Sequence[Item]], Iterable[Found]],
    *,
    size: Callable[[Any], int] = len,
    cost: int = 1,
    padded: bool = True,
    tokens: int | None = None,
    say: Callable[[str], object] = warnings.warn,
) -> Iterator[Found]:
    """All that `read` finds in the items, which it is given in portions, longest first; `size` counts an item's tokens.

    `read` must run the model before it returns; its results may be made lazily, and they are all handed on before the
    next portion is read. Then progress is told: the tokens of the portion times `cost`, the time that a token takes
    divided by that of plain reading.

    A portion holds at most `tokens` tokens, padding included, or one longer item; unless `padded`, all items of a
    portion have the same length. If memory does not suffice, the rest is read in portions of a quarter of the size, and
    `say` is told. Raises TooLongError if memory does not suffice for these either, or for a single item.
    """
    waiting, start, most = sorted(items, key=size, reverse=True), 0, 0
    while start < len(waiting):
        length = size(waiting[start])
        portion = _portion(waiting, start, most or tokens or tokens_at_once(encoder, length), size, padded)
        try:
            found = read(portion)
        except (MemoryError, RuntimeError) as error:
            if not out_of_memory(error):
                raise
            if most or len(portion) == 1:
                raise TooLongError(
                    f"Expected memory for {len(portion)} x {length} tokens of {encoder.id}, found too little; lower "
                    "--max-tokens."
                ) from None
            tried = len(portion) * length
            most = max(tried // 4, 1)
        else:
            yield from found
            tell(cost * sum(map(size, portion)))
            start += len(portion)
            continue
        say(f"Memory did not suffice for {tried} tokens at once: the rest is read in batches of a quarter.")


def out_of_memory(error: Exception) -> bool:
    """Whether an error says that memory did not suffice; on a CPU torch raises a plain RuntimeError then."""
    return isinstance(error, MemoryError | torch.OutOfMemoryError) or "allocate memory" in str(error)


def portions(encoder: Encoder, items: Sequence[Sized], padded: bool) -> list[list[Sized]]:
    """The portions in which `in_portions` reads these items if memory suffices; each of them is one portion again."""
    waiting, start, found = sorted(items, key=len, reverse=True), 0, []
    while start < len(waiting):
        found.append(_portion(waiting, start, tokens_at_once(encoder, len(waiting[start])), len, padded))
        start += len(found[-1])
    return found


def _portion(waiting: Sequence[Item], start: int, allowed: int, size: Callable[[Any], int], padded: bool) -> list[Item]:
    """The portion that begins at `start` among items that are sorted by their size, longest first."""
    length = size(waiting[start])
    # Items are sorted by size, so those of this length come first and none is skipped.
    return [item for item in waiting[start : start + max(allowed // length, 1)] if padded or size(item) == length]


def tokens_at_once(encoder: Encoder, length: int) -> int:
    """Padded tokens in a batch that suit the encoder's device, for inputs of this length."""
    free = _free_memory(encoder.device)
    return ON_CPU if free is None else tokens_within(free // PART, encoder, length)


def tokens_within(memory: int, encoder: Encoder, length: int) -> int:
    """Padded tokens that fit into so many bytes: a power of 2, so that a little more memory changes no batch."""
    fitting = min(max(memory // _bytes_of_token(encoder, length), 1), MOST)
    return 1 << (fitting.bit_length() - 1)


def check_gradients_fit(encoder: Encoder, length: int) -> None:
    """Raises TooLongError if the memory of this machine does not suffice for gradients of one input of this length.

    Only on a CPU, where nothing else would say so: the system ends a program that takes more than there is.
    """
    free, needed = free_memory(), _bytes_of_token(encoder, length) * length
    if encoder.device.type == "cpu" and free is not None and needed > free:
        raise TooLongError(
            f"Expected {needed >> 20:,} MiB of memory for the maps of {length:,} tokens in all layers of {encoder.id} "
            f"and for their gradients, found {free >> 20:,} MiB; lower --max-tokens."
        )


def _bytes_of_token(encoder: Encoder, length: int) -> int:
    config = encoder.model.config
    layers, heads = config.num_hidden_layers, config.num_attention_heads
    numbers: int = (layers * MAPS + PASSING) * heads * length + layers * KEPT * config.hidden_size
    if encoder.model.get_output_embeddings() is not None:
        numbers += config.vocab_size // 2  # logits, their logarithms and gradients, of about every sixth token
    return numbers * FLOAT


def _free_memory(device: torch.device) -> int | None:
    """Bytes that are free on a GPU, with those that torch holds in reserve; None for a CPU."""
    if device.type == "cuda":
        free: int = torch.cuda.mem_get_info(device)[0]
        return free + torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
    if device.type == "mps":
        return torch.mps.recommended_max_memory() - torch.mps.driver_allocated_memory()
    return None
