"""How the accuracy of every head changes for every dependency relation, from what two models predicted.

What a head predicts is stored with a model's results (`predictions`), so nothing is observed again.
"""

import numpy as np
import pandas as pd

from generator.errors import ResultsError
from generator.experiments.compare.names import relation_fact, study
from generator.numbers.resampling import bootstrap_ratio
from generator.studies.fact_rows import stored_rows
from generator.studies.syntax.predictions import DIRECTIONS, Predictions
from generator.studies.syntax.relations import ALL, FEW_WORDS, correct, relation_names


def compare_relations(
    a: Predictions, b: Predictions, model: str, other: str, corpus: str, seed: int
) -> pd.DataFrame | None:
    """`head_facts` of study `compare:{slug of B}`: accuracy of B minus that of A, for every relation and direction.

    `model` and `other` are the models' ids. `n` counts words; intervals resample sentences, which both models share.
    Relations with fewer than FEW_WORDS words are left out; None where that leaves nothing, or where the models have
    different shapes. Raises ResultsError where they read different sentences.
    """
    if a.shape != b.shape:
        return None
    if a.sentences != b.sentences or not np.array_equal(a.gold, b.gold):
        raise ResultsError(
            f"Expected {model} and {other} to have read the same sentences of {corpus}, found {len(a.sentences)} and "
            f"{len(b.sentences)} with {len(set(a.sentences) & set(b.sentences))} in common; analyse both with the "
            "same --max-tokens."
        )
    frames = [_changes(a, b, relation, seed) for relation in relation_names(a)]
    found = [frame for frame in frames if frame is not None]
    if not found:
        return None
    return stored_rows(pd.concat(found, ignore_index=True), study(other), model, corpus)


def _changes(a: Predictions, b: Predictions, relation: str, seed: int) -> pd.DataFrame | None:
    words = np.arange(len(a.gold)) if relation == ALL else np.flatnonzero(a.relation == relation)
    if len(words) < FEW_WORDS:
        return None
    _, first, per_sentence = np.unique(a.sentence[words], return_index=True, return_counts=True)
    before, after = (correct(one, relation, one.predicted)[..., words].astype(float) for one in (a, b))
    change = after - before
    by_sentence = np.moveaxis(np.add.reduceat(change, first, axis=-1), -1, 0)
    estimate = bootstrap_ratio(by_sentence, per_sentence, seed)
    _, layers, heads = a.shape
    place = [[relation_fact(relation, one) for one in DIRECTIONS], range(1, layers + 1), range(1, heads + 1)]
    index = pd.MultiIndex.from_product(place, names=["name", "layer", "head"])
    values = {field: getattr(estimate, field).ravel() for field in ("value", "low", "high")}
    return pd.DataFrame({**values, "n": len(words)}, index).reset_index()
