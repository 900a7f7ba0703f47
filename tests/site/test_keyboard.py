"""In Chromium: what a mouse can do to a map of heads, a keyboard can do too, and each link says where it leads."""

import pytest

from tests.site.browser import Visit
from tests.site.project import MODEL, Site

pytestmark = pytest.mark.browser


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
    page.locator("h1", has_text="Head 2-1").wait_for()


def test_choosers_filter_downloads_and_tables_can_be_reached(visit: Visit) -> None:
    page = visit.go(MODEL)
    visit.figures()
    for named in (
        page.get_by_role("combobox", name="Measure"),
        page.get_by_role("searchbox", name="Find"),
        page.get_by_role("button", name="CSV"),
        page.get_by_role("region", name="All heads", exact=True),
    ):
        named.focus()
        assert named.evaluate("one => one === document.activeElement")
