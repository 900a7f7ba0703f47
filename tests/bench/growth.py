"""How costs grow: `python -m tests.bench.growth [CURVE ...]` measures what docs/growth.json lacks; the site shows it.

Curves: documents (a whole analysis of more text), tokens (of one longer input), heads (of an encoder with more),
models (a site with more of them). Every point is kept as soon as it is measured, so that a killed run goes on. A curve
that was measured on another machine is measured anew, and so is one that is named with `--again`.
One thread; Linux only, because of the memory.
"""

import argparse
import atexit
import ctypes
import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import torch

from generator.corpora.files import TEXT
from generator.corpora.kind import Corpora, Corpus
from generator.corpora.opening import open_corpora
from generator.corpora.pairs import Document
from tests.bench import material, site
from tests.bench.analysis import grown
from tests.bench.material import Model
from tests.bench.record import ROOT, cpu, machine

KEPT = ROOT / "docs" / "growth.json"
LAYERS_AND_HEADS = {16: (4, 4), 48: (6, 8), 96: (12, 8), 192: (12, 16), 384: (24, 16)}
"""Shapes of encoders by how many heads they have; a head has 32 dimensions."""
FEW = 8
"""Articles: about 2,000 tokens."""
Point = dict[str, float]


class Curve(NamedTuple):
    """What is measured for how many of something."""

    amounts: tuple[int, ...]
    measure: Callable[[int], Point]


def main() -> int:
    """Measure what is missing."""
    asked = argparse.ArgumentParser(prog="python -m tests.bench.growth")
    asked.add_argument("curves", nargs="*", choices=[*CURVES, []], metavar="CURVE", help=", ".join(CURVES))
    asked.add_argument("--again", action="store_true", help="measure these curves from their first point")
    chosen = asked.parse_args()
    torch.set_num_threads(1)
    for name in chosen.curves or CURVES:
        for point in measured(name, CURVES[name], KEPT, again=chosen.again):
            print(name, json.dumps(point), flush=True)
    return 0


def measured(name: str, curve: Curve, path: Path, *, again: bool = False) -> list[Point]:
    """All points of a curve; those that the file has for this machine are not measured again."""
    where, points = machine(), []
    before = _kept(path).get(name, {})
    if before.get("machine") == where and not again:
        points = before["points"]
    for amount in curve.amounts:
        if any(point["amount"] == amount for point in points):
            continue
        points = sorted([*points, {"amount": amount, **curve.measure(amount)}], key=lambda point: point["amount"])
        found = {"machine": where, "date": datetime.now(UTC).date().isoformat(), "points": points}
        path.write_text(json.dumps(_kept(path) | {name: found}, indent=1) + "\n", encoding="utf-8")
    return points


def documents(count: int) -> Point:
    """A whole analysis of so many embedded articles with 12 layers of 12 heads."""
    return _analysis(material.model(384), articles(count))


def heads(count: int) -> Point:
    """A whole analysis of a few articles with so many heads."""
    layers, each = LAYERS_AND_HEADS[count]
    return _analysis(material.model(32 * each, layers=layers, heads=each), articles(FEW))


def tokens(length: int) -> Point:
    """A whole analysis of one input with 2 layers of 2 heads, and the memory that it needs."""
    which = material.model(128, positions=length, layers=2, heads=2)
    return _analysis(which, one_input(which, length), length, memory=True)


def models(count: int) -> Point:
    """A site of so many models of 36 heads, built from nothing, and with one model more."""
    results = _results()
    with tempfile.TemporaryDirectory() as name:
        project = site.project(Path(name), results, count)
        whole = site.built(project)
        site.add(project, results, count)
        more = site.built(project)
    which, items = material.model(384), material.inputs(material.model(384), articles(FEW))
    return {
        "seconds": round(whole.cpu, 2),
        "bare": _rounded(cpu(partial(material.bare, which, items))),
        "memory": round(whole.memory / 1e6),
        "more": round(more.cpu, 2),
    }


def articles(count: int | None = None) -> Corpora:
    """So many of those that come with the program, or all, so that every machine reads the same."""
    return open_corpora(["articles"], count)


def one_input(which: Model, length: int) -> Corpora:
    """A document of two paragraphs that fill one input."""
    words = [word for item in articles().all[0].items for part in item.paragraphs for word in part.split()]
    left, halves, at = (length - 3) // 2, [], 0
    for _ in range(2):
        start, room = at, left
        while room > 0:
            room -= len(which.encoder.tokenizer.tokenize(words[at % len(words)]))
            at += 1
        at -= room < 0
        halves.append(" ".join(words[place % len(words)] for place in range(start, at)))
    return Corpora((Corpus("long", TEXT, "0" * 64, (Document("long", tuple(halves)),), "en"),))


def _analysis(which: Model, corpora: Corpora, max_tokens: int = 128, *, memory: bool = False) -> Point:
    """Processor time of the whole analysis, and of bare forward passes of the same text before and after it."""
    items = material.inputs(which, corpora, max_tokens)
    _warm(which)
    took: dict[str, list[float]] = {"bare": [], "seconds": []}
    need = {}
    works = {
        "bare": partial(material.bare, which, items),
        "seconds": partial(material.analysed, which, corpora, max_tokens),
    }
    for name in ("bare", "seconds", "bare"):
        ctypes.CDLL(None).malloc_trim(0)
        need[name] = grown(lambda name=name: lambda: took[name].append(cpu(works[name])))
    found = {name: _rounded(sum(times) / len(times)) for name, times in took.items()}
    found |= {"read": sum(map(len, items)), "inputs": len(items)}
    return found | ({"memory": round(need["seconds"]), "bare_memory": round(need["bare"])} if memory else {})


def _warm(which: Model) -> None:
    """Compile what an analysis compiles, and read once."""
    small = one_input(which, 64)
    material.analysed(which, small)
    material.bare(which, material.inputs(which, small))


@cache
def _results() -> Path:
    """Results of 3 layers of 12 heads."""
    place = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, place)
    return site.analysed(place, 3)


def _rounded(seconds: float) -> float:
    return float(f"{seconds:.3g}")


def _kept(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


CURVES = {
    "documents": Curve((8, 16, 32, 64), documents),
    "tokens": Curve((128, 256, 512, 1024, 2048, 4096, 8192), tokens),
    "heads": Curve(tuple(LAYERS_AND_HEADS), heads),
    "models": Curve((1, 5, 20, 50), models),
}

if __name__ == "__main__":
    sys.exit(main())
