"""In Chromium: a telephone's width is enough for every kind of page; wide tables scroll within themselves."""

import pytest
from playwright.sync_api import Browser

from tests.site.browser import NARROW, Visit, until, visiting
from tests.site.project import HEAD, PLACES, Site

pytestmark = pytest.mark.browser
WIDTH = "document.documentElement.scrollWidth"
BROKEN = r"""heads => heads.flatMap(head => {
  const range = document.createRange(), texts = document.createTreeWalker(head, NodeFilter.SHOW_TEXT), broken = [];
  while (texts.nextNode()) {
    for (const word of texts.currentNode.data.matchAll(/[^\s-]+/g)) {
      range.setStart(texts.currentNode, word.index);
      range.setEnd(texts.currentNode, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(line => line.top)).size > 1) broken.push(word[0]);
    }
  }
  return broken;
})"""
"""Words that stand on more than one line."""
NAMES_BROKEN = BROKEN.replace(r"[^\s-]+", r"[\w.]+(-[\w.]+)+")
TITLES = ".fg-title, article :is(h1, h2, h3)"
FINGER = 24
"""The least width and height of a link in pixels, by the accessibility guidelines (WCAG 2.2, 2.5.8)."""
AS_IT_CAME = """part => {
  const top = () => document.querySelector(".fg-matrix, #finder").getBoundingClientRect().top, shown = top();
  for (const said of part.querySelectorAll(".fg-found")) said.textContent = "";
  part.hidden = true;
  return [getComputedStyle(part).visibility, top() - shown];
}"""
"""Makes a bar of choices as it was before its script ran: whether it is seen, and how far what follows it moves."""
MAPPED, TABLED = ("home", "models", "model", "hostile model"), ("model", "head")
"""Kinds of page that have maps of heads, and those that have tables which are not folded."""


@pytest.mark.parametrize("kind", PLACES)
def test_narrow_page_does_not_scroll_sideways_and_all_stays_in_its_place(narrow: Visit, kind: str) -> None:
    page = narrow.go(PLACES[kind])
    edges = page.eval_on_selector_all(
        ".fg-map", "all => all.map(one => [one, one.parentElement].map(part => part.getBoundingClientRect().right))"
    )
    assert edges or kind not in MAPPED
    assert not [(inner, card) for inner, card in edges if inner > card]
    assert kind not in TABLED or page.eval_on_selector_all(".fg-scroll:not(details *) th", BROKEN) == []
    narrow.figures()
    widths = page.eval_on_selector_all(".fg-chart", "slots => slots.map(slot => [slot.scrollWidth, slot.clientWidth])")
    assert not [(content, slot) for content, slot in widths if content > slot]
    narrow.tables()
    assert page.evaluate(WIDTH) <= NARROW[0]


@pytest.mark.parametrize("place", ["claims/c14/", PLACES["model"], HEAD])
def test_no_line_of_a_title_ends_within_a_name(visit: Visit, place: str) -> None:
    """Also of a title that a script writes when a view is chosen."""
    page = visit.go(place)
    named = "all => all.filter(one => /\\w-\\w/.test(one.textContent)).length"
    assert page.eval_on_selector_all(TITLES, named)
    for written in ("by the page", "by a script"):
        if written == "by a script":
            page.evaluate(
                "document.querySelectorAll('.fg-title').forEach((one) => {"
                " const told = one.textContent; one.textContent = ''; fieldguide.entitle(one, told); })"
            )
        for width in range(300, 900, 10):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.eval_on_selector_all(TITLES, NAMES_BROKEN) == [], width


@pytest.mark.parametrize("place", [PLACES["finder"], "claims/"])
def test_what_a_script_is_about_to_show_has_its_room_from_the_start(narrow: Visit, place: str) -> None:
    bar = narrow.go(place).locator(":is(.fg-finder, .fg-filters)[data-ready]")
    bar.wait_for()
    assert bar.evaluate(AS_IT_CAME) == ["hidden", 0]


@pytest.mark.parametrize("screen", ["narrow", "visit"])
def test_marks_of_the_claims_matrix_are_large_enough_to_be_hit(request: pytest.FixtureRequest, screen: str) -> None:
    boxes = "all => all.map(one => one.getBoundingClientRect()).map(box => [box.width, box.height])"
    page: Visit = request.getfixturevalue(screen)
    marks = page.go("claims/").locator(".fg-matrix .fg-mark").evaluate_all(boxes)
    assert len(marks) > 10
    assert min(map(min, marks)) >= FINGER


@pytest.mark.parametrize("place", ["many-machines/", "reproduce/"])
def test_names_of_options_and_files_in_a_written_table_are_not_broken(narrow: Visit, place: str) -> None:
    """Telephones are so narrow that the theme would break them between any two letters."""
    page = narrow.go(place)
    names = page.locator("article table:not([class]) td:first-child code")
    assert names.count() > 1
    assert names.evaluate_all(BROKEN) == []


def test_a_table_of_many_columns_that_is_written_by_hand_is_seen_whole(visit: Visit) -> None:
    page = visit.go(HEAD)
    table = f"<div class='md-typeset__table'><table><tr>{'<th>share</th>' * 14}</tr></table></div>"
    page.locator("article").evaluate("(article, table) => article.insertAdjacentHTML('beforeend', table)", table)
    of_table = page.locator("article table").last.evaluate("table => table.scrollWidth")
    assert of_table <= page.locator("article").evaluate("article => article.clientWidth")


def test_width_is_noticed_when_something_sticks_out(narrow: Visit) -> None:
    page = narrow.go()
    page.locator("h1").evaluate("heading => heading.style.width = '500px'")
    assert page.evaluate(WIDTH) > NARROW[0]


def test_charts_follow_the_width_of_the_window(visit: Visit) -> None:
    visit.go(HEAD)
    visit.figures()
    visit.page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    until(visit.page, f"[...document.querySelectorAll('.fg-chart svg')].every(one => one.clientWidth <= {NARROW[0]})")
    assert visit.page.evaluate(WIDTH) <= NARROW[0]


def test_without_scripts_a_long_title_does_not_make_a_telephone_scroll(browser: Browser, site: Site) -> None:
    with visiting(browser, site.address, NARROW, java_script_enabled=False) as visit:
        page = visit.go(HEAD)
        page.locator(".md-header__topic .md-ellipsis").last.evaluate("one => { one.textContent = 'long '.repeat(40); }")
        assert page.evaluate(WIDTH) <= NARROW[0]
