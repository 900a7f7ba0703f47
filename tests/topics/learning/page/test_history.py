"""What a head's page says of its training."""

import re

import numpy as np
import pytest

from generator.numbers.number import alone
from generator.numbers.writing import number, percent
from generator.pages import addresses
from generator.pages.heads.summary import TARGETS
from generator.topics.learning.page.data import step_text
from generator.topics.learning.page.history import Histories
from tests.pages.reading import seen
from tests.topics.learning.page.courses import FOUND, RELATIONS, STEPS, TREES, Course
from tests.topics.learning.page.drawn import one


def test_history_of_a_head_is_that_of_its_main_target(made, atlas):
    here, histories = addresses.head(atlas.slug, 2, 3), Histories(atlas)
    for layer, head in made.places:
        history = histories.opening(layer, head, here)
        first = atlas.summaries[layer, head].first
        target = next((target for target in TARGETS if target.kind == first), None)
        name = target.column if target else "entropy.all"
        rise = one(made.rises, study="measure", name=name, layer=layer, head=head)
        said = f"{step_text(rise['step'])} ({step_text(rise['low'])} to {step_text(rise['high'])})."
        assert said in seen(history)
        ends = [percent(alone(rise[end])) if target else number(rise[end]) for end in ("start", "end")]
        assert f"went from {' to '.join(ends)}{'' if target else ' nats'}" in seen(history)
        assert history[-2].href == "../../curve/"
        finds = [name for name, place in RELATIONS.items() if place == (layer, head) and name in FOUND]
        assert re.findall(r"accuracy on [^.]*\((\S+)\) went", seen(history)) == finds


def test_history_tells_the_largest_sure_change_of_accuracy_alone(tmp_path):
    course = Course()
    for name in ("entropy.all", *(target.column for target in TARGETS)):
        course.curve("measure", name, 1, 1, rise=True)
    for name in "abcd":
        course.learns(name, 1, 1, TREES, 900)
        course.finds(name, 1, 1)
    for row, end in zip(course.rises[-4:], (0.6, 0.2, 0.5, 1.0), strict=True):
        row |= {"start": 0.3, "end": end}
    course.rises[-1]["step"] = np.nan
    text = seen(Histories(course.store(tmp_path)).opening(1, 1, ""))
    assert re.findall(r"accuracy on (\S+) went", text) == ["a"]


def test_line_of_a_head_rises_with_its_numbers(made, atlas):
    places = np.log([STEPS[1] / 2, *STEPS[1:]])
    for layer, head in made.places:
        first = atlas.summaries[layer, head].first
        name = next((target.column for target in TARGETS if target.kind == first), "entropy.all")
        values = [one(made.curves, name=name, layer=layer, head=head, step=step)["value"] for step in STEPS]
        line = Histories(atlas).opening(layer, head, "")[0].line
        points = [tuple(map(int, point.split(","))) for point in line.removeprefix("M").split("L")]
        for (x, y), at, value in zip(points, places, values, strict=True):
            assert x == pytest.approx(100 * (at - places[0]) / (places[-1] - places[0]), abs=0.51)
            assert y == pytest.approx(20 * (1 - value / max(values)), abs=0.51)
