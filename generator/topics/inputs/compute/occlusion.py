"""What a masked LM needs to predict a hidden word: study "occlusion", one other token hidden at a time.

The hypothesis of 2021 ("A Hypothesis about Learning Curve of BERT", phase three) says that tokens near the hidden one
matter most, above all those of the same part of the sentence. A hidden word is a word of letters that the tokenizer
keeps whole. The drop of another token, in nats, is log p(word) with the word alone hidden minus log p(word) with this
token hidden too: above 0 where the token helps. Other tokens are pieces of text with a letter or digit; distance is in
tokens. A part is a stretch of text between two special tokens or punctuation marks, which hyphens and apostrophes are
not.

Tokens of the same part are near, so distance must be held fixed. For this the two tokens at the same distance before
and after a hidden word are compared if one belongs to the word's part and the other does not.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from generator.attention.anatomy import Anatomy
from generator.corpora.classes import ADDED
from generator.corpora.files import TEXT
from generator.corpora.pairs import Input
from generator.models.masked_lm import MaskedLM
from generator.numbers.resampling import bootstrap, bootstrap_ratio
from generator.studies.fact_rows import facts
from generator.studies.procedure import Need, Part, Procedure, Subject, Tables
from generator.topics.inputs.compute.changed import draws, one_each, with_tokens
from generator.topics.inputs.compute.hidden_tokens import log_probabilities
from generator.topics.inputs.records.inputs import DROP, OCCLUSION
from generator.topics.vectors.compute.occurrences import pieces_of

DOCUMENTS = 32
"""How many documents are read."""
WORDS = 2
"""How many words are hidden in a document, one at a time."""
NEAR = 16
"""The largest distance, in tokens, of pairs that are compared; tokens beyond it are far."""
DISTANCES = 8
"""How many distances from 1 to NEAR are drawn for a word; the tokens on either side are hidden in turn."""
FAR = 4
"""How many tokens are drawn from those further away."""
BINS = (*range(1, NEAR + 1), 17, 33, 65)
"""The least distance of every bin, in tokens."""
BOUNDS = frozenset('.,;:!?()[]{}"“”„«»…–—。，、；：？！')  # noqa: RUF001 - marks of several scripts
NO_PART = -1


@dataclass(frozen=True)
class Drops:
    """One hidden word, and how its prediction changes as others are hidden; arrays are `[other token]`."""

    document: str
    position: int
    """The 0-based position of the hidden word in its input."""
    log_probability: float
    """Log-probability of the word with nothing else hidden, in nats."""
    offset: np.ndarray
    """Position of the other token minus that of the hidden word."""
    same: np.ndarray
    """Whether the other token belongs to the same part as the hidden word."""
    drop: np.ndarray


@dataclass(frozen=True)
class _Hiding:
    """A word to be hidden, alone and with each of some other tokens."""

    item: Input
    hidden: int
    others: np.ndarray
    number: np.ndarray
    """`[token]`: the number of its part, as `parts` gives it."""

    def inputs(self, mask: int) -> list[Input]:
        """The input with the word alone hidden, then with each of the other tokens hidden too; all of one length."""
        alone = with_tokens(self.item, {self.hidden: mask})
        return [alone, *(with_tokens(alone, {at: mask}) for at in self.others.tolist())]

    def drops(self, values: np.ndarray) -> Drops:
        """The drops, from the log-probabilities of the word in these `inputs`."""
        return Drops(
            document=self.item.document,
            position=self.hidden,
            log_probability=float(values[0]),
            offset=self.others - self.hidden,
            same=self.number[self.others] == self.number[self.hidden],
            drop=values[0] - values[1:],
        )


def occlusion_facts(masked_lm: MaskedLM, corpus: str, inputs: Sequence[Input], seed: int) -> list[pd.DataFrame]:
    """What `drop_facts` returns for the first part of at most DOCUMENTS documents, up to WORDS words each; empty if no
    word can be hidden.
    """
    drops = measure_drops(masked_lm, inputs, seed)
    return [drop_facts(drops, masked_lm.encoder.id, corpus, seed)] if drops else []


def drop_facts(drops: Sequence[Drops], model: str, corpus: str, seed: int) -> pd.DataFrame:
    """`facts` of study "occlusion", all with layer 0.

    Drops by distance and those of matched pairs pool the hidden words; `logprob` and `slope` are means over documents
    of the means over their words. Intervals resample documents; `n` counts those that define a number. A distance at
    which nothing was hidden has no row.
    """
    names = sorted({drop.document for drop in drops})
    by_document = [[drop for drop in drops if drop.document == name] for name in names]
    sums = np.array([np.sum([_sums(drop) for drop in each], axis=0) for each in by_document])
    binned = bootstrap_ratio(sums[:, 0], sums[:, 1], seed)
    found = {DROP.called(start=d): binned.part(at) for at, d in enumerate(BINS) if binned.n[at]}
    # At equal distances: words of the same part are nearer, and nearness alone would make them matter more.
    matched = np.array([np.sum([_matched(drop) for drop in each], axis=0) for each in by_document])
    sides = bootstrap_ratio(matched[:, :3], matched[:, 3], seed)
    found |= {name: sides.part(at) for at, name in enumerate(("same", "other", "span.gain"))}
    found["slope"] = bootstrap(np.array([_mean([_slope(drop) for drop in each]) for each in by_document]), seed)
    found["logprob"] = bootstrap(
        np.array([_mean([drop.log_probability for drop in each]) for each in by_document]), seed
    )
    return facts(found, OCCLUSION, model, corpus)


def measure_drops(masked_lm: MaskedLM, inputs: Sequence[Input], seed: int) -> list[Drops]:
    """Hide words and other tokens in the first part of some documents; returns the drops of every hidden word."""
    chosen = one_each(inputs, DOCUMENTS, seed)
    tokenizer = masked_lm.encoder.tokenizer
    ids = sorted({token for item in chosen for token in item.input_ids})
    words, continuations = pieces_of(tokenizer, ids)
    texts = {token: tokenizer.decode([token]).strip() for token in ids}
    hidings: list[_Hiding] = []
    for item in chosen:
        rng = draws(item, OCCLUSION.name, seed)
        number = parts(item, texts)
        hideable = [
            at for at in np.flatnonzero(number != NO_PART).tolist() if any(map(str.isalnum, texts[item.input_ids[at]]))
        ]
        whole = [at for at in hideable if item.input_ids[at] in words and not _continued(item, at, continuations)]
        for hidden in np.sort(rng.permutation(whole)[:WORDS]).tolist():
            hidings.append(_Hiding(item, hidden, _others(np.array(hideable), hidden, rng), number))
    inputs = [each for hiding in hidings for each in hiding.inputs(masked_lm.mask)]
    targets = [
        {hiding.hidden: hiding.item.input_ids[hiding.hidden]}
        for hiding in hidings
        for _ in range(1 + len(hiding.others))
    ]
    values = iter(log_probabilities(masked_lm, inputs, targets))
    return [
        hiding.drops(np.array([value for (value,) in islice(values, 1 + len(hiding.others))])) for hiding in hidings
    ]


def parts(item: Input, texts: Mapping[int, str]) -> np.ndarray:
    """`[token]`: the number of its part; NO_PART for tokens that separate parts. `texts`: vocabulary id -> text."""
    bound = np.array(
        [
            kind in ADDED or (bool(texts[token]) and BOUNDS.issuperset(texts[token]))
            for token, kind in zip(item.input_ids, item.classes, strict=True)
        ]
    )
    # Tokens of one part have as many bounds before them.
    return np.where(bound, NO_PART, bound.cumsum())


def _others(hideable: np.ndarray, hidden: int, rng: np.random.Generator) -> np.ndarray:
    """Random 0-based positions of the tokens that are hidden beside `hidden`."""
    distance = np.abs(hideable - hidden)
    near = np.isin(distance, 1 + rng.permutation(NEAR)[:DISTANCES])
    far = rng.permutation(hideable[distance > NEAR])[:FAR]
    return np.sort(np.concatenate([hideable[near], far]))


def _sums(drops: Drops) -> np.ndarray:
    """`[2, bin]`: the sum of the drops at each distance, and their number."""
    place = np.searchsorted(BINS, np.abs(drops.offset), side="right") - 1
    # Without weights they are counted.
    return np.stack([np.bincount(place, weights, len(BINS)) for weights in (drops.drop, None)])


def _matched(drops: Drops) -> np.ndarray:
    """`[4]`, sums over matched pairs: the drop of the token of the same part, that of the other, their difference, and
    the number of pairs.
    """
    by_offset = {
        int(at): (bool(same), drop) for at, same, drop in zip(drops.offset, drops.same, drops.drop, strict=True)
    }
    total = np.zeros(4)
    for distance in range(1, NEAR + 1):
        sides = sorted(by_offset[at] for at in (-distance, distance) if at in by_offset)
        if [same for same, _ in sides] == [False, True]:
            # False sorts before True, so that the other part comes first.
            (_, other), (_, same) = sides
            total += [same, other, same - other, 1]
    return total


def _slope(drops: Drops) -> float:
    """Spearman's correlation of drop and distance; NaN where either is constant."""
    distance = np.abs(drops.offset)
    if len(distance) < 2 or not np.ptp(distance) or not np.ptp(drops.drop):
        return float("nan")
    return float(spearmanr(distance, drops.drop).statistic)


def _continued(item: Input, at: int, continuations: Collection[int]) -> bool:
    """Whether the next token is a further piece of the same word."""
    after = at + 1
    return after < len(item) and item.classes[after] not in ADDED and item.input_ids[after] in continuations


def _mean(values: Sequence[float]) -> float:
    """Mean of the values that are defined; NaN where there is none."""
    defined = [value for value in values if not np.isnan(value)]
    return float(np.mean(defined)) if defined else float("nan")


def _tables(of: Subject, masked_lm: MaskedLM, _anatomy: Anatomy) -> Tables:
    return {"facts": occlusion_facts(masked_lm, of.corpus, of.inputs, of.seed)}


def _again(of: Subject) -> int:
    return WORDS * (1 + 2 * DISTANCES + FAR) * sum(map(len, one_each(of.inputs, DOCUMENTS, of.seed)))


PROCEDURE = Procedure(OCCLUSION.name, TEXT, parts=(Part(Need.MASKED_LM, _tables),), again=_again)
