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

import numpy as np
import pandas as pd

from generator.attention.anatomy import Anatomy
from generator.attention.gradient import MaskedInput
from generator.attention.observed import Observed, Observer
from generator.attention.portions import in_portions, tokens_at_once
from generator.attention.stream import Options, observe_together
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
from generator.studies.procedure import Need, Part, Procedure, Subject, Tables
from generator.topics.distances.compute.divergence import by_row
from generator.topics.inputs.compute.changed import draws, one_each, places_of, with_segments, with_tokens
from generator.topics.inputs.compute.hidden_tokens import log_probabilities
from generator.topics.inputs.records.inputs import MANIPULATIONS

DOCUMENTS = 24
"""How many documents are read: a sample, because each is read up to five times for maps and four times for losses."""
FEWEST_BESIDE = 2
"""The fewest changed inputs in a batch with a long base, which is read again for every batch."""
SHARES = {"masks.15": 0.15, "masks.40": 0.40}
SCORED, MORE = SHARES
Changes = dict[str, Callable[[Input], Input]]


def manipulation_facts(
    encoder: Encoder,
    anatomy: Anatomy,
    corpus: str,
    inputs: Sequence[Input],
    seed: int,
    masked_lm: MaskedLM | None = None,
) -> dict[str, list[pd.DataFrame]]:
    """`facts` and `head_facts` of study "manipulations"; no tables without inputs, or if the model knows neither
    segment ids nor a mask token.

    `facts` are given by layer, and with layer 0 over all layers. Measures use the segments of the base, whatever ids
    the model gets. Losses are about the same words in every condition; without a masked-LM head there are none. All
    are means over documents, paired with the base; intervals resample documents. The first part of at most DOCUMENTS
    documents is read.
    """
    chosen = sorted(one_each(inputs, DOCUMENTS, seed), key=lambda item: item.document)
    changes = _segments(encoder) | _masks(encoder, seed)
    if not changes or not chosen:
        return {}
    documents = [_changed_maps(encoder, anatomy, item, changes) for item in chosen]
    divergence, measured = (np.stack([found[at] for found in documents]) for at in (0, 1))
    rows = {f"{name}.js": divergence[:, at] for at, name in enumerate(changes)}
    by_head = _estimates(rows, seed)
    for place, column in enumerate(COLUMNS):
        base, *changed = (measured[:, at, ..., place] for at in range(1 + len(changes)))
        rows[f"base.{column}"] = base
        rows |= {f"{name}.{column}": other - base for name, other in zip(changes, changed, strict=True)}
    by_layer = _estimates({name: values.mean(-1) for name, values in rows.items()}, seed)
    overall = _estimates({name: values.mean((-2, -1)) for name, values in rows.items()}, seed)
    losses = {} if masked_lm is None else _losses(masked_lm, chosen, seed)
    of_model = MANIPULATIONS, encoder.id, corpus
    return {
        "facts": [facts(by_layer, *of_model), facts(overall | losses, *of_model)],
        "head_facts": [head_facts(by_head, *of_model)],
    }


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

    def observer(self, item: Input) -> Observer:
        """An observer that returns `[head, 2]`: the divergence from the base, summed over rows whose token is
        unchanged, and the weight within the segments of the base.
        """
        same = np.equal(item.input_ids, self._base.input_ids)

        def observe(weights: np.ndarray, first: int) -> np.ndarray:
            block = slice(first, first + weights.shape[1])
            within = (weights @ self._segments * self._segments[block]).sum((1, 2), dtype=float)
            if item is self._base:
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


def _changed_maps(encoder: Encoder, anatomy: Anatomy, item: Input, changes: Changes) -> tuple[np.ndarray, np.ndarray]:
    """Of one document, divergences from the base `[condition, layer, head]`, and measures `[1 + condition, layer, head,
    column]`, those of the base first.
    """
    changed = [change(item) for change in changes.values()]
    observer = Comparison(item).observer

    def read(portion: Sequence[Input]) -> list[list[Observed]]:
        options = Options(to_the_end=False, observers=(observer,))
        # The base first: each block of the others is compared with its own.
        return [[*observe_together(encoder, anatomy, [item, *portion], options)]]

    # Less one, which the base takes up.
    beside = max(tokens_at_once(encoder, len(item)) // len(item) - 1, FEWEST_BESIDE)
    batches = [*in_portions(encoder, changed, read, tokens=beside * len(item))]
    base, seen = batches[0][0], [other for _, *others in batches for other in others]
    rows = [np.equal(observed.input.input_ids, item.input_ids).sum() for observed in seen]
    apart = [observed.of(observer)[..., 0] / count for observed, count in zip(seen, rows, strict=True)]
    return np.stack(apart), np.stack(
        [_measured(observed, observed.of(observer)[..., 1], item) for observed in (base, *seen)]
    )


def _measured(seen: Observed, within: np.ndarray, base: Input) -> np.ndarray:
    """The measures of a changed input, `[layer, head, column]`, computed with the segments of the base."""
    return compute(replace(seen.primitives, same_segment=within), Counts.of(base))


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


def _tables(of: Subject, encoder: Encoder, anatomy: Anatomy) -> Tables:
    return manipulation_facts(
        encoder, anatomy=anatomy, corpus=of.corpus, inputs=of.inputs, seed=of.seed, masked_lm=of.masked_lm
    )


def _again(of: Subject) -> int:
    """Tokens as they are read for maps, with other segments and with words hidden, and for losses, likewise."""
    changes = len(SHARES) + 2 * of.told_segments
    return (2 if of.masked_lm else 1) * changes * sum(map(len, one_each(of.inputs, DOCUMENTS, of.seed)))


PROCEDURE = Procedure(MANIPULATIONS.name, TEXT, parts=(Part(Need.MODEL, _tables),), again=_again)
