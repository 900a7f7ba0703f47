"""What a job is, and how it is done."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from generator.errors import FieldguideError, ModelError
from generator.progress import Report, Share

NO_NUMBER = "Where a job is done changes no number."

TRIES = 3
"""How often a job is begun if its worker dies each time."""
ALLOCATED = 10_000
"""The objects after which Python looks for garbage, in place of its own 700: a choice. Where pages are made, looking
then takes a thirtieth of the time instead of a tenth; five times as many gain nothing more.
"""


class Job(Protocol):
    """A piece of work and what it needs; it is sent to other processes."""

    @property
    def title(self) -> str:
        """What is done, as a noun that can stand in a sentence, such as "the analysis of small-bert on articles"."""

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
Tell = Callable[[int], None]
"""A function to call with how many per cent of a job are done."""


class _Notes(Share):
    """The report of a worker: it collects notes, to be sent when the job ends, and passes progress on at once."""

    def __init__(self, tell: Tell) -> None:
        super().__init__(100, lambda _: tell(self.done))
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        self.notes.append(text)

    def warn(self, text: str) -> None:
        self.notes.append(f"Warning: {text}")


@contextmanager
def seldom_cleared() -> Iterator[None]:
    """Looks for garbage more seldom, and never in what is loaded, which stays; a block inside another changes nothing.

    Looking takes a tenth of pages' time; to look through all that is loaded takes .25 s, in which no thread goes on.
    """
    usual = gc.get_threshold()
    if usual[0] == ALLOCATED:
        yield
        return
    gc.freeze()
    gc.set_threshold(ALLOCATED)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()


@contextmanager
def uncleared() -> Iterator[None]:
    """Looks for no garbage at all: a build makes little of it, and to look seldom takes 4 % of one that adds a model.
    What makes one thing after another inside calls `clear` in between.
    """
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()  # or the next look would go through all that was made inside
        gc.enable()
        gc.unfreeze()


def clear() -> None:
    """Free the garbage among what was made since the last time."""
    gc.collect(0)


@seldom_cleared()
def finish(work: Work, job: Job, report: Report) -> Outcome:
    """Do a job; gives the error that it ended with, or None."""
    try:
        work(job, report)
    except FieldguideError as error:
        return error
    return None


def worked(work: Work, job: Job, tell: Tell = lambda _: None) -> Ended:
    """Do a job in a worker; returns its notes and how it ended."""
    report = _Notes(tell)
    outcome = finish(work, job, report)
    return report.notes, outcome


def dying(job: Job) -> ModelError:
    """The error of a job whose worker died TRIES times."""
    return ModelError(
        f"Expected {job.title} to end, found that its worker died {TRIES} times; it may need more memory than there "
        "is: choose fewer workers or, in an analysis, shorter inputs."
    )
