"""How well single heads find dependency heads (Clark et al. 2019, section 4.2), from stored predictions.

The paper chooses the best head of a relation on the data on which it reports. That protocol is kept as "same data"; in
the other one, "held-out", the head, its direction and the best fixed offset are chosen on one half of the sentences and
reported on the other.

Heads, fixed offsets and the heads of untrained twins are scored by the same function and chosen by the same function,
so a rule that helps one of them helps all. The paper applies its rule for possessive markers only to heads.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from generator.corpora.relation_names import ALL, DIRECTIONS
from generator.corpora.treebank import TREEBANK, Sentence
from generator.numbers.resampling import bootstrap_ratio, with_width
from generator.studies.halves import HELD_OUT, SAME_DATA, reported
from generator.studies.procedure import Procedure, SeenWords, Subject, Tables, Watcher
from generator.topics.relations.derived.predictions import OFFSETS, Predictions, predict
from generator.topics.relations.records.relations import FEW_WORDS, POSSESSIVE, TWINS


def correct(found: Predictions, relation: str, picked: np.ndarray) -> np.ndarray:
    """`[..., word]`: whether `picked [..., word]` is the right word for each word: its gold head.

    For relations in POSSESSIVE a word before a marker is judged by what the marker picked. `found` holds the gold
    trees; `picked` is `found.predicted` for heads and `found.offsets` for fixed offsets.
    """
    if relation in POSSESSIVE and found.marked.any():
        at = np.flatnonzero(found.marked)
        picked = picked.copy()
        picked[..., at] = picked[..., at + 1]
    hits: np.ndarray = (picked == found.gold) & (found.gold >= 0)
    return hits


def relation_names(found: Predictions) -> list[str]:
    """ALL, then the names of all relations of the treebank except that of roots, which nothing can predict."""
    return [ALL, *sorted(set(found.relation[found.gold >= 0]) - {ALL})]


def relations(found: Predictions, model: str, corpus: str) -> pd.DataFrame:
    """The `relations` table: how often each head is right, for every relation and direction."""
    frames = []
    for relation, words in _words(found):
        hits = correct(found, relation, found.predicted)[..., words].sum(-1)
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
    frames = []
    for relation, words in _words(found):
        hits = correct(found, relation, found.offsets)[:, words].sum(-1)
        frames.append(pd.DataFrame({"relation": relation, "offset": OFFSETS, "correct": hits, "n": len(words)}))
    return pd.concat(frames, ignore_index=True).assign(model=model, corpus=corpus)


def relation_heads(
    found: Predictions, twins: Sequence[Predictions], model: str, corpus: str, seed: int
) -> pd.DataFrame:
    """The `relation_heads` table: the best head of each relation by both protocols, against the best fixed offset.
    Relations of fewer than FEW_WORDS words are left out.

    `twins` holds the predictions of untrained twins on the same sentences, one for each draw: `twin` is the mean
    accuracy of their best heads, each chosen in the same way, `twin_low` the lowest and `twin_high` the highest; NaN
    without twins.
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
                row = _best(found, relation, chosen, shown, seed) | _spread(twins, relation, chosen, shown)
                rows.append({"relation": relation, "protocol": protocol, **row})
    return pd.DataFrame(rows).assign(model=model, corpus=corpus)


def _words(found: Predictions) -> Iterator[tuple[str, np.ndarray]]:
    """Each relation, and the 0-based numbers of the words that have it, among all words of the treebank."""
    for relation in relation_names(found):
        words = np.arange(len(found.gold)) if relation == ALL else np.flatnonzero(found.relation == relation)
        yield relation, words


def _chosen(hits: np.ndarray, words: np.ndarray) -> tuple[int, ...]:
    """The index on the leading axes of `hits [..., word]` with most hits among these words; of equals the first."""
    return tuple(map(int, np.unravel_index(hits[..., words].sum(-1).argmax(), hits.shape[:-1])))


def _best(found: Predictions, relation: str, chosen: np.ndarray, shown: np.ndarray, seed: int) -> dict[str, object]:
    """A row's values: head, direction and offset, chosen on the words `chosen`, and accuracies on the words `shown`.

    Intervals resample sentences.
    """
    hits, guesses = (correct(found, relation, picked) for picked in (found.predicted, found.offsets))
    head, offset = _chosen(hits, chosen), _chosen(guesses, chosen)
    scores = hits[..., shown].mean(-1)
    ours, theirs = hits[(*head, shown)], guesses[(*offset, shown)]
    _, sentence = np.unique(found.sentence[shown], return_inverse=True)
    sums = [np.bincount(sentence, weights=values) for values in (ours, theirs, ours.astype(float) - theirs)]
    # Shares are at least 0, their difference at least -1.
    estimate = with_width(bootstrap_ratio(np.stack(sums, -1), np.bincount(sentence), seed), (0, 0, -1))
    value, baseline, gain = ((estimate.value[i], estimate.low[i], estimate.high[i]) for i in range(3))
    return {
        "direction": DIRECTIONS[head[0]],
        "layer": head[1] + 1,
        "head": head[2] + 1,
        **dict(zip(("value", "low", "high"), value, strict=True)),
        "n": len(shown),
        "offset": OFFSETS[offset[0]],
        **dict(zip(("baseline", "baseline_low", "baseline_high"), baseline, strict=True)),
        **dict(zip(("gain", "gain_low", "gain_high"), gain, strict=True)),
        "rank": 1 + int((scores > scores[head]).sum()),
    }


def _spread(twins: Sequence[Predictions], relation: str, chosen: np.ndarray, shown: np.ndarray) -> dict[str, float]:
    """Mean, lowest and highest accuracy of the best heads of several twins."""
    accuracies = []
    for twin in twins:
        hits = correct(twin, relation, twin.predicted)
        accuracies.append(float(hits[(*_chosen(hits, chosen), shown)].mean()))
    if not accuracies:
        return dict.fromkeys(("twin", "twin_low", "twin_high"), np.nan)
    return {"twin": float(np.mean(accuracies)), "twin_low": min(accuracies), "twin_high": max(accuracies)}


def _watch(of: Subject) -> Watcher:
    from generator.models.twin import untrained_twin  # noqa: PLC0415 - loads transformers, and claims read this file

    pairs: list[tuple[Sentence, np.ndarray]] = []
    twins: list[list[tuple[Sentence, np.ndarray]]] = [[] for _ in range(TWINS)]

    def add_twin(draw: int, seen: SeenWords) -> None:
        twins[draw].append((seen.annotated, seen.once(predict)))

    def tables() -> Tables:
        found, untrained = Predictions.of(pairs), [Predictions.of(twin) for twin in twins if twin]
        return {
            "predictions": [found.table(of.corpus)],
            "relations": [relations(found, of.model, of.corpus)],
            "relation_baselines": [relation_baselines(found, of.model, of.corpus)],
            "relation_heads": [relation_heads(found, untrained, of.model, of.corpus, of.seed)],
        }

    return Watcher(
        lambda seen: pairs.append((seen.annotated, seen.once(predict))), tables, TWINS, untrained_twin, add_twin
    )


PROCEDURE = Procedure(
    "relations",
    TREEBANK,
    _watch,
    tables=("predictions", "relations", "relation_baselines", "relation_heads"),
)
