"""Ours beside Clark et al.'s formulas in numpy, a naive sweep over disabled heads, and a Python that does nothing."""

import sys
from collections.abc import Callable, Iterator

import numpy as np

from generator.attention.anatomy import examine, forward
from generator.attention.batches import collate
from generator.attention.hook import NAME
from generator.attention.portions import in_portions
from generator.attention.stream import Options, observe
from generator.attention.words import word_maps
from generator.corpora.classes import TokenClass
from generator.corpora.opening import open_corpora
from generator.corpora.pairs import PairMaker
from generator.topics.distances.compute.divergence import pairwise
from generator.topics.relations.derived.predictions import predict
from tests import clark
from tests.bench.disabling import sweep_ratios
from tests.bench.record import Row, cpu, cpu_of
from tests.encoders import loaded

INPUTS = 32


def _ratios(above: Callable[[], object], below: Callable[[], object], rounds: int) -> Iterator[float]:
    above(), below()
    return (cpu(above) / cpu(below) for _ in range(rounds))


def _clark(rounds: int) -> Iterator[float]:
    """Extraction and analysis, on the same batches in float32."""
    encoder = loaded("all-MiniLM-L6-v2")
    anatomy = examine(encoder)
    maker = PairMaker(encoder.tokenizer, 128)
    inputs = [item for document in open_corpora(["articles"]).all[0].items for item in maker.inputs(document)][:INPUTS]
    kept = [seen.weights for seen in observe(encoder, anatomy, inputs, Options(keep_weights=True))]

    def ours() -> None:
        encoder.model.set_attn_implementation(NAME)
        for seen in observe(encoder, anatomy, inputs, Options(keep_weights=True)):
            pairwise(seen.weights)

    def theirs() -> None:
        encoder.model.set_attn_implementation("eager")
        for batch in in_portions(encoder, inputs, lambda some: [collate(some, encoder.pad)]):
            forward(encoder, batch, output_attentions=True)
        for item, maps in zip(sorted(inputs, key=len, reverse=True), kept, strict=True):
            at = {kind: [i for i, found in enumerate(item.classes) if found is kind] for kind in TokenClass}
            clark.averages(maps, at[TokenClass.BEGIN], at[TokenClass.SEPARATOR], at[TokenClass.PUNCTUATION])
            clark.entropies(maps)
            clark.divergences(maps)

    return _ratios(theirs, ours, rounds)


def _dependencies(rounds: int) -> Iterator[float]:
    """From maps to the word that every head picks, for the sentences of the embedded treebank."""
    encoder = loaded("all-MiniLM-L6-v2")
    maker = PairMaker(encoder.tokenizer, 128)
    sentences = open_corpora(["treebank"]).all[0].items[:200]
    made = [maker.words(sentence.id, [word.form for word in sentence.words]) for sentence in sentences]
    items = {item.input.document: item for item in made if item is not None}
    seen = list(observe(encoder, examine(encoder), [i.input for i in items.values()], Options(keep_weights=True)))
    pairs = [(one.weights, items[one.input.document]) for one in seen]

    def ours() -> None:
        for weights, item in pairs:
            predict(word_maps(weights, item).weights)

    def theirs() -> None:
        for weights, item in pairs:
            clark.dependency_picks(weights, np.split(item.pieces, item.starts[1:]))

    return _ratios(theirs, ours, rounds)


def _help(rounds: int) -> Iterator[float]:
    for _ in range(3 * rounds):
        nothing, helped = (
            cpu_of([sys.executable, *words]) for words in (["-c", "pass"], ["-m", "generator", "--help"])
        )
        yield helped / nothing


ROWS = (
    Row("clark", "Clark et al.'s formulas in numpy / ours, with extraction", 5, 10, _clark, most=False),
    Row("dependencies", "Clark et al.'s dependency scores / ours, same maps", 5, 10, _dependencies, most=False),
    Row("disabling", "disabling every head and layer / naive sweep", 1 / 1.6, 1 / 1.85, sweep_ratios),
    Row("help", "fieldguide --help / python -c pass", 8, 4, _help),
)
