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
from generator.corpora.treebank import Inputs, Sentence, treebank_inputs
from generator.experiments.compare.names import RISE, study
from generator.experiments.compare.relations import compare_relations
from generator.models.encoder import Encoder
from generator.numbers.number import Number
from generator.numbers.resampling import resample
from generator.numbers.simultaneous import highest
from generator.progress import Report, told_to
from generator.studies import fact_rows
from generator.studies.fact_rows import stored_rows
from generator.studies.frames.features import FeatureScores
from generator.studies.syntax.predictions import Predictions, predict


def compare_treebank(
    a: Encoder, b: Encoder, treebank: Corpus[Sentence], maker: PairMaker, seed: int, report: Report
) -> dict[str, list[pd.DataFrame]]:
    """`facts` and `head_facts` of study `compare:{slug of B}`: B minus A, paired by sentence.

    Features have the names that their study gives them, relations those of `compare_relations`. Models of different
    shape get no rows. Raises CorpusError.
    """
    inputs = treebank_inputs(treebank, maker)
    before, after = (_read(encoder, treebank.name, inputs, report) for encoder in (a, b))
    if before[0].shape != after[0].shape:
        return {}
    relations = compare_relations(before[0], after[0], a.id, b.id, treebank.name, seed)
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


def _read(encoder: Encoder, name: str, inputs: Inputs, report: Report) -> tuple[Predictions, FeatureScores]:
    """The words that the heads of one model pick for every word, and the attention that features receive."""
    pairs, features = [], FeatureScores()
    items = [item.input for _, item in inputs.values()]
    with report.bar(f"{encoder.id} reads {name}", sum(map(len, items))) as advance, told_to(advance):
        for seen in observe(encoder, examine(encoder), items, Options(keep_weights=True)):
            sentence, item = inputs[seen.input.document]
            assert seen.weights is not None, "maps were asked for"
            pairs.append((sentence, predict(word_maps(seen.weights, item).weights)))
            features.add(sentence, seen.weights, item)
    return Predictions.of(pairs), features
