"""In Chromium: the claims are filtered by keyboard, over http and from disk, and the address keeps the choice.

Their matrix has one menu.
"""

import csv
import io

import pytest

from tests.site.browser import Visit, until
from tests.site.test_downloads import download

pytestmark = pytest.mark.browser
SHOWN = "all => all.filter(one => one.offsetParent).length"
TEXTS = "all => all.filter(one => one.offsetParent).map(one => one.textContent)"
VERDICTS = """all => all.map(one => `${!!one.offsetParent} ${
  [...one.querySelectorAll("td .fg-verdict")].some(said => said.textContent.trim() === "not testable")}`)"""
"""Of each row, whether it is shown and whether a model's verdict on it is "not testable"."""


def test_words_show_the_claims_that_hold_every_one_and_count_them(visit: Visit) -> None:
    page = visit.go("claims/")
    rows = page.locator("#claim-table tbody tr")
    whole = [text.lower() for text in rows.all_text_contents()]
    field = page.get_by_label("Find", exact=True)
    for words in ("[SEP]", "[sep] ATTENDS", "c14", "nothing of the kind", ""):
        field.fill(words)
        expected = [text for text in whole if all(word in text for word in words.lower().split())]
        assert [text.lower() for text in rows.evaluate_all(TEXTS)] == expected
        count = page.locator("p:has(.fg-filter) .fg-found").inner_text()
        assert count == (f"{len(expected)} of {len(whole)}" if words else "")


def choose(visit: Visit, name: str, key: str) -> None:
    """Choose from a list by typing."""
    visit.page.locator(f".fg-filters select[name={name}]").focus()
    visit.page.keyboard.type(key)


@pytest.mark.parametrize("place", ["claims/", "claims/index.html"])
def test_filters_hide_rows_and_marks_alike_and_stand_in_the_address(visit: Visit, from_disk: Visit, place: str) -> None:
    opened = visit if place.endswith("/") else from_disk
    page = opened.go(place)
    rows = page.locator("#claim-table tbody tr")
    page.locator(".fg-filters[data-ready]").wait_for()
    every = rows.evaluate_all(SHOWN)
    choose(opened, "verdict", "not")
    shown = rows.evaluate_all(SHOWN)
    assert 0 < shown < every
    assert page.locator(".fg-matrix tbody tr").evaluate_all(SHOWN) == shown
    assert page.locator(".fg-filters .fg-found").inner_text() == f"{shown} of {every} claims"
    assert set(rows.evaluate_all(VERDICTS)) == {"true true", "false false"}
    assert page.url.endswith("?verdict=not-testable")
    page.reload()
    page.locator(".fg-filters[data-ready]").wait_for()
    assert rows.evaluate_all(SHOWN) == shown
    page.locator(".fg-filters select[name=model]").select_option(index=1)
    assert page.locator(".fg-matrix thead").first.locator("th").evaluate_all(SHOWN) == 2
    assert "model=" in page.url


def test_csv_of_the_matrix_has_a_row_per_claim_and_a_column_per_model(visit: Visit) -> None:
    page = visit.go("claims/")
    heads, *found = csv.reader(io.StringIO(download(visit, "#matrix", "CSV")[1].decode()))
    legend = [name.partition(" ")[2] for name in page.locator("article ul").first.locator("bdi").all_inner_texts()]
    assert heads[2:-2] == legend
    assert len(legend) == 2
    assert len(found) == page.locator(".fg-matrix tbody tr").count() > 12
    listed = page.locator("#claim-table tbody tr").evaluate_all(
        "all => all.map(row => [...row.querySelectorAll('td .fg-verdict')].map(one => one.textContent))"
    )
    assert [row[2:-2] for row in found] == listed
    assert {row[-2] for row in found} == {f"{page.url}#matrix"}
    assert page.locator(".fg-matrix .fg-menu").count() == 0


def test_rows_are_laid_out_when_near_and_moved_only_when_their_order_changes(visit: Visit) -> None:
    """Both cost a telephone most of the time that it needs to show the page."""
    page = visit.go("claims/")
    page.locator(".fg-filters[data-ready]").wait_for()
    table = page.locator("#claim-table")
    assert table.evaluate("table => getComputedStyle(table.parentElement).contentVisibility") == "auto"
    table.evaluate(
        "table => new MutationObserver(seen => (window.moved = seen.length)).observe(table.tBodies[0], "
        "{ childList: true })"
    )
    choose(visit, "verdict", "not")
    assert page.evaluate("window.moved") is None
    page.locator(".fg-filters select[name=order]").select_option(index=1)
    until(page, "window.moved")
