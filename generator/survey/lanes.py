"""Pieces of work that wait for each other, two at a time on a processor whose cores would otherwise wait.

A small forward pass does not keep two cores busy, and neither do a study's statistics; a pass beside the other does.
"""

import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import copy_context
from graphlib import TopologicalSorter
from threading import Event, Lock

from threadpoolctl import threadpool_limits

from generator.models.threads import threads, use_threads
from generator.progress import Advance

Work = dict[str, Callable[[Advance], None]]
"""Name -> a piece of work, which is given the function to call with how much more is done."""
SWITCH = 0.001
"""Seconds after which a lane that computes in Python lets another go on, which asks after every operation of torch.
Python's own 5 ms take 2 to 3 % more of an analysis with two lanes.
"""


class _StoppedError(Exception):
    """Ends a piece of work because another one failed."""


def longest_first(sizes: Mapping[str, int], after: Mapping[str, Collection[str]]) -> list[str]:
    """The names of pieces of work in the order in which to begin them, so that lanes end at about the same time.

    A piece comes before another if more work follows from it in one line, its own size included.

    >>> longest_first({"pass": 9, "small": 1, "large": 6, "table": 2}, {"small": ["pass"], "table": ["small"]})
    ['pass', 'large', 'small', 'table']
    """
    needed, line = _needed(sizes, after), dict(sizes)
    # Backwards, so that how long all that waits for a piece takes is known before the piece.
    for name in reversed([*TopologicalSorter(needed).static_order()]):
        for before in needed[name]:
            line[before] = max(line[before], sizes[before] + line[name])
    return sorted(sizes, key=lambda name: -line[name])


def in_lanes(work: Work, after: Mapping[str, Collection[str]], lanes: int, advance: Advance) -> None:
    """Do all of the work, each piece after those that `after` names for it, and as far as possible in its order.

    `work` must be in an order in which nothing waits for something later, such as that of `longest_first`; it is empty
    afterwards. With several lanes each computes with its part of the threads. If a piece fails, the others end when
    they next call `advance`, and what it raised is raised.
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
    waiting = TopologicalSorter(_needed(work, after))
    waiting.prepare()
    try:
        # Encoders silence warnings in a way that is not made for threads: whatever they leave behind ends here.
        with (
            warnings.catch_warnings(),
            _switching_after(SWITCH),
            threadpool_limits(before // lanes, "blas"),  # otherwise the products of every lane would take all cores
            ThreadPoolExecutor(lanes, "lane", use_threads, (before // lanes,)) as pool,
        ):
            running: dict[Future[None], str] = {}
            ready: list[str] = []
            try:
                while waiting.is_active():
                    ready = sorted([*ready, *waiting.get_ready()], key=place.__getitem__)
                    begun, ready = ready[: lanes - len(running)], ready[lanes - len(running) :]
                    for name in begun:
                        # In a copy of the context: each lane has the precision that is set around all of them, and a
                        # hook of its own.
                        running[pool.submit(copy_context().run, work[name], tell)] = name
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        future.result()
                        work.pop(running[future])
                        waiting.done(running.pop(future))
            except BaseException:
                stopped.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    finally:
        use_threads(before)  # otherwise threads that begin later would take over that of the lanes


def _needed(names: Collection[str], after: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
    """Name -> those of the other names that it waits for."""
    return {name: [other for other in after.get(name, ()) if other in names] for name in names}


@contextmanager
def _switching_after(seconds: float) -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(seconds)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
