"""Runs jobs in this process, in several of this machine, or on a Ray cluster.

A job writes its own results and returns its notes, so finished jobs stay done whichever process is killed.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from generator.defaults import Executor
from generator.errors import SettingsError
from generator.jobs.processes import in_processes
from generator.jobs.work import TRIES, Ended, Job, Outcome, Work, dying, finish, worked
from generator.progress import Report

NO_NUMBER = "Where a job is done changes no number."


class Where(NamedTuple):
    """Where jobs run: the executor, and how many processes at a time."""

    executor: Executor = "local"
    workers: int | None = None
    """Processes at a time, also for the pages of a site; None for as many as cores and memory allow."""

    @property
    def apart(self) -> bool:
        """Whether jobs run side by side, so that it pays to split an analysis into small ones."""
        return self.executor != "local"


LOCAL = Where()


def run(work: Work, jobs: Sequence[Job], where: Where, report: Report) -> list[Outcome]:
    """Do all jobs; returns for each the error with which it ended, or None.

    A job whose worker dies is done again; if its worker dies TRIES times it ends with a ModelError, and the others go
    on. Raises SettingsError if Ray is asked for and not installed.
    """
    outcomes: list[Outcome] = [None] * len(jobs)
    if not where.apart:
        for at, job in enumerate(jobs):
            outcomes[at] = finish(work, job, report)
        return outcomes
    done, percent = 0, [0] * len(jobs)
    with report.bar(f"all {len(jobs)} jobs", 100) as advance:

        def tell(at: int, share: int) -> None:
            before = sum(percent) // len(jobs)
            percent[at] = max(percent[at], share)  # a job whose worker died begins anew
            advance(sum(percent) // len(jobs) - before)

        on_ray = where.executor == "ray"
        ended = _on_ray(work, jobs) if on_ray else in_processes(work, jobs, where.workers, report, tell)
        for at, (notes, outcome) in ended if jobs else ():
            outcomes[at], done = outcome, done + 1
            tell(at, 100)
            for note in notes:
                report.note(note)
            report.note(f"{done} of {len(jobs)} jobs have ended: {jobs[at].title}.")
    return outcomes


def claims(job: Job, machines: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """What a job asks of Ray: as many CPUs as it has threads, its memory, a GPU if it needs one.

    `machines` are the resources of each machine, by Ray's names. A job asks for no more memory and CPUs than
    the machine has that suits it best, because a job that no machine can take waits for ever.
    """
    ends = {"CPU": job.threads, "memory": job.memory, "GPU": int(job.gpu)}
    offers = ({name: min(int(machine.get(name, 0)), end) for name, end in ends.items()} for machine in machines)
    best = max(offers, key=lambda offer: (offer["GPU"], offer["memory"], offer["CPU"]))
    return {"num_cpus": best["CPU"], "memory": best["memory"], "num_gpus": ends["GPU"]}


def _on_ray(work: Work, jobs: Sequence[Job]) -> Iterator[tuple[int, Ended]]:
    """Run jobs on Ray and yield each job's place with how it ended; a job whose worker or machine dies is started up to
    TRIES times.

    Ray's own retries are off: if memory is short, Ray would silently retry for ever.
    """
    try:
        import ray  # noqa: PLC0415 - an extra that few install
    except ImportError:
        raise SettingsError(
            "Expected Ray for the executor ray, found none; install it with: pip install --constraint constraints.txt "
            "ray"
        ) from None
    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False)
    machines = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    remote = ray.remote(worked)

    def begun(job: Job) -> Any:
        return remote.options(
            name=job.title,
            **claims(job, machines),
            max_retries=0,
            # Libraries read this when they are loaded, so a worker has to start with it.
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
