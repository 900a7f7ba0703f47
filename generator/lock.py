"""One run at a time in a folder: a lock of the operating system, which ends with the process that holds it."""

import os
import platform
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from generator.errors import ResultsError

NO_NUMBER = "Runs wait for each other, and compute the same."


@contextmanager
def alone(folder: Path, say: Callable[[str], None], *, beside: bool = False) -> Iterator[None]:
    """Lock a folder for this block; if another process holds it, say which one and wait until it is done.

    The lock is a file in the folder or, for a folder that will be replaced, `beside` it. A process may lock a folder
    several times. Raises ResultsError if the file cannot be written.
    """
    path = folder.with_name(f".{folder.name}.lock") if beside else folder / ".lock"
    lock = FileLock(path, is_singleton=True, on_acquired=_sign)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            say(f"Waiting for {_holder(path)} to finish with {folder}.")
            lock.acquire()
    except OSError as error:
        raise ResultsError(
            f"Expected a folder to write to at {folder}, found: {error.strerror or error}; choose another folder."
        ) from None
    try:
        yield
    finally:
        if lock.lock_counter == 1:
            with suppress(OSError):  # Windows removes no open file
                path.unlink()  # a run that waits finds the file gone and makes another
        lock.release()


def _sign(descriptor: int) -> None:
    """Write into the lock file which process holds it."""
    command = shlex.join(["fieldguide", *sys.argv[1:]])
    with suppress(OSError):  # on a full disk a lock without a name holds as well
        os.truncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, f"process {os.getpid()} on {platform.node()} ({command})".encode())


def _holder(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace") or "another run"
    except OSError:
        return "another run"
