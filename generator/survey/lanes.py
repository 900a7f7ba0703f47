"""Pieces of work that wait for each other, two at a time on a processor whose cores would otherwise wait.

A small forward pass does not keep two cores busy, and neither do a study's statistics; a pass beside the other does.
"""

import warnings
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from graphlib import TopologicalSorter
from threading import Event, Lock

from threadpoolctl import threadpool_limits

from generator.models.threads import threads, use_threads
from generator.progress import Advance

Work = dict[str, Callable[[Advance], None]]
"""Name -> a piece of work, which is given the function to call with how much more is done."""


class _StoppedError(Exception):
    """Ends a piece of work because another one failed."""


def in_lanes(work: Work, after: Mapping[str, Collection[str]], lanes: int, advance: Advance) -> None:
    """Do all of the work, each piece after those that `after` names for it, and as far as possible in its order.

    `work` must be in an order in which nothing waits for something later; it is empty afterwards. With several lanes
    each computes with its part of the threads. If a piece fails, the others end when they next call `advance`, and what
    it raised is raised.
    """
    if lanes == 1:
        for name in list(work):
            work.pop(name)(advance)
        return
    before, stopped, alone = threads(), Event(), Lock()

    def tell(done: int) -> None:
        if stopped.is_set():
            raise _StoppedError
        with alone:
            advance(done)

    place = {name: at for at, name in enumerate(work)}
    waiting = TopologicalSorter({name: [one for one in after.get(name, ()) if one in work] for name in work})
    waiting.prepare()
    try:
        # Encoders silence warnings in a way that is not made for threads: whatever they leave behind ends here.
        with (
            warnings.catch_warnings(),
            threadpool_limits(before // lanes, "blas"),  # otherwise the products of every lane would take all cores
            ThreadPoolExecutor(lanes, "lane", use_threads, (before // lanes,)) as pool,
        ):
            running: dict[Future[None], str] = {}
            try:
                while waiting.is_active():
                    for name in sorted(waiting.get_ready(), key=place.__getitem__):
                        running[pool.submit(copy_context().run, work[name], tell)] = name
                    for one in wait(running, return_when=FIRST_COMPLETED).done:
                        one.result()
                        work.pop(running[one])
                        waiting.done(running.pop(one))
            except BaseException:
                stopped.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    finally:
        use_threads(before)  # otherwise threads that begin later would take over that of the lanes
