"""Whether a head attends from a mention to one of its antecedents (Clark et al. 2019, section 4.3).

A head selects, among candidate words before the mention, the one that the mention's head word attends to most; it is
right if that is the head word of one of the mention's antecedents. The paper does not say which words are candidates;
ours are

    words       all words before the mention
    mentions    head words of preceding mentions

Weight on the mention's own words, on what follows and on special tokens does not count. Among equal weights the nearest
candidate is taken, so uniform attention selects the nearest; a head that gives all candidates 0 selects none.

The baselines are the rules of `sieves`, and chance: how often a candidate drawn at random would be right. A rule that
no mention of a kind can satisfy is undefined for that kind, such as a matching head word for pronouns in texts that
link them only to names.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from generator.errors import CorpusError
from generator.numbers.number import Grid, Number
from generator.numbers.resampling import bootstrap_ratio
from generator.studies.fact_rows import head_facts
from generator.studies.halves import HELD_OUT, SAME_DATA
from generator.studies.procedure import Procedure, Subject, Tables, Watcher
from generator.topics.mentions.compute.sieves import RULES, select
from generator.topics.mentions.corpus.coreference import CorefDocument, Mention
from generator.topics.mentions.corpus.mentions import MENTIONS
from generator.topics.mentions.records import ANTECEDENTS, BEST, CHANCE, GAIN

CANDIDATES = ("words", "mentions")
KINDS = ("all", "pronoun", "proper", "nominal")
LISTED = ("all", "pronoun")
"""The kinds for which every head is listed."""
BASELINES = (*RULES, CHANCE)
SIMPLE = tuple(name for name in BASELINES if name != "rules")
_FIGURE = ["layer", "head", "value", "low", "high", "n"]
COLUMNS = ["model", "corpus", "candidates", "kind", "predictor", "protocol", *_FIGURE]


@dataclass(frozen=True)
class DocumentScores:
    """How often each head and each baseline was right in one document."""

    document: str
    correct: np.ndarray
    """`[candidates, layer, head, kind]`, counts of mentions."""
    baselines: np.ndarray
    """`[candidates, baseline, kind]`, counts of mentions; for chance the expected count."""
    able: np.ndarray
    """`[baseline, kind]`: counts of mentions for which the baseline selects something, right or wrong."""
    total: np.ndarray
    """`[kind]`: counts of scored mentions, which are those with an antecedent."""


def score(document: CorefDocument, weights: np.ndarray) -> DocumentScores:
    """Score one document, cut to what the model reads, by its word-level attention `[layer, head, query, key]`."""
    words = len(document.words)
    if weights.shape[2:] != (words, words):
        raise ValueError(f"expected weights of {words} x {words} words for {document.id!r}, found {weights.shape}")
    correct = np.zeros((len(CANDIDATES), *weights.shape[:2], len(KINDS)), dtype=int)
    baselines = np.zeros((len(CANDIDATES), len(BASELINES), len(KINDS)))
    able, total = np.zeros((len(BASELINES), len(KINDS)), dtype=int), np.zeros(len(KINDS), dtype=int)
    for mention in document.scored():
        # A mention counts among all and among those of its kind.
        kinds = [0, KINDS.index(mention.kind)]
        right = {antecedent.head for antecedent in document.antecedents(mention)}
        candidates = _candidates(document, mention)
        hits = np.stack([_hits(weights, mention, at, right) for at in candidates])
        correct[..., kinds] += hits[..., None]
        for row, sieves in enumerate(RULES.values()):
            chosen = select(document, mention, sieves)
            baselines[:, row, kinds] += chosen is not None and chosen.head in right
            able[row, kinds] += chosen is not None
        chance = np.array([len(right) / len(places) for places in candidates])
        baselines[:, BASELINES.index(CHANCE), kinds] += chance[:, None]
        able[BASELINES.index(CHANCE), kinds] += 1
        total[kinds] += 1
    return DocumentScores(document.id, correct, baselines, able, total)


def _candidates(document: CorefDocument, mention: Mention) -> tuple[list[int], list[int]]:
    """Positions of the candidate words, the nearest first: for each of CANDIDATES in order."""
    heads = {other.head for other in document.preceding(mention)}
    return list(range(mention.start))[::-1], sorted(heads, reverse=True)


def _hits(weights: np.ndarray, mention: Mention, candidates: Sequence[int], right: set[int]) -> np.ndarray:
    """`[layer, head]`: whether the candidate with the largest weight is right."""
    rows = weights[:, :, mention.head, candidates]
    chosen = np.asarray(candidates)[rows.argmax(-1)]
    # Among weights that are all 0, the first would win.
    return np.isin(chosen, list(right)) & (rows.max(-1) > 0)


def tables(scores: Sequence[DocumentScores], model: str, corpus: str, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """`antecedents`, and `head_facts` of study "antecedents" named `words.all`, `mentions.pronoun` and so on.

    One head, the best for all kinds together, is chosen for each set of candidates, as in the paper's Table 2. Protocol
    "held-out" chooses it on one half of the documents and reports it on the other; "same data", the paper's, chooses
    and reports on all. A baseline's rows have layer and head 0; rules select mentions whatever the candidates are. For
    each baseline there is also the gain of the head over it ("gain over nearest"), paired on the same mentions. "best
    simple" is, for each kind, the one of SIMPLE that is best where the head was chosen. `value` is a share of scored
    mentions, `n` their number; the interval resamples documents. If a baseline never selects anything for a kind, it
    and the gain over it are NaN. The order of `scores` does not matter.

    Raises CorpusError if fewer than two documents have a scored mention.
    """
    useful = sorted((item for item in scores if item.total[0]), key=lambda item: item.document)
    if len(useful) < 2:
        raise CorpusError(
            f"Expected two documents or more of {corpus} that hold a mention and its antecedent, found {len(useful)}; "
            "give more documents, or more words of each."
        )
    choosing, reporting = _halves(useful, seed)
    parts = [
        _protocol(HELD_OUT, choosing, reporting, seed),
        _protocol(SAME_DATA, useful, useful, seed),
    ]
    table = pd.concat(parts, ignore_index=True).assign(model=model, corpus=corpus)
    return _typed(table[COLUMNS]), head_facts(_heads(useful, seed), ANTECEDENTS, model, corpus)


def _halves(scores: Sequence[DocumentScores], seed: int) -> tuple[list[DocumentScores], list[DocumentScores]]:
    """Two halves that depend only on the seed and the documents' names; the second, on which numbers are reported, may
    be larger by one.
    """
    drawn = sorted(scores, key=lambda item: hashlib.sha256(f"{seed}:{item.document}".encode()).digest())
    return drawn[: len(drawn) // 2], drawn[len(drawn) // 2 :]


def _protocol(
    protocol: str, choosing: Sequence[DocumentScores], reporting: Sequence[DocumentScores], seed: int
) -> pd.DataFrame:
    sums = np.sum([item.correct[..., 0] for item in choosing], axis=0)
    able = np.sum([item.able for item in reporting], axis=0) > 0
    able = np.append(able, np.ones((1, len(KINDS)), bool), axis=0)  # of the best simple one: chance always selects
    rows = []
    for at, candidates in enumerate(CANDIDATES):
        layer, head = np.unravel_index(sums[at].argmax(), sums[at].shape)
        right, total = _stacked([item.correct[at, layer, head] for item in reporting], reporting)
        of_baselines, totals = _stacked([item.baselines[at] for item in reporting], reporting)
        of_simple = np.sum([item.baselines[at] for item in choosing], axis=0)[
            [BASELINES.index(baseline) for baseline in SIMPLE]
        ]
        best = of_simple.argmax(axis=0)
        # Of each kind, the baseline that was best where the head was chosen, as one more row.
        of_baselines = np.append(of_baselines, of_baselines[:, best, np.arange(len(KINDS))][:, None], axis=1)
        totals = np.append(totals, totals[:, :1], axis=1)
        baselines = bootstrap_ratio(of_baselines, totals, seed)
        gains = bootstrap_ratio(right[:, None] - of_baselines, totals, seed)
        predictors = [("head", layer + 1, head + 1, bootstrap_ratio(right, total, seed))]
        for row, name in enumerate((*BASELINES, BEST)):
            predictors += [(name, 0, 0, _where(able[row], baselines, row))]
            predictors += [(GAIN + name, layer + 1, head + 1, _where(able[row], gains, row))]
        for name, *place, estimate in predictors:
            rows += [
                (candidates, kind, name, protocol, *place, estimate.value[k], estimate.low[k], estimate.high[k], n)
                for k, (kind, n) in enumerate(zip(KINDS, _total(reporting), strict=True))
            ]
    return pd.DataFrame(rows, columns=COLUMNS[2:])


def _where(able: np.ndarray, estimate: Grid, row: int) -> Grid:
    """One baseline's numbers, `[kind]`; NaN for kinds for which it never selects anything."""
    value, low, high = (np.where(able, field[row], np.nan) for field in estimate[:3])
    return Number(value, low, high, estimate.n[row])


def _heads(scores: Sequence[DocumentScores], seed: int) -> dict[str, Grid]:
    """Name of candidates and kind -> numbers of heads, `[layer, head]`; `n` counts mentions."""
    found = bootstrap_ratio(*_stacked([item.correct for item in scores], scores), seed)
    found = found._replace(n=np.broadcast_to(_total(scores), found.n.shape))
    return {
        f"{candidates}.{KINDS[k]}": found.part(at, ..., k)
        for at, candidates in enumerate(CANDIDATES)
        for k in map(KINDS.index, LISTED)
    }


def _stacked(correct: Sequence[np.ndarray], scores: Sequence[DocumentScores]) -> tuple[np.ndarray, np.ndarray]:
    """Counts of right mentions and of all scored mentions, both `[document, ..., kind]` in the same shape."""
    part = np.stack(correct)
    total = np.stack([item.total for item in scores])
    between = (1,) * (part.ndim - 2)
    return part, np.broadcast_to(total.reshape(len(scores), *between, len(KINDS)), part.shape)


def _total(scores: Sequence[DocumentScores]) -> np.ndarray:
    """`[kind]`: scored mentions in all documents."""
    return np.sum([item.total for item in scores], axis=0)


def _typed(table: pd.DataFrame) -> pd.DataFrame:
    return table.astype({"layer": "int16", "head": "int16", "n": "int32"})


def _watch(of: Subject) -> Watcher:
    scores: list[DocumentScores] = []

    def made() -> Tables:
        antecedents, of_heads = tables(scores, of.model, of.corpus, of.seed)
        return {"antecedents": [antecedents], "head_facts": [of_heads]}

    return Watcher(lambda seen: scores.append(score(seen.annotated, seen.maps.weights)), made)


PROCEDURE = Procedure("antecedents", MENTIONS, _watch, tables=("antecedents",))
