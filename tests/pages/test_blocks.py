"""What a page is made of: every text stays text, blocks stand in their order, and what is missing is left out."""

import pytest

from generator.home import TEMPLATES
from generator.pages.blocks import Block, Facts, Items, Note, Section, Sections, Table, opening, present
from generator.pages.inline import Cell, Code, Count, Kind, Link, Name, Part, inline, prose
from generator.pages.renderer import CELL, RICH, ROW, Renderer, heading_rows, table_rows
from tests.pages.reading import seen
from tests.site.documents import Document

HOSTILE = '"><script>&amp;{{ 7*7 }}</b>'
PARTS = {
    "link": (Link(HOSTILE, HOSTILE, HOSTILE), HOSTILE),
    "link to nowhere": (Link(HOSTILE, ""), HOSTILE),
    "name": (Name(HOSTILE), HOSTILE),
    "name that leads somewhere": (Name(HOSTILE, HOSTILE), HOSTILE),
    "code": (Code(HOSTILE), HOSTILE),
    "count": (Count(HOSTILE), HOSTILE),
    "kind": (Kind(HOSTILE, HOSTILE), ""),
    "cell": (Cell(HOSTILE, note=HOSTILE), f"{HOSTILE} ({HOSTILE})"),
    "cell that leads somewhere": (Cell(HOSTILE, HOSTILE, HOSTILE), f"{HOSTILE} ({HOSTILE})"),
}
BLOCKS: dict[str, Block] = {
    "text": HOSTILE,
    "prose": prose("{one}, {two}", one=HOSTILE, two=Name(HOSTILE)),
    "note": Note(HOSTILE),
    "items": Items((HOSTILE, Link(HOSTILE, HOSTILE))),
    "facts": Facts(((HOSTILE, Code(HOSTILE)),)),
    "table": Table((HOSTILE, Link(HOSTILE, HOSTILE)), ((HOSTILE, Cell(HOSTILE)),), HOSTILE),
}


def page(*sections: Section) -> Document:
    """A page of these sections as a browser reads it."""
    crumbs = (Link("Models", "../"), Name(HOSTILE, "./"))
    return Document(Renderer(TEMPLATES).render("page.html", Sections(HOSTILE, HOSTILE, crumbs, sections)))


@pytest.mark.parametrize(("part", "text"), PARTS.values(), ids=PARTS)
def test_text_of_a_part_stays_text(part: Part, text: str) -> None:
    assert seen(part) == text
    assert "script" not in {element.tag for element in Document(str(inline(part))).elements}


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
def test_text_of_a_block_stays_text(block: Block) -> None:
    document = page(Section("here", (HOSTILE, Count(HOSTILE)), (block,)))
    assert not {"script", "b"} & {element.tag for element in document.elements}
    assert document.find("h2")[0].text == HOSTILE + HOSTILE


def test_sections_stand_in_their_order_and_level_and_an_opening_has_no_heading() -> None:
    document = page(opening("first"), Section("a", "A", ("second", Note("third"))), Section("", "B", (), level=3))
    assert [one.text for one in document.find("p")] == [HOSTILE, "first", "second", "third"]
    headings = [
        (element.tag, element.attributes.get("id"))
        for element in document.elements
        if element.tag in ("h1", "h2", "h3")
    ]
    assert headings == [("h1", "top"), ("h2", "a"), ("h3", None)]


@pytest.mark.parametrize("mark", [ROW, CELL, RICH])
@pytest.mark.parametrize("rich", [False, True])
def test_marks_that_part_rows_and_cells_cannot_come_from_a_text(mark: str, rich: bool) -> None:
    last = Cell(f"d{mark}") if rich else f"d{mark}"
    html = f"<table>{table_rows([(mark, f'a{mark}b'), ('c', last)])}</table>"
    document = Document(html)
    assert len(document.find("tr")) == 2
    assert [one.text.replace(mark, "") for one in document.find("td")] == ["", "ab", "c", "d"]


def test_first_cell_of_a_row_is_its_heading_where_it_shall_be() -> None:
    rows = [(Link("a", "../a/"), "1"), ("b", Cell("2", note="1 to 3"))]
    assert [one.text for one in Document(f"<table>{heading_rows(rows)}</table>").find("th")] == ["a", "b"]
    assert Document(f"<table>{table_rows(rows)}</table>").find("th") == []
    assert heading_rows([]) == table_rows([]) == ""


def test_a_part_that_a_text_names_and_nobody_gives_is_an_error() -> None:
    with pytest.raises(KeyError, match="source"):
        prose("After {source}.")


def test_what_is_not_there_is_left_out() -> None:
    assert present(None, "a", None, "") == ("a", "")
