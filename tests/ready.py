"""Modules that run as `python -m` runs them, each in a process of its own, without loading the libraries each time.

`python -m tests.ready` has loaded them and forks for every module that it is asked for. What a library reads when it
is loaded, variables among it, and what the program's own code means, is that of the first process; nothing else goes
from one module to the next.
"""

import json
import os
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Self

from generator.studies.all import PROCEDURES
from generator.survey.code import CODE
from generator.survey.stale import roots
from tests.drawn import kept
from tests.limits import SECONDS

ROOT = Path(__file__).resolve().parents[1]
LOADED = (
    *("generator.analysis", "generator.cli.app", "generator.experiments.curve.runs", "tests.encoders", "pytest"),
    "transformers.models.bert.modeling_bert",
)


class Ready:
    """A process that has loaded the libraries; it ends with the block, or with the process that began it."""

    def __init__(self, variables: Mapping[str, str] = os.environ, root: Path = ROOT) -> None:
        """`root` is the repository, or a copy of it whose modules are to run."""
        command = [sys.executable, "-m", __name__]
        pipe = subprocess.PIPE
        self._first = subprocess.Popen(command, cwd=root, env=dict(variables), stdin=pipe, stdout=pipe, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._first.communicate()

    def ask(self, request: object) -> Any:
        """An answer to one line."""
        assert self._first.stdin
        assert self._first.stdout
        self._first.stdin.write(json.dumps(request) + "\n")
        self._first.stdin.flush()
        return json.loads(self._first.stdout.readline())

    def run(self, place: Path, module: str, *words: object) -> "Running":
        """A module begins; what it prints goes to the files `out` and `err` of a folder."""
        place.mkdir(exist_ok=True)
        return Running(self, place, self.ask([str(place), module, *map(str, words)]))


class Running:
    """A module that runs."""

    def __init__(self, ready: Ready, place: Path, pid: int) -> None:
        self._ready, self._place, self.pid = ready, place, pid
        self._code: int | None = None

    @property
    def out(self) -> str:
        """What it has printed so far; `err` is what it has said."""
        return (self._place / "out").read_text(encoding="utf-8")

    @property
    def err(self) -> str:
        return (self._place / "err").read_text(encoding="utf-8")

    def poll(self) -> int | None:
        """As of `subprocess.Popen`: the exit code, a signal's number below zero, None while it runs."""
        if self._code is None:
            self._code = self._ready.ask(self.pid)
        return self._code

    def kill(self) -> int:
        """As `kill -9` does, unless it has ended; gives the exit code."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)
        return self.wait(SECONDS)

    def wait(self, seconds: float) -> int:
        """The exit code; what takes longer is killed."""
        end = time.monotonic() + seconds
        while (code := self.poll()) is None:
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
                raise TimeoutError(f"Expected an end within {seconds} seconds.")
            time.sleep(0.01)
        return code


def _answer() -> None:
    """A number asks how that process ended; words are run."""
    for line in sys.stdin:
        request = json.loads(line)
        if isinstance(request, int):
            ended, status = os.waitpid(request, os.WNOHANG)
            answer = os.waitstatus_to_exitcode(status) if ended else None
        else:
            answer = os.fork()
            if not answer:
                return _become(*request)
        print(json.dumps(answer), flush=True)
    return None


def _become(place: str, module: str, *words: str) -> None:
    """What `python -m` does in a folder of the repository, with nothing to read."""
    for number, path in enumerate((os.devnull, f"{place}/out", f"{place}/err")):
        opened = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(opened, number)
        os.close(opened)
    sys.argv = ["", *words]
    with kept():
        runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    for name in LOADED:
        import_module(name)
    for study in PROCEDURES:
        CODE.checksum(roots(study, CODE))  # reads what an analysis asks for
    _answer()
