"""What an analysis costs beside reading the same text once: processor time, memory, and what a second core gives."""

import multiprocessing
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch.nn.modules.module import register_module_forward_pre_hook

from generator.attention.batches import token_table
from generator.attention.stream import Options, observe
from generator.attention.sums.rows import RowSums, attend_observed
from generator.corpora.classes import TokenClass
from generator.corpora.kind import Corpora
from generator.corpora.opening import open_corpora
from generator.corpora.pairs import Document, Input
from generator.topics.distances.compute.rows import ComparedRows
from generator.topics.inputs.compute.occlusion import DOCUMENTS
from tests.bench import material
from tests.bench.material import HEADS, LAYERS
from tests.bench.record import Row, cpu

LONG, LONGEST = 2048, 8192
FEW = 12
PIECES = 8
"""Into how many documents an article is cut, so that half of the text has more than any study samples."""


def _in_turn(ours: Callable[[], object], theirs: Callable[[], object], rounds: int) -> Iterator[float]:
    """Processor time of one piece of work over that of another, both warm, in turn."""
    theirs()
    before = cpu(theirs)
    for _ in range(rounds):
        took, after = cpu(ours), cpu(theirs)
        yield 2 * took / (before + after)
        before = after


def _whole(corpora: Callable[[], Corpora], hidden: int, head: bool, rounds: int) -> Iterator[float]:
    which, read = material.model(hidden, head), corpora()
    items = material.inputs(which, read)
    few = Corpora(tuple(replace(one, items=one.items[:FEW]) for one in read.all))
    material.analysed(which, few)  # compiles
    yield from _in_turn(partial(material.analysed, which, read), partial(material.bare, which, items), rounds)


def _further(hidden: int, rounds: int) -> Iterator[float]:
    """What the second half of a text adds, which is all that grows: the studies that sample have their documents."""
    which, (text,) = material.model(hidden), material.text().all
    pieces = [
        Document(f"{item.id} {at}", item.paragraphs[at::PIECES])
        for item in text.items
        for at in range(min(PIECES, len(item.paragraphs) // 2))
    ]
    read, half = (Corpora((replace(text, items=tuple(some)),)) for some in (pieces, pieces[: len(pieces) // 2]))
    assert len(half.all[0].items) >= DOCUMENTS, "studies sample no more documents than that"
    items = material.inputs(which, read)[len(material.inputs(which, half)) :]
    material.analysed(which, Corpora((replace(text, items=text.items[:FEW]),)))  # compiles
    for _ in range(rounds):
        took = [cpu(partial(material.analysed, which, one)) for one in (read, half)]
        yield (took[0] - took[1]) / cpu(partial(material.bare, which, items))


def reads(corpora: Callable[[], Corpora], head: bool, rounds: int) -> Iterator[float]:
    """How many tokens models read for one of the text: counted, so the same everywhere; no analysis is faster than
    these forward passes.
    """
    which, read = material.small_bert(head), corpora()
    tokens = sum(map(len, material.inputs(which, read)))
    counted = 0

    def count(module: torch.nn.Module, received: tuple[Any, ...]) -> None:
        nonlocal counted
        if isinstance(module, torch.nn.Embedding) and module.num_embeddings == len(which.encoder.tokenizer):
            counted += received[0].numel()

    with register_module_forward_pre_hook(count):
        material.analysed(which, read)
    return iter([counted / tokens] * rounds)


def _articles() -> Corpora:
    return open_corpora(["articles"])


def _with_twin(hidden: int, rounds: int) -> Iterator[float]:
    """Beside forward passes of the sentences by the model and by each of its five twins."""
    return (ratio / 6 for ratio in _whole(material.treebank, hidden, False, rounds))


def _pass(max_tokens: int, with_divergence: bool, rounds: int) -> Iterator[float]:
    which = material.model(768)
    items = material.inputs(which, material.text(2), max_tokens)[: 4096 // max_tokens]
    compared = ComparedRows(which.anatomy.layers)
    options = Options(rows=(compared.observer,) * with_divergence)

    def ours() -> None:
        for seen in observe(which.encoder, which.anatomy, items, options):
            if with_divergence:
                compared.divergence(seen)

    ours()
    return _in_turn(ours, partial(material.bare, which, items), rounds)


def _memory(rounds: int) -> Iterator[float]:
    for _ in range(rounds):
        yield _peak(partial(_long, analysed=True)) / _peak(partial(_long, analysed=False))


def _long(analysed: bool) -> Callable[[], None]:
    which, read = material.model(384, positions=LONG), material.text(1)
    if analysed:
        return partial(material.analysed, which, read, LONG)
    return partial(material.bare, which, material.inputs(which, read, LONG))


def _layer(rounds: int) -> Iterator[float]:
    """Attention with all measures beside the map alone, which holds a float32 for every pair of tokens."""
    for _ in range(rounds):
        yield _peak(_tiled) / (HEADS * LONGEST**2 * 4 / 2**20)


def _tiled() -> Callable[[], None]:
    few, many = (torch.randn(3, 1, HEADS, tokens, 64) for tokens in (FEW, LONGEST))
    _attend(few)  # loads compiled code
    return partial(_attend, many)


def _attend(states: torch.Tensor) -> None:
    """One layer, observed; `states` are its queries, keys and values."""
    query, key, value = states
    tokens = query.shape[-2]
    classes = (TokenClass.BEGIN,) + (TokenClass.OTHER,) * (tokens - 1)
    sums = RowSums(token_table(Input("long", 1, (5,) * tokens, (0,) * tokens, classes), torch.device("cpu")))
    for _ in attend_observed(query, key, value, None, 0.125, sums, lambda *_: None, torch.empty_like(value)):
        pass
    sums.finish(None)


def _cores(rounds: int) -> Iterator[float]:
    for _ in range(rounds):
        yield _fresh(_seconds, 2) / _fresh(_seconds, 1)


def _seconds(threads: int) -> float:
    torch.set_num_threads(threads)
    which, read = material.model(384), material.text(4)
    material.analysed(which, Corpora(tuple(replace(one, items=one.items[:1]) for one in read.all)))  # compiles
    start = time.perf_counter()
    material.analysed(which, read)
    return time.perf_counter() - start


def _peak(prepare: Callable[[], Callable[[], None]]) -> float:
    """Megabytes that a fresh process needs at most beyond what it held before the work; Linux only."""
    return _fresh(grown, prepare)


def _fresh(work: Callable[[Any], float], argument: Any) -> float:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, argument).result()


def grown(prepare: Callable[[], Callable[[], object]]) -> float:
    """Megabytes that this process needs at most beyond what it held before the work; Linux only."""
    torch.set_num_threads(1)
    work = prepare()
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    before = _status("VmRSS")
    work()
    return (_status("VmHWM") - before) / 1024


def _status(field: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field))


SHAPE = f"{LAYERS} x {HEADS} heads"
ROWS = (
    *(
        Row(f"text.{hidden}", f"whole analysis of text / bare forward, hidden {hidden}", 3.0, 2.0, measure)
        for hidden in (384, 768)
        for measure in (partial(_whole, material.text, hidden, False),)
    ),
    *(
        Row(f"masked.{hidden}", f"the same with a masked-LM head, hidden {hidden}", 7.0, 5.0, measure)
        for hidden in (384, 768)
        for measure in (partial(_whole, material.text, hidden, True),)
    ),
    Row("further", "each further document of text / its bare forward, hidden 384", 3.0, 2.0, partial(_further, 384)),
    Row(
        "reads",
        "tokens that models read in an analysis of the embedded articles / theirs",
        3.6,
        3.0,
        partial(reads, _articles, False),
    ),
    Row(
        "reads.masked",
        "the same with a masked-LM head, without backward passes",
        16.0,
        12.0,
        partial(reads, _articles, True),
    ),
    *(
        Row(f"treebank.{hidden}", f"treebank / bare forwards of model and twins, hidden {hidden}", 3.0, 2.0, measure)
        for hidden in (384, 768)
        for measure in (partial(_with_twin, hidden),)
    ),
    Row("pass", "pass with all measures / bare forward, 128 tokens", 1.15, 1.05, partial(_pass, 128, False)),
    Row(
        "pass.128",
        "measures and divergence / bare forward, 128 tokens",
        1.35,
        1.25,
        partial(_pass, 128, True),
    ),
    Row("pass.512", "measures and divergence / bare forward, 512 tokens", 1.6, 1.3, partial(_pass, 512, True)),
    Row("memory", f"peak memory of an analysis / of a bare forward, {LONG} tokens", 1.0, 0.3, _memory),
    Row("memory.layer", f"memory of a layer with its measures / its map, {LONGEST} tokens", 1 / 30, 1 / 50, _layer),
    Row("cores", "whole analysis with two cores / with one, by the clock", 1 / 1.7, 1 / 1.9, _cores),
)
