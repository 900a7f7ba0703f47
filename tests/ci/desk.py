"""A desk at which a guide is made of models from a hub on this machine: one command after the other."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from generator.defaults import FILE
from tests.cli.command import Outcome
from tests.hub import serving
from tests.limits import SECONDS
from tests.published import only_from, published
from tests.ready import Ready, Running


@dataclass(frozen=True)
class Desk:
    """Where commands are given about one settings file, all to one process, which loads the libraries once."""

    process: Running
    said: Path
    """The folder of what it reads and prints."""
    home: Path
    """Where the hub's library keeps what it downloads."""
    config: Path = Path(FILE)

    def do(self, *words: object) -> str:
        """What a command prints that succeeds."""
        lines = self.process.out.count("\n")
        (self.said / "in").write_text(json.dumps([*map(str, words), "--config", str(self.config)]) + "\n")
        end = time.monotonic() + SECONDS
        while self.process.out.count("\n") == lines and time.monotonic() < end:
            assert self.process.poll() is None, self.process.err
            time.sleep(0.01)
        outcome = Outcome(*json.loads(self.process.out.splitlines()[lines]))
        assert outcome.exit == 0, outcome.err
        return outcome.out

    def planned(self) -> dict[str, str]:
        """Model -> why it is to be analysed."""
        return {job["model"]: job["why"] for job in json.loads(self.do("ci", "plan"))["include"]}

    def written(self) -> dict[Path, int]:
        """When every stored file was written."""
        folder = self.config.parent / "build" / "results"
        return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


@contextmanager
def at_desk(place: Path) -> Iterator[Desk]:
    """Meanwhile the hub answers, which holds one model."""
    home, said = place / "home", place / "said"
    said.mkdir()
    os.mkfifo(said / "in")
    with serving(published(place / "published")) as hub, Ready(only_from(hub, home)) as ready:
        process = ready.run(said, "tests.cli.command")
        yield Desk(process, said, home)
        process.kill()
