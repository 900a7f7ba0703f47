"""What an analysis costs on another device beside reading the same text there once, by the clock, and in memory."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import torch

from generator.corpora.kind import Corpora
from generator.defaults import PRECISION, Precision
from generator.models.precision import TF32
from tests.bench import material
from tests.bench.material import HEADS, LAYERS, Model
from tests.bench.record import AbsentError

TOKENIZER = "small-bert"
"""The encoder whose tokenizer the random models have: it comes with the program."""
FEW = 2
"""Items of each corpus that are analysed first, so that everything is compiled."""
SPEEDS = """Seconds by the clock, {layers} layers of {heads} heads with random weights. An analysis makes all studies.

| what is read | precision | inputs | analysis | inputs a second | bare forward passes | memory, analysis / bare |
|---|---|---|---|---|---|---|
{rows}"""


class Case(NamedTuple):
    """A text, and a model that reads it."""

    name: str
    corpora: Callable[[], Corpora]
    hidden: int
    head: bool = False
    """Whether the model has a masked-LM head."""
    tokens: int = 128
    precision: Precision = PRECISION
    on_cpu: bool = False
    """Whether the CPU of the machine reads it, too."""


TEXT, HEADED, TREES, LONG = "12 articles", "12 articles, with a masked-LM head", "400 trees", "an article"
CASES = (
    Case(TEXT, material.text, 384),
    Case(TEXT, material.text, 768, precision=TF32),
    Case(TEXT, material.text, 768, precision="bfloat16"),
    Case(HEADED, material.text, 768, head=True),
    Case(TREES, material.treebank, 768),
    Case(LONG, partial(material.text, 1), 384, tokens=2048),
    Case(TEXT, material.text, 768, on_cpu=True),
)


def speeds(cases: Sequence[Case], device: torch.device, layers: int = LAYERS, heads: int = HEADS) -> str:
    """A table of what the cases take there; where their text is not on this machine, a sentence that says so."""
    rows = []
    for case in cases:
        try:
            read = case.corpora()
        except AbsentError as absent:
            return str(absent)
        sizes = case.hidden, case.head, max(case.tokens, 512)
        for where in (device, *[material.CPU] * case.on_cpu):
            which = material.model(*sizes, layers=layers, heads=heads, device=where, tokenizer=TOKENIZER)
            rows.append(_row(case, read, which))
    return SPEEDS.format(layers=layers, heads=heads, rows="\n".join(rows))


def _row(case: Case, read: Corpora, which: Model) -> str:
    device = which.encoder.device
    precision = case.precision if device.type != "cpu" else PRECISION
    which = which._replace(encoder=replace(which.encoder, precision=precision))
    items = material.inputs(which, read, case.tokens)
    few = Corpora(tuple(replace(one, items=one.items[:FEW]) for one in read.all))
    material.analysed(which, few, case.tokens)  # compiles
    material.bare(which, items)
    analysis, most = _taken(partial(material.analysed, which, read, case.tokens), device)
    bare, least = _taken(partial(material.bare, which, items), device)
    memory = f"{most / least:.2g}" if device.type == "cuda" else ""
    words = (
        f"{case.name}, inputs of {case.tokens:,} tokens, hidden {case.hidden}, {device.type}",
        precision,
        f"{len(items):,}",
        f"{analysis:.3g}",
        f"{len(items) / analysis:.3g}",
        f"{bare:.3g}",
        memory,
    )
    row = "| " + " | ".join(words) + " |"
    print(row, flush=True)
    return row


def _taken(work: Callable[[], None], device: torch.device) -> tuple[float, int]:
    """Seconds, and on a GPU the bytes that were taken at most beyond what was taken before."""
    on_gpu = device.type == "cuda"
    if on_gpu:
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
    start = time.perf_counter()
    work()
    if on_gpu:
        torch.cuda.synchronize()
        return time.perf_counter() - start, torch.cuda.max_memory_allocated() - before
    return time.perf_counter() - start, 0
