"""What single heads do with the words of a treebank, besides finding head words: study "words".

Clark et al. 2019 say that outside its function a head does nothing but attend to separators (section 3.2 and Figure 5),
and that special tokens hardly disturb it (section 4.1); Kovaleva et al. 2019, section 4.5, link nouns with pronouns and
verbs with subjects. For spans see `spans`.

A head's own relation is the one for which its accuracy, read from dependent to head word, exceeds that of the best
fixed offset most. It is chosen on one half of the sentences, and the mass on separators is measured on the other half.
Every head has such a relation, even a head that finds none well.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from generator.attention.words import WordMaps
from generator.corpora.relation_names import DIRECTIONS
from generator.corpora.treebank import ROOT, TREEBANK, Sentence
from generator.numbers.depth import lowest_third
from generator.numbers.number import Grid
from generator.numbers.resampling import bootstrap, bootstrap_ratio, resample_ratio
from generator.studies.fact_rows import facts, stored_rows
from generator.studies.halves import reported
from generator.studies.procedure import Procedure, SeenWords, Subject, Watcher, two_tables
from generator.topics.relations.compute.relations import correct, relation_names
from generator.topics.relations.compute.spans import span_masses
from generator.topics.relations.derived.predictions import NOTHING, Predictions, predict
from generator.topics.relations.records.relations import FEW_WORDS
from generator.topics.relations.records.trees import WORDS

SEPARATORS = ("sep.outside", "sep.inside")
LINKS = ("link.noun_pronoun", "link.verb_subject")
SPANS = ("span.inside", "span.matched", "span.gain")
NOUNS = ("NOUN", "PROPN")
PRONOUN = "PRON"
SUBJECT = "nsubj"
"""How labels of subjects begin, such as `nsubj:pass` and `nsubjpass`; the head word need not be a verb."""


@dataclass(frozen=True)
class _Row:
    """The numbers of one sentence."""

    sentence: str
    words: int
    split: int
    """Number of words of more than one piece."""
    separator: np.ndarray
    """`[layer, head, word]`: attention from every word to separators."""
    lost: np.ndarray
    """`[layer, head]`: number of words whose head word is picked but gets less than begin token or separators."""
    links: np.ndarray
    """`[layer, head, link]`: strongest weight of each kind of link; NaN if the sentence has no such pair."""
    spans: np.ndarray
    """`[layer, head, 3]`: sums over words of the numbers about spans."""
    in_spans: int
    """Number of words that are no punctuation, if the sentence has two spans or more; otherwise 0."""


class LinkScores:
    """Gathers the sentences of one treebank; each is added once, in any order."""

    def __init__(self) -> None:
        self._rows: list[_Row] = []

    def add(self, sentence: Sentence, maps: WordMaps, lengths: np.ndarray) -> None:
        """Measure one sentence; `lengths` says how many pieces each of its words has."""
        words = len(sentence.words)
        if maps.weights.shape[2:] != (words, words) or len(lengths) != words:
            raise ValueError(
                f"expected maps and lengths of {words} words for {sentence.id!r}, "
                f"found {maps.weights.shape} and {len(lengths)}"
            )
        (inside, matched), counted = span_masses(maps.weights, sentence)
        pairs = (noun_pronoun(sentence), verb_subject(sentence))
        self._rows.append(
            _Row(
                sentence=sentence.id,
                words=words,
                split=int((lengths > 1).sum()),
                separator=maps.separator.copy(),  # it may be a view that keeps whole maps alive
                lost=lost_to_special(sentence, maps).sum(-1),
                links=np.stack([strongest(maps.weights, pair) for pair in pairs], axis=-1),
                spans=np.stack([inside, matched, inside - matched], axis=-1),
                in_spans=counted,
            )
        )

    def tables(self, found: Predictions, model: str, corpus: str, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
        """`facts` and `head_facts` of study "words"; `found` holds the predictions for the same sentences.

        Links are means over the sentences that have such a pair; all other numbers are means over pooled words.
        Intervals resample sentences, and `n` counts those that define the number. `sep.*` is left out if no relation
        has FEW_WORDS words in the half that chooses or the other half is empty, and is NaN if separators get nothing,
        for example because there are none. `span.ratio` divides means over the heads of a layer or, with layer 0, of
        the last third of layers.
        """
        rows = sorted(self._rows, key=lambda row: row.sentence)
        if tuple(row.sentence for row in rows) != found.sentences:
            raise ValueError(f"expected predictions for the {len(rows)} added sentences, found {len(found.sentences)}")
        split = bootstrap_ratio(np.array([row.split for row in rows]), np.array([row.words for row in rows]), seed)
        of_model = {"split": split, "span.ratio": _ratios(rows, seed)}
        words = np.array([row.words for row in rows])
        frames = [
            _by_head(SEPARATORS, _separators(rows, found, seed)),
            _by_head(("special.loss",), bootstrap_ratio(np.stack([row.lost for row in rows])[..., None], words, seed)),
            _by_head(LINKS, bootstrap(np.stack([row.links for row in rows]), seed)),
            _by_head(
                SPANS,
                bootstrap_ratio(np.stack([row.spans for row in rows]), np.array([row.in_spans for row in rows]), seed),
            ),
        ]
        of_heads = pd.concat([frame for frame in frames if frame is not None], ignore_index=True)
        return facts(of_model, WORDS, model, corpus, first_layer=0), stored_rows(of_heads, WORDS, model, corpus)


def lost_to_special(sentence: Sentence, maps: WordMaps) -> np.ndarray:
    """`[layer, head, word]`: whether a head picks a word's head word, but would pick a special token if it could.

    All separators count as one token; a sentence that is read alone has one.
    """
    picked = predict(maps.weights)[0]
    # A root has no head to be picked; NOTHING itself is what a word picks that is alone.
    right = picked == np.array([word.head - 1 if word.head != ROOT else NOTHING - 1 for word in sentence.words])
    best = np.take_along_axis(maps.weights, np.maximum(picked, 0)[..., None].astype(int), -1)[..., 0]
    lost: np.ndarray = right & (np.maximum(maps.begin, maps.separator) > best)
    return lost


def noun_pronoun(sentence: Sentence) -> np.ndarray:
    """`[pair, 2]`: 0-based places of a noun and a pronoun, for every such pair of the sentence."""
    nouns = [at for at, word in enumerate(sentence.words) if word.upos in NOUNS]
    pronouns = [at for at, word in enumerate(sentence.words) if word.upos == PRONOUN]
    return _pairs((noun, pronoun) for noun in nouns for pronoun in pronouns)


def verb_subject(sentence: Sentence) -> np.ndarray:
    """`[pair, 2]`: 0-based places of a subject's head word and of the subject, for every subject of the sentence."""
    return _pairs(
        (word.head - 1, at)
        for at, word in enumerate(sentence.words)
        if word.relation.startswith(SUBJECT) and word.head != ROOT
    )


def strongest(weights: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """`[layer, head]`: the largest weight between two words of a pair, in either direction; NaN without pairs.

    `weights` is `[layer, head, query, key]`.
    """
    first, second = pairs.T
    both = np.concatenate([weights[..., first, second], weights[..., second, first]], axis=-1)
    return both.max(-1) if len(pairs) else np.full(weights.shape[:2], np.nan)


def own_relations(found: Predictions, chosen: np.ndarray) -> np.ndarray | None:
    """`[layer, head]`: the name of the relation that each head finds best among the words marked in `chosen [word]`.

    Relations with fewer than FEW_WORDS such words are left out; None if no relation remains. Of equals the first wins.
    """
    attends = found.predicted[DIRECTIONS.index("dep->head")]
    names, gains = [], []
    # The first name stands for all words together.
    for relation in relation_names(found)[1:]:
        words = np.flatnonzero(chosen & (found.relation == relation))
        if len(words) >= FEW_WORDS:
            names.append(relation)
            heads, offsets = (
                correct(found, relation, picked)[..., words].mean(-1) for picked in (attends, found.offsets)
            )
            gains.append(heads - offsets.max())
    return np.array(names)[np.argmax(gains, axis=0)] if names else None


def _separators(rows: list[_Row], found: Predictions, seed: int) -> Grid | None:
    """Mass on separators, `[layer, head, side]`, sides in the order of SEPARATORS; None if no relation can be chosen or
    no sentence is reported.
    """
    shown = reported(found.sentences, seed)
    own = own_relations(found, ~shown[found.sentence])
    if own is None or not shown.any():
        return None
    # Without a separator nothing is counted, so that the number is undefined and not 0.
    any_mass = any(row.separator.any() for row in rows)
    sums, counts = [], []
    for at in np.flatnonzero(shown):
        inside = found.relation[found.sentence == at] == own[..., None]
        sides = np.stack([~inside, inside], axis=2) & any_mass
        sums.append((rows[at].separator[:, :, None].astype(float) * sides).sum(-1))
        counts.append(sides.sum(-1))
    return bootstrap_ratio(np.stack(sums), np.stack(counts), seed)


def _ratios(rows: list[_Row], seed: int) -> Grid:
    """`span.ratio` of the last third of layers, and of every layer; the heads of a layer count together."""
    masses = np.stack([row.spans for row in rows]).mean(axis=2)
    words = np.array([row.in_spans for row in rows])
    # As many layers, counted from the other end.
    deep = lowest_third(masses.shape[1])[::-1]
    inside, matched = (
        resample_ratio(np.column_stack([masses[:, deep, at].mean(1), masses[:, :, at]]), words, seed) for at in (0, 1)
    )
    return inside.over(matched).estimate()


def _pairs(places: Iterable[tuple[int, int]]) -> np.ndarray:
    return np.array(list(places), dtype=int).reshape(-1, 2)


def _by_head(names: tuple[str, ...], estimate: Grid | None) -> pd.DataFrame | None:
    """One row per head and name, from `[layer, head, name]`; None from None."""
    if estimate is None:
        return None
    layers, heads, _ = estimate.value.shape
    place = [range(1, layers + 1), range(1, heads + 1), names]
    index = pd.MultiIndex.from_product(place, names=["layer", "head", "name"])
    figures = {field: values.ravel() for field, values in estimate._asdict().items()}
    return pd.DataFrame(figures, index).reset_index()


def _watch(of: Subject) -> Watcher:
    scores = LinkScores()
    pairs: list[tuple[Sentence, np.ndarray]] = []

    def add(seen: SeenWords) -> None:
        scores.add(seen.annotated, seen.maps, seen.item.lengths)
        pairs.append((seen.annotated, seen.once(predict)))

    return Watcher(add, lambda: two_tables(*scores.tables(Predictions.of(pairs), of.model, of.corpus, of.seed)))


PROCEDURE = Procedure("words", TREEBANK, _watch)
