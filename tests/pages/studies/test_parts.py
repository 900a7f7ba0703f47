"""A long page in parts: every section is on one page, its links lead where they led, and the old anchors lead on."""

from dataclasses import replace
from urllib.parse import urljoin

import pytest

from generator.home import TEMPLATES
from generator.pages.blocks import Section, Sections
from generator.pages.inline import Link
from generator.pages.renderer import Renderer
from generator.pages.studies.parts import parts
from tests.site.documents import Document

HERE = "models/x/curve/"
ELSEWHERE = Link("a head", "../heads/1-1/")
PAGE = Sections(
    title="Curve",
    lead="What came when.",
    crumbs=(Link("x", "../"),),
    sections=(
        Section("", "", ("It opens so.",)),
        Section("first", "First", ("One.",)),
        Section("learned", "Learned", (("Two, ", ELSEWHERE),)),
        Section("losses", "Losses", ("Three.",), level=3),
        Section("words", "Words", ("Four.",), level=3),
        Section("last", "Last", ("Five.",)),
    ),
)


@pytest.fixture(scope="module")
def made() -> dict[str, Document]:
    """Gives the page and its part, by address."""
    return {
        address: Document(Renderer(TEMPLATES).page(address, page).html)
        for address, page in parts(PAGE, HERE, "learned".__eq__)
    }


def test_every_paragraph_stands_on_one_page(made: dict[str, Document]) -> None:
    said = {address: [one.text for one in page.find("p")] for address, page in made.items()}
    here, there = HERE, "models/x/curve-learned/"
    assert said[here] == ["What came when.", "It opens so.", "One.", "Five."]
    assert said[there][1:] == ["Two, a head", "Three.", "Four."]
    assert [one.text for one in made[there].find("h2")] == ["Losses", "Words"]


def test_all_anchors_stay_and_lead_on_and_links_lead_where_they_led(made: dict[str, Document]) -> None:
    here, there = made.values()
    assert {"first", "learned", "losses", "words", "last"} <= here.ids
    (address,) = {urljoin(HERE, one.partition("#")[0]) for _, one in here.references() if "curve-learned" in one}
    assert address == "models/x/curve-learned/"
    assert {one.partition("#")[2] for _, one in here.references() if "curve-learned" in one} == {
        "",
        *("losses", "words"),
    }
    assert {"losses", "words"} <= there.ids
    linked = {urljoin(address, one) for _, one in there.references()}
    assert linked == {urljoin(HERE, ELSEWHERE.href), HERE, "models/x/"}


def test_a_page_of_which_nothing_stands_apart_is_as_it_was() -> None:
    assert list(parts(PAGE, HERE, lambda _: False)) == [(HERE, PAGE)]


def test_plain_text_that_opens_a_part_is_its_lead_and_stands_there_once() -> None:
    told = Section("learned", "Learned", ("Much is learned.", ("Two, ", ELSEWHERE)))
    page = replace(PAGE, sections=(told, *PAGE.sections[3:]))
    _, (_, part) = parts(page, HERE, "learned".__eq__)
    assert part.lead == "Much is learned."
    assert part.sections[0].blocks == (("Two, ", ELSEWHERE),)
