"""Progress bars, notes and warnings on stderr; stdout stays for results."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from generator.visible import visible


class _Rate(ProgressColumn):
    """Tokens a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.0f} tokens/s" if task.speed else "")


class TerminalReport:
    """Reports to a person at a terminal; where stderr is a file only notes and warnings appear."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)

    @contextmanager
    def bar(self, title: str, total: int) -> Iterator[Callable[[int], None]]:
        """Show what is done, the rate and the time left."""
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            _Rate(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=self._console, disable=not self._console.is_terminal) as progress:
            task = progress.add_task(visible(title), total=total)
            yield lambda done: progress.advance(task, done)

    def note(self, text: str) -> None:
        """Say something worth knowing."""
        self._console.print(visible(text))

    def warn(self, text: str) -> None:
        """Say something that limits what a result means."""
        self._console.print(visible(f"Warning: {text}"), style="yellow")
