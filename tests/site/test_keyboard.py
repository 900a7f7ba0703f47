"""In Chromium: what a mouse can do to a map of heads, a keyboard can do too, and each link says where it leads."""

import re

import pytest

from tests.site.browser import Visit
from tests.site.project import HEAD, MODEL, PLACES, Site

pytestmark = pytest.mark.browser
HOLD = """
addEventListener("click", (event) => {
  if (!event.target.closest(".fg-steps a")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  window.followed = true;
}, true);
"""
"""Notes that a link to another head is followed, which a key does at once, and stays here."""


def test_every_head_of_the_map_is_a_link_with_a_name_of_its_own(visit: Visit, site: Site) -> None:
    page = visit.go(MODEL)
    names = [f"Head {layer}-{head}" for layer, head in site.plain.places]
    links = [page.get_by_role("group").get_by_role("link", name=name, exact=True) for name in names]
    assert [link.count() for link in links] == [1] * len(names)


def test_tab_walks_through_the_map_in_order_and_enter_opens_a_head(visit: Visit) -> None:
    page = visit.go(MODEL)
    page.locator(".fg-cell").first.focus()
    reached = []
    for _ in range(4):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.getAttribute('aria-label')"))
    assert reached == ["Head 1-2", "Head 1-3", "Head 1-4", "Head 2-1"]
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    visit.arrive("Head 2-1")


@pytest.mark.parametrize(("forth", "back"), [("n", "p"), ("ArrowRight", "ArrowLeft")])
def test_keys_lead_to_the_next_head_and_back_but_not_while_one_types(visit: Visit, forth: str, back: str) -> None:
    page = visit.go(HEAD)
    heading = page.locator("main h1")
    page.keyboard.press(forth)
    visit.arrive("Head 2-4")
    page.keyboard.press(back)
    visit.arrive("Head 2-3")
    visit.figures()
    page.evaluate(HOLD)
    for field in ("input.md-search__input", ".fg-view", ".fg-table .fg-scroll >> nth=0"):
        page.locator(field).first.evaluate("one => { one.closest('details')?.setAttribute('open', ''); one.focus() }")
        assert page.locator(field).first.evaluate("one => document.activeElement === one"), field
        page.keyboard.press(forth)
        page.keyboard.press("Escape")
    assert not page.evaluate("window.followed")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(forth)
    assert page.evaluate("window.followed")
    assert heading.inner_text().startswith("Head 2-3")


@pytest.mark.parametrize("kind", PLACES)
def test_first_stop_of_every_page_skips_to_its_heading(visit: Visit, kind: str) -> None:
    page = visit.go(PLACES[kind])
    page.keyboard.press("Tab")
    skip = page.locator(".md-skip")
    assert skip.evaluate("one => one === document.activeElement")
    target = page.locator(f"[id='{skip.get_attribute('href').partition('#')[2]}']")
    assert target.evaluate("one => one.tagName") == "H1"


@pytest.mark.parametrize("place", [MODEL + "features/", "claims/c14/"])
def test_a_value_and_its_interval_are_apart_in_what_is_copied(visit: Visit, place: str) -> None:
    page = visit.go(place)
    copied = page.locator("td:has(small)").evaluate_all("all => all.map(one => one.textContent)")
    assert copied
    assert [one for one in copied if not re.search(r" \(.+\)$", one)] == []


def test_choosers_and_downloads_can_be_reached(visit: Visit) -> None:
    page = visit.go(MODEL)
    visit.figures()
    page.locator("#atlas .fg-menu summary").press("Enter")
    for named in (
        page.get_by_role("combobox", name="Measure"),
        page.locator("#atlas").get_by_role("button", name="CSV"),
    ):
        named.focus()
        assert named.evaluate("one => one === document.activeElement")
