"""Whether lower layers read the begin token for what it has gathered: study "begin", on the masked-LM loss.

The hypothesis of 2021 ("A Hypothesis about Learning Curve of BERT", phase one) says that lower heads attend to [CLS]
for information that it has gathered about other tokens, and not for the token itself. If so, reading a [CLS] that has
gathered from another text is a loss. In the lowest third of layers (BERT's 1 to 4), and in at least two, one token of
each text is changed:

    cut     no query attends to it, and the other weights of a row are renormalised
    swap    its value vectors are those that the same layers computed for another text: the next document of the sample
            by name, and for the last one the first. Weights come from queries and keys as before

The same is done to the last separator, in which, the hypothesis says, nothing is found. Its values come from the other
text's last separator, which may be at another position, while the begin token's come from the same position; so the
comparison is biased towards a larger loss for the separator. A cut costs everything for which the token is read, even
a constant; a swap costs only what differs between texts. In the first layer the begin token is the same in all texts
and a swap changes nothing, so a second layer is needed.
"""

import math
import warnings
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import torch
from scipy.stats import ConstantInputWarning, pearsonr, rankdata

from generator.attention.anatomy import Anatomy
from generator.attention.batches import Batch
from generator.attention.changed.rewire import CutKeys, SwapValue, ValueKeeper
from generator.attention.observed import Observed
from generator.corpora.classes import TokenClass
from generator.corpora.files import TEXT
from generator.corpora.pairs import Input
from generator.models.masked_lm import MaskedLM
from generator.numbers.depth import lowest_third
from generator.numbers.number import Number
from generator.numbers.resampling import bootstrap, interval, sample_counts
from generator.studies.fact_rows import facts
from generator.studies.gathered import Gathered, asking
from generator.studies.procedure import Asked, Need, Procedure, Subject, Watcher
from generator.topics.inputs.compute.changed import one_each, places_of
from generator.topics.inputs.compute.manipulations import DOCUMENTS, hide
from generator.topics.inputs.compute.rewired import RewiredLosses
from generator.topics.inputs.records.inputs import BEGIN

TOKENS = ("begin", "separator")
AS_IT_IS = "text"
FEWEST_LAYERS = 4
"""The fewest layers for a correlation over pairs of neighbouring layers."""
FEWEST_LOWER = 2
"""The fewest layers that count as lower, if the model has that many."""


class BeginCurves(Gathered[np.ndarray]):
    """Gathers `[2, layer]`, means over heads: the breadth of the begin token's row, and what attention it receives."""

    def __init__(self, anatomy: Anatomy, inputs: Sequence[Input], seed: int) -> None:
        """The first part of at most DOCUMENTS documents is read, without those that lack one of both tokens or a word.
        There are none for fewer than two documents, or for a family that never calls the hook.
        """
        chosen = sorted(filter(_readable, one_each(inputs, DOCUMENTS, seed)), key=lambda item: item.document)
        self.chosen = [] if anatomy.sites or len(chosen) < 2 else chosen
        super().__init__([Asked(AS_IT_IS, item, measured=True) for item in self.chosen], _curves)


def _curves(_one: Asked, seen: Observed) -> np.ndarray:
    begin = seen.primitives.entropy[..., TokenClass.BEGIN] / math.log(len(seen.input))
    received = seen.primitives.mass[..., TokenClass.BEGIN].sum(-1) / len(seen.input)
    return np.stack([begin, received]).mean(-1)


def begin_facts(
    masked_lm: MaskedLM, anatomy: Anatomy, corpus: str, curves: BeginCurves, seed: int
) -> list[pd.DataFrame]:
    """`facts` of study "begin", all with layer 0; no table without documents.

    Intervals resample documents, and changes are paired by document. Hidden words are those of study "manipulations".
    """
    encoder, chosen, seen = masked_lm.encoder, curves.chosen, curves.by_document()
    if not chosen:
        return []
    hidden = [hide(item, masked_lm.mask, seed) for item in chosen]
    loss = _losses(RewiredLosses(encoder, anatomy, hidden))
    base = loss.pop("base")
    found: dict[str, Number[Any]] = {"base.loss": bootstrap(base, seed)}
    found |= {f"{name}.loss": bootstrap(values - base, seed) for name, values in loss.items()}
    if "swap.begin" in loss:
        found["swap.lead"] = bootstrap(loss["swap.begin"] - loss["swap.separator"], seed)
    if anatomy.layers >= FEWEST_LAYERS:
        rows = np.stack([seen[item.document][AS_IT_IS] for item in chosen], axis=1)
        found["breadth.next"] = _breadth_next(rows, seed)
    return [facts(found, BEGIN, encoder.id, corpus)]


def places(item: Input) -> tuple[int, int]:
    """0-based positions of the begin token and of the last separator, in the order of TOKENS."""
    return int(places_of(item, TokenClass.BEGIN)[0]), int(places_of(item, TokenClass.SEPARATOR)[-1])


def _readable(item: Input) -> bool:
    return {TokenClass.BEGIN, TokenClass.SEPARATOR, TokenClass.OTHER}.issubset(item.classes)


def _losses(reader: RewiredLosses) -> dict[str, np.ndarray]:
    """Condition ("base", "cut.begin" ...) -> losses `[document]` in nats; no swaps if they would change nothing."""
    lower = list(range(min(max(int(lowest_third(reader.layers).sum()), FEWEST_LOWER), reader.layers)))
    # Each text gets the values of the next one.
    other = dict(zip(reader.documents, np.roll(reader.documents, -1).tolist(), strict=True))
    kept: list[tuple[Batch, ValueKeeper]] = []

    def keep(batch: Batch) -> ValueKeeper:
        kept.append((batch, ValueKeeper([places(item) for item in batch.inputs])))
        return kept[-1][1]

    found = {"base": reader.losses(keep)}
    carried = {
        item.document: values
        for batch, keeper in kept
        if keeper.calls == reader.layers  # not where memory did not suffice
        for item, values in zip(batch.inputs, torch.stack(keeper.values, dim=1), strict=True)
    }

    def cut(batch: Batch, token: int) -> CutKeys:
        return CutKeys(lower, [[places(item)[token]] for item in batch.inputs])

    def swap(batch: Batch, token: int) -> SwapValue:
        values = torch.stack([carried[other[item.document]][:, token] for item in batch.inputs], dim=1)
        return SwapValue([places(item)[token] for item in batch.inputs], {layer: values[layer] for layer in lower})

    for token, name in enumerate(TOKENS):
        found[f"cut.{name}"] = reader.losses(partial(cut, token=token))
        if len(lower) > 1:
            found[f"swap.{name}"] = reader.losses(partial(swap, token=token))
    return found


def _breadth_next(curves: np.ndarray, seed: int) -> Number:
    """Spearman's correlation of the first mean curve with the second one layer further up; documents are resampled."""
    documents = curves.shape[1]
    draws = _lagged(sample_counts(documents, seed) @ curves)
    return Number(_lagged(curves.sum(1)).item(), *interval(draws), documents)


def _lagged(curves: np.ndarray) -> np.ndarray:
    """Spearman's correlation, `[...]` from `[2, ..., layer]`, of the first side with the second one layer further up;
    NaN if a side is constant.
    """
    first, second = rankdata(curves[0, ..., :-1], axis=-1), rankdata(curves[1, ..., 1:], axis=-1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConstantInputWarning)
        return np.asarray(pearsonr(first, second, axis=-1).statistic)


def _watch(of: Subject, masked_lm: MaskedLM, anatomy: Anatomy) -> Watcher:
    curves = BeginCurves(anatomy, of.inputs, of.seed)
    return asking(lambda: {"facts": begin_facts(masked_lm, anatomy, of.corpus, curves, of.seed)}, curves)


def _again(of: Subject) -> int:
    """Tokens as they are read for the losses, cut and swapped for each kind."""
    return (1 + 2 * len(TOKENS)) * sum(map(len, one_each(of.inputs, DOCUMENTS, of.seed)))


PROCEDURE = Procedure(BEGIN.name, TEXT, _watch, Need.MASKED_LM, again=_again)
