"""`make bench-site`: what a site of many models costs. `python -m tests.bench.site [MODELS ...]`

One encoder of 12 layers of 12 heads with random weights is analysed on twelve documents and sentences. Its results
stand for many models, under other names and with other numbers: what is equal would be drawn and computed only once.
Every build is a process of its own, and what that begins is counted with it: `/proc` is read again and again, so this
works on Linux alone.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from generator.analysis import analyze
from generator.config import Analysis
from generator.models.names import slug
from generator.models.source import locate
from generator.project.init import init
from tests.bench.record import ROOT
from tests.encoders import write
from tests.reports import Silence
from tests.results.altered import renamed, with_table

MODELS = (1, 5, 20, 50)
LAYERS = HEADS = 12
HIDDEN = 48
SETTINGS = Analysis(corpora=("articles", "treebank"), documents=12, max_tokens=128, device="cpu")
NUMBERS = ("documents", "facts", "head_facts", "heads", "layers", "relation_heads", "roles")
"""Tables whose numbers are made a model's own."""
OFTEN = 0.5
"""Seconds from one look at a build to the next."""


class Cost(NamedTuple):
    """What a build took."""

    seconds: float
    cpu: float
    memory: float
    """Most bytes at a time, all processes together; what they share is counted for each."""

    def __str__(self) -> str:
        return f"{self.cpu:8.1f} CPU s {self.seconds:8.1f} s {self.memory / 1e6:7.0f} MB"


class Process(NamedTuple):
    """A running process."""

    parent: int
    cpu: float
    """Seconds so far."""
    memory: float
    """Bytes that it holds, with those that it shares."""


def main() -> None:
    """Print a line for each number of models and kind of build."""
    asked = [int(word) for word in sys.argv[1:]] or list(MODELS)
    with tempfile.TemporaryDirectory() as name:
        results = analysed(Path(name), LAYERS)
        for count in asked:
            folder = project(Path(name), results, count)
            _told(count, "cold", built(folder))
            add(folder, results, count)
            _told(count, "one more", built(folder))
            _told(count, "nothing new", built(folder))
            site = folder / "site"
            search, files = (site / "search" / "search_index.json").stat().st_size, [*site.rglob("*")]
            size = sum(path.stat().st_size for path in files if path.is_file())
            print(f"{count:3} + 1 models: search {search / 1e6:.2f} MB, {len(files):,} files, {size / 1e6:.0f} MB")
            shutil.rmtree(folder)


def analysed(place: Path, layers: int) -> Path:
    """Results of an encoder of so many layers of 12 heads."""
    model = write("bert", place / "encoder", num_hidden_layers=layers, num_attention_heads=HEADS, hidden_size=HIDDEN)
    return analyze(locate(str(model)), SETTINGS, place / "analysed", Silence())[0]


def project(place: Path, results: Path, models: int) -> Path:
    """The folder of a new guide with so many models, not yet built."""
    folder = place / str(models)
    init(folder, None)
    config = folder / "fieldguide.toml"
    settings = config.read_text().replace("also = []", 'also = ["build/results"]')
    config.write_text(settings)  # results of no checkpoint
    for number in range(models):
        add(folder, results, number)
    return folder


def add(folder: Path, results: Path, number: int) -> None:
    """One model more, whose numbers, but for whole ones such as counts, are a little smaller than those of the last."""
    name, share = slug(f"model-{number}"), 1 - (number + 1) / 2000

    def own(table: pd.DataFrame) -> pd.DataFrame:
        floats = table.select_dtypes("float")
        return table.assign(**floats.where(floats % 1 == 0, floats * share))

    place = renamed(Path(shutil.copytree(results, folder / "build" / "results" / name)), name)
    for table in NUMBERS:
        if (place / f"{table}.parquet").is_file():
            with_table(place, table, own)


def built(project: Path) -> Cost:
    """What `fieldguide build` costs. Raises CalledProcessError where a build fails."""
    command = [sys.executable, "-m", "generator", "build", "--config", str(project / "fieldguide.toml")]
    start, before, most, workers = time.perf_counter(), os.times(), 0.0, dict[int, float]()
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        while running.poll() is None:
            seen = family(running.pid)
            most = max(most, sum(one.memory for one in seen.values()))
            workers |= {number: one.cpu for number, one in seen.items() if number != running.pid}
            with suppress(subprocess.TimeoutExpired):
                running.wait(OFTEN)
    if running.returncode:
        raise subprocess.CalledProcessError(running.returncode, command)
    seconds, after = time.perf_counter() - start, os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return Cost(seconds, used + sum(workers.values()), most)


def family(first: int) -> dict[int, Process]:
    """A process and all that come from it, by their numbers."""
    every = {int(path.name): one for path in Path("/proc").glob("[0-9]*") if (one := _process(path))}
    found, new = dict[int, Process](), {first}
    while new:
        found |= {number: every[number] for number in new if number in every}
        new = {number for number, one in every.items() if one.parent in new}
    return found


def _process(place: Path) -> Process | None:
    """What the system tells about a process; None if that has ended."""
    try:
        fields = (place / "stat").read_text().rpartition(")")[2].split()
        pages = int((place / "statm").read_text().split()[1])
    except (OSError, IndexError):
        return None
    ticks = int(fields[11]) + int(fields[12])
    return Process(int(fields[1]), ticks / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE"))


def _told(count: int, what: str, cost: Cost) -> None:
    print(f"{count:3} models, {what:<12} {cost}", flush=True)


if __name__ == "__main__":
    main()
