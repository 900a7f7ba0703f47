"""How many strong arrows of a head are links of the relation for which it was chosen: precision, beside recall.

An arrow goes from a word to the other word that it looks at most. It is strong if that word gets more than half of
what all words get, the word itself among them; what special tokens get is left out. It is right if it goes from a word
of the relation to the word that this depends on or, for a head that is read the other way, back.

Head, direction and offset are those that `relation_heads` chose on one half of the sentences; arrows are counted on the
other half. The baseline is an arrow at that offset from each of the same words.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from generator.corpora import treebank
from generator.corpora.catalogue import TREEBANK
from generator.corpora.relation_names import DIRECTIONS, NOT_RELATIONS
from generator.corpora.treebank import Sentence
from generator.numbers.number import UNDEFINED, Number
from generator.numbers.resampling import bootstrap_ratio, with_width
from generator.results.tables import records
from generator.studies.fact_rows import stored_rows
from generator.studies.halves import HELD_OUT, reported
from generator.studies.procedure import Procedure, SeenWords, Subject, Tables, Watcher
from generator.topics.relations.compute.arcs import fits, shown
from generator.topics.relations.derived.arcs import are_links, sentences
from generator.topics.relations.derived.arrows import strong
from generator.topics.relations.derived.predictions import Predictions, predict
from generator.topics.relations.records.relations import ARROWS, NAMES


def right_arrows(
    found: Predictions, arrows: np.ndarray, chosen: pd.DataFrame, model: str, corpus: str, seed: int
) -> pd.DataFrame:
    """`head_facts` of study "arrows": of each relation, a row for every one of NAMES, at the head that was chosen.

    `arrows` is `[layer, head, word]`, whether they are strong; `chosen` holds rows of `relation_heads` for the same
    sentences. Intervals resample sentences, `n` counts strong arrows; without any, a number is undefined.
    """
    counted = reported(found.sentences, seed)[found.sentence]
    rows: list[dict[str, object]] = []
    for row in records(chosen):
        if row["protocol"] == HELD_OUT and row["relation"] not in NOT_RELATIONS:
            place = {"layer": row["layer"], "head": row["head"]}
            numbers = _counted(found, counted & arrows[row["layer"] - 1, row["head"] - 1], row, seed)
            rows += [
                {"name": f"{name}.{row['relation']}", **place, **number._asdict()} for name, number in numbers.items()
            ]
    columns = ("name", "layer", "head", *Number._fields)
    return stored_rows(pd.DataFrame(rows, columns=columns), ARROWS, model, corpus)


def _counted(found: Predictions, counted: np.ndarray, row: Mapping[str, Any], seed: int) -> dict[str, Number]:
    """The numbers of one head: `row` says which, and `counted [word]` from which words it has strong arrows."""
    at = np.flatnonzero(counted)
    if not len(at):
        return dict.fromkeys(NAMES, UNDEFINED)
    direction, offset = row["direction"], row["offset"]
    ours = found.predicted[0, row["layer"] - 1, row["head"] - 1]
    theirs = np.clip(found.place + (offset if direction == DIRECTIONS[0] else -offset), 0, found.length - 1)
    right, base = are_links(found, row["relation"], direction, np.stack([ours, theirs]))[:, at].astype(float)
    # Numbered anew: only sentences with such a word are resampled.
    _, sentence = np.unique(found.sentence[at], return_inverse=True)
    sums = [np.bincount(sentence, weights=values) for values in (right, base, right - base)]
    # Shares are at least 0, their difference at least -1.
    estimate = with_width(bootstrap_ratio(np.stack(sums, -1), np.bincount(sentence), seed), (0, 0, -1))
    return {name: estimate.at(which)._replace(n=len(at)) for which, name in enumerate(NAMES)}


def _watch(of: Subject) -> Watcher:
    pairs: list[tuple[Sentence, np.ndarray]] = []
    arrows: dict[str, np.ndarray] = {}
    maps: dict[str, np.ndarray] = {}

    def add(seen: SeenWords) -> None:
        name, weights = seen.annotated.id, seen.maps.weights
        pairs.append((seen.annotated, seen.once(predict)))
        arrows[name] = strong(weights)
        if of.corpus == TREEBANK.name and fits(name, weights.shape[-1], of.seed):
            maps[name] = weights

    def tables() -> Tables:
        found = Predictions.of(pairs)
        marked = np.concatenate([arrows[name] for name in found.sentences], axis=-1)
        chosen = of.table("relation_heads")
        rows = right_arrows(found, arrows=marked, chosen=chosen, model=of.model, corpus=of.corpus, seed=of.seed)
        if not maps:
            return {"head_facts": [rows], "arcs": []}
        heads = shown(chosen, of.table("relations"), of.table("relation_baselines"))
        return {"head_facts": [rows], "arcs": [sentences(found, marked, maps, heads, of.corpus)]}

    return Watcher(add, tables)


PROCEDURE = Procedure("arrows", treebank.TREEBANK, _watch, tables=("arcs",), after=("relations",))
