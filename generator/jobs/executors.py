"""Runs jobs in this process, in several of this machine, or on a Ray cluster.

A job writes its own results and comes back with what there is to say: what is done stays done, whoever is killed.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from generator.defaults import Executor
from generator.errors import SettingsError
from generator.jobs.processes import in_processes
from generator.jobs.work import TRIES, Ended, Job, Outcome, Work, dying, finish, worked
from generator.progress import Report


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


def run(work: Work, jobs: Sequence[Job], where: Where, report: Report) -> list[Outcome]:
    """Do all jobs; gives for each the error that it ended with, or None.

    A job whose worker dies is done again; one whose worker dies TRIES times ends with a ModelError, and the others go
    on. Raises SettingsError where there is no Ray.
    """
    outcomes: list[Outcome] = [None] * len(jobs)
    if not where.apart:
        for at, job in enumerate(jobs):
            outcomes[at] = finish(work, job, report)
        return outcomes
    done = 0
    ended = _on_ray(work, jobs) if where.executor == "ray" else in_processes(work, jobs, where.workers, report)
    for at, (notes, outcome) in ended if jobs else ():
        outcomes[at], done = outcome, done + 1
        for note in notes:
            report.note(note)
        report.note(f"{done} of {len(jobs)} jobs have ended: {jobs[at].title}.")
    return outcomes


def _on_ray(work: Work, jobs: Sequence[Job]) -> Iterator[tuple[int, Ended]]:
    """Ray places jobs by what they need; a job whose worker or machine dies is begun again, TRIES times in all.

    Ray itself begins none again: it does so without end, and without a word, where memory is short.
    """
    try:
        import ray  # noqa: PLC0415 - an extra that few install
    except ImportError:
        raise SettingsError(
            "Expected Ray for the executor ray, found none; install it with: pip install 'fieldguide[ray]'"
        ) from None
    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False)
    largest = max(int(node["Resources"].get("memory", 0)) for node in ray.nodes() if node["Alive"])
    remote = ray.remote(worked)

    def begun(job: Job) -> Any:
        return remote.options(
            name=job.title,
            num_gpus=int(job.gpu),
            memory=min(job.memory, largest),  # one that asks for more would wait for ever
            max_retries=0,
            runtime_env={"env_vars": {"OMP_NUM_THREADS": str(job.threads)}},
        ).remote(work, job)

    waiting, deaths = {begun(job): at for at, job in enumerate(jobs)}, [0] * len(jobs)
    while waiting:
        (ready,), _ = ray.wait(list(waiting), num_returns=1)
        at = waiting.pop(ready)
        try:
            ended = ray.get(ready)
        except (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError, ray.exceptions.OutOfMemoryError):
            deaths[at] += 1
            if deaths[at] < TRIES:
                waiting[begun(jobs[at])] = at
                continue
            ended = [], dying(jobs[at])
        yield at, ended
