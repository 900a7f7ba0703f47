"""`python -m tests.dry_run`: do what docs/your-own-guide.md says, with a wheel of this checkout in an empty folder.

First the walk: every command of the page is given as it stands there, in a fresh environment, and a command that this
file does not know ends it. Then the first months of a guide in that environment, once a week a year (`tests.ci.year`),
and what the page says of a clone. It takes many minutes, a part of them to install, and stands outside `make test`;
`.ci/run` runs it.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from urllib.request import urlopen

from tests.ci.runner import git
from tests.ci.year import build_wheel, expect, run_year
from tests.encoders import write
from tests.hub import serving
from tests.limits import SECONDS
from tests.published import only_from, published
from tests.weekly import VARIABLE

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "your-own-guide.md"
GIVEN = {"OWNER/NAME": "tiny/bert", "NAME": "my-encoder", "v2": "step_40k", "OLD": "old", "NEW": "build/results"}
"""What a reader puts in the place of these words."""
BEFORE = {"fieldguide add OWNER/NAME --revision v2": "fieldguide add OWNER/NAME"}
"""Command of the page -> what it says of the state in which it is given."""
SERVE = "fieldguide serve"
IN_CLONE = ("git fetch", "git log origin/fieldguide-results -- models/NAME")
ELSEWHERE = {
    "fieldguide add": "above",
    "fieldguide init": "above",
    "fieldguide models": "below",
    "fieldguide build": "in the table",
    "fieldguide diff": "of two states, below",
    "fieldguide ci plan": "by the workflow",
    "fieldguide ci analyze": "by the workflow",
    "fieldguide ci summarize": "by the workflow",
    "fieldguide ci publish": "by the workflow",
    "fieldguide ci revisions": "by the workflow",
    "fieldguide ci keep FOLDER": "by the test of the file for GitLab",
    "pip wheel --no-deps .": "the wheel is made of what is tracked alone",
    "pip install --no-deps --index-url https://download.pytorch.org/whl/cpu \"$(grep '^torch==' constraints.txt)\"": (
        "where that index can be reached"
    ),
}
"""Commands that the text of the page names -> where they are given."""


def commands(page: str) -> str:
    """The commands of the page's first block."""
    return blocks(page)[0]


def blocks(page: str) -> list[str]:
    """All blocks of commands."""
    found = re.findall(r"```console\n(.*?)```", page, re.DOTALL)
    expect(f"two blocks of commands in {PAGE}", len(found) == 2, len(found))
    return found


def rows(page: str) -> list[str]:
    """The commands of the page's table."""
    return re.findall(r"^\| `(fieldguide [^`]+)` \|", page, re.MULTILINE)


def named(page: str) -> set[str]:
    """The commands that its text names."""
    text = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    return {" ".join(one.split()) for one in re.findall(r"`((?:fieldguide|git|pip) [^`]+)`", text)} - {*rows(page)}


class Reader:
    """Somebody who gives commands in a folder, in the environment that the page makes."""

    def __init__(self, place: Path, folder: Path, variables: Mapping[str, str]) -> None:
        self.place, self.folder, self.variables = place, folder, variables

    @property
    def entered(self) -> dict[str, str]:
        """Variables of a shell in which the environment is active."""
        return {**self.variables, "PATH": f"{self.place / 'environment' / 'bin'}:{self.variables['PATH']}"}

    def give(self, command: str) -> str:
        """What a command prints that succeeds, with what a reader puts in the place of words."""
        words = re.sub(r"OWNER/NAME|\b(?:NAME|OLD|NEW|v2)\b", lambda found: GIVEN[found[0]], command)
        ended = subprocess.run(
            ("bash", "-euo", "pipefail", "-c", words),
            cwd=self.folder,
            env=self.entered,
            capture_output=True,
            text=True,
            check=False,
        )
        expect(f"{words} to succeed", ended.returncode == 0, ended.stderr)
        sys.stdout.write(f"{words}\n")
        return ended.stdout

    def change(self, command: str) -> None:
        """A command of the table, after which the list of models is as it was before."""
        config = self.folder / "fieldguide.toml"
        before = config.read_text()
        if first := BEFORE.get(command):
            self.give(first)
        known = config.read_text()
        self.give(command)
        changes, changed = command.split()[1] in ("add", "remove"), config.read_text() != known
        expect(f"{command} {'to change' if changes else 'not to change'} the list", changes == changed)
        config.write_text(before)

    def serve(self, address: str) -> None:
        """The site is served until a page of it has come."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
        words = [*SERVE.split(), "--port", port]
        with subprocess.Popen(words, cwd=self.folder, env=self.entered, stderr=subprocess.DEVNULL) as server:
            end = time.monotonic() + SECONDS
            while True:
                expect(f"{SERVE} to go on", server.poll() is None and time.monotonic() < end)
                try:
                    with urlopen(f"http://127.0.0.1:{port}/{address}") as page:
                        expect("the page of the model", b"my-encoder" in page.read())
                    break
                except OSError:
                    time.sleep(0.5)
            server.kill()
        sys.stdout.write(f"{SERVE}\n")


def walk(place: Path, wheel: Path, variables: Mapping[str, str]) -> Reader:
    """All commands of the page that are given at a desk."""
    page = PAGE.read_text(encoding="utf-8")
    unknown = named(page) - ELSEWHERE.keys() - {SERVE, *IN_CLONE}
    expect(f"commands in {PAGE.name} that are known here", not unknown, unknown)
    shutil.copy(wheel, place)
    shutil.copy(ROOT / "constraints.txt", place)
    write("bert", place / "my-encoder")
    words = ("bash", "-euo", "pipefail", "-c", commands(page))
    subprocess.run(words, cwd=place, env=dict(variables), check=True)
    reader = Reader(place, place / "my-guide", variables)
    heads = list(reader.folder.glob("site/models/my-encoder/heads/*/index.html"))
    expect("a page for each of 12 heads", len(heads) == 12, len(heads))
    go_on(reader)
    return reader


def go_on(reader: Reader) -> None:
    """What the page says that can be done with a guide of `my-encoder` that is built."""
    (reader.folder / "my-text.txt").write_text("An owl sleeps.\n\nIt wakes at night.\n")
    shutil.copytree(reader.folder / "build" / "results", reader.folder / "old")
    reader.give("fieldguide models")
    for row in rows(PAGE.read_text(encoding="utf-8")):
        reader.change(row)
    reader.serve("models/my-encoder/")


def in_clone(place: Path, origin: Path, reader: Reader) -> None:
    """What the page says of a clone of a guide."""
    clone = place / "clone-of-a-guide"
    git(place, "clone", "-q", str(origin), str(clone))
    there = Reader(place, clone, reader.variables)
    for command in IN_CLONE:
        told = there.give(command.replace("NAME", "beta"))
        expect("the commits in which a model was analysed", "log" not in command or "Analysed:" in told, told)
    told = there.give(blocks(PAGE.read_text(encoding="utf-8"))[1])
    expect("what the last run of the year changed", told.startswith("## "), told)


def main() -> None:
    """Exit code 0 where all commands do what the page says, and the months end as they should."""
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as hub:
        place = Path(name)
        wheel = build_wheel(Path(hub) / "wheel")
        with serving(published(Path(hub) / "published")) as answering:
            variables = only_from(answering, place / "home")
            for variable in ("PYTHONPATH", "VIRTUAL_ENV"):
                variables.pop(variable, None)
            reader = walk(place, wheel, variables)
        (Path(name) / "year").mkdir()
        python = str(place / "environment" / "bin" / "python")
        year = run_year(python, Path(name) / "year", whole=bool(os.environ.get(VARIABLE)))
        in_clone(place, year.services.origin, reader)
        sys.stdout.write(f"{PAGE.name}: its commands do what it says, and so do {len(year.months)} months of a guide\n")


if __name__ == "__main__":
    main()
