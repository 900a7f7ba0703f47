"""Modules that run as `python -m` runs them, each in a process of its own, without loading the libraries each time."""

import json
import os
import runpy
import signal
import socket
import sys
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Self

from generator.studies.all import PROCEDURES
from generator.survey.code import CODE
from generator.survey.stale import roots
from tests.limits import SECONDS
from tests.stems import copied, stem_for

ROOT = Path(__file__).resolve().parents[1]


class Ready:
    """A process that has loaded the libraries and the program. It ends with the block, or with the first process."""

    def __init__(self, variables: Mapping[str, str] | None = None, root: Path = ROOT) -> None:
        """`root` is the repository or, with variables, perhaps a copy of it; the program is loaded where these hold."""
        line, theirs = socket.socketpair()
        with theirs:
            stem_for(variables).begin(theirs, os.environ if variables is None else variables, root)
        with line:
            self._line = line.makefile("rw", encoding="utf-8")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """It ends."""
        self._line.close()

    def ask(self, request: object) -> Any:
        """An answer to one line."""
        self._line.write(json.dumps(request) + "\n")
        self._line.flush()
        return json.loads(self._line.readline())

    def run(self, place: Path, module: str, *words: object) -> "Running":
        """A module begins; what it prints goes to the files `out` and `err` of a folder, and what it reads comes from a
        pipe `in`, if one lies there.
        """
        place.mkdir(exist_ok=True)
        return Running(self, place, self.ask([str(place), module, *map(str, words)]))


class Running:
    """A module that runs."""

    def __init__(self, ready: Ready, place: Path, pid: int) -> None:
        self._ready, self._place, self.pid = ready, place, pid
        self._code: int | None = None

    @property
    def out(self) -> str:
        """What it has printed so far; `err` is what it has said. Both are empty until it has begun."""
        return self._read("out")

    @property
    def err(self) -> str:
        return self._read("err")

    def _read(self, name: str) -> str:
        path = self._place / name
        return path.read_text(encoding="utf-8") if path.exists() else ""

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


def answer(line: socket.socket) -> None:
    """A number asks how that process ended; words are run."""
    for study in PROCEDURES:
        CODE.checksum(roots(study, CODE))  # reads what an analysis asks for
    with line, line.makefile("rw", encoding="utf-8") as asked:
        for request in asked:
            if isinstance(read := json.loads(request), int):
                ended, status = os.waitpid(read, os.WNOHANG)
                answer = os.waitstatus_to_exitcode(status) if ended else None
            else:
                answer = copied(partial(_become, *read), [])
            asked.write(json.dumps(answer) + "\n")
            asked.flush()


def _become(place: str, module: str, *words: str) -> None:
    """What `python -m` does in a folder of the repository."""
    read = f"{place}/in"
    for number, path in enumerate((read if Path(read).exists() else os.devnull, f"{place}/out", f"{place}/err")):
        opened = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(opened, number)
        os.close(opened)
    sys.argv = ["", *words]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
