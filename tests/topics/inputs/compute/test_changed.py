"""What is changed in an input whose separators move, multiply, go or change places with punctuation."""

import numpy as np
import pytest

from generator.corpora.classes import TokenClass
from generator.corpora.pairs import Input
from generator.topics.inputs.compute.changed import (
    draws,
    dropped,
    few_each,
    last_stretch,
    moved,
    one_each,
    repeated,
    swapped,
    without_last_marks,
)
from tests.topics.inputs.compute.pairs import COMMA, PERIOD, SEED, SEPARATOR, inputs, pair


def rng():
    return np.random.default_rng(3)


@pytest.mark.parametrize("item", [*inputs(3), pair([20, 21, COMMA, 22, 23, 24, PERIOD, 25, 26, 27], [])])
def test_what_is_changed(item):
    end, stretch = len(item) - 1, last_stretch(item).tolist()
    assert stretch == list(range(12 if len(item) > 12 else 1, end))
    half = stretch[: len(stretch) // 2]

    one = moved(item, rng())
    place = max(at for at, token in enumerate(one.input_ids) if token == SEPARATOR)
    assert place in half[1:]
    assert (*one.input_ids[:place], *one.input_ids[place + 1 :]) == item.input_ids[:-1]
    assert (one.segment_ids, one.classes[place]) == (item.segment_ids, TokenClass.SEPARATOR)

    one = repeated(item, rng())
    different = [at for at in range(len(item)) if one.input_ids[at] != item.input_ids[at]]
    assert len(different) == 2
    assert all(at in half and item.classes[at] is TokenClass.OTHER for at in different)
    assert {(one.input_ids[at], one.classes[at]) for at in different} == {(SEPARATOR, TokenClass.SEPARATOR)}
    assert one.segment_ids == item.segment_ids

    one = dropped(item, rng())
    assert one.input_ids == tuple(token for token in item.input_ids if token != SEPARATOR)

    one, marks = swapped(item, rng()), [at for at in half if item.input_ids[at] in (PERIOD, COMMA)]
    if not marks:
        assert one is None
        return
    (mark,) = (at for at in half if one.input_ids[at] == SEPARATOR)
    assert mark in marks
    assert (one.input_ids[-1], one.classes[-1]) == (item.input_ids[mark], TokenClass.PUNCTUATION)
    assert one.classes[mark] is TokenClass.SEPARATOR
    kept = [at for at in range(end) if at != mark]
    assert [one.input_ids[at] for at in kept] == [item.input_ids[at] for at in kept]


def test_marks_before_the_last_separator_are_left_out():
    words = list(range(20, 28))
    item = pair([30, PERIOD], [*words, COMMA, PERIOD])
    assert without_last_marks(item) == pair([30, PERIOD], words)
    assert without_last_marks(pair([30, PERIOD], words)) == pair([30, PERIOD], words)
    assert without_last_marks(pair(words, words[1:])) is None
    bare = Input("made", 1, tuple(words), (0,) * 8, (TokenClass.OTHER,) * 8)
    assert without_last_marks(bare) is None


def test_draws_belong_to_the_input():
    one, other = pair([20], [21], "a"), pair([20], [21], "b")
    first = draws(one, "moved", 0).random()
    assert first == draws(one, "moved", 0).random()
    assert (
        len({first, *(draws(*of).random() for of in ((other, "moved", 0), (one, "swapped", 0), (one, "moved", 1)))})
        == 4
    )


def test_a_sample_holds_first_parts_of_drawn_documents():
    items = [pair([20], [21], f"d{number}", part) for part in (2, 1) for number in range(9)]
    found = one_each(items, 4, SEED)
    assert len({item.document for item in found}) == 4
    assert {item.part for item in found} == {1}
    assert one_each(items[::-1], 4, SEED) == found
    assert one_each(items, 20, SEED)[:4] == found


def test_of_long_documents_a_few_inputs_are_drawn_and_of_short_ones_all():
    items = [pair([20], [21], name, part) for name, parts in (("a", 3), ("b", 4), ("c", 9)) for part in range(1, parts)]
    found = few_each(items, SEED, 3)
    assert found == [item for item in items if item in found], "order is kept"
    assert [sum(item.document == name for item in found) for name in "abc"] == [2, 3, 3]
    assert set(few_each(items[::-1], SEED, 3)) == set(found)
    drawn = {tuple(item.part for item in few_each(items, seed, 3) if item.document == "c") for seed in range(5)}
    assert len(drawn) > 1
    assert few_each(items, SEED, 8) == items
