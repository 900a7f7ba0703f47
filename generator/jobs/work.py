"""What a job is, and how a worker does one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from generator.errors import FieldguideError, ModelError
from generator.progress import Advance, Report

TRIES = 3
"""How often a job is begun at most, if its worker dies each time."""


class Job(Protocol):
    """A piece of work and what it needs; it is sent to other processes."""

    @property
    def title(self) -> str:
        """What it is called in notes."""

    @property
    def memory(self) -> int:
        """The bytes that it is estimated to need."""

    @property
    def gpu(self) -> bool:
        """Whether it needs a GPU to itself."""

    @property
    def threads(self) -> int:
        """How many threads it computes with; another number may round differently."""


Work = Callable[[Any, Report], None]
Outcome = FieldguideError | None
Ended = tuple[list[str], Outcome]
"""The notes of a worker, and how its job ended."""


class _Notes:
    """A report that only collects notes, which a worker sends back."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    @contextmanager
    def bar(self, title: str, total: int) -> Iterator[Advance]:  # noqa: ARG002 - nobody watches
        yield lambda _: None

    def note(self, text: str) -> None:
        self.notes.append(text)

    def warn(self, text: str) -> None:
        self.notes.append(f"Warning: {text}")


def finish(work: Work, job: Job, report: Report) -> Outcome:
    """Do a job; gives the error that it ended with, or None."""
    try:
        work(job, report)
    except FieldguideError as error:
        return error
    return None


def worked(work: Work, job: Job) -> Ended:
    """Do a job in a worker; returns its notes and how it ended."""
    report = _Notes()
    outcome = finish(work, job, report)
    return report.notes, outcome


def dying(job: Job) -> ModelError:
    """The error of a job whose worker died TRIES times."""
    return ModelError(
        f"Expected {job.title} to end, found that its worker died {TRIES} times; it may need more memory than there "
        "is: choose fewer workers or, in an analysis, shorter inputs."
    )
