"""Every long command, killed by SIGKILL at random moments and given again, against one that nobody disturbed.

Children are forked from a process that has loaded every library, so that a kill falls into the work. What is compared
is every byte that the command leaves, but for what tells the time: the tokens a second of a log, the date in a sitemap.
"""

import json
import os
import random
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Collection, Sequence
from pathlib import Path

from generator import pipeline  # noqa: F401 - loads what every command needs
from generator.cli.app import main
from generator.topics.compare.run import run as compare_run  # noqa: F401 - as above
from generator.topics.learning.run.curve import runs as curve_runs  # noqa: F401 - as above
from generator.topics.tasks.run.disable import run as disable_run  # noqa: F401 - as above
from tests.runs.workshop import commands, furnish

MADE = {
    "analyze": ("results/bert",),
    "finetune": ("tuned", "results/bert@finetune.rte"),
    "disable": ("results/bert@disable.rte",),
    "compare": ("results/bert@compare.again.four.txt",),
    "pretrain": ("run",),
    "curve": ("run/results", "results/small@curve"),
    "build": ("project/build", "project/site"),
}
"""Command -> what it makes, below the workshop."""
CLOCK = ("tokens_per_second",)
CRASHED = 70
"""The exit code of a command that ends with no sentence."""


class Bench:
    """A workshop in which commands have been run once, undisturbed."""

    def __init__(self, root: Path, names: Collection[str] = tuple(MADE)) -> None:
        self.root = furnish(root / "workshop")
        self.words = {name: words for name, words in commands(self.root).items() if name in names}
        self.seconds: dict[str, float] = {}
        self.whole: dict[str, dict[str, bytes]] = {}
        for name, words in self.words.items():
            start = time.monotonic()
            code = call(words)
            if code:
                raise SystemExit(f"Expected {name} to end well undisturbed, found exit code {code}.")
            self.seconds[name] = time.monotonic() - start
            self.whole[name] = self._made(name)

    def kill(self, name: str, draw: random.Random, most: int) -> tuple[int, str]:
        """Kill the command up to so many times in a row, then let it end; gives how often, and what is lost."""
        for place in MADE[name]:
            shutil.rmtree(self.root / place, ignore_errors=True)
        kills = 0
        while kills < most:
            child = _start(self.words[name])
            time.sleep(draw.uniform(0, self.seconds[name]))
            os.kill(child, signal.SIGKILL)
            if not os.WIFSIGNALED(os.waitpid(child, 0)[1]):
                break  # it had ended
            kills += 1
        code, found = self.run(name)
        expected = self.whole[name]
        other = sorted(path for path in {*found, *expected} if found.get(path) != expected.get(path))
        return kills, f"exit {code}: {', '.join(other[:5])}" if code or other else ""

    def run(self, name: str) -> tuple[int, dict[str, bytes]]:
        """Let the command end; gives its exit code and all that is there then."""
        return call(self.words[name]), self._made(name)

    def _made(self, name: str) -> dict[str, bytes]:
        """Path -> bytes, without the clock."""
        files = (path for place in MADE[name] for path in sorted((self.root / place).rglob("*")) if path.is_file())
        return {
            str(path.relative_to(self.root)): _timeless(path)
            for path in files
            if "sitemap" not in path.name and path.name not in ("state.pt", "site.json")
        }


def _timeless(path: Path) -> bytes:
    if path.name != "log.jsonl":
        return path.read_bytes()
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return json.dumps([{key: line[key] for key in line if key not in CLOCK} for line in lines]).encode()


def call(words: Sequence[str], path: Path = Path(os.devnull)) -> int:
    """Let a command end in a child, what it says in a file; gives its exit code, CRASHED after a traceback."""
    return os.waitstatus_to_exitcode(os.waitpid(_start(words, path), 0)[1])


def _start(words: Sequence[str], path: Path = Path(os.devnull)) -> int:
    """Run a command in a child; gives the child."""
    child = os.fork()
    if child:
        return child
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(file, 1)
    os.dup2(file, 2)
    sys.argv = ["fieldguide", *words]
    code = CRASHED
    try:
        main()
        code = 0
    except SystemExit as end:
        code = int(end.code or 0)
    except BaseException:  # noqa: BLE001 - whatever is no sentence of ours is what is looked for
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)
