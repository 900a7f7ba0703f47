"""Pieces of work that wait for each other, two at a time on a processor whose cores would otherwise wait.

A small forward pass does not keep two cores busy, and neither do a study's statistics; a pass beside the other does.
"""

import warnings
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from graphlib import TopologicalSorter
from threading import Event, Lock

import torch

from generator.models.encoder import Encoder
from generator.progress import Advance

LANES = 2
LONGEST = 512
"""The longest input, in tokens, with which two pieces of work run at a time: memory grows with the square of it."""

Work = dict[str, Callable[[Advance], None]]
"""Name -> a piece of work, which is given the function to call with how much more is done."""


class _StoppedError(Exception):
    """Ends a piece of work because another one failed."""


def lanes_for(encoder: Encoder, longest: int) -> int:
    """How many pieces of work an encoder may run at a time on inputs of at most `longest` tokens.

    One on any device but a CPU, which computes one at a time anyway. One, too, if the weights came in half precision,
    because transformers then draws those of a twin with a default precision that holds for all threads.
    """
    whole = getattr(encoder.model.config, "dtype", None) in (None, torch.float32)
    several = encoder.device.type == "cpu" and torch.get_num_threads() >= LANES and longest <= LONGEST and whole
    return LANES if several else 1


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
    threads, stopped, alone = torch.get_num_threads(), Event(), Lock()

    def tell(done: int) -> None:
        if stopped.is_set():
            raise _StoppedError
        with alone:
            advance(done)

    waiting = TopologicalSorter({name: [one for one in after.get(name, ()) if one in work] for name in work})
    waiting.prepare()
    each = max(threads // lanes, 1)
    try:
        # Encoders silence warnings in a way that is not made for threads: whatever they leave behind ends here.
        with warnings.catch_warnings(), ThreadPoolExecutor(lanes, "lane", torch.set_num_threads, (each,)) as pool:
            running: dict[Future[None], str] = {}
            try:
                while waiting.is_active():
                    for name in sorted(waiting.get_ready(), key=list(work).index):
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
        torch.set_num_threads(threads)  # otherwise threads that begin later would take over that of the lanes
