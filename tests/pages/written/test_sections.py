"""Every section of a finding shows a figure, unless its matter is words."""

import re

import pytest

from tests.pages.written.test_written import DOCS, FINDINGS

SHOWS = re.compile(r"\{\{ (?:figure|drawn)\(")
FIGURELESS = {
    "All verdicts": "a table",
    "Where this could be wrong": "words",
    "What follows": "words",
    "What this means for a head's page": "words",
}
"""Title of a section that needs no figure -> what it is made of instead."""


def sections(name: str) -> dict[str, str]:
    """Title -> text of each section of a finding."""
    _, *found = (DOCS / name).read_text(encoding="utf-8").split("\n## ")
    return {title: text for title, _, text in (one.partition("\n") for one in found)}


@pytest.mark.parametrize("name", FINDINGS)
def test_every_section_shows_a_figure_or_is_made_of_words(name: str) -> None:
    found = sections(name)
    assert found
    assert {title for title, text in found.items() if not SHOWS.search(text)} <= {*FIGURELESS}


def test_no_section_is_excused_that_shows_a_figure_or_is_gone() -> None:
    found = [(title, text) for name in FINDINGS for title, text in sections(name).items()]
    assert {*FIGURELESS} <= {title for title, _ in found}
    assert [title for title, text in found if title in FIGURELESS and SHOWS.search(text)] == []
