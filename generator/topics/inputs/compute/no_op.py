"""Whether attention to separators does nothing: study "no-op", separators or words of equal weight cut off.

Clark et al. 2019 (section 3.2) and the hypothesis of 2021 (phase two) take attention to [SEP] for what a head does when
it has nothing to look for. If so, a masked LM that cannot attend to separators loses little, and less than one that
cannot attend to words that together get as much attention. Each is cut off for all queries, heads and layers, and the
other weights of every row are renormalised.

    separators  all separators of an input
    words       random tokens of the text, other than periods, commas and hidden words, as many as come nearest to the
                attention that the separators get
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd

from generator.attention.anatomy import Anatomy
from generator.attention.batches import Batch
from generator.attention.changed.rewire import CutKeys
from generator.attention.observed import Observed
from generator.corpora.classes import TokenClass
from generator.corpora.files import TEXT
from generator.corpora.pairs import Input
from generator.models.masked_lm import MaskedLM
from generator.numbers.number import Grid
from generator.numbers.resampling import bootstrap
from generator.studies.fact_rows import facts
from generator.studies.gathered import Gathered, asking
from generator.studies.procedure import Asked, Need, Procedure, Subject, Watcher
from generator.topics.inputs.compute.changed import draws, one_each, places_of
from generator.topics.inputs.compute.manipulations import DOCUMENTS, hide
from generator.topics.inputs.compute.rewired import RewiredLosses
from generator.topics.inputs.records.inputs import NO_OP

KINDS = ("separators", "words")
HIDDEN = "hidden"


class ReceivedByHidden(Gathered[np.ndarray]):
    """Gathers the attention that every token receives while words are hidden, `[token]`, mean over all rows."""

    def __init__(self, masked_lm: MaskedLM, anatomy: Anatomy, inputs: Sequence[Input], seed: int) -> None:
        """The first part of at most DOCUMENTS documents is read, without those that lack a separator or a word; none
        with a family that never calls the hook.
        """
        chosen = [] if anatomy.sites else filter(_readable, one_each(inputs, DOCUMENTS, seed))
        self.chosen = sorted(chosen, key=lambda item: item.document)
        # The loss needs hidden words, so weights are taken from the same inputs with these words hidden.
        self.hidden = {item.document: hide(item, masked_lm.mask, seed) for item in self.chosen}
        super().__init__([Asked(HIDDEN, one.input, measured=True) for one in self.hidden.values()], _received)


def _received(_one: Asked, seen: Observed) -> np.ndarray:
    mean: np.ndarray = seen.primitives.received.mean((0, 1)) / len(seen.input)
    return mean


def no_op_facts(
    masked_lm: MaskedLM, anatomy: Anatomy, corpus: str, seen: ReceivedByHidden, seed: int
) -> list[pd.DataFrame]:
    """`facts` of study "no-op", all with layer 0.

    Documents whose words get less attention than their separators are left out; intervals resample the rest. There is
    no table for fewer than two.
    """
    encoder, chosen, hidden = masked_lm.encoder, seen.chosen, seen.hidden
    received = {name: found[HIDDEN] for name, found in seen.by_document().items()}
    cut: dict[str, tuple[list[int], list[int]]] = {}
    for item in chosen:
        separators = places_of(item, TokenClass.SEPARATOR)
        # Words to compare with are no targets: a hidden word that nothing may look at would be a change of its own.
        words = np.setdiff1d(places_of(item, TokenClass.OTHER), list(hidden[item.document].targets))
        words = as_heavy(received[item.document], separators, draws(item, NO_OP.name, seed).permutation(words))
        if len(words):
            cut[item.document] = separators.tolist(), words.tolist()
    if len(cut) < 2:
        return []
    reader = RewiredLosses(encoder, anatomy, [hidden[name] for name in cut])

    def attention(batch: Batch, kind: int | None) -> CutKeys:
        tokens = [[] if kind is None else cut[item.document][kind] for item in batch.inputs]
        return CutKeys(range(anatomy.layers), tokens)

    base, *losses = (reader.losses(partial(attention, kind=kind)) for kind in (None, 0, 1))
    rises = [loss - base for loss in losses]
    found: dict[str, Grid] = {}
    for at, kind in enumerate(KINDS):
        weights = [received[name][cut[name][at]].sum() for name in reader.documents]
        found |= {f"{kind}.weight": bootstrap(np.array(weights), seed), f"{kind}.loss": bootstrap(rises[at], seed)}
    # Both are paired by document; the claim asks for less than half of what words of equal weight cost.
    found["lead"] = bootstrap(rises[0] - rises[1] / 2, seed)
    return [facts(found, NO_OP, encoder.id, corpus)]


def as_heavy(received: np.ndarray, tokens: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The first few of `others`, as many as come nearest in `received` weight to `tokens`; none if all together weigh
    less.

    >>> as_heavy(np.array([0.3, 0.2, 0.3, 0.05, 0.06]), np.array([0]), np.array([3, 1, 4, 2])).tolist()
    [3, 1, 4]
    """
    wanted, together = received[tokens].sum(), received[others].cumsum()
    if not len(together) or together[-1] < wanted:
        return others[:0]
    found: np.ndarray = others[: np.abs(together - wanted).argmin() + 1]
    return found


def _readable(item: Input) -> bool:
    return {TokenClass.SEPARATOR, TokenClass.OTHER}.issubset(item.classes)


def _watch(of: Subject, masked_lm: MaskedLM, anatomy: Anatomy) -> Watcher:
    seen = ReceivedByHidden(masked_lm, anatomy, of.inputs, of.seed)
    return asking(lambda: {"facts": no_op_facts(masked_lm, anatomy, of.corpus, seen, of.seed)}, seen)


def _again(of: Subject) -> int:
    """Tokens as they are read for the losses, and for those without tokens of each kind."""
    return (1 + len(KINDS)) * sum(map(len, one_each(of.inputs, DOCUMENTS, of.seed)))


PROCEDURE = Procedure(NO_OP.name, TEXT, _watch, Need.MASKED_LM, again=_again)
