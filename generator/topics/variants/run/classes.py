"""Whether a linear classifier reads word classes off the vectors of a training's last layer, which stay as they are.

It is the classifier of the study of usability. Devlin et al. 2019, appendix C.2, compare objectives by named entities
that are read off frozen vectors.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from generator.corpora.pairs import WordInput
from generator.corpora.treebank import Sentence
from generator.errors import CorpusError
from generator.models.encoder import Encoder
from generator.studies.halves import FEWEST, reported
from generator.topics.probes.compute.usability import (
    Words,
    commonest_of_type,
    found_right,
    judged_words,
    sampled,
    word_vectors,
)


class Judged(NamedTuple):
    """What was found in the half that is judged."""

    model: np.ndarray
    """`[sentence]`: words whose class the classifier finds."""
    kind: np.ndarray
    """`[sentence]`: words that have the commonest class of their type."""
    words: np.ndarray
    """`[sentence]`: all words."""


@dataclass(frozen=True)
class Bank:
    """The sentences of a treebank in two halves."""

    learn: tuple[str, ...]
    judge: tuple[str, ...]
    sentences: Mapping[str, tuple[Sentence, WordInput]]

    @classmethod
    def of(cls, sentences: Mapping[str, tuple[Sentence, WordInput]], corpus: str, seed: int) -> "Bank":
        """A sample of the sentences. Raises CorpusError for too few of them, or only one class."""
        names = sampled(sentences, seed)
        judged = reported(names, seed)
        learn, judge = (
            tuple(name for name, shown in zip(names, judged, strict=True) if shown == side) for side in (False, True)
        )
        if min(len(learn), len(judge)) < FEWEST:
            raise CorpusError(
                f"Expected {FEWEST} sentences of {corpus} or more to learn word classes from, and as many to judge, "
                f"found {len(learn)} and {len(judge)}; name a larger treebank with --corpus."
            )
        if len({word.upos for name in learn for word in sentences[name][0].words}) < 2:
            raise CorpusError(f"Expected words of several classes in {corpus}, found one; give another treebank.")
        return cls(learn, judge, sentences)

    def judged(self, encoder: Encoder) -> Judged:
        """What the classifier finds with the vectors of a model."""
        vectors = word_vectors(encoder, [self.sentences[name][1] for name in (*self.learn, *self.judge)])
        learn, judge = (self._words(half, vectors) for half in (self.learn, self.judge))
        right = found_right(learn.vectors[0], judge.vectors[0], learn.tags, judge.tags)
        return Judged(
            *(
                np.bincount(judge.sentence, hits.astype(float), len(self.judge))
                for hits in (right, commonest_of_type(learn, judge), np.ones(len(judge.tags)))
            )
        )

    def _words(self, half: tuple[str, ...], vectors: Mapping[str, np.ndarray]) -> Words:
        """The words with their vectors of the last layer alone, `[1, word, dimension]`."""
        last = {name: vectors[name][-1:] for name in half}
        return judged_words({name: self.sentences[name][0] for name in half}, last)
