"""When twins are drawn: one at a time, while others read, and never more in memory than there are lanes."""

from functools import partial
from threading import Event
from weakref import WeakSet

import numpy as np
import pandas as pd
import pytest

from generator.attention.anatomy import examine
from generator.attention.stream import Options, observe
from generator.corpora.files import TEXT
from generator.models.twin import random_twin, untrained_twin
from generator.studies.procedure import Need, Procedure, Subject, Watcher
from generator.survey.passes import Pass, pass_over_text, tokens_of_text
from generator.survey.task import Task, carry_out
from tests.attention.observations import inputs_of
from tests.encoders import HEADS, LAYERS
from tests.reports import Silence
from tests.survey.test_lanes import PATIENCE, threads

SEED, TWINS = 3, 5


class Draws:
    """A study whose twins read all of a text, with what was seen of them while they were drawn."""

    def __init__(self, inputs, beside):
        self.inputs, self.held, self.drawing, self.read = inputs, WeakSet(), 0, []
        self.most_held = self.most_drawing = self.held_beside = 0
        self.reads = Event()
        """Set once a twin reads. If `beside`, the second twin is drawn only then."""
        self.beside = beside

    def draw(self, encoder, seed, draw):
        self.drawing += 1
        self.most_drawing = max(self.most_drawing, self.drawing)
        self.most_held = max(self.most_held, len(self.held) + 1)
        assert draw != 1 or not self.beside or self.reads.wait(PATIENCE)
        twin = untrained_twin(encoder, seed, draw)
        self.held.add(twin.model)
        self.drawing -= 1
        return twin

    def add(self, _seen):
        """The model reads."""
        self.held_beside = max(self.held_beside, len(self.held))

    def add_twin(self, draw, seen):
        self.reads.set()
        self.read.append((draw, seen.input.document, seen.input.part))

    def watch(self, _of):
        return Watcher(self.add, dict, TWINS, self.draw, self.add_twin, self.inputs)


@pytest.mark.parametrize("lanes", [1, 2])
def test_twins_are_drawn_one_at_a_time_and_held_until_they_have_read(encoder, anatomy, lanes):
    inputs = inputs_of(encoder("bert"))
    draws = Draws(inputs, beside=lanes > 1)
    subject = Subject(
        model="m",
        corpus="some text",
        shape=(LAYERS, HEADS),
        inputs=inputs,
        seed=SEED,
        pieces=encoder("bert").tokenizer.convert_ids_to_tokens,
        table=lambda _: pd.DataFrame(),
        examples=pd.DataFrame,
        told_segments=True,
    )
    show = partial(pass_over_text, encoder("bert"), anatomy("bert"), inputs, Options(), SEED, lanes)
    reading = Pass(partial(tokens_of_text, inputs), show)
    study = Procedure("draws", TEXT, draws.watch)
    with threads(2):
        carry_out([Task([study], subject, {Need.MAPS: ()}, reading, lanes)], {}, Silence())
    assert sorted(draws.read) == sorted((draw, one.document, one.part) for draw in range(TWINS) for one in inputs)
    assert draws.most_drawing == 1
    assert 1 <= draws.most_held <= lanes
    assert not draws.held
    assert lanes > 1 or not draws.held_beside, "with one lane nothing is gained by a twin that waits"


class Corpus:
    """A study of one corpus whose twins read all of it."""

    def __init__(self, name, inputs, twins, drawn_by):
        self.name, self.inputs, self.twins, self.drawn_by = name, inputs, twins, drawn_by
        self.read, self.seen = [], {}

    def add_twin(self, draw, seen):
        self.read.append((draw, seen.input.place))
        self.seen[draw, seen.input.place] = seen.of(first_column)

    def watch(self, _of):
        def tables():
            assert len(self.read) == self.twins * len(self.inputs), "all of its twins have read"
            return {}

        return Watcher(lambda _: None, tables, self.twins, self.drawn_by, self.add_twin, self.inputs, rows=first_column)

    def task(self, encoder, anatomy, lanes):
        subject = Subject(
            model="m",
            corpus=self.name,
            shape=(LAYERS, HEADS),
            inputs=self.inputs,
            seed=SEED,
            pieces=encoder.tokenizer.convert_ids_to_tokens,
            table=lambda _: pd.DataFrame(),
            examples=pd.DataFrame,
            told_segments=True,
        )
        show = partial(pass_over_text, encoder, anatomy, self.inputs, Options(), SEED, lanes)
        reading = Pass(partial(tokens_of_text, self.inputs), show)
        return Task([Procedure(f"of {self.name}", TEXT, self.watch)], subject, {Need.MAPS: ()}, reading, lanes)


def first_column(_item):
    return lambda weights, _first: weights[..., 0].copy()


@pytest.mark.parametrize("lanes", [1, 2])
def test_a_twin_is_drawn_once_for_all_corpora(encoder, anatomy, lanes):
    """The second corpus asks for more twins than the first, the third for others."""
    one, same = encoder("bert"), anatomy("bert")
    drawn, inputs = [], inputs_of(one)

    def draw(encoder, seed, number):
        drawn.append(("untrained", number))
        return untrained_twin(encoder, seed, number)

    def otherwise(encoder, seed, number):
        drawn.append(("random", number))
        return random_twin(encoder, seed, number)

    few, many, other = corpora = [
        Corpus("few", inputs[:2], 2, draw),
        Corpus("many", inputs[2:], 4, draw),
        Corpus("other", inputs[:1], 2, otherwise),
    ]
    with threads(2):
        carry_out([corpus.task(one, same, lanes) for corpus in corpora], {}, Silence())
    assert sorted(drawn) == [("random", 0), ("random", 1), *(("untrained", number) for number in range(4))]
    for corpus in corpora:
        expected = [(number, item.place) for number in range(corpus.twins) for item in corpus.inputs]
        assert sorted(corpus.read) == sorted(expected), "each input once by each twin"
    for corpus, of in ((few, untrained_twin), (many, untrained_twin), (other, random_twin)):
        for number in range(corpus.twins):
            twin = of(one, SEED, number)
            for seen in observe(twin, examine(twin), corpus.inputs, Options(keep_weights=True)):
                expected = seen.weights[..., 0]
                np.testing.assert_allclose(corpus.seen[number, seen.input.place], expected, rtol=1e-5, atol=1e-6)
