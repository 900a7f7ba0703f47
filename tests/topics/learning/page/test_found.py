"""What heads learned to find is told of a course of training where the gate gives it, and else nowhere."""

from pathlib import Path

import pytest

from generator.claims.cutoffs import CLEAR_GAIN, FEWEST_WORDS
from generator.corpora.relation_names import DIRECTIONS
from generator.pages.heads.atlas import Atlas
from generator.topics.learning.page.data import Course as Read
from generator.topics.learning.page.found import learned_relations
from generator.topics.learning.page.history import Histories
from generator.topics.learning.page.page import curve_page
from generator.topics.learning.page.slider import SHOWN
from generator.topics.relations.derived.predictions import OFFSETS
from generator.topics.relations.records.relations import FEW_WORDS
from tests.pages.reading import seen
from tests.topics.learning.page.courses import MODEL, OTHER_TREES, TREES, Course, store
from tests.topics.learning.page.drawn import render

HEAD = 1, 2


def trained(place: Path, words: int = 900, lead: float = 0.5, right: int = 60, n: int = 71) -> Atlas:
    """Results in which one head comes to find a relation; another treebank has `n` words of it, of which the head is
    right for `right` and the offset for 54.
    """
    course = Course()
    for name in SHOWN:
        for layer, head in course.places:
            course.curve("measure", name, layer, head, top=0.2, rise=True)
    course.learns("iobj", *HEAD, TREES, words, lead)
    course.rises[-1]["start"] = 0.0
    course.finds("iobj", *HEAD)
    of = {"model": MODEL, "corpus": OTHER_TREES, "relation": "iobj", "n": n}
    right_of = {(DIRECTIONS[0], *HEAD): right}
    counted = [
        of | {"direction": way, "layer": layer, "head": head, "correct": right_of.get((way, layer, head), 0)}
        for way in DIRECTIONS
        for layer, head in course.places
    ]
    shifted = [of | {"offset": offset, "correct": min(54, n) if offset == -1 else 0} for offset in OFFSETS]
    heads = [row for row in course.heads if row["corpus"] == TREES]
    made = {"curves": course.curves, "rises": course.rises, "relation_heads": heads}
    return store(place, course.shape, made | {"relations": counted, "relation_baselines": shifted}, course.rng)


@pytest.mark.parametrize(
    ("altered", "told"),
    [
        ({}, True),
        ({"right": 18}, False),
        ({"right": 54}, False),
        ({"right": 55}, True),
        ({"right": 18, "n": FEW_WORDS - 1}, True),
        ({"words": FEWEST_WORDS}, True),
        ({"words": FEWEST_WORDS - 1}, False),
        ({"lead": CLEAR_GAIN + 0.01}, True),
        ({"lead": CLEAR_GAIN - 0.01}, False),
        ({"lead": -0.036}, False),
    ],
)
def test_a_head_has_learned_a_relation_where_nothing_contradicts_it(
    tmp_path: Path, altered: dict[str, float], told: bool
) -> None:
    """As head 1-2 of medium-bert for indirect objects, and 3-1 of small-bert for adverbial clauses: on the shorter
    inputs of its checkpoints it had 26 words and was below the offset.
    """
    atlas = trained(tmp_path, **altered)
    assert learned_relations(Read(atlas)) == ({"iobj": HEAD} if told else {})
    assert ("finds indirect objects" in render(curve_page(atlas))) is told
    assert ("accuracy on indirect objects" in seen(Histories(atlas).opening(*HEAD, ""))) is told
