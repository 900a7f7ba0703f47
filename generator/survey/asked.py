"""Inputs that studies ask for: each is read once, whoever asks for it, and what the pass reads is not read again."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from generator.attention.anatomy import Anatomy
from generator.attention.observed import Observed
from generator.attention.portions import in_portions, out_of_memory, portions, tokens_at_once
from generator.attention.stream import Options, observe, observe_together
from generator.corpora.pairs import Input
from generator.errors import TooLongError
from generator.models.encoder import Encoder
from generator.studies.procedure import Asked, Watcher

FEWEST_BESIDE = 2
"""The fewest changed inputs in a batch with a long input, which is read again for every batch. A choice."""
ALONE = Options(measured=False, to_the_end=False)
"""How inputs are read that the pass does not read."""
WAYS = ("together", "one by one", "in pairs")
"""How groups are read, until memory suffices: several at a time, each by itself, and each change with its base."""
Add = Callable[[Observed], None]


@dataclass(frozen=True)
class Group:
    """An input of the corpus and the changed versions that are compared with it, all of one length."""

    base: Input
    changed: tuple[Input, ...]

    def __len__(self) -> int:
        return (1 + len(self.changed)) * len(self.base)

    def batches(self, beside: int) -> list[list[Input]]:
        """Batches with so many changed versions each; the first of every batch is the base."""
        starts = range(0, len(self.changed), beside)
        return [[self.base, *self.changed[start : start + beside]] for start in starts]


class TextReadings:
    """All that the model reads of a text: every input of it, and what studies ask for."""

    def __init__(self, inputs: Sequence[Input], watchers: Sequence[Watcher], options: Options) -> None:
        """`options` say what is taken of every input of the text. Where they read it otherwise than what is asked for,
        with other segment ids or smoothed, an input of it that is asked for is read again.
        """
        self._told: dict[Input, list[tuple[Asked, Callable[[Asked, Observed], None]]]] = defaultdict(list)
        """Input -> what was asked about it, and what is called with what it showed."""
        beside: dict[Input, dict[Input, None]] = defaultdict(dict)
        for watcher in watchers:
            for one in watcher.asked:
                assert watcher.add_asked
                self._told[one.input].append((one, watcher.add_asked))
                if one.beside and one.beside != one.input:
                    beside[one.beside][one.input] = None
        alike = (options.segments, options.smoothing) == (ALONE.segments, ALONE.smoothing)
        self._options = options
        self._way = 0
        """Which of WAYS is tried first."""
        self._of_groups = options if alike else replace(ALONE, say=options.say)
        """How groups are read."""
        self._bare = replace(self._of_groups, measured=False, observers=(), rows=())
        """What is taken of an input in a group that is not of the text, but for what is asked."""
        self._of_both = {item for item in inputs if item in self._told or item in beside} if alike else set()
        """Inputs of the text that are asked for, and that the pass reads for all."""
        self._groups = [Group(base, tuple(changed)) for base, changed in beside.items()]
        in_groups = {item for group in self._groups for item in (group.base, *group.changed)}
        self._plain = [item for item in inputs if item not in self._of_both or item not in in_groups]
        self._alone = [item for item in self._told if item not in self._of_both and item not in in_groups]

    @property
    def more(self) -> int:
        """How many tokens are read beside those of the text, each as often as it is read if batches are large."""
        again = sum(len(group.base) for group in self._groups if group.base in self._of_both)
        return sum(map(len, self._alone)) + sum(map(len, self._groups)) - again

    def readings(
        self, encoder: Encoder, anatomy: Anatomy, adding: Sequence[Add], lanes: int
    ) -> list[Callable[[], None]]:
        """The readings, in any order: with several lanes each is a batch, but for a long input with its changes.

        Each of `adding` is called with what every input of the text showed.
        """
        given = encoder, anatomy, adding

        def parts(items: list[Any]) -> list[list[Any]]:
            return [items] if lanes == 1 else portions(encoder, items, anatomy.pads)

        return [
            *(partial(self._show_plain, *given, part) for part in parts(self._plain)),
            *(partial(self._show_groups, *given, part) for part in parts(self._groups)),
            *(partial(self._show_alone, *given, part) for part in parts(self._alone)),
        ]

    def _show_plain(self, encoder: Encoder, anatomy: Anatomy, adding: Sequence[Add], inputs: Sequence[Input]) -> None:
        for seen in observe(encoder, anatomy, inputs, self._options, self._of_text):
            _call(adding, seen)
            if seen.input in self._of_both:
                self._tell(seen)

    def _show_groups(self, encoder: Encoder, anatomy: Anatomy, adding: Sequence[Add], groups: Sequence[Group]) -> None:
        left = {group.base for group in groups} & self._of_both
        read = partial(self._read, encoder, anatomy)
        try:
            for seen in in_portions(encoder, groups, read, padded=anatomy.pads, say=self._options.say):
                if seen.input in self._of_both:
                    left.discard(seen.input)
                    _call(adding, seen)
                self._tell(seen)
        except TooLongError:  # the text is read all the same; studies find that what they asked for is missing
            self._show_plain(encoder, anatomy, adding, [group.base for group in groups if group.base in left])

    def _show_alone(self, encoder: Encoder, anatomy: Anatomy, _adding: Sequence[Add], inputs: Sequence[Input]) -> None:
        options = replace(ALONE, say=self._options.say)
        with suppress(TooLongError):
            for seen in observe(encoder, anatomy, inputs, options, lambda item: self._look(item, options)):
                self._tell(seen)

    def _read(self, encoder: Encoder, anatomy: Anatomy, groups: Sequence[Group]) -> Iterable[Observed]:
        """What groups show: read together, each by itself, or one changed input at a time, as memory allows."""
        for way in range(self._way, len(WAYS)):
            try:
                if WAYS[way] == "together" and len(groups) > 1 and anatomy.pads:
                    items = [item for group in groups for item in (group.base, *group.changed)]
                    return observe_together(encoder, anatomy, items, self._of_groups, self._in_group)
                beside = 1 if WAYS[way] == "in pairs" else 0
                return [seen for group in groups for seen in self._in_batches(encoder, anatomy, group, beside)]
            except (MemoryError, RuntimeError) as error:
                if WAYS[way] == WAYS[-1] or not out_of_memory(error):
                    raise
                if self._way == way:  # another lane may have said so
                    self._way = way + 1
                    tokens = sum(map(len, groups))
                    self._options.say(f"Memory did not suffice for {tokens} tokens at once: fewer are read at a time.")
        return []

    def _in_batches(self, encoder: Encoder, anatomy: Anatomy, group: Group, beside: int) -> list[Observed]:
        """What a group shows in batches with so many changed inputs, or with as many as suit the device."""
        length, found = len(group.base), list[Observed]()
        beside = beside or max(tokens_at_once(encoder, length) // length - 1, FEWEST_BESIDE)
        again = replace(self._look(group.base, self._bare), measured=False)
        for batch in group.batches(beside):
            # In further batches the base is there to be compared with, and nothing else is taken of it.
            looks = (lambda item: again if item == group.base else self._in_group(item)) if found else self._in_group
            found += [*observe_together(encoder, anatomy, batch, self._of_groups, looks)][bool(found) :]
        return found

    def _of_text(self, item: Input) -> Options:
        return self._look(item, self._options) if item in self._of_both else self._options

    def _in_group(self, item: Input) -> Options:
        return self._of_text(item) if item in self._of_both else self._look(item, self._bare)

    def _look(self, item: Input, own: Options) -> Options:
        """What `own` takes of an input, and what is asked about it."""
        told = [one for one, _ in self._told.get(item, ())]
        observers = dict.fromkeys((*own.observers, *(observer for one in told for observer in one.observers)))
        measured = own.measured or any(one.measured for one in told)
        return replace(own, observers=tuple(observers), measured=measured)

    def _tell(self, seen: Observed) -> None:
        for one, add in self._told.get(seen.input, ()):
            add(one, seen)


def _call(adding: Sequence[Add], seen: Observed) -> None:
    for add in adding:
        add(seen)
