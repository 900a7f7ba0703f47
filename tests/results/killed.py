"""Writes results over older ones again and again, each time killed a little later, and keeps what each kill left.

    python -m tests.results.killed OLD LEFT

OLD is a place that holds results; below LEFT one copy of it appears for every kill. A process of its own, because it
forks: the children die by SIGKILL, once at every line of the store and every call it makes to the file system, and
then at moments of the clock, which also fall inside the writing of a file.
"""

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from generator.results import store, swap
from tests.results.samples import manifest, tables

MOST = 1000
"""More moments than there are, so that a store that never ends ends here."""
BY_CLOCK = 25
ROWS = 200


def main(old: Path, left: Path) -> None:
    """Kill, keep, restore, until a write survives; then by the clock."""
    write = _writer()
    for moment in range(1, MOST):
        if not _run(old, left / f"step-{moment:03}", lambda moment=moment: _die_at(moment), write):
            break
    else:
        raise SystemExit(f"Expected a write to end within {MOST} steps.")
    start = time.monotonic()
    _run(old, left / "whole", lambda: None, write)
    whole = time.monotonic() - start
    for number in range(BY_CLOCK):
        _run(old, left / f"clock-{number:03}", lambda: None, write, after=whole * number / BY_CLOCK)


def _writer() -> Callable[[Path], object]:
    new, frames = manifest(revision="new"), tables(seed=1, rows=ROWS)
    return lambda place: store.write(place, new, frames)


def _run(
    old: Path,
    kept: Path,
    prepare: Callable[[], None],
    write: Callable[[Path], object],
    after: float | None = None,
) -> bool:
    """Write over a copy of the old results in a child; true if the child was killed."""
    shutil.copytree(old, kept)
    child = os.fork()
    if not child:
        prepare()
        write(kept)
        os._exit(0)
    if after is not None:
        time.sleep(after)
        os.kill(child, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def _die_at(moment: int) -> None:
    """From now on count lines of the store and calls to the file system, and die at that one."""
    seen = 0

    def step() -> None:
        nonlocal seen
        seen += 1
        if seen == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    def audit(event: str, _: object) -> None:
        if event == "open" or event.startswith(("os.", "shutil.", "tempfile.")):
            step()

    def trace(frame, event, _):
        if frame.f_code.co_filename not in (store.__file__, swap.__file__):
            return None
        if event == "line":
            step()
        return trace

    sys.addaudithook(audit)
    sys.settrace(trace)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
