"""A desk at which a guide is made of models from a hub on this machine: one command after the other."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from generator.defaults import FILE
from tests.cli.command import ROOT, Outcome
from tests.hub import serving
from tests.published import only_from, published


@dataclass(frozen=True)
class Desk:
    """Where commands are given about one settings file, all to one process, which loads the libraries once."""

    process: subprocess.Popen[str]
    home: Path
    """Where the hub's library keeps what it downloads."""
    config: Path = Path(FILE)

    def do(self, *words: object) -> str:
        """What a command prints that succeeds."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps([*map(str, words), "--config", str(self.config)]) + "\n")
        self.process.stdin.flush()
        outcome = Outcome(*json.loads(self.process.stdout.readline()))
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
    home, pipe = place / "home", subprocess.PIPE
    command = [sys.executable, "-m", "tests.cli.command"]
    with serving(published(place / "published")) as hub:
        variables = only_from(hub, home)
        with subprocess.Popen(command, cwd=ROOT, env=variables, stdin=pipe, stdout=pipe, text=True) as process:
            yield Desk(process, home)
