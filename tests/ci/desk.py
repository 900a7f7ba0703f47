"""A desk at which a guide is made of models from a hub on this machine: commands one by one, each in a process."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cli.command import Outcome
from tests.hub import serving
from tests.limits import SECONDS
from tests.published import only_from, published
from tests.ready import Ready


class Desk:
    """Where commands are given about one settings file."""

    def __init__(self, ready: Ready, config: Path, home: Path) -> None:
        self._ready, self._config = ready, config
        self.home = home
        """Where the hub's library keeps what it downloads."""

    def ask(self, *words: object) -> Outcome:
        """How a command ends."""
        command = json.dumps([[*map(str, words), "--config", str(self._config)]])
        running = self._ready.run(self._config.parent / "printed", "tests.cli.command", command)
        assert running.wait(SECONDS) == 0, running.err
        return Outcome(*json.loads(running.out))

    def do(self, *words: object) -> str:
        """What a command prints that succeeds."""
        outcome = self.ask(*words)
        assert outcome.exit == 0, outcome.err
        return outcome.out

    def planned(self) -> dict[str, str]:
        """Model -> why it is to be analysed."""
        return {job["model"]: job["why"] for job in json.loads(self.do("ci", "plan"))["include"]}

    def written(self) -> dict[Path, int]:
        """When every stored file was written."""
        folder = self._config.parent / "build" / "results"
        return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


@contextmanager
def at_desk(config: Path) -> Iterator[Desk]:
    """Meanwhile the hub answers, which holds one model."""
    home = config.parent / "home"
    with serving(published(config.parent / "published")) as hub, Ready(only_from(hub, home)) as ready:
        yield Desk(ready, config, home)
