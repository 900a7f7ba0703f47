"""Sentences that show a head right about a relation, and wrong, from its maps among words."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from generator.corpora.relation_names import DIRECTIONS
from generator.results.tables import records
from generator.topics.relations.derived.predictions import Predictions
from generator.topics.relations.records.relations import POSSESSIVE

SHORTEST, LONGEST = 5, 12
"""Words that a sentence has; a shorter one shows little, and a longer one has no room on a small screen."""


RIGHT, MISSED, OTHER = "right", "missed", "other"
"""Kinds: the word looks most at the one to which the relation links it; it looks elsewhere; it stands in no such
relation, but its arrow is strong.
"""


SHOWN = {RIGHT: 2, MISSED: 1, OTHER: 1}
"""Kind -> the most sentences that are kept."""


COLUMNS = ("corpus", "relation", "direction", "layer", "head", "kind", "sentence", "word", "to", "weights")


def are_links(found: Predictions, relation: str, direction: str, picked: np.ndarray) -> np.ndarray:
    """`[..., word]`: whether the arrow from each word to `picked [..., word]` is a link of a relation.

    A possessive marker stands for the word before it, as it does where `relations` counts words.
    """
    here = np.arange(len(found.gold))
    start = here - found.place
    there = start + np.maximum(picked, 0)
    dependent, head = (here, there) if direction == DIRECTIONS[0] else (there, here)
    carries, depends_on = found.relation == relation, start + found.gold
    links = carries[dependent] & (depends_on[dependent] == head)
    if relation in POSSESSIVE:
        # An arrow from the marker counts as one from the word before it.
        before = dependent - 1
        links |= found.marked[before] & carries[before] & (depends_on[before] == head)
    right: np.ndarray = links & (picked >= 0)
    return right


def sentences(
    found: Predictions,
    strong: np.ndarray,
    maps: Mapping[str, np.ndarray],
    heads: pd.DataFrame,
    corpus: str,
    longest: int = LONGEST,
) -> pd.DataFrame:
    """Rows of the table `arcs`, for each relation, direction and head of `heads`, as `shown` returns them.

    `strong` is `[layer, head, word]`, whether arrows are strong; `maps` has the weights among words,
    `[layer, head, query, key]`, of the sentences that may be shown, none of more than `longest` words.
    """
    may = np.array([name in maps for name in found.sentences])[found.sentence]
    rows = []
    for row in records(heads):
        at = row["layer"] - 1, row["head"] - 1
        of = {name: row[name] for name in COLUMNS[1:5]}
        for kind, word, to in _words(
            found,
            strong=strong[at] & may,
            may=may,
            relation=row["relation"],
            direction=row["direction"],
            at=at,
            longest=longest,
        ):
            name = found.sentences[found.sentence[word]]
            place = int(found.place[word])
            weights = maps[name][at].astype(np.float32).ravel()
            kept = {"kind": kind, "sentence": name, "word": place, "to": to, "weights": weights}
            rows.append({"corpus": corpus, **of, **kept})
    return pd.DataFrame(rows, columns=COLUMNS)


def _words(
    found: Predictions,
    strong: np.ndarray,
    may: np.ndarray,
    relation: str,
    direction: str,
    at: tuple[int, int],
    longest: int,
) -> Iterator[tuple[str, int, int]]:
    """Kind, the word among all words whose arrow is shown, and the 0-based word in its sentence to which the relation
    links it, or to which its arrow goes if it stands in none.
    """
    picked = found.predicted[0][at]
    # `[place, word]`: every place in the sentence of each word.
    there = np.arange(longest)[:, None]
    within = there < found.length
    linked = are_links(found, relation, direction, np.where(within, there, 0)) & within
    stands = np.logical_or.reduce(linked)
    right = are_links(found, relation, direction, picked)
    of_kind = {RIGHT: may & right, MISSED: may & stands & ~right, OTHER: strong & ~stands}
    for kind, words in of_kind.items():
        places = np.flatnonzero(words)
        # One word of each sentence, the first.
        _, first = np.unique(found.sentence[places], return_index=True)
        places = places[first]
        for word in places[np.argsort(found.length[places], kind="stable")][: SHOWN[kind]].tolist():
            yield kind, word, int(linked[:, word].argmax() if stands[word] else picked[word])
