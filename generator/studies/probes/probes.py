"""How much of a tree all heads together contain: probing classifiers of Clark et al. 2019, section 5, with controls.

Probes learn from one half of the sentences and are judged on the other; the halves are drawn by name. The score is the
share of words, without punctuation, whose head is found. Selectivity is the score minus that of the same probe in the
control task (Hewitt & Liang 2019), which it can only solve by remembering word types.
"""

import copy
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pandas as pd
import torch

from generator.errors import CorpusError
from generator.numbers.resampling import bootstrap_ratio
from generator.studies.fact_rows import stored_rows
from generator.studies.halves import FEWEST, reported
from generator.studies.probes.data import Batch, ProbeExample, batches
from generator.studies.probes.quantities import LEADS, PROBE
from generator.studies.probes.training import TASKS, AttentionProbe, DistanceProbe, Probe, correct, learn
from generator.studies.probes.word_vectors import Reduction

KEPT_BACK = 5
"""One in this many of the sentences to learn from is kept back, but no more than MOST_KEPT_BACK."""
MOST_KEPT_BACK = 200
RIGHT_BRANCHING = "right-branching"
PROBES = 4
"""Kinds of probes, one of them on the maps of an untrained twin; each learns every task."""


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
        return list(batches(examples, self.reduction, self.seed, self.device))


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

    Raises CorpusError if either half has fewer than five sentences.
    """
    teach, reporting = _halves(examples, corpus, seed)
    size = min(MOST_KEPT_BACK, len(teach) // KEPT_BACK)
    shown, kept_back = _ordered(teach[size:]), _ordered(teach[:size])
    reduction = Reduction.of(np.concatenate([example.vectors for example in shown]))
    data = _Data(shown, kept_back, reporting, reduction, seed, device)

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
    leads = {f"{one}.minus.{other}": columns[one] - columns[other] for one, other in LEADS if other in columns}
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


def _hits(untaught: Mapping[str, Probe], data: _Data) -> dict[str, list[np.ndarray]]:
    """Probe -> for each task, `[sentence]`: the number of words whose head was found, in the reporting half."""
    shown, kept_back = data.batches(data.shown), data.batches(data.kept_back)
    taught = {}
    for name, task in product(untaught, TASKS):
        taught[name, task] = probe = copy.deepcopy(untaught[name]).to(data.device)
        learn(probe, shown, kept_back, task, data.seed)
    found = [
        [correct(probe, batch, task).cpu().numpy() for (_, task), probe in taught.items()]
        for batch in batches(data.reporting, data.reduction, data.seed, data.device)
    ]
    of_run = dict(zip(taught, map(np.concatenate, zip(*found, strict=True)), strict=True))
    return {name: [of_run[name, task] for task in TASKS] for name in untaught}


def _right_branching(example: ProbeExample) -> int:
    words = len(example.heads)
    return int(((np.arange(2, words + 2) % (words + 1) == example.heads) & example.scored).sum())
