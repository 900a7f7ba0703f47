"""Where progress, notes and warnings of a long piece of work go; `terminal` shows them to a person.

Whoever does a long piece of work opens a bar. What runs inside need not know of it: it calls `tell`, and whoever is
watching is told.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Protocol

Advance = Callable[[int], None]
"""A function to call with how much more is done."""
_listener: ContextVar[Advance | None] = ContextVar("listener", default=None)


class Report(Protocol):
    """Where progress and notes go."""

    def bar(self, title: str, total: int) -> AbstractContextManager[Advance]:
        """Show a bar while the block runs; the block gets a function to call with how much more is done."""

    def note(self, text: str) -> None:
        """Report something worth knowing."""

    def warn(self, text: str) -> None:
        """Report something that limits what the result means."""


def tell(done: int) -> None:
    """Say how much more is done; nothing happens if nobody wants to know."""
    listener = _listener.get()
    if listener:
        listener(done)


@contextmanager
def told_to(advance: Advance) -> Iterator[None]:
    """While the block runs, `advance` gets what is told."""
    token = _listener.set(advance)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def told_as(size: int, advance: Advance) -> Iterator[None]:
    """While the block runs, `advance` gets what is told, but less than `size`; it gets the rest when the block ends."""
    left = size

    def some(done: int) -> None:
        nonlocal left
        done = min(done, left - 1)
        left -= done
        advance(done)

    with told_to(some):
        yield
    advance(left)
