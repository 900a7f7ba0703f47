"""Runs jobs in this process, in several of this machine, or on a Ray cluster.

A job writes its own results and comes back with what there is to say: what is done stays done, whoever is killed.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_all_start_methods, get_context, parent_process
from multiprocessing.context import BaseContext
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple, Protocol

from generator.defaults import Executor
from generator.errors import FieldguideError, ModelError, SettingsError
from generator.progress import Report

TRIES = 3
"""Deaths of workers in a row, without a job done between them, after which a run ends."""
LOADED = "generator.jobs.job"
"""What every worker needs, which takes seconds to load."""
MEMORY = Path("/proc/meminfo")
"""The file in which Linux says how much memory is free."""


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
        """Whether it needs one to itself."""

    @property
    def threads(self) -> int:
        """How many threads compute; another number may round differently."""


class Where(NamedTuple):
    """What jobs run on."""

    executor: Executor = "local"
    workers: int | None = None
    """Processes at a time; None for one a core, as far as memory goes."""

    @property
    def apart(self) -> bool:
        """Whether jobs run side by side, so that small ones are worth making."""
        return self.executor != "local"


LOCAL = Where()
Work = Callable[[Any, Report], None]
Outcome = FieldguideError | None
Ended = tuple[list[str], Outcome]
"""The notes of a worker, and how its job ended."""


def run(work: Work, jobs: Sequence[Job], where: Where, report: Report) -> list[Outcome]:
    """Do all jobs; gives for each the error that it ended with, or None.

    A job whose worker dies is done again. Raises SettingsError where there is no Ray, ModelError where workers die
    TRIES times in a row.
    """
    outcomes: list[Outcome] = [None] * len(jobs)
    if not where.apart:
        for at, job in enumerate(jobs):
            outcomes[at] = _done(work, job, report)
        return outcomes
    done = 0
    ended = _on_ray if where.executor == "ray" else _in_processes
    for at, (notes, outcome) in ended(work, jobs, where, report) if jobs else ():
        outcomes[at], done = outcome, done + 1
        for note in notes:
            report.note(note)
        report.note(f"{done} of {len(jobs)} jobs have ended: {jobs[at].title}.")
    return outcomes


class _Notes:
    """A report that a worker brings back."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    @contextmanager
    def bar(self, title: str, total: int) -> Iterator[Callable[[int], None]]:  # noqa: ARG002 - nobody watches
        yield lambda _: None

    def note(self, text: str) -> None:
        self.notes.append(text)

    def warn(self, text: str) -> None:
        self.notes.append(f"Warning: {text}")


def _done(work: Work, job: Job, report: Report) -> Outcome:
    try:
        work(job, report)
    except FieldguideError as error:
        return error
    return None


def _worked(work: Work, job: Job) -> Ended:
    """Do a job in a worker."""
    report = _Notes()
    outcome = _done(work, job, report)
    return report.notes, outcome


def _in_processes(work: Work, jobs: Sequence[Job], where: Where, report: Report) -> Iterator[tuple[int, Ended]]:
    """A death breaks the pool: what it had begun is begun again, half as many at a time, for memory may be short."""
    workers = where.workers or min(os.cpu_count() or 1, _fitting(max(job.memory for job in jobs)))
    left, deaths = list(range(len(jobs))), 0
    while left:
        pool = ProcessPoolExecutor(min(workers, len(left)), _start(), _end_with_parent)
        with pool:
            futures = {pool.submit(_worked, work, jobs[at]): at for at in left}
            for future in as_completed(futures):
                try:
                    ended = future.result()
                except BrokenProcessPool:
                    continue
                left.remove(futures[future])
                deaths = 0
                yield futures[future], ended
        if left:
            deaths += 1
            if deaths == TRIES:
                raise _dying(jobs[left[0]])
            workers = max(workers // 2, 1)
            report.note(f"A worker died; {len(left)} jobs are begun again, {workers} at a time.")


def _start() -> BaseContext:
    """How workers begin: as copies of a process that has loaded what they need and nothing else, where that can be."""
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload([LOADED])
    return context


def _on_ray(work: Work, jobs: Sequence[Job], _where: Where, _report: Report) -> Iterator[tuple[int, Ended]]:
    """Ray places jobs by what they need, and begins those again whose worker or machine dies."""
    try:
        import ray  # noqa: PLC0415 - an extra that few install
    except ImportError:
        raise SettingsError(
            "Expected Ray for the executor ray, found none; install it with: pip install 'fieldguide[ray]'"
        ) from None
    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False)
    largest = max(int(node["Resources"].get("memory", 0)) for node in ray.nodes() if node["Alive"])
    worked = ray.remote(_worked)
    waiting = {
        worked.options(
            name=job.title,
            num_gpus=int(job.gpu),
            memory=min(job.memory, largest),  # one that asks for more would wait for ever
            max_retries=TRIES,
            runtime_env={"env_vars": {"OMP_NUM_THREADS": str(job.threads)}},
        ).remote(work, job): at
        for at, job in enumerate(jobs)
    }
    while waiting:
        (ready,), _ = ray.wait(list(waiting), num_returns=1)
        at = waiting.pop(ready)
        try:
            ended = ray.get(ready)
        except (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError, ray.exceptions.OutOfMemoryError):
            raise _dying(jobs[at]) from None
        yield at, ended


def _dying(job: Job) -> ModelError:
    return ModelError(
        f"Expected {job.title} to end, found that its worker died {TRIES} times; it may need more memory than there "
        "is: choose fewer workers or shorter inputs. What other jobs have stored is still there."
    )


def _fitting(needed: int) -> int:
    """How many jobs of this size the free memory holds, at least one."""
    try:
        lines = dict(line.split(":", 1) for line in MEMORY.read_text().splitlines())
        return max(int(lines["MemAvailable"].split()[0]) * 1024 // needed, 1)
    except (OSError, KeyError, ValueError):
        return os.cpu_count() or 1


def _end_with_parent() -> None:
    """A worker whose driver is killed would wait for jobs for ever."""

    def watch() -> None:
        parent = parent_process()
        if parent:
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()
