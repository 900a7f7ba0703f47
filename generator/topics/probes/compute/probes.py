"""How much of a tree all heads together contain: probing classifiers of Clark et al. 2019, section 5, with controls.

Probes learn from one half of the sentences and are judged on the other; the halves are drawn by name. The score is the
share of words, without punctuation, whose head is found. Selectivity is the score minus that of the same probe in the
control task (Hewitt & Liang 2019), which it can only solve by remembering word types.
Probes see maps, and vectors of words that do not depend on context.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from generator.attention.anatomy import Anatomy
from generator.attention.words import WordMaps
from generator.corpora.pairs import WordInput
from generator.corpora.treebank import TREEBANK, Sentence
from generator.errors import CorpusError
from generator.models.encoder import Encoder
from generator.models.twin import untrained_twin
from generator.numbers.resampling import bootstrap_ratio
from generator.studies.fact_rows import stored_rows
from generator.studies.halves import FEWEST, order, reported
from generator.studies.procedure import Need, Procedure, SeenWords, Subject, Watcher
from generator.topics.probes.compute.attention_probe import AttentionProbe
from generator.topics.probes.compute.data import Batch, ProbeExample, batches, cached_batches
from generator.topics.probes.compute.distance_probe import DistanceProbe
from generator.topics.probes.compute.on_disk import MapsOnDisk
from generator.topics.probes.compute.probe import Probe, correct
from generator.topics.probes.compute.training import learn
from generator.topics.probes.compute.word_vectors import Reduction, look_up, read_vectors
from generator.topics.probes.records import LEADS, PROBE

KEPT_BACK = 5
"""One in this many of the sentences to learn from is kept back, but no more than MOST_KEPT_BACK."""
MOST_KEPT_BACK = 200
"""The most sentences that are kept back."""
RIGHT_BRANCHING = "right-branching"
PROBES = 4
"""Kinds of probes, one of them on the maps of an untrained twin; each learns every task."""
VECTORS = "word_vectors"
"""The setting that names a file of static vectors of words."""
MOST_SENTENCES = 4000
"""Of a larger treebank this many sentences are sampled, because all maps to learn from are kept in a file."""


@dataclass(frozen=True)
class _Data:
    """What all probes of one call to `probe_facts` share."""

    shown: list[ProbeExample]
    kept_back: list[ProbeExample]
    reporting: list[ProbeExample]
    reduction: Reduction
    seed: int
    device: torch.device

    def batches(self, examples: Sequence[ProbeExample]) -> list[Batch]:
        return cached_batches(examples, self.reduction, self.seed, self.device)


def probe_facts(
    examples: Sequence[ProbeExample],
    twin_examples: Sequence[ProbeExample] | None,
    model: str,
    corpus: str,
    seed: int,
    device: torch.device,
) -> pd.DataFrame:
    """`facts` of study "probe", all with layer 0 and with intervals over the sentences that are judged.

    Without twin examples there is no `random attention+words`. Right-branching takes the next word as the head, and
    ROOT as that of the last word. Differences are paired on the same sentences. Of `twin_examples`, which have the same
    ids, only the maps are used.

    Raises CorpusError if either half has fewer than FEWEST sentences.
    """
    teach, reporting = _halves(examples, corpus, seed)
    size = min(MOST_KEPT_BACK, len(teach) // KEPT_BACK)
    shown, kept_back = _ordered(teach[size:]), _ordered(teach[:size])
    reduction = Reduction.of(np.concatenate([example.vectors for example in shown]))
    data = _Data(shown, kept_back=kept_back, reporting=reporting, reduction=reduction, seed=seed, device=device)

    heads, dim = int(np.prod(examples[0].maps.weights.shape[:2])), reduction.axes.shape[1]
    untaught = {
        "attention": AttentionProbe(heads, 0),
        "attention+words": AttentionProbe(heads, dim),
        "distances+words": DistanceProbe(dim, seed),
    }
    hits = _hits(untaught, data)
    if twin_examples is not None:
        hits |= _hits({"random attention+words": untaught["attention+words"]}, _with_maps(data, twin_examples))

    columns = {RIGHT_BRANCHING: np.array([_right_branching(example) for example in reporting])}
    for name, (gold, control) in hits.items():
        columns |= {name: gold, f"{name}.control": control, f"{name}.selectivity": gold - control}
    leads = {f"{first}.minus.{other}": columns[first] - columns[other] for first, other in LEADS if other in columns}
    columns |= leads
    scored = np.array([example.scored.sum() for example in reporting])
    estimate = bootstrap_ratio(np.stack(list(columns.values()), axis=-1).astype(float), scored, seed)
    table = pd.DataFrame({"name": list(columns), **estimate._asdict()})
    return stored_rows(table.assign(layer=0), PROBE, model, corpus)


def _halves(examples: Sequence[ProbeExample], corpus: str, seed: int) -> tuple[list[ProbeExample], list[ProbeExample]]:
    """The sentences to learn from, in an order drawn by name, and those to report on, ordered by length."""
    report = reported([example.id for example in examples], seed)
    teach = [example for example, reports in zip(examples, report, strict=True) if not reports]
    rest = [example for example, reports in zip(examples, report, strict=True) if reports]
    if min(len(teach), len(rest)) < FEWEST:
        raise CorpusError(
            f"Expected at least {FEWEST} sentences of {corpus} to teach probes with and as many to report on, found "
            f"{len(teach)} and {len(rest)}; choose a larger treebank."
        )
    drawn = sorted(teach, key=lambda one: (hashlib.sha256(f"{seed}:probe:{one.id}".encode()).digest(), one.types))
    return drawn, _ordered(rest)


def _ordered(examples: Sequence[ProbeExample]) -> list[ProbeExample]:
    """The sentences in the order of their lengths, so that batches need little padding."""
    return sorted(examples, key=lambda example: (len(example.heads), example.id, example.types))


def _with_maps(data: _Data, twins: Sequence[ProbeExample]) -> _Data:
    """The same data with the maps of another model."""
    maps = {twin.id: twin.maps for twin in twins}

    def changed(examples: Sequence[ProbeExample]) -> list[ProbeExample]:
        return [replace(example, maps=maps[example.id]) for example in examples]

    return replace(
        data, shown=changed(data.shown), kept_back=changed(data.kept_back), reporting=changed(data.reporting)
    )


def _hits(untaught: Mapping[str, Probe], data: _Data) -> dict[str, np.ndarray]:
    """Probe -> `[task, sentence]`: the number of scored words whose head was found, in the reporting half."""
    shown, kept_back = data.batches(data.shown), data.batches(data.kept_back)
    taught = [probe.copied(data.device) for probe in untaught.values()]
    for probe in taught:
        learn(probe, shown, kept_back, data.seed)
    found = [
        [correct(probe, batch).cpu().numpy() for probe in taught]
        for batch in batches(data.reporting, data.reduction, data.seed, data.device)
    ]
    of_probe = (np.concatenate(parts, axis=1) for parts in zip(*found, strict=True))
    return dict(zip(untaught, of_probe, strict=True))


def _right_branching(example: ProbeExample) -> int:
    words = len(example.heads)
    # Each word depends on the next one, and the last is the root, whose head is 0.
    return int(((np.arange(2, words + 2) % (words + 1) == example.heads) & example.scored).sum())


def probing(
    encoder: Encoder,
    corpus: str,
    inputs: Mapping[str, tuple[Sentence, WordInput]],
    maps: Mapping[str, WordMaps],
    twin_maps: Mapping[str, WordMaps],
    seed: int,
    vectors: Mapping[str, np.ndarray] | None = None,
) -> list[pd.DataFrame]:
    """`facts` of study "probe"; none with too few sentences, or without `vectors` for a model without a table of input
    embeddings.

    `vectors` are static vectors of words, as Clark et al. 2019, section 5, use; without them a word's vector is the
    mean of its pieces' input embeddings.
    """
    try:
        table = encoder.model.get_input_embeddings().weight.detach().float().cpu().numpy()
    except NotImplementedError:
        if vectors is None:
            return []
        table = None
    names = sorted(maps)
    halves = np.bincount(reported(names, seed), minlength=2)
    if halves.min() < FEWEST:
        return []
    of_words = {name: _vectors(*inputs[name], table, vectors) for name in names}
    examples = [_example(inputs[name][0], maps[name], of_words[name]) for name in names]
    twins = [_example(inputs[name][0], twin_maps[name], of_words[name]) for name in names]
    return [
        probe_facts(examples, twin_examples=twins, model=encoder.id, corpus=corpus, seed=seed, device=encoder.device)
    ]


def sampled(names: list[str], seed: int) -> set[str]:
    """The sentences that probes may use."""
    return set(order(names, seed)[:MOST_SENTENCES])


def _vectors(
    sentence: Sentence, item: WordInput, table: np.ndarray | None, vectors: Mapping[str, np.ndarray] | None
) -> np.ndarray:
    """Vectors of the words that do not depend on the sentence, `[word, dim]`."""
    if vectors is not None:
        return look_up([word.form for word in sentence.words], vectors)
    assert table is not None, "without vectors of words there are those of pieces"
    pieces = table[np.asarray(item.input.input_ids)[item.pieces]]
    mean: np.ndarray = np.add.reduceat(pieces, item.starts) / item.lengths[:, None]
    return mean


def _example(sentence: Sentence, maps: WordMaps, vectors: np.ndarray) -> ProbeExample:
    return ProbeExample(
        id=sentence.id,
        maps=maps,
        heads=np.array([word.head for word in sentence.words]),
        scored=np.array([word.relation != "punct" for word in sentence.words]),
        types=tuple(word.form.lower() for word in sentence.words),
        vectors=vectors,
    )


def _watch(of: Subject, encoder: Encoder, _anatomy: Anatomy) -> Watcher:
    kept = sampled(list(of.inputs), of.seed)
    maps, twin_maps = MapsOnDisk(), MapsOnDisk()
    words = {
        form for sentence, _ in of.inputs.values() for word in sentence.words for form in (word.form, word.form.lower())
    }
    file = of.settings[VECTORS]
    vectors = read_vectors(Path(file), words) if file else None

    def add(seen: SeenWords) -> None:
        if seen.annotated.id in kept:
            maps.add(seen.annotated.id, seen.maps)

    def add_twin(draw: int, seen: SeenWords) -> None:
        if draw == 0 and seen.annotated.id in kept:
            twin_maps.add(seen.annotated.id, seen.maps)

    return Watcher(
        add,
        lambda: {
            "facts": probing(
                encoder,
                corpus=of.corpus,
                inputs=of.inputs,
                maps=maps,
                twin_maps=twin_maps,
                seed=of.seed,
                vectors=vectors,
            )
        },
        twins=1,
        add_twin=add_twin,
        draw_twin=untrained_twin,
    )


def _again(of: Subject) -> int:
    """Words to learn from, for every probe; learning all tasks from a word takes about as long as reading it."""
    words = sum(len(of.inputs[name][0].words) for name in sampled(list(of.inputs), of.seed))
    return PROBES * words // 2


PROCEDURE = Procedure("probe", TREEBANK, _watch, Need.MODEL, settings=(VECTORS,), again=_again)
