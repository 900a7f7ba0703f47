"""When the head of each dependency relation appears: the head that the last checkpoint shows, followed back in time.

Head and direction are those that the last checkpoint's results chose on one half of the sentences; the accuracies, at
all steps, are of the other half, whose sentences are resampled. The baseline, a fixed offset, predicts the same at
every step, so it has one row.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from generator.corpora.treebank import TREEBANK
from generator.experiments.curve.rows import CurveTables, Steps, at_head, curve_rows, number_rows, rise_rows
from generator.numbers.number import Number
from generator.numbers.resampling import bootstrap_ratio
from generator.results.store import Results
from generator.studies.halves import HELD_OUT, reported
from generator.studies.learning.quantities import RELATION_BASELINE, RELATIONS
from generator.studies.learning.rises import rise
from generator.studies.syntax.predictions import DIRECTIONS, Predictions
from generator.studies.syntax.relations import ALL, correct


def relation_curves(steps: Steps, results: Sequence[Results], model: str, seed: int) -> CurveTables:
    """Studies "relation" and "relation.baseline" of the first treebank; empty where there is none."""
    last = results[-1]
    bank = next(iter(last.manifest.of(TREEBANK)), None)
    tables = [_of(one.table("predictions"), corpus=bank) for one in results]
    found: CurveTables = {"curves": [], "rises": []}
    if bank is None or not all(len(table) for table in tables):
        return found
    shape = last.manifest.layers, last.manifest.heads
    read = [Predictions.from_table(table, *shape) for table in tables]
    gold = read[-1]
    shown = reported(gold.sentences, seed)[gold.sentence]
    chosen = _of(last.table("relation_heads"), corpus=bank, protocol=HELD_OUT)
    for row in chosen.to_dict("records"):
        relation = row["relation"]
        words = np.flatnonzero(shown & ((gold.relation == relation) | (relation == ALL)))
        place = DIRECTIONS.index(row["direction"]), row["layer"] - 1, row["head"] - 1
        _, sentence = np.unique(gold.sentence[words], return_inverse=True)
        hits = [np.bincount(sentence, weights=correct(one, relation, one.predicted)[(*place, words)]) for one in read]
        right, total = np.stack(hits, axis=1), np.bincount(sentence)
        of = RELATIONS, relation, model, bank
        share = bootstrap_ratio(right, total, seed)
        found["curves"].append(at_head(curve_rows(steps, share, *of), row["layer"], row["head"]))
        # Words do not change between steps, so half of the change in right words is half of the change in accuracy.
        change = rise(steps, right / total.mean(), seed)
        found["rises"].append(at_head(rise_rows(change, *of), row["layer"], row["head"]))
        baseline = Number(row["baseline"], row["baseline_low"], row["baseline_high"], int(row["n"]))
        found["curves"].append(number_rows({steps[-1]: baseline}, RELATION_BASELINE, relation, model, bank))
    return found


def _of(table: pd.DataFrame, **chosen: str | None) -> pd.DataFrame:
    for column, text in chosen.items():
        table = table[table[column] == text]
    return table
