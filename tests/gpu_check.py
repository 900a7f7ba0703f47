"""`make gpu-check`: whether a GPU gives what a CPU gives, and how fast; writes docs/gpu.md.

Two models: the embedded encoder on the embedded text, and random weights on one document of 8,192 tokens. The device
computes in every precision that it has, the CPU in float32.
"""

import platform
import sys
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import torch

from generator.analysis import analyze
from generator.config import Analysis
from generator.corpora.opening import open_corpora
from generator.defaults import Device, Precision
from generator.models.load import choose_device
from generator.models.precision import has_tf32
from generator.models.source import Source, locate
from generator.results.store import Results
from tests.encoders import SENTENCES, write
from tests.reports import Silence

PAGE = Path(__file__).resolve().parents[1] / "docs" / "gpu.md"
TOLERANCE: dict[Precision, float] = {"float32": 1e-3, "tf32": 0.02, "bfloat16": 0.1}
"""Largest difference of a head's mean on any measure: shares, and entropies in nats."""
TABLE = """The last check: {machine}, {date}. The CPU computes in float32.

| model | text | precision | documents a second, CPU | {device} | largest difference of a head's number | allowed |
|---|---|---|---|---|---|---|
{rows}
"""
START, END = "<!-- written by make gpu-check -->\n", "<!-- end -->\n"


class Sizes(NamedTuple):
    """How much is compared."""

    model: str = "all-MiniLM-L6-v2"
    documents: int | None = None
    """Of the embedded text; None for all."""
    tokens: int = 8192
    """Of the long input."""


class Found(NamedTuple):
    """What one analysis gave on the CPU, and on the other device in one precision."""

    model: str
    text: str
    precision: Precision
    speeds: tuple[float, float]
    """Documents a second: on the CPU, on the other device."""
    apart: float

    @property
    def fits(self) -> bool:
        """Whether no number differs by more than is allowed."""
        return self.apart <= TOLERANCE[self.precision]

    @property
    def row(self) -> str:
        """Its line in the table."""
        speeds = " | ".join(f"{speed:.2g}" for speed in self.speeds)
        allowed = TOLERANCE[self.precision]
        return f"| {self.model} | {self.text} | {self.precision} | {speeds} | {self.apart:.1e} | {allowed:.0e} |"


def main() -> int:
    """Exit code 1 where a number differs by more than is allowed, 2 without a GPU."""
    if not torch.cuda.is_available():
        print("Expected a CUDA device, found none; run this on a machine that has one.")
        return 2
    return check("cuda", torch.cuda.get_device_name(), PAGE)


def check(device: Device, machine: str, page: Path, sizes: Sizes = Sizes()) -> int:  # noqa: B008 - it is frozen
    """Compare, and write the page."""
    tokens = sizes.tokens
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        wide = write("bert", place / "random weights", tokens, max_position_embeddings=tokens)
        text = _long(place / f"{tokens} tokens.txt", tokens)
        articles = Analysis(corpora=("articles",), documents=sizes.documents, max_tokens=128, studies=False)
        long = Analysis(corpora=(str(text),), max_tokens=tokens, studies=False)
        found = [
            *compare(locate(sizes.model), articles, device, place),
            *compare(locate(str(wide)), long, device, place),
        ]
    rows = [one.row for one in found]
    date = datetime.now(UTC).date().isoformat()
    told = TABLE.format(machine=f"{machine}, {platform.machine()}", date=date, device=device, rows="\n".join(rows))
    head, _, rest = page.read_text(encoding="utf-8").partition(START)
    page.write_text(f"{head}{START}{told}{END}{rest.partition(END)[2]}", encoding="utf-8")
    print(told)
    return int(not all(one.fits for one in found))


def compare(source: Source, settings: Analysis, device: Device, place: Path) -> list[Found]:
    """The same analysis on both devices, each warmed up by one document, the other one in every precision it has."""
    (corpus,) = open_corpora(settings.corpora, settings.documents).all

    def made(how: Analysis) -> tuple[pd.Series, float]:
        """The means of all heads, and documents a second."""
        analyze(source, replace(how, documents=1), place / "warm", Silence())
        start = time.perf_counter()
        folder, _ = analyze(source, how, place / "timed", Silence())
        speed = len(corpus.items) / (time.perf_counter() - start)
        return Results.open(folder).heads.set_index(["measure", "layer", "head"])["value"], speed

    exact, slow = made(replace(settings, device="cpu"))
    found = []
    for precision in TOLERANCE:
        if precision != "tf32" or has_tf32(choose_device(device)):
            values, speed = made(replace(settings, device=device, precision=precision))
            apart = float((exact - values).abs().max())
            found.append(Found(source.title, corpus.name, precision, (slow, speed), apart))
    return found


def _long(path: Path, tokens: int) -> Path:
    """Two documents of two paragraphs, each longer than an input."""
    half = " ".join(SENTENCES * (tokens // 100))
    path.write_text("\n\n".join(f"# long {name}\n\n{half}\n\n{half}\n" for name in ("one", "two")), encoding="utf-8")
    return path


if __name__ == "__main__":
    sys.exit(main())
