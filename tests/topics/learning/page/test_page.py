"""The page of a course of training as a whole."""

import re
from pathlib import Path
from urllib.parse import urljoin

import numpy as np
import pytest

from generator.claims.all import CLAIMS
from generator.corpora.relation_names import with_label
from generator.pages import addresses
from generator.pages.blocks import Figure, Sections, Table
from generator.pages.heads.atlas import Atlas
from generator.pages.studies.all import made_once, study_cards
from generator.site.loaded import ASSETS
from generator.topics.learning.page.data import Course as Read
from generator.topics.learning.page.history import Histories
from generator.topics.learning.page.learned import next_sentence
from generator.topics.learning.page.page import curve_page
from generator.topics.learning.page.slider import SHOWN
from generator.topics.learning.records import curves as quantities
from tests.pages.contract import check_charts, check_html
from tests.pages.reading import every, seen
from tests.pages.studies.test_all import anchors
from tests.site.documents import Document
from tests.topics.learning.page.courses import OTHER_TREES, STEPS, TASK, TEXTS, TREES, Course
from tests.topics.learning.page.drawn import drawn, grid, render

PAGE_BYTES, SCRIPT_BYTES = 190_000, 3_000


@pytest.fixture(scope="module")
def html(page: Sections) -> str:
    """Gives the page."""
    return render(page)


def test_the_page_keeps_what_every_page_promises(page, html):
    assert (len(every(page, Figure)), len(every(page, Table))) == (10, 7)
    check_charts(page)
    check_html(page, html)


def test_every_link_leads_somewhere(made, page, html, atlas):
    known = {addresses.head(atlas.slug, *place) for place in made.places} | {
        addresses.MODELS,
        addresses.model(atlas.slug),
    }
    known |= {addresses.claim(claim.id) for claim in CLAIMS} | {addresses.method(name) for name in SHOWN}
    known |= {"assets/fieldguide/curve.js"}
    by_hand = {addresses.GLOSSARY: anchors("glossary.md")}
    document = Document(html)
    links = [link for _, link in document.references()]
    links += [one.attributes["data-href"] for one in document.find("option") if "data-href" in one.attributes]
    links += drawn(page, "claims")["href"]
    here = "http://here/" + addresses.curve(atlas.slug)
    for link in links:
        address, _, anchor = urljoin(here, link).removeprefix("http://here/").partition("#")
        own = address == addresses.curve(atlas.slug) and anchor in document.ids
        assert own or address in known or anchor in by_hand.get(address, ()), link


def test_hostile_names_stay_text(html):
    document = Document(html)
    assert not [element for element in document.elements if element.tag in ("img", "b", "i", "svg")]
    assert [one.attributes.get("src") for one in document.find("script")] == ["../../../assets/fieldguide/curve.js"]
    assert f"finds {with_label('det:<b>')} (accuracy)" in [one.text for one in document.find("td")]


def test_numbers_without_intervals_are_told_without(made, tmp_path):
    bare = Course()
    bare.curves = [row | {"low": np.nan, "high": np.nan} for row in made.curves]
    bare.rises = [row | {"step": np.nan, "low": np.nan, "high": np.nan} for row in made.rises]
    atlas = bare.store(tmp_path)
    assert not re.search(r"\b(nan|inf)\b|[>( ]None[<), ]", render(curve_page(atlas)))
    assert "no change beyond doubt" in seen(Histories(atlas).opening(1, 1, ""))


def test_same_results_give_the_same_page(made, page, tmp_path):
    again = Course()
    again.curves, again.rises, again.heads = made.curves[::-1], made.rises[::-1], made.heads[::-1]
    assert curve_page(again.store(tmp_path)) == page


def test_largest_page_is_small(tmp_path):
    steps = (0, *sorted({round(10 * 1.35**power) for power in range(28)}))
    course = Course(steps, 12, 12).everything(SHOWN)
    for claim in CLAIMS:
        for part in range(1, len(claim.parts) + 1):
            if f"{claim.id}.{part}" not in {row["name"] for row in course.curves[-1:]}:
                course.curve("claim", f"{claim.id}.{part}", even=True)
    for which in range(40):
        course.curve("relation", f"relation {which}", 1 + which % 12, 1 + which % 11, corpus=TREES, rise=True)
    context = curve_page(course.store(tmp_path))
    assert (len(steps), len(grid(context).rows)) == (29, 12)
    assert len(render(context).encode()) < PAGE_BYTES


def test_script_is_small():
    assert len((ASSETS / "curve.js").read_bytes()) < SCRIPT_BYTES


def test_course_takes_what_several_corpora_tell_from_the_first(made, atlas):
    course = Read(atlas)
    assert course.steps == STEPS
    assert course.corpus(quantities.RELATIONS) == TREES != OTHER_TREES
    assert course.corpus(quantities.MEASURE) == TEXTS
    assert {row["corpus"] for row in course.series(quantities.RELATIONS, "nsubj")} == {TREES}
    assert course.tasks() == [TASK]


def test_page_lives_below_its_model(atlas: Atlas, tmp_path: Path):
    assert addresses.curve("tiny") == "models/tiny/curve/"
    (card,) = (
        one
        for one in study_cards(atlas, made_once(atlas), addresses.model(atlas.slug))
        if one.link.text == "Learning curve"
    )
    assert card.link.href == "curve/"
    assert card.told == next_sentence(Read(atlas))
