"""One pass over a corpus serves all studies that watch it; untrained twins read all or part of it, as studies ask."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from generator.attention.anatomy import Anatomy, examine
from generator.attention.observed import Observed
from generator.attention.seam import NAME
from generator.attention.stream import Options, observe
from generator.corpora.pairs import Input, WordInput
from generator.models.encoder import Encoder
from generator.studies.procedure import SeenWords, Watcher

Advance = Callable[[int], None]
Words = Mapping[str, tuple[Any, WordInput]]
"""Name -> what is annotated, and the input that holds its words."""


def pass_over_text(
    encoder: Encoder,
    anatomy: Anatomy,
    inputs: Sequence[Input],
    options: Options,
    seed: int,
    watchers: Sequence[Watcher],
    advance: Advance,
) -> None:
    """Show every input once, and each twin's reading of the inputs its watcher asks for; `advance` counts tokens."""
    looks = tuple(one.look for one in watchers if one.look)
    rows = tuple(one.rows for one in watchers if one.rows)
    options = replace(options, looks=looks, rows=rows, keep_states=any(one.states for one in watchers))
    _show(encoder, anatomy, inputs, options, [one.add for one in watchers], advance)
    for draw in range(readings(watchers) - 1):
        twin, same = _twin(encoder, anatomy, seed, draw, watchers)
        for watcher in (one for one in watchers if one.add_twin and draw < one.twins):
            assert watcher.add_twin
            rows = (watcher.rows,) if watcher.rows else ()
            own = replace(options, looks=(), rows=rows, keep_states=False, measured=False)
            _show(twin, same, watcher.twin_inputs, own, [partial(watcher.add_twin, draw)], advance)
        del twin, same  # otherwise two twins would be held at a time


def _show(
    encoder: Encoder,
    anatomy: Anatomy,
    inputs: Sequence[Input],
    options: Options,
    adding: Sequence[Callable[[Observed], None]],
    advance: Advance,
) -> None:
    """Observe the inputs and show each to all of `adding`; nothing is held afterwards, as rows and states are large."""
    for seen in observe(encoder, anatomy, inputs, options):
        for add in adding:
            add(seen)
        advance(len(seen.input))


def token_count(inputs: Sequence[Input], watchers: Sequence[Watcher]) -> int:
    """The tokens that a pass over text shows, those that twins read included."""
    return sum(map(len, inputs)) + sum(one.twins * sum(map(len, one.twin_inputs)) for one in watchers)


def pass_over_words(
    encoder: Encoder, anatomy: Anatomy, inputs: Words, seed: int, watchers: Sequence[Watcher], advance: Advance
) -> None:
    """Show every sentence or document once, and once more for each twin; `advance` counts words each time."""
    options = Options(measured=False, keep_weights=True, keep_states=any(watcher.states for watcher in watchers))
    for seen in _seen(encoder, anatomy, inputs, options, advance):
        for watcher in watchers:
            watcher.add(seen)
    for draw in range(readings(watchers) - 1):
        twin, same = _twin(encoder, anatomy, seed, draw, watchers)
        asking = [watcher.add_twin for watcher in watchers if watcher.add_twin and draw < watcher.twins]
        for seen in _seen(twin, same, inputs, Options(measured=False, keep_weights=True), advance):
            for add in asking:
                add(draw, seen)
        del twin, same


def readings(watchers: Sequence[Watcher]) -> int:
    """How often the words are read: once by the model, and once by each untrained twin."""
    return 1 + max((watcher.twins for watcher in watchers), default=0)


def word_count(inputs: Words) -> int:
    """The words of all inputs."""
    return sum(len(item.lengths) for _, item in inputs.values())


def _twin(
    encoder: Encoder, anatomy: Anatomy, seed: int, draw: int, watchers: Sequence[Watcher]
) -> tuple[Encoder, Anatomy]:
    """A twin, set to be observed like the model, but without the norms of its values."""
    twin = next(one.draw_twin for one in watchers if one.draw_twin)(encoder, seed, draw)
    if anatomy.sites:
        return twin, examine(twin)
    twin.model.set_attn_implementation(NAME)
    return twin, replace(anatomy, grams=(None,) * anatomy.layers)


def _seen(encoder: Encoder, anatomy: Anatomy, inputs: Words, options: Options, advance: Advance) -> Iterator[SeenWords]:
    items = [item.input for _, item in inputs.values()]
    for seen in observe(encoder, anatomy, items, options):
        annotated, item = inputs[seen.input.document]
        yield SeenWords(annotated, item, seen)
        advance(len(item.lengths))
