"""The page on trainings that differ in their objective, from invented numbers with both sides of what counts."""

import json
from pathlib import Path

import pytest

from generator.home import TEMPLATES
from generator.pages.blocks import Facts, Figure, Table
from generator.pages.heads.atlas import Atlas
from generator.pages.renderer import Renderer
from generator.topics.variants.page.data import WORDS
from generator.topics.variants.page.page import variants_page
from tests.pages.contract import check_charts, check_html
from tests.pages.reading import anchors, block, prose, seen, text
from tests.topics.variants.page.made import NAMES, stored


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives the model, which is one of the trainings."""
    return stored(tmp_path_factory.mktemp("variants"))


def test_lead_says_what_was_trained_and_what_whole_text_costs(atlas: Atlas) -> None:
    page = variants_page(atlas)
    assert page.lead == (
        "Four objectives, with two trainings of each, read the same held-out text. In whole text the loss of the "
        f"chosen tokens is 0.500 nats (0.480 to 0.520) in bert, 0.200 nats (0.180 to 0.220) in {NAMES[1]}, "
        "0.620 nats (0.600 to 0.640) in unmasked and 0.450 nats (0.430 to 0.470) in unsegmented."
    )
    assert anchors(page) == ["numbers", "again"]


def test_each_objective_is_told_by_what_sets_it_apart_from_the_first(atlas: Atlas) -> None:
    lines = {seen(name): seen(told) for name, told in block(variants_page(atlas), "", Facts).lines}
    assert lines["bert"].startswith("to_mask = 0.8, to_random = 0.1, segments = true; bert-0 and bert-1")
    assert lines["unmasked"].startswith("to_mask = 0.0, to_random = 0.5; unmasked-0")
    assert lines["unsegmented"].startswith("segments = false; unsegmented-0")


def test_table_calls_more_and_less_what_counts_and_nothing_else(atlas: Atlas) -> None:
    rows = {text(row[0]): row for row in block(variants_page(atlas), "numbers", Table).rows}
    assert [*rows] == [*WORDS.values()]
    cells = rows[WORDS["masked"]][1:]
    assert [text(cell) for cell in cells] == ["0.500", "0.200", "0.620", "0.450", "0.65", "0.1", "90"]
    notes = [cell.note for cell in cells[:4]]  # type: ignore[union-attr]
    assert notes == ["0.480 to 0.520", "0.180 to 0.220; less", "0.600 to 0.640; more", "0.430 to 0.470"]
    assert text(rows[WORDS["mask"]][5]) == "1"
    assert text(rows[WORDS["maps"]][5]) == "-"
    assert "There are two trainings or more of each objective, which can" in prose(variants_page(atlas), "numbers")[-1]
    assert "Off random weights 0.3 of the word classes are read" in prose(variants_page(atlas), "numbers")[-1]


def test_figure_shows_every_training_and_hollow_dots_where_nothing_counts(atlas: Atlas) -> None:
    figure = block(variants_page(atlas), "numbers", Figure)
    views = json.loads(figure.data)["views"]
    assert len(views) == len(figure.views) == len(WORDS)
    columns = views[0]["columns"]
    assert [*zip(columns["variant"], columns["training"], columns["hollow"], strict=True)][::3] == [
        (NAMES[0], "", 0),
        (NAMES[1], "", 0),
        (NAMES[2], "", 0),
        (NAMES[3], "", 1),
    ]
    assert {*columns["reference"]} == {0.5}
    assert columns["outcome"][::3] == [
        "the first",
        "less, and it counts",
        "more, and it counts",
        "no difference that counts",
    ]
    assert views[0]["title"] == (
        "Loss of the chosen tokens, all of them [MASK]: 0.500 nats (0.480 to 0.520) in bert; "
        f"less in {NAMES[1]} (0.2) and more in unmasked (0.62)"
    )
    assert len(figure.table.rows) == len(WORDS) * len(NAMES) * 3


def test_with_one_training_of_each_nothing_is_said_to_count(tmp_path: Path) -> None:
    page = variants_page(stored(tmp_path, seeds=1))
    assert page.lead.startswith("Four objectives, with one training of each, read")
    view = json.loads(block(page, "numbers", Figure).data)["views"][0]
    assert view["title"].endswith("in bert; what counts is not known with one training of each")
    assert "one training of each, so which differences count is not known" in prose(page, "numbers")[-1]
    assert {*view["columns"]["outcome"]} == {"the first", "not known: one training of each"}
    rows = block(page, "numbers", Table).rows
    assert [text(row[6]) for row in rows] == ["-"] * len(WORDS)
    check_charts(page)


@pytest.mark.parametrize("own", [True, False])
def test_model_that_is_none_of_the_trainings_is_said_to_be_none(tmp_path: Path, own: bool) -> None:
    said = prose(variants_page(stored(tmp_path, own=own)), "")[0]
    assert ("All have the shape of Tiny, which is not among them" in said) is not own


def test_page_is_whole_in_html_whatever_trainings_are_called(atlas: Atlas) -> None:
    page = variants_page(atlas)
    check_charts(page)
    check_html(page, Renderer(TEMPLATES).render("page.html", page))
    assert prose(page, "again") == ["One more."]
