"""Linked mentions -> passages with a pronoun to ask about, and the span of the name that it means.

The input has two texts, as in Devlin et al. 2019, section 4.2: the pronoun with the four words on either side, which
say which pronoun of the passage is asked about, and the passage. A passage asks about its first pronoun that has an
antecedent, and the nearest antecedent is the answer; those without one are left out, so no answer is empty. A passage
that is too long loses its end, and is left out if its answer is cut.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch

from generator.corpora.kind import Corpus
from generator.corpora.pairs import PairTemplate
from generator.corpora.plain import PlainText
from generator.errors import CorpusError
from generator.models.encoder import Encoder
from generator.topics.mentions.corpus.coreference import CorefDocument, Mention

AROUND = 4
"""Words on either side of the pronoun in the first text."""
FEWEST = 2
"""Passages without which there is nothing to resample."""
PRONOUN = "pronoun"


@dataclass(frozen=True)
class Passage:
    """A passage as a model reads it."""

    id: str
    ids: tuple[int, ...]
    segments: tuple[int, ...]
    begin: int
    """Where in the input its first token stands."""
    tokens: int
    """How many tokens it has in the input."""
    answer: tuple[int, int]
    """First and last token of the answer, counted from the passage's first."""
    nearest: bool
    """Whether the nearest name before the pronoun, found by its capitals, is the answer."""
    given: bool
    """Whether the nearest of the linked mentions before the pronoun is the answer."""

    def __len__(self) -> int:
        return len(self.ids)


class Passages(NamedTuple):
    """The passages of a corpus that ask about a pronoun."""

    read: tuple[Passage, ...]
    cut: int
    """How many of those that were read lost their end."""
    lost: int
    """How many were left out because their answer was cut."""


class Batch(NamedTuple):
    """Padded passages; all tensors are `[passage, token]`."""

    ids: torch.Tensor
    attended: torch.Tensor
    segments: torch.Tensor
    inside: torch.Tensor
    """Whether a token is one of the passage, among which start and end are chosen."""
    answers: torch.Tensor
    """`[passage, 2]`: first and last token of the answer in the input."""


def make_passages(corpus: Corpus[CorefDocument], encoder: Encoder, max_tokens: int, lower: frozenset[str]) -> Passages:
    """The passages of a corpus; `lower` are words that are no names although capitals may begin them.

    Raises CorpusError for fewer than two passages that can be read.
    """
    asked = [(document, *found) for document in corpus.items if (found := question(document))]
    read, cut, lost = [], 0, 0
    maker = _Maker(encoder, max_tokens)
    for document, pronoun, answer in asked:
        passage, whole = maker.make(document, pronoun, answer, lower)
        if passage is None:
            lost += 1
        else:
            read.append(passage)
            cut += not whole
    if len(read) < FEWEST:
        raise CorpusError(
            f"Expected at least {FEWEST} passages of {corpus.name} with a pronoun and the name it means among the "
            f"first {max_tokens} tokens, found {len(read)} of {len(corpus.items)}; give more passages, or raise "
            "--max-tokens."
        )
    return Passages(tuple(read), cut, lost)


def question(document: CorefDocument) -> tuple[Mention, Mention] | None:
    """The first pronoun that has an antecedent, and its nearest antecedent; None if there is none."""
    found = next((mention for mention in document.scored() if mention.kind == PRONOUN), None)
    return (found, document.antecedents(found)[-1]) if found else None


def lower_words(documents: Sequence[CorefDocument]) -> frozenset[str]:
    """The words that some document has in small letters."""
    return frozenset(word for document in documents for word in document.words if word[:1].islower())


def nearest_name(words: Sequence[str], before: int, lower: frozenset[str]) -> tuple[int, int] | None:
    """First word, and the word after the last, of the nearest name before a word: neighbours that begin with a capital
    and that are not in `lower` in small letters; None if there is no such word.

    >>> nearest_name("Then Ada Lovelace met him".split(), 4, frozenset({"then", "met", "him"}))
    (1, 3)
    """
    names = [word[:1].isupper() and word.lower() not in lower for word in words[:before]]
    if not any(names):
        return None
    end = max(at for at, name in enumerate(names) if name) + 1
    start = end
    while start > 0 and names[start - 1]:
        start -= 1
    return start, end


def batch(passages: Sequence[Passage], pad: int) -> Batch:
    """These passages, padded to the longest of them."""
    longest = max(map(len, passages))

    def padded(rows: Iterator[Sequence[int]], value: int) -> torch.Tensor:
        return torch.tensor([[*row, *[value] * (longest - len(row))] for row in rows])

    inside = ([passage.begin <= at < passage.begin + passage.tokens for at in range(longest)] for passage in passages)
    return Batch(
        ids=padded((passage.ids for passage in passages), pad),
        attended=padded(((1,) * len(passage) for passage in passages), 0),
        segments=padded((passage.segments for passage in passages), 0),
        inside=torch.tensor(list(inside)),
        answers=torch.tensor([[passage.begin + at for at in passage.answer] for passage in passages]),
    )


class _Maker:
    """Makes passages for one encoder."""

    def __init__(self, encoder: Encoder, max_tokens: int) -> None:
        self._longest = min(max_tokens, encoder.positions)
        self._template = PairTemplate(encoder.tokenizer)
        self._plain, self._unknown = PlainText(encoder.tokenizer), encoder.tokenizer.unk_token_id or 0

    def make(
        self, document: CorefDocument, pronoun: Mention, answer: Mention, lower: frozenset[str]
    ) -> tuple[Passage | None, bool]:
        """The passage, or None if its answer is cut, and whether it was read to its end."""
        words, template = document.words, self._template
        pieces = [self._plain.ids(f" {word}") or [self._unknown] for word in words]
        asked = [token for part in pieces[max(0, pronoun.start - AROUND) : pronoun.end + AROUND] for token in part]
        starts = np.cumsum([0, *map(len, pieces)])
        room = self._longest - template.length - len(asked)
        first, last = int(starts[answer.start]), int(starts[answer.end]) - 1
        if last >= room:
            return None, False
        text = [token for part in pieces for token in part][:room]
        filled = template.fill(asked, text)
        name = nearest_name(words, pronoun.start, lower)
        passage = Passage(
            id=document.id,
            ids=tuple(token for token, _, _ in filled),
            segments=tuple(segment for _, segment, _ in filled),
            begin=len(template.prefix) + len(asked) + len(template.middle),
            tokens=len(text),
            answer=(first, last),
            nearest=name == (answer.start, answer.end),
            given=document.preceding(pronoun)[-1] == answer,
        )
        return passage, len(text) == starts[-1]
