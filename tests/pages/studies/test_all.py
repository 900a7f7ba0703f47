"""The pages of the studies say what the stored tables hold, and are there only where these have rows."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from markdown import Markdown  # type: ignore[import-untyped]

from generator.charts.compile import specification
from generator.charts.theme import LIGHT, signals
from generator.claims.all import CLAIMS
from generator.home import TEMPLATES
from generator.measures import MEASURES
from generator.numbers.quantity import Maker
from generator.pages import addresses
from generator.pages.blocks import Figure, Sections, Table
from generator.pages.heads.atlas import Atlas
from generator.pages.renderer import Page, Renderer
from generator.pages.studies.all import PAGES, made_once, study_cards, study_pages
from generator.pages.studies.study_page import StudyPage
from generator.results.store import Results
from generator.studies.declared import BY_MAKER
from generator.topics.distances.page import landscape_page
from generator.topics.layers.page.patterns.page import patterns_page
from generator.topics.layers.page.phases.page import phases_page
from generator.topics.relations.page.page import relations_page
from generator.topics.tokens.page.roles import roles_page
from tests.charts.test_specifications import settings
from tests.pages.invented import HOSTILE, TREEBANK
from tests.pages.reading import figures, seen
from tests.pages.test_figures import fields as columns_read
from tests.results.altered import resealed
from tests.site.documents import Document, data_of
from tests.site.hostile import WORDS
from tests.site.project import ROOT

UNDEFINED = re.compile(r"\b(nan|inf)\b|[>( ]None[<), ](?!of)")


@pytest.fixture(scope="module")
def pages(full: Atlas) -> dict[str, Page]:
    """Gives the pages by the last part of their address."""
    return {page.address.split("/")[-2]: page for page in study_pages(full, made_once(full), Renderer(TEMPLATES))}


def found_figures(atlas: Atlas) -> list[Figure]:
    """Every figure of these pages."""
    kinds = (relations_page, landscape_page, roles_page, phases_page, patterns_page)
    return [figure for kind in kinds for figure in figures(kind(atlas))]


# Which pages there are


def test_every_page_of_a_full_analysis_is_there_in_its_place(full: Atlas, pages: dict[str, Page]) -> None:
    here = addresses.model(full.slug)
    assert [page.address for page in pages.values()] == [
        f"{here}{name}/"
        for name in ("relations", "map", "roles", "phases", "patterns", "features", "inputs", "numbers")
    ]
    cards = study_cards(full, made_once(full), here)
    assert [urljoin(here, card.link.href) for card in cards] == [page.address for page in pages.values()]
    assert all(page.search and Document(page.search).find("p")[0].text in page.description for page in pages.values())


@pytest.mark.parametrize(
    ("without", "title"),
    [
        (("relation_heads", "antecedents"), "Relations"),
        (("head_facts",), "Map of heads"),
        (("roles",), "Roles of tokens"),
    ],
)
def test_page_is_absent_where_its_tables_have_no_rows(
    full: Atlas, tmp_path: Path, without: tuple[str, ...], title: str
) -> None:
    folder = tmp_path / full.slug
    shutil.copytree(full.results.folder, folder)
    for name in without:
        (folder / f"{name}.parquet").unlink()
    less = Atlas(Results.open(resealed(folder)))
    gone = next(study for study in PAGES if study.title == title)
    left = [study for study in PAGES if study is not gone and study.there(less)]
    made = made_once(less)
    assert [page.address for page in study_pages(less, made, Renderer(TEMPLATES))] == [
        s.address(less.slug) for s in left
    ]
    assert [card.link.text for card in study_cards(less, made, "")] == [study.title for study in left]


def test_a_card_tells_a_result_with_its_number_in_one_sentence(full: Atlas) -> None:
    cards = {card.link.text: card.told for card in study_cards(full, made_once(full), "")}
    clear = (
        f"In {TREEBANK}, for 2 of 5 dependency relations with 50 words or more some head is clearly better than any "
        "fixed offset, and nothing stored contradicts it."
    )
    assert cards["Relations"] == clear
    for title, told in cards.items():
        assert told.endswith("."), title
        assert re.search(r"\d", told) or title == "Phases", title
        assert not UNDEFINED.search(told), title


def test_a_page_that_cannot_be_made_costs_no_other(full: Atlas) -> None:
    def broken(study: StudyPage) -> Sections:
        raise ValueError(study.title)

    assert [card.told for card in study_cards(full, broken, "")] == [""] * sum(page.there(full) for page in PAGES)


def test_model_without_treebank_has_no_page_on_relations(bare: Atlas) -> None:
    left = ["Map of heads", "Roles of tokens", "Phases", "Patterns", "Features and frames", "Changed inputs"]
    assert [card.link.text for card in study_cards(bare, made_once(bare), "")] == [*left, "All numbers"]


# All pages


def test_every_chart_finds_the_columns_and_settings_it_reads(full: Atlas) -> None:
    for figure in found_figures(full):
        for view in json.loads(figure.data)["views"]:
            assert len({len(column) for column in view["columns"].values()}) == 1
            for kind in figure.kinds:
                spec = specification(kind)
                assert set(columns_read(spec)) <= {*view["columns"], *view.get("constants", {})}, kind
                assert set(settings(spec)) - set(signals(LIGHT)) <= set(view.get("signals", {})), kind
        assert all(len(row) == len(figure.table.columns) for row in figure.table.rows)


def test_every_cell_of_every_table_is_on_its_page(full: Atlas, pages: dict[str, Page]) -> None:
    there = [study for study in PAGES if study.there(full)]
    for study, page in zip(there, pages.values(), strict=True):
        cells = {element.text for element in Document(page.html).elements if element.tag in ("td", "th")}
        for table in tables_in(study.page(full)):
            assert all(len(row) == len(table.columns) for row in table.rows)
            assert {seen(cell) for row in table.rows for cell in row} - cells == set()


def tables_in(value: Any) -> Iterator[Table]:
    """Every table of a context."""
    if isinstance(value, Table):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from tables_in(part)
    elif is_dataclass(value):
        yield from tables_in(tuple(getattr(value, field.name) for field in fields(value)))


def test_every_link_leads_somewhere(full: Atlas, pages: dict[str, Page]) -> None:
    known = {addresses.head(full.slug, *place) for place in full.places} | {page.address for page in pages.values()}
    known |= {addresses.MODELS, addresses.model(full.slug), addresses.folder(full.results.folder.name)}
    known |= {addresses.study(study.name) for study in BY_MAKER[Maker.ANALYSIS]}
    known |= {addresses.method(measure.name) for measure in MEASURES}
    known |= {addresses.claim(claim.id) for claim in CLAIMS}
    by_hand = {addresses.GLOSSARY: anchors("glossary.md"), addresses.REFERENCES: anchors("references.md")}
    broken = []
    for page in pages.values():
        document = Document(page.html)
        links = [link for _, link in document.references()]
        assert links
        for link in chain(links, *(view["columns"].get("href", []) for view in views_in(page))):
            target, _, anchor = urljoin("http://here/" + page.address, link).removeprefix("http://here/").partition("#")
            if target not in known and anchor not in by_hand.get(target, ()):
                broken.append(f"{page.address} -> {link}")
    assert broken == []


def anchors(name: str) -> set[str]:
    """What a page written by hand can be entered at."""
    text = (ROOT / "docs" / name).read_text(encoding="utf-8").partition("\n---\n")[2]
    return Document(Markdown(extensions=["attr_list", "toc"]).convert(text)).ids


def views_in(page: Page) -> Iterator[dict[str, Any]]:
    """The data of all figures of a page."""
    for _, script in page.files:
        for data in data_of(script).values():
            yield from data["views"]


def test_hostile_names_stay_text(pages: dict[str, Page]) -> None:
    for name, page in pages.items():
        document = Document(page.html)
        drawn = () if name == "patterns" else ("svg",)
        assert not [element for element in document.elements if element.tag in ("img", "script", "b", *drawn)]
    relations, roles = Document(pages["relations"].html), Document(pages["roles"].html)
    assert TREEBANK in [one.text for one in relations.find("bdi")]
    assert HOSTILE in [one.text for one in relations.find("bdi")]
    shown = [one.text for one in roles.find("th")]
    assert {HOSTILE, WORDS[1]} <= set(shown)


def test_no_page_shows_an_undefined_number(pages: dict[str, Page]) -> None:
    assert [page.address for page in pages.values() if UNDEFINED.search(page.html)] == []


def test_no_anchor_stands_twice(pages: dict[str, Page]) -> None:
    for page in pages.values():
        ids = [element.attributes["id"] for element in Document(page.html).elements if "id" in element.attributes]
        assert len(ids) == len(set(ids))


def test_same_results_give_the_same_pages(full: Atlas, pages: dict[str, Page]) -> None:
    again = Atlas(Results.open(full.results.folder))
    assert list(study_pages(again, made_once(again), Renderer(TEMPLATES))) == list(pages.values())
