"""Where progress, notes and warnings of a long piece of work go; `terminal` shows them to a person."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol


class Report(Protocol):
    """Where progress and notes go."""

    def bar(self, title: str, total: int) -> AbstractContextManager[Callable[[int], None]]:
        """Show a bar while the block runs; the block gets a function to call with how much more is done."""

    def note(self, text: str) -> None:
        """Report something worth knowing."""

    def warn(self, text: str) -> None:
        """Report something that limits what the result means."""
