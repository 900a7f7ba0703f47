"""Progress bars, notes and warnings on stderr; stdout stays for results."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

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

MINUTE = 60.0


class _Rate(ProgressColumn):
    """A column with tokens, words or inputs per second; empty for studies, of which there are only a few per minute."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.0f}/s" if task.speed and task.speed >= 1 else "")


class TerminalReport:
    """Reports to a person at a terminal; if stderr is a file, a bar becomes a line every `every` seconds."""

    def __init__(self, every: float = MINUTE) -> None:
        self._every = every
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
        drawn = self._console.is_terminal
        with Progress(*columns, console=self._console, disable=not drawn) as progress:
            task = progress.add_task(visible(title), total=total)
            if drawn:
                yield lambda done: progress.advance(task, done)
            else:
                yield self._lines(title, total)

    def _lines(self, title: str, total: int) -> Callable[[int], None]:
        """A function that writes lines with the progress to a log."""
        begun = told = monotonic()
        so_far = 0

        def advance(done: int) -> None:
            nonlocal so_far, told
            so_far, now = so_far + done, monotonic()
            if so_far and now - told >= self._every:
                told, left = now, (now - begun) * (total / so_far - 1)
                self.note(f"{title}: {100 * so_far / total:.0f} % done, about {_duration(left)} left")

        return advance

    def note(self, text: str) -> None:
        """Report something worth knowing."""
        self._console.print(visible(text))

    def warn(self, text: str) -> None:
        """Report something that limits what a result means."""
        self._console.print(visible(f"Warning: {text}"), style="yellow")


def _duration(seconds: float) -> str:
    if seconds < 2 * MINUTE:
        return f"{seconds:.0f} s"
    hours, minutes = divmod(round(seconds / MINUTE), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
