"""Where progress, notes and warnings of a long piece of work go; `terminal` shows them to a person.

Code that does a long piece of work opens a bar. Code that runs inside it need not know of the bar: it calls `tell`,
and the bar moves.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Protocol

NO_NUMBER = "It tells how far a run is."

PART = 1000
"""The size of a part that takes as long as any other: fine enough for a bar that is told in per cent."""
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
def reporting_to(advance: Advance) -> Iterator[None]:
    """While the block runs, what `tell` is called with goes to `advance`."""
    token = _listener.set(advance)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def costing(cost: int) -> Iterator[None]:
    """While the block runs, all that is told counts so many times."""
    listener = _listener.get()
    with reporting_to(lambda done: listener(cost * done) if listener else None):
        yield


@contextmanager
def reporting_as(size: int, advance: Advance) -> Iterator[None]:
    """Like `reporting_to`, but so that `advance` gets `size` in all, however much is told.

    While the block runs it gets at most `size - 1`, and when the block ends it gets the rest.
    """
    left = size

    def some(done: int) -> None:
        nonlocal left
        # The last piece is kept for the end, so no bar is full while something still runs.
        done = min(done, left - 1)
        left -= done
        advance(done)

    with reporting_to(some):
        yield
    advance(left)


class Share:
    """Bars that stand for a part of another one: it moves by at most `size` in all, however many are opened."""

    def __init__(self, size: int, advance: Advance) -> None:
        self.done = 0
        """How much of the part is done."""
        self._size, self._advance = size, advance

    @contextmanager
    def bar(self, title: str, total: int) -> Iterator[Advance]:  # noqa: ARG002 - the other bar has a title
        """Move on by the share of `total` that is done."""
        so_far = 0

        def advance(done: int) -> None:
            nonlocal so_far
            so_far += done
            self._reach(self._size * so_far // max(total, 1))

        yield advance

    def end(self) -> None:
        """Move to the end of the part."""
        self._reach(self._size)

    def _reach(self, now: int) -> None:
        if now > self.done:
            more, self.done = now - self.done, now
            self._advance(more)


class Within(Share):
    """A report whose bars are a part of another bar, and which passes on all else."""

    def __init__(self, size: int, advance: Advance, report: Report) -> None:
        super().__init__(size, advance)
        self.note, self.warn = report.note, report.warn


@contextmanager
def in_parts(report: Report, title: str, sizes: Sequence[int]) -> Iterator[Iterator[Report]]:
    """Show one bar while the block runs; the block gets a report for each part of the work, one after the other.

    `sizes` say how long each part takes, compared with the others. A part ends when the next one is asked for.
    """

    def parts(advance: Advance) -> Iterator[Report]:
        for size in sizes:
            part = Within(size, advance, report)
            yield part
            part.end()

    with report.bar(title, sum(sizes)) as advance:
        yield parts(advance)
