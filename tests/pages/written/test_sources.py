"""The five sources: every record leads to a place that tells it, and a record that does not is refused."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from generator.claims.sourced import FILE, Item, read_sources
from generator.errors import SiteError
from generator.pages import addresses
from generator.pages.bibliography import read_bibliography
from generator.pages.claims.tables import Ledger
from generator.pages.written.sources import HEAD, MEASURED, answered, headings, said
from tests.pages.claims.judged import MODELS, Invent, crossing, ledger, meeting, untold
from tests.pages.written.test_knowledge import BIBLIOGRAPHY, DOCS, HOSTILE, KNOWLEDGE, rendered
from tests.pages.written.test_written import ANCHORS, FINDINGS
from tests.site.documents import Document
from tests.site.project import ROOT

SOURCES = read_sources(FILE)
ITEMS = [item for items in SOURCES.values() for item in items]
PAGE, NAME = "sources/", "sources.md"
WHOLE = Item("It is so.", "findings/three-phases.md#phase-one-what-a-word-is", ("C05",))


def judged(way: Invent) -> Ledger:
    """One model."""
    return ledger(way, models=MODELS[:1])


JUDGED = judged(meeting)


def table(*items: Item) -> str:
    return said(JUDGED, DOCS, items, PAGE)


def test_every_source_of_the_file_has_its_section_and_its_entry_in_the_bibliography() -> None:
    text = (DOCS / NAME).read_text(encoding="utf-8")
    assert re.findall(r'said\("(\w+)"\)', text) == re.findall(r'answered\("(\w+)"\)', text) == [*SOURCES]
    assert {*SOURCES} <= {*read_bibliography(BIBLIOGRAPHY)}
    assert len({item.says for item in ITEMS}) == len(ITEMS)


@pytest.mark.parametrize("name", sorted({item.told.partition("#")[0] for item in ITEMS if item.told}))
def test_items_lead_to_a_heading_of_the_built_page_that_names_their_claims(name: str) -> None:
    page = name.removesuffix(".md") + "/"
    html = rendered((DOCS / name).read_text(encoding="utf-8"), KNOWLEDGE, page)
    links = {one.attributes["href"] for one in Document(html).find("a")}
    here = [item for item in ITEMS if item.told.startswith(f"{name}#")]
    assert {item.told.partition("#")[2] for item in here} <= Document(html).ids
    claims = {key.partition(".")[0] for item in here for key in item.claims}
    assert {addresses.relative(addresses.claim(claim), page) for claim in claims} <= links


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.says[:40])
def test_an_item_without_a_claim_or_a_place_says_why(item: Item) -> None:
    assert (item.told and item.claims) or item.why
    assert table(item)


@pytest.mark.parametrize("name", FINDINGS)
def test_anchors_of_headings_are_those_of_the_built_page(name: str) -> None:
    found = headings((DOCS / name).read_text(encoding="utf-8"))
    assert found
    assert {f"{name.removesuffix('.md')}/#{one}" for one in found} <= ANCHORS


@pytest.mark.parametrize(
    ("item", "told"),
    [
        (replace(WHOLE, claims=("C99",)), "C99"),
        (replace(WHOLE, claims=("C05.3",)), "C05.3"),
        (replace(WHOLE, claims=("C05.0",)), "C05.0"),
        (replace(WHOLE, told="findings/three-phases.md#nowhere"), "a heading there"),
        (replace(WHOLE, told="findings/nothing.md#phase-one-what-a-word-is"), "a heading there"),
        (replace(WHOLE, told="findings/three-phases.md"), "a heading there"),
        (replace(WHOLE, claims=("C05", "C22")), "C22 named there"),
        (replace(WHOLE, told=""), "what it lacks"),
        (replace(WHOLE, claims=()), "what it lacks"),
        (Item("It is so."), "what it lacks"),
    ],
)
def test_a_wrong_record_is_refused_by_its_name(item: Item, told: str) -> None:
    with pytest.raises(SiteError, match=re.escape(told)) as caught:
        table(WHOLE, item)
    assert "'It is so.'" in str(caught.value)
    assert len(re.findall(r"[.?!](?=\s|$)", str(caught.value))) == 1


@pytest.mark.parametrize(
    "text", ["a = 1", "[[a]]\nsays = 1", "[[a]]\ntold = 'x'", "[[a]]\nsays = 'x'\nplace = 'y'", "["]
)
def test_a_file_without_records_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "sources.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SiteError, match=re.escape(str(path))):
        read_sources(path)


def test_a_missing_file_and_an_unknown_source_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="Expected what sources say"):
        read_sources(tmp_path / "none.toml")
    with pytest.raises(SiteError, match="key of a source"):
        rendered('{{ said("nobody2020") }}')
    with pytest.raises(SiteError, match="key of a source"):
        rendered('{{ answered("jain2019") }}')


def test_items_are_counted_by_what_came_of_them() -> None:
    told, untold_yet = replace(WHOLE, claims=(), why="no"), Item("It is so.", why="no")
    every = [WHOLE, WHOLE, told, untold_yet, untold_yet]
    assert answered(judged(crossing), every) == (
        "Of 5 items, 2 are measured, 1 is told but not measured and 2 are not told."
    )
    assert (
        answered(judged(untold), [WHOLE, WHOLE])
        == "Of 2 items, 2 are under a claim that no model here can be tested for."
    )
    assert MEASURED not in answered(Ledger((), ()), [WHOLE])


def test_a_row_has_the_statement_its_place_and_the_verdicts() -> None:
    part = replace(WHOLE, claims=("C05", "C05.2"), why="of one layer")
    (row,) = table(part).removeprefix(HEAD).splitlines()
    says, place, outcome = row.strip("| ").split(" | ")
    assert says == "It is so."
    (link,) = Document(place).find("a")
    assert link.attributes["href"] == "../findings/three-phases/#phase-one-what-a-word-is"
    assert (link.text, link.attributes["title"]) == ("Phase one: what a word is", 'on the page "Three phases"')
    assert [one.text for one in Document(outcome).find("a")] == [
        "C05 holds for the one model",
        "C05.2 is met for the one model",
    ]
    assert outcome.endswith("; of one layer")


def test_a_place_without_a_claim_says_that_nothing_is_measured() -> None:
    assert "not measured&#58; no" in table(replace(WHOLE, claims=(), why="no"))
    assert "| not told | no |" in table(Item("It is so.", why="no"))


def test_text_of_records_stays_text() -> None:
    (cell, *_) = Document(rendered(table(Item(HOSTILE, why="no")))).find("td")
    assert cell.text == HOSTILE


def test_the_page_stands_beside_the_findings_in_the_menu_and_their_list() -> None:
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2].partition("\n\n")[0]
    (findings,) = [one["Findings"] for one in yaml.safe_load(menu) if "Findings" in one]
    assert [*findings[1].values()] == [NAME]
    assert f"](../{NAME})" in (DOCS / "findings/index.md").read_text(encoding="utf-8")
