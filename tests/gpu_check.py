"""`make gpu-check`: whether a GPU gives what a CPU gives, and how fast; writes docs/gpu.md.

Two models: the embedded encoder on the embedded text, and random weights on one document of 8,192 tokens. An analysis
computes in float32, with TF32 off; half precision is not offered, so there is nothing of it to compare.
"""

import platform
import sys
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import torch

from generator.analysis import analyze
from generator.config import Analysis
from generator.corpora.opening import open_corpora
from generator.defaults import Device
from generator.models.source import Source, locate
from generator.results.store import Results
from tests.encoders import SENTENCES, write
from tests.reports import Silence

PAGE = Path(__file__).resolve().parents[1] / "docs" / "gpu.md"
TOLERANCE = 1e-3
"""Largest difference of a head's mean on any measure: shares, and entropies in nats."""
TABLE = """The last check: {machine}, {date}.

| model | text | documents a second, CPU | {device} | largest difference of a head's number | allowed |
|---|---|---|---|---|---|
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
    """What one analysis gave on both devices."""

    model: str
    text: str
    speeds: tuple[float, float]
    """Documents a second: on the CPU, on the other device."""
    apart: float


def main() -> int:
    """Exit code 1 where a number differs by more than is allowed, 2 without a GPU."""
    if not torch.cuda.is_available():
        print("Expected a CUDA device, found none; run this on a machine that has one.")
        return 2
    return check("cuda", torch.cuda.get_device_name(), PAGE)


def check(device: Device, machine: str, page: Path, sizes: Sizes = Sizes()) -> int:  # noqa: B008 - it is frozen
    """Compare, and write the page."""
    torch.set_float32_matmul_precision("highest")
    tokens = sizes.tokens
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        wide = write("bert", place / "random weights", tokens, max_position_embeddings=tokens)
        text = _long(place / f"{tokens} tokens.txt", tokens)
        articles = Analysis(corpora=("articles",), documents=sizes.documents, max_tokens=128, studies=False)
        long = Analysis(corpora=(str(text),), max_tokens=tokens, studies=False)
        found = [
            compare(locate(sizes.model), articles, device, place),
            compare(locate(str(wide)), long, device, place),
        ]
    rows = [
        f"| {one.model} | {one.text} | {one.speeds[0]:.2g} | {one.speeds[1]:.2g} | {one.apart:.1e} | {TOLERANCE:.0e} |"
        for one in found
    ]
    date = datetime.now(UTC).date().isoformat()
    told = TABLE.format(machine=f"{machine}, {platform.machine()}", date=date, device=device, rows="\n".join(rows))
    head, _, rest = page.read_text(encoding="utf-8").partition(START)
    page.write_text(f"{head}{START}{told}{END}{rest.partition(END)[2]}", encoding="utf-8")
    print(told)
    return int(any(not one.apart <= TOLERANCE for one in found))


def compare(source: Source, settings: Analysis, device: Device, place: Path) -> Found:
    """The same analysis on both devices, each warmed up by one document."""
    (corpus,) = open_corpora(settings.corpora, settings.documents).all
    values, speeds = [], []
    for at, kind in enumerate(("cpu", device)):
        analyze(source, replace(settings, device=kind, documents=1), place / f"warm {at}", Silence())
        start = time.perf_counter()
        folder, _ = analyze(source, replace(settings, device=kind), place / f"on {at}", Silence())
        speeds.append(len(corpus.items) / (time.perf_counter() - start))
        values.append(Results.open(folder).heads.set_index(["measure", "layer", "head"])["value"])
    return Found(source.title, corpus.name, (speeds[0], speeds[1]), float((values[0] - values[1]).abs().max()))


def _long(path: Path, tokens: int) -> Path:
    """Two documents of two paragraphs, each longer than an input."""
    half = " ".join(SENTENCES * (tokens // 100))
    path.write_text("\n\n".join(f"# long {name}\n\n{half}\n\n{half}\n" for name in ("one", "two")), encoding="utf-8")
    return path


if __name__ == "__main__":
    sys.exit(main())
