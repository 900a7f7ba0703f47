"""Jobs that cost nothing and may kill their workers."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from generator.errors import CorpusError
from generator.progress import Report

BEGUN, DONE = "begun", "done"


@dataclass(frozen=True)
class Errand:
    """A job that leaves a file which says how often it was begun and done."""

    place: Path
    name: str
    deaths: int = 0
    """How often its worker dies before it is done."""
    seconds: float = 0
    """How long it takes."""
    title = "an errand"
    memory = 1 << 20
    gpu = False
    threads = 1

    def write(self, word: str) -> list[str]:
        """Add a word to the file; gives all its words."""
        with (self.place / self.name).open("a+") as file:
            file.write(f"{word}\n")
            file.seek(0)
            return file.read().split()


def do(errand: Errand, report: Report) -> None:
    """Come half way, die as often as is asked for, then write."""
    with report.bar(errand.title, 4) as advance:
        advance(2)
        if len(errand.write(BEGUN)) <= errand.deaths:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(errand.seconds)
        advance(2)
    if errand.name == "empty":
        raise CorpusError("There is no text.")
    report.note(f"{errand.name} is done")
    errand.write(DONE)
