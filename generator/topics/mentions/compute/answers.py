"""Study "answers": where a question-answering head puts the start and the end of an answer, each considered by itself.

The head gives every token one score for a start and one for an end (Devlin et al. 2019, section 4.2); the likeliest
start and the likeliest end need not fit together. A question and its passage are read as one input; a passage that is
too long loses its end.

All numbers have layer 0. Intervals are Wilson's, which reach above 0 even if nothing was counted; `n` counts questions.
They assume that questions are independent, so they are too narrow if many are about one passage; whether `reversed` is
above 0 does not depend on that. `exact` distinguishes a trained head from an untrained one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import torch

from generator.attention.portions import in_portions
from generator.corpora.questions import QUESTIONS, Question
from generator.models.answering import Answering
from generator.numbers.number import Number
from generator.numbers.resampling import proportion
from generator.studies.fact_rows import facts
from generator.studies.procedure import Need, Part, Procedure, Subject, Tables
from generator.topics.mentions.records import ANSWERS

LONGEST = 384
"""The most tokens of an input, if the model reads so many: the default of run_squad.py in BERT's released code."""


@dataclass(frozen=True)
class _Reading:
    """A question and its passage as one input."""

    ids: tuple[int, ...]
    segments: tuple[int, ...]
    passage: tuple[int, ...]
    """The positions of the passage's tokens."""
    answers: frozenset[tuple[int, ...]]
    """The vocabulary ids of every answer's tokens, for answers that were read to their end."""

    def __len__(self) -> int:
        return len(self.ids)


def answer_facts(answering: Answering, questions: Sequence[Question], corpus: str) -> pd.DataFrame:
    """`facts` of one corpus; a question that leaves no room for its passage is left out.

    Numbers that no question defines have no row.
    """
    encoder = answering.encoder
    longest = min(encoder.positions, LONGEST)
    made = [_read(encoder.tokenizer, question, longest) for question in questions]
    hits: dict[str, list[bool]] = {"reversed": [], "reversed.anywhere": [], "exact": []}
    for item, start, end in _scored(answering, [item for item in made if item]):
        within = list(item.passage)
        hits["reversed"].append(bool(end[within].argmax() < start[within].argmax()))
        hits["reversed.anywhere"].append(bool(end.argmax() < start.argmax()))
        if item.answers:
            first, last = (within[place] for place in best_span(start[within], end[within]))
            hits["exact"].append(item.ids[first : last + 1] in item.answers)
    found = {name: _share(marks) for name, marks in hits.items() if marks}
    return facts(found, ANSWERS, encoder.id, corpus)


def best_span(start: np.ndarray, end: np.ndarray) -> tuple[int, int]:
    """First and last place of the best span: the one with the largest sum of start and end score that ends at or after
    its start. Both arguments are `[token]`.

    >>> best_span(np.array([0.0, 1.0, 9.0]), np.array([9.0, 2.0, 1.0]))
    (2, 2)
    """
    # On the diagonal and above, the end is not before the start.
    sums = np.where(np.tri(len(start), dtype=bool).T, np.add.outer(start, end), -np.inf)
    first, last = np.unravel_index(sums.argmax(), sums.shape)
    return int(first), int(last)


def _read(tokenizer: Any, question: Question, longest: int) -> _Reading | None:
    """The question with its passage as one input; None where the question leaves no room for the passage."""
    # What is written in a question is text, even if it looks like a special token.
    asked = tokenizer(question.question, add_special_tokens=False, split_special_tokens=True, verbose=False)
    if len(asked["input_ids"]) + tokenizer.num_special_tokens_to_add(pair=True) >= longest:
        return None
    encoded = tokenizer(
        question.question,
        question.passage,
        truncation="only_second",
        max_length=longest,
        split_special_tokens=True,
        return_offsets_mapping=True,
        return_token_type_ids=True,
        verbose=False,
    )
    passage = tuple(at for at, part in enumerate(encoded.sequence_ids()) if part == 1)
    ids, characters = tuple(encoded["input_ids"]), encoded["offset_mapping"]
    answers = set()
    for answer in question.answers:
        inside = [at for at in passage if characters[at][0] < answer.end and characters[at][1] > answer.start]
        last = answer.start + len(question.passage[answer.start : answer.end].rstrip())  # a space has no token
        if inside and characters[inside[-1]][1] >= last:
            answers.add(ids[inside[0] : inside[-1] + 1])
    return _Reading(ids, tuple(encoded["token_type_ids"]), passage, frozenset(answers)) if passage else None


def _scored(answering: Answering, items: Sequence[_Reading]) -> Iterator[tuple[_Reading, np.ndarray, np.ndarray]]:
    """Each reading with its logits of start and end, `[token]`; inputs of a batch have one length, without padding."""

    def read(portion: Sequence[_Reading]) -> Iterator[tuple[_Reading, np.ndarray, np.ndarray]]:
        ids, segments = (torch.tensor([getattr(item, name) for item in portion]) for name in ("ids", "segments"))
        start, end = (part.double().numpy() for part in answering.logits(ids, segments))
        return zip(portion, start, end, strict=True)

    return in_portions(answering.encoder, items, read, padded=False)


def _share(marks: Sequence[bool]) -> Number:
    return proportion(sum(marks), len(marks))


def _facts(of: Subject, answering: Answering) -> Tables:
    return {"facts": [answer_facts(answering, of.inputs, of.corpus)]}


def _again(of: Subject) -> int:
    """Words, as nothing is tokenized before it is read."""
    return sum(len(part.split()) for item in of.inputs for part in (item.question, item.passage))


PROCEDURE = Procedure("answers", QUESTIONS, parts=(Part(Need.ANSWERS, _facts),), again=_again)
