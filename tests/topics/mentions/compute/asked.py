"""Questions about passages, and the table of their answers."""

import torch

from generator.corpora.kind import Corpus
from generator.corpora.questions import QUESTIONS, Answer, Question
from generator.models.answering import load_answering
from generator.models.source import locate
from generator.topics.mentions.compute.answers import answer_facts
from tests.encoders import SENTENCES

CPU = torch.device("cpu")
SHORT = SENTENCES[4]
LONG = " ".join(SENTENCES * 3)
"""More tokens than an encoder of the tests reads."""


def loaded(place):
    return load_answering(locate(str(place)), CPU)


def corpus(*questions):
    return Corpus("made", QUESTIONS, "0", questions)


def answered(head, questions):
    return answer_facts(head, questions.items, questions.name)


def asked(name, passage, *texts, question="What stood there?"):
    """A question whose answers are the first occurrences of these texts."""
    places = (passage.index(text) for text in texts)
    answers = tuple(Answer(start, start + len(text)) for start, text in zip(places, texts, strict=True))
    return Question(name, question, passage, answers)


def values(table):
    return dict(zip(table["name"], table["value"], strict=True))


def counts(table):
    return dict(zip(table["name"], table["n"], strict=True))
