"""Every number of a study has its place under `methods/`, made from its record."""

import io
import re

import pandas as pd
import pytest
from markupsafe import Markup

from generator.home import TEMPLATES
from generator.measures import MEASURES
from generator.pages import addresses
from generator.pages.dictionary import BRACES, anchor, definition_pages, dictionary_file
from generator.pages.renderer import Renderer
from generator.results.as_csv import inert
from generator.studies.declared import BY_MAKER, DERIVED, STUDIES

ALL = (*STUDIES, *DERIVED)


@pytest.fixture(scope="module")
def made():
    """Address -> page."""
    return {page.address: page for page in definition_pages(Renderer(TEMPLATES))}


def test_every_study_has_a_page_and_no_measure_has_the_same_address(made):
    assert list(made) == [addresses.study(study.name) for study in ALL]
    assert set(made).isdisjoint(addresses.method(measure.name) for measure in MEASURES)
    assert [study for studies in BY_MAKER.values() for study in studies] == list(ALL)


@pytest.mark.parametrize("study", ALL, ids=lambda study: study.name)
def test_every_number_stands_on_the_page_of_its_study_with_what_its_record_says(made, study):
    html = made[addresses.study(study.name)].html
    shown = Markup(html).striptags()
    numbers = (*study.quantities, *study.columns)
    anchors = list(map(anchor, numbers))
    assert len(set(anchors)) == len(anchors)
    for number in numbers:
        assert f'id="{anchor(number)}"' in html
        said = re.sub(r"\\{\w+\\}", ".+?", re.escape(" ".join(number.title.split())))
        assert re.search(f"(?i){said}", shown), f"{number.title}: words stand for what is in braces"
        for text in (
            number.table,
            number.name,
            number.definition,
            number.unit,
            number.reference,
            number.formula,
            *number.caveats,
        ):
            assert " ".join(text.split()) in shown, (number.name, text)


@pytest.mark.parametrize("study", ALL, ids=lambda study: study.name)
def test_a_page_says_in_words_what_stands_in_braces(made, study):
    html = made[addresses.study(study.name)].html
    shown = Markup(html).striptags()
    assert (BRACES in shown) == any(quantity.placeholders for quantity in study.quantities)
    assert "text of the form" not in shown, "a pattern is no word"
    assert not re.search("(<dd>|; ): ", html), "an empty name is no word"
    assert "0 or 1, 0 to 1" not in shown


def test_a_name_that_may_be_any_column_leads_to_the_measures_instead_of_listing_them(made):
    html = made["methods/seeds/"].html
    assert "norm.other" not in html
    assert '<a href="../">Methods</a> name' in html


def test_a_column_is_not_said_to_be_of_the_model_where_its_record_names_nothing_else(made):
    section = made["methods/roles/"].html.partition('id="roles-rank"')[2].partition("<h2")[0]
    assert "Table" in section
    assert "the whole model" not in section


def test_the_dictionary_has_a_row_for_every_record():
    address, text = dictionary_file()
    rows = pd.read_csv(io.StringIO(text), keep_default_na=False)
    assert address == "methods/dictionary.csv"
    assert list(zip(rows["study"], rows["table"], rows["name"], strict=True)) == [
        *(("", "", column) for measure in MEASURES for column in measure.columns),
        *((study.stored, one.table, one.name) for study in ALL for one in (*study.quantities, *study.columns)),
    ]
    assert (rows[["title", "unit", "of", "definition", "source"]] != "").all(axis=None)


def test_no_spreadsheet_runs_a_cell_of_the_dictionary():
    rows = pd.read_csv(io.StringIO(dictionary_file()[1]), keep_default_na=False, dtype=str)
    cells = {cell for column in rows for cell in rows[column]}
    assert [cell for cell in cells if inert(cell) != cell] == []
    assert "'-1 to 1" in cells
