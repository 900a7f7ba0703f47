"""The heads that came to look at one target, with their curves and when they came."""

import json

import numpy as np
import pytest

from generator.pages import addresses
from generator.pages.heads.summary import MOST, TARGETS
from generator.pages.inline import Link, plain
from generator.topics.learning.page.data import Course as Read
from generator.topics.learning.page.data import step_text
from generator.topics.learning.page.forming import SHOWN, formation_sentence, formed, forming_figure
from generator.topics.learning.page.page import curve_page
from tests.pages.reading import prose
from tests.topics.learning.page.courses import STEPS, Course
from tests.topics.learning.page.drawn import one

EPSILON = 1e-6
COLUMNS = {target.kind: target.column for target in TARGETS}


def made_of(**ends: tuple[tuple[int, int], float]) -> Course:
    """A course in which one head gives each of these kinds of target so much in the end, and others less."""
    course = Course()
    for target in TARGETS:
        for place in course.places:
            course.curve("measure", target.column, *place, top=0.4, rise=True)
            course.rises[-1] |= {"start": 0.1, "end": 0.3}
    for kind, (place, end) in ends.items():
        of = {"name": COLUMNS[kind], "layer": place[0], "head": place[1]}
        one(course.rises, **of)["end"] = end
        one(course.curves, **of, step=STEPS[-1]).update(value=end, low=end, high=end)
    return course


def test_the_heads_that_end_highest_are_told_of_with_their_curves(tmp_path):
    course = made_of(next=((1, 2), 0.9), previous=((2, 1), 0.7), begin=((1, 5), 0.8), separator=((2, 2), 0.6))
    read = Read(course.store(tmp_path))
    places = [(target.kind, rise["layer"], rise["head"]) for target, rise in formed(read).items()]
    assert places == [("next", 1, 2), ("begin", 1, 5), ("previous", 2, 1)]
    assert len(places) == SHOWN
    rise = one(course.rises, name="attention.next", layer=1, head=2)
    assert plain(formation_sentence(read, "")).startswith(
        "Head 1-2 came to look at the next token: from 10 % to 90 % of its attention; half of this rise was made "
        f"by step {step_text(rise['step'])}. Head 1-5 came to look at [CLS]: from 10 %"
    )
    page = curve_page(read.atlas)
    assert page.lead == formation_sentence(read, addresses.curve(read.atlas.slug))
    leads = [part.href for part in page.lead if isinstance(part, Link)]
    assert leads == [f"../heads/{layer}-{head}/" for _, layer, head in places]
    assert prose(page, "")[0].startswith(f"This page follows {read.atlas.results.manifest.model} through its training")
    figure = forming_figure(read)
    steps = {rise["step"] for rise in formed(read).values()}
    assert figure.label.startswith(f"In {read.atlas.results.manifest.model}, head")
    assert all(f"by step {step_text(step)}" in figure.label for step in steps)
    (view,) = json.loads(figure.data)["views"]
    drawn = [
        (series, step, value)
        for series, step, value in zip(*(view["columns"][name] for name in ("series", "step", "value")), strict=True)
        if series == "1-2, next token"
    ]
    stored = [one(course.curves, name="attention.next", layer=1, head=2, step=step)["value"] for step in STEPS]
    assert drawn == [("1-2, next token", step, value) for step, value in zip(STEPS, stored, strict=True)]


@pytest.mark.parametrize(("end", "told"), [(MOST, False), (MOST + EPSILON, True)])
def test_a_head_counts_from_half_of_its_attention_on(tmp_path, end, told):
    read = Read(made_of(self=((1, 1), end)).store(tmp_path))
    assert bool(formed(read)) == bool(forming_figure(read)) == bool(formation_sentence(read, "")) == told


@pytest.mark.parametrize(
    ("other", "told"),
    [({"low": 0.7, "n": 20}, True), ({"low": 0.55}, False), ({"low": np.nan}, False), ({"n": 19}, False)],
)
def test_a_head_counts_only_if_enough_documents_surely_give_it_more_than_half(tmp_path, other, told):
    """Its interval is widened, so that those of all ten heads hold together."""
    course = made_of(next=((1, 2), 0.9))
    one(course.curves, name="attention.next", layer=1, head=2, step=STEPS[-1]).update(other)
    assert bool(formed(Read(course.store(tmp_path)))) == told


@pytest.mark.parametrize("other", [{"step": np.nan}, {"start": 0.95}])
def test_a_change_that_is_not_sure_or_no_growth_does_not_count(tmp_path, other):
    course = made_of(next=((1, 2), 0.9))
    one(course.rises, name="attention.next", layer=1, head=2).update(other)
    assert forming_figure(Read(course.store(tmp_path))) is None
