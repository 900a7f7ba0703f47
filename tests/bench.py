"""`make bench`: how fast, how small, as ratios measured within one run, because machines are shared and noisy.

Each line says what was measured, the ratio or size, and the bound it must stay under. Nothing here is a test.
"""

import multiprocessing
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import torch

from generator.attention.anatomy import examine, forward
from generator.attention.batches import batches, token_table
from generator.attention.primitives import RowSums, attend_observed
from generator.attention.seam import NAME
from generator.attention.stream import BATCH_TOKENS, Options, observe
from generator.attention.words import word_maps
from generator.corpora.classes import TokenClass
from generator.corpora.opening import open_corpora
from generator.corpora.pairs import Input, PairMaker
from generator.corpora.treebank import Sentence
from generator.studies.distances.divergence import pairwise
from generator.studies.syntax.predictions import predict
from tests import clark
from tests.bench_disabling import BOUND, sweep_ratios
from tests.bench_lines import ROOT, cpu, tell
from tests.bench_pages import page_costs
from tests.encoders import loaded

ROUNDS = 9
LONG = 4096


def main() -> None:
    """Print every line."""
    _streaming()
    _dependencies()
    _disabling()
    _memory()
    page_costs()
    _help()


def _help() -> None:
    """What `fieldguide --help` costs beside a Python that does nothing, in pairs."""
    ratios = []
    for _ in range(ROUNDS):
        nothing, helped = (
            _cpu_of([sys.executable, *words]) for words in (["-c", "pass"], ["-m", "generator", "--help"])
        )
        ratios.append(helped / nothing)
    tell("fieldguide --help / python -c pass, CPU time", f"{statistics.median(ratios):.1f}", "at most 8")


def _cpu_of(command: list[str]) -> float:
    """Seconds of a processor that a command takes, its start included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _disabling() -> None:
    """Every head and layer made uniform, replayed from the first layer touched, against full forward passes."""
    ratios = sweep_ratios()
    found = f"{statistics.median(ratios):.2f}"
    tell("disabling every head and layer / naive sweep, CPU time", found, f"at most {BOUND:.3f}")


def _streaming() -> None:
    """All measures in one pass against an eager forward that keeps nothing, on the same inputs and batches."""
    encoder = loaded("all-MiniLM-L6-v2")
    anatomy = examine(encoder)
    maker = PairMaker(encoder.tokenizer, 128)
    inputs = [item for document in open_corpora(["articles"]).all[0].items for item in maker.inputs(document)][:64]

    def bare() -> None:
        encoder.model.set_attn_implementation("eager")
        for batch in batches(inputs, BATCH_TOKENS["cpu"], encoder.pad):
            forward(encoder, batch)

    def ours() -> None:
        encoder.model.set_attn_implementation(NAME)
        for _ in observe(encoder, anatomy, inputs):
            pass

    kept = [seen.weights for seen in observe(encoder, anatomy, inputs, Options(keep_weights=True))]

    def divergence() -> None:
        for weights in kept:
            pairwise(weights)

    def theirs() -> None:
        """Extraction and analysis of Clark et al., on the same batches in float32."""
        encoder.model.set_attn_implementation("eager")
        for batch in batches(inputs, BATCH_TOKENS["cpu"], encoder.pad):
            forward(encoder, batch, output_attentions=True)
        for item, maps in zip(sorted(inputs, key=len, reverse=True), kept, strict=True):
            at = {kind: [i for i, found in enumerate(item.classes) if found is kind] for kind in TokenClass}
            clark.averages(maps, at[TokenClass.BEGIN], at[TokenClass.SEPARATOR], at[TokenClass.PUNCTUATION])
            clark.entropies(maps)
            clark.divergences(maps)

    bare(), ours(), divergence()
    rounds = [(cpu(bare), cpu(ours), cpu(divergence)) for _ in range(ROUNDS)]
    passes = [watched / plain for plain, watched, _ in rounds]
    distances = [apart / plain for plain, _, apart in rounds]
    tell("one pass with all measures / bare eager forward, CPU time", _median(passes), "at most 1.15")
    tell(f"  least and most of {ROUNDS} rounds", f"{min(passes):.2f}-{max(passes):.2f}", "")
    tell("divergence of all pairs of heads / bare eager forward", _median(distances), "at most 0.30")
    whole = cpu(theirs) / min(watched + apart for _, watched, apart in rounds)
    tell("Clark et al.'s formulas in numpy / ours, one round", f"{whole:.1f}", "at least 5")


def _median(ratios: list[float]) -> str:
    return f"{statistics.median(ratios):.2f}"


def _dependencies() -> None:
    """From maps to the word that every head picks, for the sentences of the embedded treebank."""
    encoder = loaded("all-MiniLM-L6-v2")
    maker = PairMaker(encoder.tokenizer, 128)
    made = [maker.words(one.id, [word.form for word in one.words]) for one in _sentences()]
    items = {item.input.document: item for item in made if item is not None}
    seen = list(observe(encoder, examine(encoder), [i.input for i in items.values()], Options(keep_weights=True)))
    pairs = [(one.weights, items[one.input.document]) for one in seen]

    def ours() -> None:
        for weights, item in pairs:
            predict(word_maps(weights, item).weights)

    def theirs() -> None:
        for weights, item in pairs:
            clark.dependency_picks(weights, np.split(item.pieces, item.starts[1:]))

    ours()
    taken = min(cpu(ours) for _ in range(ROUNDS))
    tell("dependency scores of a sentence, 72 heads", f"{taken / len(pairs) * 1000:.2f} ms", "at most 1 ms")
    tell("  Clark et al.'s formulas in numpy / ours", f"{cpu(theirs) / taken:.1f}", "")


def _sentences() -> tuple[Sentence, ...]:
    return open_corpora(["treebank"]).all[0].items


def _memory() -> None:
    """Peak memory of one layer of 12 heads of size 64: attention with all measures, tiled and eager."""
    tiled, eager = _peak(_tiled), _peak(_eager)
    tell(f"memory of one layer at {LONG} tokens, tiled / eager, both measured", f"1/{eager / tiled:.0f}", "")
    tell("  tiled, eager", f"{tiled:.0f}, {eager:.0f} MB", "")


def _long() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, RowSums]:
    torch.manual_seed(0)
    query, key, value = torch.randn(3, 1, 12, LONG, 64)
    half = LONG // 2
    classes = (TokenClass.BEGIN,) + (TokenClass.OTHER,) * (LONG - 1)
    item = Input("long", 1, (5,) * LONG, (0,) * half + (1,) * half, classes)
    return query, key, value, RowSums(token_table(item, torch.device("cpu")))


def _tiled() -> None:
    query, key, value, sums = _long()
    attend_observed(query, key, value, None, 0.125, sums, lambda *_: None)
    sums.finish(None)


def _eager() -> None:
    query, key, value, sums = _long()
    weights = torch.softmax(torch.matmul(query, key.transpose(-1, -2)) * 0.125, dim=-1)
    sums.add(weights, value, 0)
    sums.finish(None)


def _peak(work: Callable[[], None]) -> float:
    """Megabytes that a fresh process needs at most beyond what it held before the work; Linux only."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_grown, work).result()


def _grown(work: Callable[[], None]) -> float:
    torch.set_num_threads(1)
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    before = _status("VmRSS")
    work()
    return (_status("VmHWM") - before) / 1024


def _status(field: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field))


if __name__ == "__main__":
    main()
