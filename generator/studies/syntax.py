"""How well single heads find dependency heads (Clark et al. 2019, section 4.2), from stored predictions.

The paper chooses the best head of a relation on the data it reports on. That protocol is kept, under its name; beside
it the head, its direction and the best fixed offset are chosen on one half of the sentences and reported on the other.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from generator.results.intervals import bootstrap_ratio
from generator.studies.halves import HELD_OUT, SAME_DATA, reported
from generator.studies.predictions import DIRECTIONS, Predictions

ALL = "all"
"""Stands for every word: the unlabelled attachment score. A root can never be right, as in the paper."""
OFFSETS = (-3, -2, -1, 1, 2, 3)
"""Fixed offsets tried as baseline; the paper stops at 2."""
FEW_WORDS = 20
"""With fewer words of a relation no best head is named."""
POSSESSIVE = ("nmod:poss", "poss")
"""Relations for which the prediction of a following possessive marker counts, as in the paper."""


def correct(found: Predictions, relation: str) -> np.ndarray:
    """`[direction, layer, head, word]`: whether each word's predicted head is the gold one."""
    predicted = found.predicted
    if relation in POSSESSIVE and found.marked.any():
        predicted = predicted.copy()
        at = np.flatnonzero(found.marked)
        predicted[..., at] = found.predicted[..., at + 1]
    hits: np.ndarray = (predicted == found.gold) & (found.gold >= 0)
    return hits


def offset_correct(found: Predictions) -> np.ndarray:
    """`[offset, word]`: whether the word at a fixed offset, clipped to the sentence, is the gold head."""
    guesses = np.clip(found.place + np.array(OFFSETS)[:, None], 0, found.length - 1)
    hits: np.ndarray = guesses == found.gold
    return hits


def relation_names(found: Predictions) -> list[str]:
    """Every relation of the treebank but that of roots, which nothing can predict."""
    return [ALL, *sorted(set(found.relation[found.gold >= 0]) - {ALL})]


def relations(found: Predictions, model: str, corpus: str) -> pd.DataFrame:
    """The `relations` table: how often each head is right, for every relation and direction."""
    frames = []
    for relation, words in _words(found):
        hits = correct(found, relation)[..., words].sum(-1)
        at = np.indices(hits.shape).reshape(3, -1)
        frames.append(
            pd.DataFrame(
                {
                    "relation": relation,
                    "direction": np.array(DIRECTIONS)[at[0]],
                    "layer": at[1] + 1,
                    "head": at[2] + 1,
                    "correct": hits.ravel(),
                    "n": len(words),
                }
            )
        )
    return pd.concat(frames, ignore_index=True).assign(model=model, corpus=corpus)


def relation_baselines(found: Predictions, model: str, corpus: str) -> pd.DataFrame:
    """The `relation_baselines` table: how often each fixed offset is right."""
    hits = offset_correct(found)
    frames = [
        pd.DataFrame({"relation": relation, "offset": OFFSETS, "correct": hits[:, words].sum(-1), "n": len(words)})
        for relation, words in _words(found)
    ]
    return pd.concat(frames, ignore_index=True).assign(model=model, corpus=corpus)


def relation_heads(found: Predictions, twin: Predictions | None, model: str, corpus: str, seed: int) -> pd.DataFrame:
    """The `relation_heads` table: the best head of each relation by both protocols, against the best fixed offset.

    `twin` holds the predictions of the untrained twin on the same sentences.
    """
    report = reported(found.sentences, seed)[found.sentence]
    rows = []
    for relation, words in _words(found):
        if len(words) < FEW_WORDS:
            continue
        for protocol in (HELD_OUT, SAME_DATA):
            chosen = words[~report[words]] if protocol == HELD_OUT else words
            shown = words[report[words]] if protocol == HELD_OUT else words
            if len(chosen) and len(shown):
                row = _best(found, relation, chosen, shown, seed)
                row["twin"] = np.nan if twin is None else _best(twin, relation, chosen, shown, seed)["value"]
                rows.append({"relation": relation, "protocol": protocol, **row})
    return pd.DataFrame(rows).assign(model=model, corpus=corpus)


def _words(found: Predictions) -> Iterator[tuple[str, np.ndarray]]:
    """Each relation and the words that carry it."""
    for relation in relation_names(found):
        words = np.arange(len(found.gold)) if relation == ALL else np.flatnonzero(found.relation == relation)
        yield relation, words


def _best(found: Predictions, relation: str, chosen: np.ndarray, shown: np.ndarray, seed: int) -> dict[str, object]:
    """Head, direction and offset chosen on some words and reported on others, resampling sentences."""
    hits, guesses = correct(found, relation), offset_correct(found)
    scores = hits[..., shown].mean(-1)
    direction, layer, head = np.unravel_index(hits[..., chosen].sum(-1).argmax(), found.shape)
    offset = int(guesses[:, chosen].sum(-1).argmax())
    ours, theirs = hits[direction, layer, head, shown], guesses[offset, shown]
    _, sentence = np.unique(found.sentence[shown], return_inverse=True)
    sums = [np.bincount(sentence, weights=values) for values in (ours, theirs, ours.astype(float) - theirs)]
    estimate = bootstrap_ratio(np.stack(sums, -1), np.bincount(sentence), seed)
    value, baseline, gain = ((estimate.value[i], estimate.low[i], estimate.high[i]) for i in range(3))
    return {
        "direction": DIRECTIONS[direction],
        "layer": layer + 1,
        "head": head + 1,
        **dict(zip(("value", "low", "high"), value, strict=True)),
        "n": len(shown),
        "offset": OFFSETS[offset],
        **dict(zip(("baseline", "baseline_low", "baseline_high"), baseline, strict=True)),
        **dict(zip(("gain", "gain_low", "gain_high"), gain, strict=True)),
        "rank": 1 + int((scores > scores[direction, layer, head]).sum()),
    }
