"""In Chromium: a telephone's width is enough for every kind of page; wide tables scroll within themselves."""

import pytest

from tests.site.browser import NARROW, Visit
from tests.site.project import HEAD, PLACES

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


@pytest.mark.parametrize("kind", PLACES)
def test_narrow_page_does_not_scroll_sideways(narrow: Visit, kind: str) -> None:
    narrow.go(PLACES[kind])
    narrow.figures()
    for summary in narrow.page.locator("details.fg-table summary").all():
        summary.click()
    assert narrow.page.evaluate(WIDTH) <= NARROW[0]


@pytest.mark.parametrize("kind", ["home", "models", "model", "hostile model"])
def test_map_of_many_heads_stays_in_its_card(narrow: Visit, kind: str) -> None:
    narrow.go(PLACES[kind])
    edges = narrow.page.eval_on_selector_all(
        ".fg-map", "all => all.map(one => [one, one.parentElement].map(part => part.getBoundingClientRect().right))"
    )
    assert edges
    assert not [(inner, card) for inner, card in edges if inner > card]


@pytest.mark.parametrize("kind", ["model", "head"])
def test_no_word_of_a_tables_head_is_broken(narrow: Visit, kind: str) -> None:
    narrow.go(PLACES[kind])
    assert narrow.page.eval_on_selector_all(".fg-scroll:not(details *) th", BROKEN) == []


def test_width_is_noticed_when_something_sticks_out(narrow: Visit) -> None:
    page = narrow.go()
    page.locator("h1").evaluate("heading => heading.style.width = '500px'")
    assert page.evaluate(WIDTH) > NARROW[0]


def test_charts_follow_the_width_of_the_window(visit: Visit) -> None:
    visit.go(HEAD)
    visit.figures()
    visit.page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    visit.page.wait_for_function(
        f"[...document.querySelectorAll('.fg-chart svg')].every(one => one.clientWidth <= {NARROW[0]})"
    )
    assert visit.page.evaluate(WIDTH) <= NARROW[0]


def test_charts_shrink_to_a_narrow_page(narrow: Visit) -> None:
    narrow.go(HEAD)
    narrow.figures()
    widths = narrow.page.eval_on_selector_all(
        ".fg-chart", "slots => slots.map(slot => [slot.scrollWidth, slot.clientWidth])"
    )
    assert not [(content, slot) for content, slot in widths if content > slot]
