"""The page on features and frames as a whole."""

import json
import re
from urllib.parse import urljoin

import numpy as np
import pytest

from generator.charts.compile import specification
from generator.charts.theme import LIGHT, signals
from generator.home import TEMPLATES
from generator.pages import addresses
from generator.pages.blocks import Items, Sections, Table
from generator.pages.renderer import Renderer
from generator.topics.frames.page.page import features_page
from tests.charts.test_specifications import settings
from tests.pages.reading import block, figures, seen
from tests.pages.studies.test_all import anchors
from tests.pages.test_figures import fields as columns_read
from tests.pages.titled import check_titles
from tests.site.documents import Document
from tests.topics.frames.page.annotated import FRAMES, PLACES, TEXTS, TREEBANK, atlas_of, one


@pytest.fixture(scope="module")
def html(page: Sections) -> str:
    """Gives the page."""
    return Renderer(TEMPLATES).render("page.html", page)


def tables_in(page: Sections) -> list[Table]:
    """Every table of a page but those of figures."""
    return [one for part in page.sections for one in part.blocks if isinstance(one, Table)]


def test_every_chart_finds_the_columns_and_settings_it_reads(page):
    for grids in figures(page):
        check_titles(grids)
        data = json.loads(grids.data)
        for view in data["views"]:
            assert len({len(column) for column in {**data["shared"], **view["columns"]}.values()}) == 1
            (kind,) = grids.kinds
            spec = specification(kind)
            assert set(columns_read(spec)) <= {*data["shared"], *view["columns"], *view.get("constants", {})}
            assert set(settings(spec)) - set(signals(LIGHT)) <= set(view["signals"])
        assert all(len(row) == len(grids.table.columns) for row in grids.table.rows)


def test_every_cell_of_every_table_is_on_the_page(page, html):
    cells = {element.text for element in Document(html).elements if element.tag in ("td", "th")}
    assert len(tables_in(page)) == 2 * 3 + 2 * 2 + 2 + 6
    for table in tables_in(page):
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert {seen(cell) for row in table.rows for cell in row} - cells == set()


def test_every_link_leads_somewhere(page, html, atlas):
    known = {addresses.head(atlas.slug, *place) for place in PLACES} | {addresses.MODELS, addresses.model(atlas.slug)}
    known |= {addresses.claim(f"K{number}") for number in ("03", "04", "05", "09", "12", "13", "14", "17")}
    known |= {addresses.method(f"attention.{name}") for name in ("previous", "next")}
    by_hand = {addresses.GLOSSARY: anchors("glossary.md"), addresses.REFERENCES: anchors("references.md")}
    links = [link for _, link in Document(html).references()]
    links += [link for grids in figures(page) for link in json.loads(grids.data)["shared"]["href"]]
    links += [view.href for grids in figures(page) for view in grids.views]
    for link in links:
        target = urljoin("http://here/" + addresses.features(atlas.slug), link).removeprefix("http://here/")
        address, _, anchor = target.partition("#")
        assert address in known or anchor in by_hand.get(address, ()), link
    assert [link.text.partition(":")[0] for link in block(page, "claims", Items).lines] == [
        "K03",
        "K04",
        "K05",
        "K09",
        "K12",
        "K13",
        "K14",
        "K17",
    ]


def test_hostile_names_stay_text(html):
    document = Document(html)
    assert not [element for element in document.elements if element.tag in ("img", "script", "b", "i", "svg")]
    assert {TREEBANK, TEXTS, FRAMES} <= {one.text for one in document.find("bdi")}


def test_paper_without_distance_baseline_is_remarked(html):
    assert "The paper has no distance baseline" in html


def test_undefined_numbers_are_dashes_and_no_anchor_stands_twice(made, html, tmp_path):
    nothing = dict.fromkeys(("low", "high"), np.nan)
    bare = {name: [row | nothing for row in rows] for name, rows in made.items()}
    for text in (html, Renderer(TEMPLATES).render("page.html", features_page(atlas_of(tmp_path, bare)))):
        assert not re.search(r"\b(nan|inf)\b|[>( ]None[<), ]", text)
        ids = [element.attributes["id"] for element in Document(text).elements if "id" in element.attributes]
        assert len(ids) == len(set(ids))


def test_feature_that_one_head_lacks_is_a_gap_in_its_grid(made, tmp_path):
    lost = {"study": "features", "corpus": TREEBANK, "name": "verb.max", "layer": 2, "head": 1}
    rows = [row for row in made["head_facts"] if row is not one(made["head_facts"], **lost)]
    data = json.loads(figures(features_page(atlas_of(tmp_path, made | {"head_facts": rows})))[0].data)
    view = next(view for view in data["views"] if view["constants"]["measure"] == "verb.max")
    assert [at for at, value in enumerate(view["columns"]["value"]) if value is None] == [PLACES.index((2, 1))]


def test_page_lives_below_its_model():
    assert addresses.features("tiny") == "models/tiny/features/"
