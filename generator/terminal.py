"""Progress bars, notes and warnings on stderr; stdout stays for results."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
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

from generator.progress import Advance
from generator.visible import visible

MINUTE = 60.0


class _Rate(ProgressColumn):
    """A column with tokens or inputs per second; empty if it is less than one."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.0f}/s" if task.speed and task.speed >= 1 else "")


class TerminalReport:
    """Reports to a person at a terminal; if stderr is a file, a bar becomes a line every `every` seconds."""

    def __init__(self, every: float = MINUTE) -> None:
        self._every = every
        self._console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)

    @contextmanager
    def bar(self, title: str, total: int) -> Iterator[Advance]:
        """Show what is done, the rate and the time left."""
        if not self._console.is_terminal:
            with self._lines(title, total) as advance:
                yield advance
            return
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            _Rate(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=self._console) as progress:
            task = progress.add_task(visible(title), total=total)
            yield lambda done: progress.advance(task, done)

    @contextmanager
    def _lines(self, title: str, total: int) -> Iterator[Advance]:
        """Write a line every `every` seconds, even if nothing more was done meanwhile; none once all is done."""
        begun, so_far, ended = monotonic(), 0, Event()

        def advance(done: int) -> None:
            nonlocal so_far
            so_far += done

        def write() -> None:
            while not ended.wait(self._every):
                done = so_far
                if done < total:
                    self.note(f"{title}: {_standing(done, total, monotonic() - begun)}")

        writer = Thread(target=write, daemon=True)
        writer.start()
        try:
            yield advance
        finally:
            ended.set()
            writer.join()

    def note(self, text: str) -> None:
        """Report something worth knowing."""
        self._console.print(visible(text))

    def warn(self, text: str) -> None:
        """Report something that limits what a result means."""
        self._console.print(visible(f"Warning: {text}"), style="yellow")


def _standing(done: int, total: int, seconds: float) -> str:
    """What share is done after so many seconds, rounded down, and how long the rest will take, rounded up."""
    percent = f"{100 * done // total} % done"
    return f"{percent}, about {_duration(math.ceil(seconds * (total / done - 1)))} left" if done else percent


def _duration(seconds: float) -> str:
    if seconds < 2 * MINUTE:
        return f"{seconds:.0f} s"
    hours, minutes = divmod(round(seconds / MINUTE), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
