"""How much attention words of a kind receive, from all tokens: study "features" (Kovaleva et al. 2019, 4.4 and 4.5).

Tokens are the model's own, special ones included; every piece of a split word is of the word's kind, as in the paper.
So whole maps are read, not word-level ones, which have no rows of special tokens. Sentences without a token of the kind
are left out; the paper's code counts them as zeros, except for negation. On all tasks but SST-2 the paper reads pairs
of sentences with two separators, and here there is one: shares of special tokens cannot be compared with those.

The maximum grows with the number of tokens of a kind; only `mean` has a baseline, `frequency`. The paper's tags and
labels are spaCy's for English. What stands for them, in Universal Dependencies:

    noun          NOUN and PROPN
    verb          VERB; the paper's tags hold auxiliaries other than modals too, which are AUX and left out
    pronoun       PRON: also relative, demonstrative and indefinite ones, where the paper has personal and possessive
    subject       nsubj and csubj with subtypes, expl, obl:agent (the noun, where spaCy marks the word "by")
    object        obj (dobj) and iobj with subtypes; a noun or pronoun with a copula (attr); a noun that is xcomp (oprd)
    negation      the paper's seventeen English words and n't, as whole words in any case
    punctuation   PUNCT, of which periods and commas are a part
    begin, separator   the tokens that the tokenizer adds; the largest separator, where there are several
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from generator.corpora.classes import TokenClass
from generator.corpora.pairs import WordInput
from generator.corpora.treebank import TREEBANK, Sentence, Word
from generator.numbers.number import Grid
from generator.numbers.resampling import bootstrap
from generator.studies.fact_rows import facts, head_facts
from generator.studies.procedure import Procedure, Subject, Watcher, watched_by
from generator.topics.frames.records import FEATURE, FEATURES

LINGUISTIC = FEATURES[:6]
"""The features of words; the rest are of marks and special tokens."""
SCORES = ("max", "mean", "begin_row")
NOUNS = ("NOUN", "PROPN")
NOMINALS = (*NOUNS, "PRON")
SUBJECTS = ("nsubj", "csubj")
OBJECTS = ("obj", "dobj", "iobj")
CONTRACTED = ("do", "wo", "did", "had", "have", "ca", "is", "was", "should", "could")
"""Words that precede n't: "don't", "won't", "can't" ..."""
NEGATIONS = frozenset(
    ("neither", "nor", "not", "never", "none", "nothing", "nowhere", "n't", *(f"{verb}n't" for verb in CONTRACTED))
)
"""The paper's seventeen words, and n't, because treebanks divide "don't" and the like."""

_OF_WORD: Mapping[str, Callable[[Word], bool]] = {
    "noun": lambda word: word.upos in NOUNS,
    "verb": lambda word: word.upos == "VERB",
    "pronoun": lambda word: word.upos == "PRON",
    "subject": lambda word: word.relation.startswith(SUBJECTS) or word.relation in ("expl", "obl:agent"),
    "negation": lambda word: word.form.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'") in NEGATIONS,
    "punctuation": lambda word: word.upos == "PUNCT",
}
"""Feature -> whether a word has it, for features that depend only on the word's own tag, relation or form."""


@dataclass(frozen=True)
class _Row:
    """The scores of one sentence."""

    sentence: str
    scores: np.ndarray
    """`[layer, head, feature, score]` float32; NaN where the sentence has no such token."""
    shares: np.ndarray
    """`[feature]`: the share of the input's tokens, special ones included, that have the feature; NaN if none has."""


class FeatureScores:
    """Gathers the sentences of one treebank; each is added once, in any order."""

    def __init__(self) -> None:
        self._rows: list[_Row] = []

    def add(self, sentence: Sentence, weights: np.ndarray, item: WordInput) -> None:
        """Measure one sentence by the whole map of its input, `[layer, head, query, key]`."""
        tokens = len(item.input)
        if weights.shape[2:] != (tokens, tokens) or len(item.lengths) != len(sentence.words):
            raise ValueError(
                f"expected maps of {tokens} tokens and {len(sentence.words)} words for {sentence.id!r}, "
                f"found {weights.shape} and {len(item.lengths)}"
            )
        received = weights.mean(axis=2, dtype=float)
        begin = [at for at, kind in enumerate(item.input.classes) if kind is TokenClass.BEGIN]
        scores = np.full((*weights.shape[:2], len(FEATURES), len(SCORES)), np.nan, np.float32)
        shares = np.full(len(FEATURES), np.nan)
        for at, marked in enumerate(feature_tokens(sentence, item)):
            if marked.any():
                scores[..., at, 0] = received[..., marked].max(-1)
                scores[..., at, 1] = received[..., marked].sum(-1)
                scores[..., at, 2] = weights[:, :, begin[0]][..., marked].max(-1) if begin else np.nan
                shares[at] = marked.mean()
        self._rows.append(_Row(sentence.id, scores, shares))

    def change_from(self, before: "FeatureScores") -> "FeatureScores":
        """These scores minus those of another model of the same shape on the same sentences, paired by sentence."""
        first = {row.sentence: row for row in before._rows}
        changed = FeatureScores()
        for row in self._rows:
            was = first[row.sentence]
            changed._rows.append(_Row(row.sentence, row.scores - was.scores, row.shares - was.shares))
        return changed

    def means(self) -> np.ndarray:
        """`[sentence, feature]`: `max` of the features in LINGUISTIC, mean over all heads; sentences by name.

        NaN where the sentence has no such word.
        """
        rows = sorted(self._rows, key=lambda row: row.sentence)
        of_max = [row.scores[..., : len(LINGUISTIC), SCORES.index("max")] for row in rows]
        return np.stack(of_max).mean(axis=(1, 2), dtype=float)

    def tables(self, model: str, corpus: str, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
        """`facts` and `head_facts` of study "features": means over the sentences that have the feature.

        Numbers of layers are plain means over their heads. Intervals resample sentences, which `n` counts. What no
        sentence defines is left out.
        """
        rows = sorted(self._rows, key=lambda row: row.sentence)
        scores = np.stack([row.scores for row in rows])
        by_head, by_layer = (bootstrap(each, seed) for each in (scores, scores.mean(axis=2, dtype=float)))
        shares = bootstrap(np.stack([row.shares for row in rows]), seed)
        of_model = {f"{name}.frequency": shares.part(at) for at, name in enumerate(FEATURES)}
        of_layers, of_heads = (
            {
                f"{name}.{score}": estimate.part(..., at, column)
                for at, name in enumerate(FEATURES)
                for column, score in enumerate(SCORES)
            }
            for estimate in (by_layer, by_head)
        )
        return (
            facts(_defined(of_model | of_layers), FEATURE, model, corpus),
            head_facts(_defined(of_heads), FEATURE, model, corpus),
        )


def feature_words(sentence: Sentence) -> dict[str, np.ndarray]:
    """Feature of words -> `[word]`: which words have it."""
    with_copula = {word.head - 1 for word in sentence.words if word.relation.partition(":")[0] == "cop"}
    found = {name: np.array([has(word) for word in sentence.words]) for name, has in _OF_WORD.items()}
    found["object"] = np.array([_is_object(word, at in with_copula) for at, word in enumerate(sentence.words)])
    return found


def feature_tokens(sentence: Sentence, item: WordInput) -> np.ndarray:
    """`[feature, token]`: which tokens of the input have which feature, in the order of FEATURES."""
    classes = np.array(item.input.classes)
    marked = np.zeros((len(FEATURES), len(classes)), dtype=bool)
    for name, words in feature_words(sentence).items():
        marked[FEATURES.index(name), item.pieces] = words.repeat(item.lengths)
    for name, kind in (("begin", TokenClass.BEGIN), ("separator", TokenClass.SEPARATOR)):
        marked[FEATURES.index(name)] = classes == kind
    return marked


def _is_object(word: Word, with_copula: bool) -> bool:
    if with_copula and word.upos in NOMINALS:
        return True
    relation = word.relation.partition(":")[0]
    return relation in OBJECTS or (relation == "xcomp" and word.upos in NOUNS)


def _defined(found: Mapping[str, Grid]) -> dict[str, Grid]:
    return {name: estimate for name, estimate in found.items() if np.any(estimate.n)}


def _watch(of: Subject) -> Watcher:
    scores = FeatureScores()
    return watched_by(scores, lambda seen: scores.add(seen.annotated, seen.weights, seen.item), of)


PROCEDURE = Procedure("features", TREEBANK, _watch)
