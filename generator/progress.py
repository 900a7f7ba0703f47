"""Where progress, notes and warnings of a long piece of work go; `terminal` shows them to a person.

Code that does a long piece of work opens a bar. Code that runs inside it need not know of the bar: it calls `tell`,
and the bar moves.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Protocol

NO_NUMBER = "It tells how far a run is."

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
    """Say how much more is done; without a bar nothing happens."""
    listener = _listener.get()
    if listener:
        listener(done)


@contextmanager
def told_to(advance: Advance) -> Iterator[None]:
    """While the block runs, what `tell` is called with goes to `advance`."""
    token = _listener.set(advance)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def told_as(size: int, advance: Advance) -> Iterator[None]:
    """Like `told_to`, but so that `advance` gets `size` in all, however much is told.

    While the block runs it gets at most `size - 1`, and when the block ends it gets the rest.
    """
    left = size

    def some(done: int) -> None:
        nonlocal left
        done = min(done, left - 1)
        left -= done
        advance(done)

    with told_to(some):
        yield
    advance(left)
