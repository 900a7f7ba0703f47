"""Reports for tests: one that nobody reads, one that takes no warning, one that keeps what it is told."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Silence:
    """A report that nobody reads."""

    @contextmanager
    def bar(self, title: str, total: int) -> Iterator[Callable[[int], None]]:
        """Nothing to see."""
        yield lambda done: None

    def note(self, text: str) -> None:
        """Nothing to say."""

    def warn(self, text: str) -> None:
        """Nothing to warn of."""


class Strict(Silence):
    """Of work that nothing limits."""

    def warn(self, text: str) -> None:
        """A warning is a mistake of the test, such as too few documents."""
        raise AssertionError(text)


class Telling(Silence):
    """A report that keeps what it is told."""

    def __init__(self) -> None:
        self.bars: dict[str, tuple[int, list[int]]] = {}
        """Title -> how much is to be done, and how much more is each time."""
        self.notes: list[str] = []

    @contextmanager
    def bar(self, title: str, total: int) -> Iterator[Callable[[int], None]]:
        """Keeps how much more is done."""
        done: list[int] = []
        self.bars[title] = (total, done)
        yield done.append

    def note(self, text: str) -> None:
        """Keeps what is said."""
        self.notes.append(text)

    warn = note
