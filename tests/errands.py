"""Jobs that cost nothing and may kill their workers; apart, so that a worker loads no library for them."""

import os
import signal
from dataclasses import dataclass
from pathlib import Path

from generator.errors import CorpusError
from generator.progress import Report


@dataclass(frozen=True)
class Errand:
    """A job that leaves a file."""

    place: Path
    name: str
    deaths: int = 0
    """How often its worker dies before it is done."""
    title = "an errand"
    memory = 1 << 20
    gpu = False
    threads = 1


def do(errand: Errand, report: Report) -> None:
    """Die as often as is asked for, then write."""
    died = [path for path in errand.place.iterdir() if path.name.startswith(f"{errand.name}.died")]
    if len(died) < errand.deaths:
        (errand.place / f"{errand.name}.died{len(died)}").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if errand.name == "empty":
        raise CorpusError("There is no text.")
    report.note(f"{errand.name} is done")
    (errand.place / errand.name).touch()
