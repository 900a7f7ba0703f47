"""`make bench-site`: what a site of many models costs. `python -m tests.bench.site [MODELS ...]`

One encoder of 12 layers of 12 heads with random weights is analysed on twelve documents and sentences; copies of its
results under other names stand for many models. Every build is a process of its own, so that its memory can be told.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from generator.analysis import analyze
from generator.config import Analysis
from generator.models.names import slug
from generator.models.source import locate
from tests.bench.record import ROOT
from tests.encoders import write
from tests.reports import Silence
from tests.results.altered import renamed

MODELS = (1, 5, 20, 50)
LAYERS = HEADS = 12
HIDDEN = 48
SETTINGS = Analysis(corpora=("articles", "treebank"), documents=12, max_tokens=128, device="cpu")


BUILD = """import atexit, pathlib
from generator.cli.app import main
atexit.register(lambda: print(pathlib.Path("/proc/self/status").read_text()))
main()"""
"""The command, and then its memory: what the system tells its parent counts the parent's own as well."""


class Cost(NamedTuple):
    """What a build took."""

    seconds: float
    cpu: float
    memory: float
    """Most bytes at a time."""

    def __str__(self) -> str:
        return f"{self.cpu:8.1f} CPU s {self.seconds:8.1f} s {self.memory / 1e6:7.0f} MB"


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
    """A folder with the project's own pages and so many models, not yet built."""
    folder = place / str(models)
    shutil.copytree(ROOT / "docs", folder / "docs")
    shutil.copy(ROOT / "mkdocs.yml", folder)
    (folder / "fieldguide.toml").write_text("also = []\n")
    for number in range(models):
        add(folder, results, number)
    return folder


def add(folder: Path, results: Path, number: int) -> None:
    """One model more."""
    name = slug(f"model-{number}")
    renamed(Path(shutil.copytree(results, folder / "build" / "results" / name)), name)


def built(project: Path) -> Cost:
    """What `fieldguide build` costs. Raises CalledProcessError where a build fails."""
    start, before = time.perf_counter(), os.times()
    command = [sys.executable, "-c", BUILD, "build", "--config", str(project / "fieldguide.toml")]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    memory = re.search(r"VmHWM:\s*(\d+) kB", ended.stdout)
    return Cost(time.perf_counter() - start, used, 1024 * float(memory[1]) if memory else float("nan"))


def _told(count: int, what: str, cost: Cost) -> None:
    print(f"{count:3} models, {what:<12} {cost}", flush=True)


if __name__ == "__main__":
    main()
