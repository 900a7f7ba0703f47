"""One pass over a corpus serves all studies that watch it; untrained twins read all or part of it, as studies ask."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import Any, NamedTuple

from generator.attention.anatomy import Anatomy, examine
from generator.attention.hook import NAME
from generator.attention.stream import Options, observe
from generator.corpora.pairs import Input, WordInput
from generator.models.encoder import Encoder
from generator.studies.procedure import DrawTwin, SeenWords, Watcher
from generator.survey.asked import TextReadings

MAPS = Options(measured=False, to_the_end=False, keep_weights=True)
"""What studies of words need."""
Words = Mapping[str, tuple[Any, WordInput]]
"""Name -> what is annotated, and the input that holds its words."""


Drawn = tuple[Encoder, Anatomy]
"""An untrained twin, set to be observed like the model."""


class TwinReading(NamedTuple):
    """What an untrained twin reads. It is held from its draw until it has read.

    Only one twin can be drawn at a time (`models/twin.py`), but others can read meanwhile.
    """

    number: int
    """The number of the draw."""
    drawn_by: DrawTwin
    """What draws it: of two corpora, the twin is the same if this and its number are."""
    draw: Callable[[], Drawn]
    read: Callable[[Drawn], None]


class Readings(NamedTuple):
    """What is to be read, in any order."""

    by_model: Sequence[Callable[[], None]]
    by_twins: Sequence[TwinReading] = ()


class Pass(NamedTuple):
    """A pass over one corpus."""

    tokens: Callable[[Sequence[Watcher]], int]
    """How many tokens are read for these watchers, each as often as it is read."""
    readings: Callable[[Sequence[Watcher]], Readings]
    """The readings for these watchers."""


def pass_over_text(
    encoder: Encoder,
    anatomy: Anatomy,
    inputs: Sequence[Input],
    options: Options,
    seed: int,
    lanes: int,
    watchers: Sequence[Watcher],
) -> Readings:
    """The readings that show every input once, those of other inputs that studies ask for, and those in which each twin
    reads what its watcher asks for.

    With several lanes every batch is a reading of its own, and a watcher is shown one input at a time, unless it is
    made for threads.
    """
    observers = tuple(watcher.observer for watcher in watchers if watcher.observer)
    rows = tuple(watcher.rows for watcher in watchers if watcher.rows)
    options = replace(options, observers=observers, rows=rows, keep_states=any(watcher.states for watcher in watchers))
    adding = [watcher.add if watcher.threaded else _one_at_a_time(watcher.add) for watcher in watchers]
    model = TextReadings(inputs, watchers, options).readings(encoder, anatomy, adding, lanes)

    def read_by_twin(number: int, drawn: Drawn) -> None:
        twin, same = drawn
        for watcher in (candidate for candidate in watchers if candidate.add_twin and number < candidate.twins):
            assert watcher.add_twin
            rows = (watcher.rows,) if watcher.rows else ()
            own = replace(options, observers=(), rows=rows, keep_states=False, measured=False, to_the_end=False)
            for seen in observe(twin, same, watcher.twin_inputs, own):
                watcher.add_twin(number, seen)

    return Readings(model, _twin_readings(partial(_twin, encoder, anatomy, seed), read_by_twin, watchers))


def _one_at_a_time(add: Callable[[Any], None]) -> Callable[[Any], None]:
    alone = Lock()

    def added(seen: Any) -> None:
        with alone:
            add(seen)

    return added


def tokens_of_text(inputs: Sequence[Input], watchers: Sequence[Watcher]) -> int:
    """The tokens that a pass over text reads, those that studies ask for and that twins read included."""
    twins = sum(watcher.twins * sum(map(len, watcher.twin_inputs)) for watcher in watchers)
    return sum(map(len, inputs)) + TextReadings(inputs, watchers, Options()).more + twins


def pass_over_words(
    encoder: Encoder, anatomy: Anatomy, inputs: Words, seed: int, watchers: Sequence[Watcher]
) -> Readings:
    """The readings that show every sentence or document once, and once more for each twin."""

    def read_by_model() -> None:
        states = any(watcher.states for watcher in watchers)
        for seen in _seen(encoder, anatomy, inputs, replace(MAPS, keep_states=states)):
            for watcher in watchers:
                watcher.add(seen)

    def read_by_twin(number: int, drawn: Drawn) -> None:
        twin, same = drawn
        asking = [watcher.add_twin for watcher in watchers if watcher.add_twin and number < watcher.twins]
        for seen in _seen(twin, same, inputs, MAPS):
            for add in asking:
                add(number, seen)

    return Readings([read_by_model], _twin_readings(partial(_twin, encoder, anatomy, seed), read_by_twin, watchers))


def tokens_of_words(inputs: Words, watchers: Sequence[Watcher]) -> int:
    """The tokens that a pass over words reads, those that twins read included."""
    return (1 + _draws(watchers)) * sum(len(item.input) for _, item in inputs.values())


def _draws(watchers: Sequence[Watcher]) -> int:
    """How many untrained twins read the corpus."""
    return max((watcher.twins for watcher in watchers), default=0)


def _twin_readings(
    draw: Callable[[DrawTwin, int], Drawn], read: Callable[[int, Drawn], None], watchers: Sequence[Watcher]
) -> list[TwinReading]:
    """The readings of all twins; `draw` gets what draws a twin and its number, `read` the number and the twin."""
    drawn_by = next((watcher.draw_twin for watcher in watchers if watcher.draw_twin), None)
    return [
        TwinReading(number, drawn_by, partial(draw, drawn_by, number), partial(read, number))
        for number in range(_draws(watchers))
        if drawn_by
    ]


def _twin(encoder: Encoder, anatomy: Anatomy, seed: int, drawn_by: DrawTwin, number: int) -> Drawn:
    """A twin, set to be observed like the model; the norms of its values are not asked for."""
    twin = drawn_by(encoder, seed, number)
    # Maps are taken from modules, and each copy of a model has its own.
    if anatomy.sites:
        return twin, examine(twin)
    twin.model.set_attn_implementation(NAME)
    return twin, replace(anatomy, grams=(None,) * anatomy.layers)


def _seen(encoder: Encoder, anatomy: Anatomy, inputs: Words, options: Options) -> Iterator[SeenWords]:
    items = [item.input for _, item in inputs.values()]
    for seen in observe(encoder, anatomy, items, options):
        annotated, item = inputs[seen.input.document]
        yield SeenWords(annotated, item, seen)
