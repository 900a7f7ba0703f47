"""Whether a head attends to the tokens that the output depends on (Jain and Wallace 2019): part of study "gradient".

The paper correlates the attention weights of a classifier with the gradient of its output by each input word, over the
words of a text. Its released code takes |embedding . gradient|, holds attention fixed, leaves out the tokens that begin
and end the text, and uses Kendall's tau. An encoder with a masked-LM head has no single attention over the text and no
class to predict. So here the output is the loss of hidden tokens, chosen and hidden as in `gradients`, and the
attention is that of these tokens, whose vectors predict, or that of the begin token, from which a classifier would
read. Both are compared over the tokens of the text that are not hidden: what a hidden token's own vector says about
itself does not pass through attention and would mask the rest. `tau.cls` of `gradients` asks another question: how the
loss changes with the weight itself, in each layer.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from generator.attention.anatomy import Anatomy
from generator.attention.gradient import COST, InputGradients, input_gradients
from generator.corpora.classes import ADDED, TokenClass
from generator.corpora.files import TEXT
from generator.corpora.pairs import Input
from generator.models.masked_lm import MaskedLM
from generator.numbers.means import defined_mean
from generator.numbers.resampling import bootstrap
from generator.studies.fact_rows import facts, head_facts
from generator.studies.procedure import Need, Part, Procedure, Subject, Tables, two_tables
from generator.topics.inputs.compute.changed import few_each, one_each
from generator.topics.vectors.compute.gradients import hide, measure_gradients
from generator.topics.vectors.compute.kendall import kendall
from generator.topics.vectors.records.gradients import GRADIENT

NAMES = ("tau.input", "tau.input.cls")
DOCUMENTS = 24
"""How many documents are read: a sample, because each takes another forward and backward pass."""


def importance_facts(
    masked_lm: MaskedLM, anatomy: Anatomy, corpus: str, inputs: Sequence[Input], seed: int
) -> dict[str, list[pd.DataFrame]]:
    """The tables `head_facts`, with the means over documents of NAMES, and `facts`, with their means over heads.

    The first part of at most DOCUMENTS documents is read; documents are resampled. There are no tables for families
    whose weights cannot be observed, and if no input has text.
    """
    encoder = masked_lm.encoder
    chosen = [hide(item, masked_lm, seed) for item in one_each(inputs, DOCUMENTS, seed)]
    hidden = {item.input.document: item for item in chosen if item.targets}
    if anatomy.sites or not hidden:
        return {}
    found = {
        seen.input.document: taus(seen, set(hidden[seen.input.document].targets))
        for seen in input_gradients(encoder, anatomy, list(hidden.values()))
    }
    rows = np.stack([found[name] for name in sorted(found)])
    of_model = GRADIENT, encoder.id, corpus
    by_head = {name: bootstrap(rows[..., at], seed) for at, name in enumerate(NAMES)}
    means = defined_mean(rows.reshape(len(rows), -1, len(NAMES)), axis=1)
    whole = {name: bootstrap(means[:, at], seed) for at, name in enumerate(NAMES)}
    return {"head_facts": [head_facts(by_head, *of_model)], "facts": [facts(whole, *of_model)]}


def taus(seen: InputGradients, hidden: set[int]) -> np.ndarray:
    """Kendall's tau for one input, `[layer, head, name]`; NaN for constant rows and if fewer than two tokens are left,
    and `tau.input.cls` also without a begin token.
    """
    classes = np.asarray(seen.input.classes)
    text = [at for at, kind in enumerate(classes) if kind not in ADDED and at not in hidden]
    begin = np.flatnonzero(classes == TokenClass.BEGIN)[:1]
    found = np.full((*seen.weights.shape[:2], len(NAMES)), np.nan)
    if len(text) > 1:
        own = seen.weights[:, :, sorted(hidden)].mean(axis=2)
        for at, rows in enumerate([own, *(seen.weights[:, :, query] for query in begin)]):
            found[..., at] = kendall(rows[..., text], seen.importance[text])
    return found


def _importance(of: Subject, masked_lm: MaskedLM, anatomy: Anatomy) -> Tables:
    return importance_facts(masked_lm, anatomy, of.corpus, of.inputs, of.seed)


def _gradients(of: Subject, masked_lm: MaskedLM, anatomy: Anatomy) -> Tables:
    rows = measure_gradients(masked_lm, anatomy, of.inputs, of.seed)
    of_model = of.model, of.corpus, of.seed
    return two_tables(rows.facts(*of_model), rows.head_facts(*of_model)) if rows else {}


def _again(of: Subject) -> int:
    return COST * sum(map(len, [*one_each(of.inputs, DOCUMENTS, of.seed), *few_each(of.inputs, of.seed)]))


PROCEDURE = Procedure(
    "gradient",
    TEXT,
    parts=(
        Part(Need.MASKED_LM, _importance, note="gradients of the masked-LM loss"),
        Part(Need.MASKED_LM, _gradients),
    ),
    again=_again,
)
