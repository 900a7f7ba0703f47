"""Two models on the sentences of a treebank: what changes in the relations their heads find, and in the features that
receive attention (Kovaleva et al. 2019, sections 4.3 and 4.4).
"""

import numpy as np
import pandas as pd

from generator.attention.anatomy import examine
from generator.attention.stream import Options, observe
from generator.attention.words import word_maps
from generator.corpora.kind import Corpus
from generator.corpora.pairs import PairMaker
from generator.corpora.relation_names import ALL, DIRECTIONS
from generator.corpora.treebank import Inputs, Sentence, treebank_inputs
from generator.errors import ResultsError
from generator.models.encoder import Encoder
from generator.numbers.number import Number
from generator.numbers.resampling import bootstrap_ratio, resample
from generator.numbers.simultaneous import highest
from generator.progress import Report, reporting_to
from generator.studies import fact_rows
from generator.studies.fact_rows import stored_rows
from generator.topics.compare.records.names import RISE, relation_fact, study
from generator.topics.frames.compute.features import FeatureScores
from generator.topics.relations.compute.relations import correct, relation_names
from generator.topics.relations.derived.predictions import Predictions, predict
from generator.topics.relations.records.relations import FEW_WORDS


def compare_treebank(
    a: Encoder, b: Encoder, treebank: Corpus[Sentence], maker: PairMaker, seed: int, report: Report
) -> dict[str, list[pd.DataFrame]]:
    """`facts` and `head_facts` of study `compare:{slug of B}`: B minus A, paired by sentence.

    Features have the names that their study gives them, relations those of `compare_relations`. Models of different
    shape get no rows. Raises CorpusError.
    """
    inputs = treebank_inputs(treebank, maker)
    tokens = 2 * sum(len(item.input) for _, item in inputs.values())
    with report.bar(f"{a.id} beside {b.id} on {treebank.name}", tokens) as advance, reporting_to(advance):
        before, after = (_read(encoder, inputs) for encoder in (a, b))
    if before[0].shape != after[0].shape:
        return {}
    relations = compare_relations(before[0], b=after[0], model=a.id, other=b.id, corpus=treebank.name, seed=seed)
    change = after[1].change_from(before[1])
    facts, head_facts = change.tables(a.id, treebank.name, seed)
    shares = facts["layer"] > 0  # how frequent a feature is does not change
    of = study(b.id), a.id, treebank.name
    highest_rise = fact_rows.facts({RISE: rise(change.means(), seed)}, *of)
    return {
        "facts": [stored_rows(facts[shares], *of), highest_rise],
        "head_facts": [stored_rows(head_facts, *of), *([] if relations is None else [relations])],
    }


def rise(rows: np.ndarray, seed: int) -> Number:
    """The greatest mean of a feature over sentences, from `[sentence, feature]`; NaN where a sentence lacks a feature.

    The interval allows for the choice among all features; those that no sentence has are left out. `n` counts sentences
    with at least one feature.
    """
    rows = rows[:, ~np.isnan(rows).all(0)]
    rows = rows[~np.isnan(rows).all(1)]
    found = resample(rows, seed)
    return highest(found.value, found.draws, len(rows))


def _read(encoder: Encoder, inputs: Inputs) -> tuple[Predictions, FeatureScores]:
    """The words that the heads of one model pick for every word, and the attention that features receive."""
    pairs, features = [], FeatureScores()
    items = [item.input for _, item in inputs.values()]
    for seen in observe(encoder, examine(encoder), items, Options(keep_weights=True)):
        sentence, item = inputs[seen.input.document]
        assert seen.weights is not None, "maps were asked for"
        pairs.append((sentence, predict(word_maps(seen.weights, item).weights)))
        features.add(sentence, seen.weights, item)
    return Predictions.of(pairs), features


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
    before, after = (
        correct(predictions, relation, predictions.predicted)[..., words].astype(float) for predictions in (a, b)
    )
    change = after - before
    # Words of a sentence lie together, so that a sum begins at the first of each.
    by_sentence = np.moveaxis(np.add.reduceat(change, first, axis=-1), -1, 0)
    estimate = bootstrap_ratio(by_sentence, per_sentence, seed)
    _, layers, heads = a.shape
    place = [
        [relation_fact(relation, direction) for direction in DIRECTIONS],
        range(1, layers + 1),
        range(1, heads + 1),
    ]
    index = pd.MultiIndex.from_product(place, names=["name", "layer", "head"])
    values = {field: getattr(estimate, field).ravel() for field in ("value", "low", "high")}
    return pd.DataFrame({**values, "n": len(words)}, index).reset_index()
