"""Study "manipulations": what changes in maps and in the loss with other segment ids, or with words masked.

    segments.zero       every segment id is 0: are segment embeddings redundant (Feinberg 2019)?
    segments.swapped    the first segment has id 1, the second 0
    masks.15, masks.40  15 % or 40 % of the words are replaced by the mask token: does it change how a model reads?

Words are all tokens of the text except periods and commas, so that every measure of the changed input can be compared
with that of the base. The words hidden in `masks.15` are also hidden in `masks.40`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from generator.attention.anatomy import Anatomy
from generator.attention.gradient import MaskedInput
from generator.attention.observed import Observed, Observer
from generator.corpora.classes import TokenClass
from generator.corpora.files import TEXT
from generator.corpora.pairs import SEGMENTS, Input
from generator.measures import COLUMNS, compute
from generator.measures.measure import Counts
from generator.models.encoder import Encoder
from generator.models.masked_lm import MaskedLM
from generator.numbers.number import Grid
from generator.numbers.resampling import bootstrap
from generator.studies.fact_rows import facts, head_facts
from generator.studies.gathered import Gathered, asking
from generator.studies.procedure import Asked, Need, Procedure, Subject, Tables, Watcher
from generator.topics.distances.compute.divergence import by_row
from generator.topics.inputs.compute.changed import draws, one_each, places_of, with_segments, with_tokens
from generator.topics.inputs.compute.hidden_tokens import log_probabilities
from generator.topics.inputs.records.inputs import MANIPULATIONS

DOCUMENTS = 24
"""How many documents are read: a sample, because each is read four times more for maps and four times for losses."""
SHARES = {"masks.15": 0.15, "masks.40": 0.40}
SCORED, MORE = SHARES
BASE = "base"
"""What the input is called as it is."""
Changes = dict[str, Callable[[Input], Input]]


class Compared(NamedTuple):
    """What one input showed beside its base."""

    apart: np.ndarray
    """`[layer, head]`: divergence from the base, mean over rows whose token is unchanged."""
    measures: np.ndarray
    """`[layer, head, column]`, with the segments of the base."""


class ManipulationRows(Gathered["Compared"]):
    """Gathers how the maps of changed texts differ from those of the texts as they are, and what is measured of both.

    The first part of at most DOCUMENTS documents is read.
    """

    def __init__(self, encoder: Encoder, inputs: Sequence[Input], seed: int) -> None:
        """Nothing is asked for if the model knows neither segment ids nor a mask token."""
        self.chosen = sorted(one_each(inputs, DOCUMENTS, seed), key=lambda item: item.document)
        self._changes = _segments(encoder) | _masks(encoder, seed)
        self._seed = seed
        self._comparisons = {item.document: Comparison(item) for item in self.chosen}
        asked = []
        for item in self.chosen if self._changes else ():
            looks = (self._comparisons[item.document].observer,)
            asked.append(Asked(BASE, item, looks, measured=True))
            asked += [
                Asked(name, change(item), looks, measured=True, beside=item) for name, change in self._changes.items()
            ]
        super().__init__(asked, self._compared)

    def tables(self, model: str, corpus: str, masked_lm: MaskedLM | None = None) -> Tables:
        """`facts` and `head_facts` of study "manipulations"; none if nothing was asked for.

        `facts` are given by layer, and with layer 0 over all layers. Measures use the segments of the base, whatever
        ids the model gets. Losses are about the same words in every condition; without a masked-LM head there are none.
        All are means over documents, paired with the base; intervals resample documents.
        """
        documents = list(self.by_document().values())
        if not documents:
            return {}
        rows = {f"{name}.js": np.stack([found[name].apart for found in documents]) for name in self._changes}
        by_head = _estimates(rows, self._seed)
        measured = {name: np.stack([found[name].measures for found in documents]) for name in (BASE, *self._changes)}
        for place, column in enumerate(COLUMNS):
            base = measured[BASE][..., place]
            rows[f"base.{column}"] = base
            rows |= {f"{name}.{column}": measured[name][..., place] - base for name in self._changes}
        by_layer = _estimates({name: values.mean(-1) for name, values in rows.items()}, self._seed)
        overall = _estimates({name: values.mean((-2, -1)) for name, values in rows.items()}, self._seed)
        losses = {} if masked_lm is None else _losses(masked_lm, self.chosen, self._seed)
        of_model = MANIPULATIONS, model, corpus
        return {
            "facts": [facts(by_layer, *of_model), facts(overall | losses, *of_model)],
            "head_facts": [head_facts(by_head, *of_model)],
        }

    def _compared(self, one: Asked, seen: Observed) -> "Compared":
        base = one.beside or one.input
        comparison = self._comparisons[base.document]
        comparison.forget()
        rows = np.equal(seen.input.input_ids, base.input_ids).sum()
        apart, within = np.moveaxis(seen.of(comparison.observer), -1, 0)
        # With the segments of the base, whatever ids the model got.
        measures = compute(replace(seen.primitives, same_segment=within), Counts.of(base))
        return Compared(apart / rows, measures)


def masked(item: Input, mask: int, share: float, seed: int) -> Input:
    """The input with this share of its words, at least one, behind masks; larger shares hide the same and more."""
    words = draws(item, MANIPULATIONS.name, seed).permutation(places_of(item, TokenClass.OTHER))
    return with_tokens(item, dict.fromkeys(words[: max(1, round(share * len(words)))].tolist(), mask))


def hide(item: Input, mask: int, seed: int) -> MaskedInput:
    """The input with 15 % of its words behind masks, and the vocabulary ids of these words."""
    read = masked(item, mask, SHARES[SCORED], seed)
    pairs = enumerate(zip(item.input_ids, read.input_ids, strict=True))
    return MaskedInput(read, {at: was for at, (was, becomes) in pairs if was != becomes})


def zero_segments(item: Input) -> Input:
    """The input with segment id 0 for every token."""
    return with_segments(item, [0] * len(item))


def swapped_segments(item: Input) -> Input:
    """The input with segment ids 0 and 1 exchanged."""
    return with_segments(item, [1 - segment for segment in item.segment_ids])


class Comparison:
    """Compares a text with changed versions of the same length in its batch, one block of queries at a time.

    The base must be the first of its batch, because its weights of the current block are kept for the others.
    """

    def __init__(self, base: Input) -> None:
        self._base = base
        self._segments = np.equal.outer(base.segment_ids, range(SEGMENTS)).astype(np.float32)
        self._seen = np.empty(0)
        """The weights of the base in the current block of queries."""

    def forget(self) -> None:
        """Let go of the weights of the base, once a batch was read."""
        self._seen = np.empty(0)

    def observer(self, item: Input) -> Observer:
        """An observer that returns `[head, 2]`: the divergence from the base, summed over rows whose token is
        unchanged, and the weight within the segments of the base.
        """
        same, base = np.equal(item.input_ids, self._base.input_ids), item == self._base

        def observe(weights: np.ndarray, first: int) -> np.ndarray:
            block = slice(first, first + weights.shape[1])
            within = (weights @ self._segments * self._segments[block]).sum((1, 2), dtype=float)
            if base:
                self._seen = weights
                return np.stack([np.zeros(len(weights)), within], axis=-1)
            return np.stack([by_row(self._seen, weights) @ same[block], within], axis=-1)

        return observe


def _estimates(rows: Mapping[str, np.ndarray], seed: int) -> dict[str, Grid]:
    """Name -> mean over documents with its interval, from arrays `[document, ...]` of one shape; resampled together."""
    found = bootstrap(np.stack(list(rows.values()), axis=-1), seed)
    return {name: found.part(..., at) for at, name in enumerate(rows)}


def _segments(encoder: Encoder) -> Changes:
    return {"segments.zero": zero_segments, "segments.swapped": swapped_segments} if encoder.segments else {}


def _masks(encoder: Encoder, seed: int) -> Changes:
    mask = encoder.tokenizer.mask_token_id
    if mask is None:
        return {}
    return {name: partial(masked, mask=mask, share=share, seed=seed) for name, share in SHARES.items()}


def _losses(masked_lm: MaskedLM, chosen: Sequence[Input], seed: int) -> dict[str, Grid]:
    """Mean losses of the hidden words, and their changes, in nats; the words are the same in all conditions."""
    hidden = [hide(item, masked_lm.mask, seed) for item in chosen]
    base, targets = [item.input for item in hidden], [item.targets for item in hidden]
    conditions = {"base": base}
    conditions |= {name: [change(item) for item in base] for name, change in _segments(masked_lm.encoder).items()}
    conditions[MORE] = [masked(item, masked_lm.mask, SHARES[MORE], seed) for item in chosen]
    loss = {
        name: np.array(
            [-np.mean(values) if values else np.nan for values in log_probabilities(masked_lm, items, targets)]
        )
        for name, items in conditions.items()
    }
    return _estimates({f"{name}.loss": loss[name] - loss["base"] * (name != "base") for name in loss}, seed)


def _watch(of: Subject, encoder: Encoder, _anatomy: Anatomy) -> Watcher:
    rows = ManipulationRows(encoder, of.inputs, of.seed)
    return asking(lambda: rows.tables(of.model, of.corpus, of.masked_lm), rows)


def _again(of: Subject) -> int:
    """Tokens as they are read for losses, with other segments and with words hidden."""
    changes = len(SHARES) + 2 * of.told_segments
    return changes * sum(map(len, one_each(of.inputs, DOCUMENTS, of.seed))) if of.masked_lm else 0


PROCEDURE = Procedure(MANIPULATIONS.name, TEXT, _watch, Need.MODEL, again=_again)
