"""How many threads a model computes with, and how several pieces of work run one model at the same time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import get_ident
from typing import Any

import torch
from threadpoolctl import threadpool_limits
from torch.utils.hooks import RemovableHandle

from generator.models.encoder import Encoder
from generator.models.precision import TF32

LANES = 2
"""How many pieces of work run at a time: on two cores an analysis then takes about .555 of the time of one (`make
bench`), on a GPU .66 (docs/gpu.md)."""
BESIDE = 4
"""The most threads with which the CPU computes beside a GPU: what is left to it are small sums, at which more threads
only wait for each other. On 16 cores an analysis of 400 trees took 38 s with two, and with 16 had not ended after 180.
"""
LONGEST = 512
"""The longest input, in tokens, with which two pieces of work run at a time; memory grows with its square. A choice."""


def threads() -> int:
    """The number of threads with which torch computes here; another number may round sums differently."""
    return torch.get_num_threads()


def use_threads(number: int) -> None:
    """Compute with so many threads, here and in every thread of Python that begins later."""
    torch.set_num_threads(number)


def lanes_for(encoder: Encoder, longest: int) -> int:
    """How many pieces of work an encoder may run at a time on inputs of at most `longest` tokens.

    On a GPU one waits for the CPU while the other computes. One with TF32, which is switched on and off for all threads
    together, and one if the weights came in half precision, because transformers then draws those of a twin with a
    default precision that holds for all threads.
    """
    kept = str(getattr(encoder.model.config, "dtype", None)).removeprefix("torch.")  # a word once the model was saved
    whole = kept in ("None", "float32")
    able = encoder.device.type in ("cpu", "cuda") and encoder.precision != TF32
    return LANES if able and whole and threads() >= LANES and longest <= LONGEST else 1


@contextmanager
def beside(device: torch.device) -> Iterator[None]:
    """While the block runs, the CPU computes with few threads if a model computes on another device."""
    before = threads()
    few = before if device.type == "cpu" else min(before, BESIDE)
    use_threads(few)
    try:
        with threadpool_limits(None if few == before else few, "blas"):
            yield
    finally:
        use_threads(before)


@contextmanager
def hooked(register: Callable[[Callable[..., Any]], RemovableHandle], hook: Callable[..., Any]) -> Iterator[None]:
    """While the block runs, `hook` is called where `register` puts it, but only for what this thread runs."""
    here = get_ident()
    # Hooks of a module are called for every thread that runs it.
    handle = register(lambda *given: hook(*given) if get_ident() == here else None)
    try:
        yield
    finally:
        handle.remove()
