"""Runs jobs in worker processes on this machine."""

import os
import traceback
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_all_start_methods, get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from threading import Thread

from generator.jobs.work import TRIES, Ended, Job, Work, dying, worked
from generator.limits import free_memory
from generator.progress import Report

NO_NUMBER = "Where a job is done changes no number."


def in_processes(
    work: Work, jobs: Sequence[Job], workers: int | None, report: Report, tell: Callable[[int, int], None]
) -> Iterator[tuple[int, Ended]]:
    """Do each job in its own process, so that a dying worker harms no other; yields each job's place and how it ended.

    `tell` gets the place of a job and how many per cent of it are done.
    No pool of the standard library is used: it breaks as a whole and may then wait for ever (Python 3.11). After a
    worker has died, half as many jobs run at a time, as memory may be short. A job whose worker dies TRIES times ends
    with a ModelError.
    """
    asked, threads = workers, max(job.threads for job in jobs)
    workers = at_a_time(asked, max(job.memory for job in jobs), threads)
    if not asked and threads > 1:
        report.note(
            f"Jobs run {workers} at a time, because each computes with {threads} threads; set OMP_NUM_THREADS=1 to run "
            "up to one on each core."
        )
    left, deaths = list(range(len(jobs))), [0] * len(jobs)
    working: dict[Connection, tuple[int, BaseProcess]] = {}
    try:
        while left or working:
            while left and len(working) < workers:
                at = left.pop(0)
                reader, process = _begun(work, jobs[at])
                working[reader] = at, process
            # In the order in which they were begun, not in that of their answers: two runs then report alike.
            ready = wait(list(working))
            reader = next(reader for reader in working if reader in ready)
            ended = _received(reader)
            if isinstance(ended, int):
                tell(working[reader][0], ended)
                continue
            reader.close()
            at, process = working.pop(reader)
            process.join()
            if ended:
                yield at, ended
                continue
            deaths[at] += 1
            workers = max(workers // 2, 1)
            again = deaths[at] < TRIES
            what = "its job is begun again" if again else f"its job is given up after {TRIES} deaths"
            report.note(f"A worker died; {what}. From here on, jobs run {workers} at a time.")
            if again:
                left.insert(0, at)
            else:
                yield at, ([], dying(jobs[at]))
    finally:
        for _, process in working.values():
            process.kill()


def at_a_time(workers: int | None, needed: int, threads: int = 1) -> int:
    """How many jobs that need so many bytes and threads run at a time: as asked, or as cores and memory allow."""
    return workers or min(max((os.cpu_count() or 1) // threads, 1), _fitting(needed))


def _begun(work: Work, job: Job) -> tuple[Connection, BaseProcess]:
    """The connection from which a worker's message can be read, and the new worker."""
    context = _start(work.__module__)
    reader, writer = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(writer, work, job))
    process.start()
    # As long as this process had the other end open, too, it would never see that the worker died.
    writer.close()
    return reader, process


def _send(writer: Connection, work: Work, job: Job) -> None:
    """Run by a worker: do the job and send how it ended, or the unexpected error that it raised."""
    _end_with_parent()
    message: Ended | Exception
    try:
        message = worked(work, job, writer.send)
    except Exception as error:  # noqa: BLE001 - it is raised again in the driver
        # A traceback is lost when an error is sent to another process; its notes are not.
        error.add_note(traceback.format_exc())
        message = error
    writer.send(message)


def _received(reader: Connection) -> Ended | int | None:
    """What a worker has sent: how many per cent are done, or how its job ended; None if it died first. Raises the error
    that its job raised.
    """
    try:
        message: Ended | int | Exception = reader.recv()
    except (EOFError, OSError):  # OSError where it died in the middle of its message
        return None
    if isinstance(message, Exception):
        raise message
    return message


def _start(module: str) -> ForkServerContext | SpawnContext:
    """How workers start: if possible as copies of a process that has loaded this module and nothing else."""
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload([module])
    return context


def _fitting(needed: int) -> int:
    """How many jobs that need this many bytes fit into the free memory, at least one."""
    free = free_memory()
    return max(free // needed, 1) if free is not None else os.cpu_count() or 1


def _end_with_parent() -> None:
    """Make this worker end when the process that started it ends."""

    def watch() -> None:
        parent = parent_process()
        if parent:
            parent.join()
            # `sys.exit` would end this thread alone.
            os._exit(1)

    Thread(target=watch, daemon=True).start()
