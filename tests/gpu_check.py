"""`make gpu-check`: whether a GPU gives what a CPU gives, and how fast; writes docs/gpu.md.

Agreement is checked on two models: an embedded one with all studies of the embedded corpora, and random weights on one
document of 8,192 tokens. The device computes in every precision that it has, the CPU in float32.
"""

import platform
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import torch

from generator.analysis import analyze
from generator.claims.evidence.evidence import Evidence
from generator.claims.ledger import judge_all
from generator.config import Analysis
from generator.corpora.opening import open_corpora
from generator.defaults import Device, Precision
from generator.models.load import choose_device
from generator.models.precision import has_tf32
from generator.models.source import Source, locate
from generator.results.store import Results
from tests.encoders import SENTENCES, write
from tests.gpu_speed import CASES, Case, speeds
from tests.reports import Silence

PAGE = Path(__file__).resolve().parents[1] / "docs" / "gpu.md"
TOLERANCE: dict[Precision, float] = {"float32": 1e-3, "tf32": 0.02, "bfloat16": 0.1}
"""Largest difference of a head's mean on any measure: shares, and entropies in nats."""
TABLE = """The last check: {machine}, {date}, torch {torch}. The CPU computes in float32.

| model | text | precision | seconds, CPU | {device} | largest difference of a number | allowed | other verdicts |
|---|---|---|---|---|---|---|---|
{rows}

{speeds}
"""
START, END = "<!-- written by make gpu-check -->\n", "<!-- end -->\n"


class Sizes(NamedTuple):
    """How much is compared."""

    model: str = "small-bert"
    corpora: tuple[str, ...] = ("articles", "treebank")
    documents: int | None = 8
    """Of each embedded corpus; None for all."""
    tokens: int = 8192
    """Of the long input."""
    cases: Sequence[Case] = CASES
    """What is timed."""


class Found(NamedTuple):
    """What one analysis gave on the CPU, and on the other device in one precision."""

    model: str
    text: str
    precision: Precision
    seconds: tuple[float, float]
    """On the CPU, on the other device."""
    apart: float
    verdicts: tuple[int, int]
    """How many differ, and how many there are."""

    @property
    def fits(self) -> bool:
        """Whether no number differs by more than is allowed."""
        return self.apart <= TOLERANCE[self.precision]

    @property
    def row(self) -> str:
        """Its line in the table."""
        seconds = " | ".join(f"{time:.3g}" for time in self.seconds)
        allowed, (differ, all_of_them) = TOLERANCE[self.precision], self.verdicts
        return (
            f"| {self.model} | {self.text} | {self.precision} | {seconds} | {self.apart:.1e} | {allowed:.0e} "
            f"| {differ} of {all_of_them} |"
        )


def main() -> int:
    """Exit code 1 where a number differs by more than is allowed, 2 without a GPU."""
    if not torch.cuda.is_available():
        print("Expected a CUDA device, found none; run this on a machine that has one.")
        return 2
    return check("cuda", torch.cuda.get_device_name(), PAGE)


def check(device: Device, machine: str, page: Path, sizes: Sizes = Sizes()) -> int:  # noqa: B008 - it is frozen
    """Compare, and write the page."""
    tokens = sizes.tokens
    print(machine)
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        wide = write("bert", place / "random weights", tokens, max_position_embeddings=tokens)
        text = _long(place / f"{tokens} tokens.txt", tokens)
        embedded = Analysis(corpora=sizes.corpora, documents=sizes.documents, max_tokens=128)
        long = Analysis(corpora=(str(text),), max_tokens=tokens, studies=False)
        found = [
            *compare(locate(sizes.model), embedded, device, place),
            *compare(locate(str(wide)), long, device, place),
        ]
    told = TABLE.format(
        machine=f"{machine}, {platform.machine()}",
        date=datetime.now(UTC).date().isoformat(),
        torch=torch.__version__,
        device=device,
        rows="\n".join(one.row for one in found),
        speeds=speeds(sizes.cases, choose_device(device)),
    )
    head, _, rest = page.read_text(encoding="utf-8").partition(START)
    page.write_text(f"{head}{START}{told}{END}{rest.partition(END)[2]}", encoding="utf-8")
    print(told)
    return int(not all(one.fits for one in found))


def compare(source: Source, settings: Analysis, device: Device, place: Path) -> list[Found]:
    """The same analysis on both devices, each warmed up by one document, the other one in every precision it has."""
    names = ", ".join(corpus.name for corpus in open_corpora(settings.corpora, settings.documents).all)

    def made(how: Analysis) -> tuple[pd.Series, list[str], float]:
        """The means of all heads, the verdicts, and seconds."""
        analyze(source, replace(how, documents=1), place / "warm", Silence())
        start = time.perf_counter()
        folder, _ = analyze(source, how, place / "timed", Silence())
        seconds = time.perf_counter() - start
        results = Results.open(folder)
        means = results.heads.set_index(["corpus", "measure", "layer", "head"])["value"]
        return means, [str(one.verdict) for one in judge_all([Evidence(results)])], seconds

    exact, verdicts, slow = made(replace(settings, device="cpu"))
    found = []
    for precision in TOLERANCE:
        if precision != "tf32" or has_tf32(choose_device(device)):
            values, others, seconds = made(replace(settings, device=device, precision=precision))
            differ = sum(one != other for one, other in zip(verdicts, others, strict=True))
            apart = float((exact - values).abs().max())
            found.append(Found(source.title, names, precision, (slow, seconds), apart, (differ, len(verdicts))))
            print(found[-1].row, flush=True)
    return found


def _long(path: Path, tokens: int) -> Path:
    """Two documents of two paragraphs, each longer than an input."""
    half = " ".join(SENTENCES * (tokens // 100))
    path.write_text("\n\n".join(f"# long {name}\n\n{half}\n\n{half}\n" for name in ("one", "two")), encoding="utf-8")
    return path


if __name__ == "__main__":
    sys.exit(main())
