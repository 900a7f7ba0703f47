"""Clark et al. 2019, sections 3.3 and 4.1: focused and broad attention, and words of several pieces."""

import numpy as np

from generator.claims.claim import Claim, part
from generator.claims.clark_position import CLARK
from generator.claims.cutoffs import SEED
from generator.claims.evidence import Evidence
from generator.claims.numbers import Number, mean_in, proportion
from generator.studies.layer_profiles import lowest_third

BROAD_WEIGHT = 0.1


def _broad_early(evidence: Evidence) -> Number:
    early = lowest_third(evidence.layers)
    return [
        evidence.estimate(["entropy.all"], lambda nats: mean_in(nats, early) - mean_in(nats, ~early), SEED),
        evidence.estimate(["attention.max"], lambda most: (most[:, early] < BROAD_WEIGHT).sum((1, 2)), SEED),
    ]


C10 = Claim(
    id="C10",
    title="Lower layers attend broadly",
    statement="Lower layers are broader than the others, and some of their heads are nearly uniform.",
    paper=CLARK,
    section="3.3; also the hypothesis of 2021, phase one",
    measure=(
        "Mean entropy of the heads of the lowest third of layers less that of the others; number of heads in the "
        f"lowest third whose mean largest weight is below {BROAD_WEIGHT}; documents are resampled."
    ),
    needs="a model of more than one layer",
    parts=(
        part("C10.1", "mean entropy of the lowest third of layers less that of the others", "nats", _broad_early_1),
        part(
            "C10.2",
            "the number of heads in the lowest third that put less than a tenth on their largest weight",
            "heads",
            _broad_early_2,
        ),
    ),
    published=("clark.largest.broad", *(f"clark.layers.entropy.{layer}" for layer in range(1, 13))),
)


def _excess(begin: np.ndarray, every: np.ndarray) -> np.ndarray:
    """Entropy of the begin token's row less that of all rows, mean over heads, `[draw, layer]`."""
    excess: np.ndarray = (begin - every).mean(-1)
    return excess


def _stands_out(begin: np.ndarray, every: np.ndarray) -> np.ndarray:
    """The last layer's excess less the largest of any other layer, up or down, `[draw]`; NaN for a single layer."""
    excess = _excess(begin, every)
    others: np.ndarray = np.abs(excess[:, :-1]).max(-1, initial=-np.inf)
    return np.where(np.isfinite(others), excess[:, -1] - others, np.nan)


def _begin_broad_last(evidence: Evidence) -> Number:
    columns = ["entropy.cls", "entropy.all"]
    return [
        evidence.estimate(columns, lambda begin, every: _excess(begin, every)[:, -1], SEED),
        evidence.estimate(columns, _stands_out, SEED),
    ]


C11 = Claim(
    id="C11",
    title="The begin token attends broadly in the last layer",
    statement=(
        "In the last layer [CLS] attends more broadly than the average token; elsewhere it is close to the average."
    ),
    paper=CLARK,
    section="3.3; also the hypothesis of 2021, phase three",
    measure=(
        "Entropy of the begin token's row less that of all rows, mean over heads: in the last layer, and that less the "
        "largest difference, up or down, of any other layer; documents are resampled."
    ),
    needs="a begin token, and more than one layer",
    parts=(
        part(
            "C11.1",
            "entropy of the begin token's row less that of all rows in the last layer",
            "nats",
            _begin_broad_last_1,
        ),
        part(
            "C11.2",
            "the last layer's excess entropy of the begin token's row over the largest difference in another layer",
            "nats",
            _begin_broad_last_2,
        ),
    ),
    published=(
        "clark.entropy_cls.last",
        *(f"clark.layers.{name}.{layer}" for name in ("entropy_cls", "entropy") for layer in range(1, 13)),
    ),
)

LITTLE = 0.05
"""Accuracy that a head may lose and still hardly be disturbed."""


def _split_words(evidence: Evidence) -> Number:
    loss = evidence.head_facts("words", "special.loss")
    little = proportion(int((loss.value < LITTLE).sum()), loss.value.size) if loss else None
    return [evidence.fact("words", "split"), little]


C12 = Claim(
    id="C12",
    title="Few words are split, and special tokens hardly disturb",
    statement=(
        "About 8 % of the words are split into several pieces; whether [CLS] and [SEP] may be picked hardly changes "
        "how often most heads are right."
    ),
    paper=CLARK,
    section="4.1",
    measure=(
        "Share of a treebank's words with more than one piece; share of heads whose accuracy over all words, from "
        f"dependent to head word, falls by less than {LITTLE} where special tokens may be picked, Wilson's interval "
        "over heads."
    ),
    needs="a treebank: fieldguide analyze MODEL",
    parts=(
        part("C12.1", "the share of words with more than one piece", "share", _split_words_1, over="sentences"),
        part("C12.2", "the share of heads that lose little by special tokens", "share", _split_words_2, over="heads"),
    ),
    published=("clark.words.split",),
)
