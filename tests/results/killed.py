"""Writes results over older ones, killed at every moment that makes a difference, and keeps what each kill left.

    python -m tests.results.killed OLD LEFT

OLD is a place that holds results; below LEFT one copy of it appears for every kill. A process of its own, because it
forks. At every line that writes results and every call to the file system that finds other files than the one before, a
fork of the writer dies by SIGKILL and the writer itself goes on, so that all these deaths cost one write; others die at
moments of the clock, which also fall inside the writing of a file.
"""

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from generator.results import swap, writing
from tests.results.samples import manifest, tables

BY_CLOCK = 25
ROWS = 200


def main(old: Path, left: Path) -> None:
    """Kill and keep at every step of one write, then by the clock."""
    write, place = _writer(), left / "whole"
    shutil.copytree(old, place)
    with _dying_at_every_step(place, left):
        write(place)
    shutil.copytree(old, left / "timed")
    start = time.monotonic()
    write(left / "timed")
    whole = time.monotonic() - start
    for number in range(BY_CLOCK):
        _kill_after(whole * number / BY_CLOCK, shutil.copytree(old, left / f"clock-{number:03}"), write)


def _files(place: Path) -> dict[Path, bytes]:
    """All files, and all folders as files without content."""
    return {path: path.read_bytes() if path.is_file() else b"" for path in place.rglob("*")}


def _writer() -> Callable[[Path], object]:
    new, frames = manifest(revision="new"), tables(seed=1, rows=ROWS)
    return lambda place: writing.write(place, new, frames)


def _kill_after(seconds: float, place: Path, write: Callable[[Path], object]) -> None:
    child = os.fork()
    if not child:
        write(place)
        os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def _die() -> None:
    """A copy of this process is killed."""
    child = os.fork()
    if not child:
        os.kill(os.getpid(), signal.SIGKILL)
    if not os.WIFSIGNALED(os.waitpid(child, 0)[1]):
        raise SystemExit("Expected a death.")


@contextmanager
def _dying_at_every_step(place: Path, left: Path) -> Iterator[None]:
    """Meanwhile each line that writes and each call to the file system is a death, and a copy of what it left; one that
    finds all as it was at the last death would leave the same.
    """
    seen, last, watching = 0, {}, True

    def step() -> None:
        nonlocal seen, last, watching
        if not watching:
            return
        watching = False
        if (now := _files(place)) != last:
            seen, last = seen + 1, now
            _die()
            shutil.copytree(place, left / f"step-{seen:03}")
        watching = True

    def audit(event: str, _: object) -> None:
        if event == "open" or event.startswith(("os.", "shutil.", "tempfile.")):
            step()

    def trace(frame, event, _):
        if frame.f_code.co_filename not in (writing.__file__, swap.__file__):
            return None
        if event == "line":
            step()
        return trace

    sys.addaudithook(audit)
    sys.settrace(trace)
    yield
    sys.settrace(None)
    watching = False


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
