"""In Chromium: moving from page to page without a reload draws the new figures and lets go of the old ones."""

from functools import partial
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.limits import SECONDS
from tests.site.browser import Visit, until, visiting
from tests.site.project import MODEL, PLACES, QuietHandler, Site, server

pytestmark = pytest.mark.browser


def arrive(visit: Visit, title: str) -> None:
    """Wait for a page by its heading; the window must be the one we started in."""
    visit.arrive(title)
    assert visit.page.evaluate("window.marked"), f"the way to {title!r} was a full reload"
    visit.figures()


def start(visit: Visit, place: str) -> None:
    """Open a page, and let the theme know the sitemap."""
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    visit.go(place)
    assert not [url for url in asked if url.endswith("/sitemap.xml")], "the reader has not done anything yet"
    visit.move()
    visit.page.evaluate("window.marked = true")
    visit.figures()


def test_figures_draw_on_every_page_of_a_walk_through_heads(visit: Visit) -> None:
    start(visit, MODEL)
    visit.page.get_by_role("link", name="Head 2-1", exact=True).click()
    arrive(visit, "Head 2-1")
    visit.page.locator("a[rel=next]").click()
    arrive(visit, "Head 2-2")
    visit.page.locator("a[rel=prev]").click()
    arrive(visit, "Head 2-1")
    visit.page.go_back()
    arrive(visit, "Head 2-2")
    visit.page.locator(".fg-three a[href$='/']").first.click()
    visit.page.locator("h1", has_not_text="Head 2-2").wait_for()
    arrive(visit, "Head")
    visit.page.locator(".fg-crumbs a").nth(1).click()
    arrive(visit, "Tiny-BERT")


def test_who_walks_by_keys_alone_reloads_once_at_most(visit: Visit) -> None:
    visit.go(f"{MODEL}heads/2-1/")
    with visit.sitemap():
        visit.page.keyboard.press("n")
        visit.arrive("Head 2-2")
    visit.page.evaluate("window.marked = true")
    visit.page.keyboard.press("n")
    arrive(visit, "Head 2-3")


class Late(QuietHandler):
    """Sends the sitemap once a head's page is asked for, and that page once the page before is through with it."""

    def __init__(self, sought: Event, asked: Event, through: Event, *given: Any, **named: Any) -> None:
        """The events: the sitemap is asked for, the head's page is asked for, the page before it is through."""
        self._sought, self._asked, self._through = sought, asked, through
        super().__init__(*given, **named)

    def do_GET(self) -> None:  # noqa: N802 - the parent's name for it
        if self.path.endswith("/sitemap.xml"):
            self._sought.set()
            self._asked.wait(SECONDS)
        elif self.path.endswith("/heads/2-1/"):
            self._asked.set()
            self._through.wait(SECONDS)
        super().do_GET()


FOLLOW = """
const { open } = XMLHttpRequest.prototype, { text } = Blob.prototype;
const clicked = new Promise((done) => { window.follow = (link) => { link.click(); done(); }; });
const through = () => setTimeout(async () => {
  await text.call(new Blob());
  setTimeout(() => console.log("through"));
});
XMLHttpRequest.prototype.open = function (method, url) {
  if (String(url).endsWith("/sitemap.xml")) this.addEventListener("loadend", () => clicked.then(through));
  return open.apply(this, arguments);
};
Blob.prototype.text = async function () {
  window.reads = true;
  await clicked;
  return text.call(this);
};
"""
"""Reads what came, the sitemap above all, once a link is followed; says when all that follows from it is done."""


def follow(visit: Visit, through: Event) -> None:
    """Follow a link, which must ask for its page once."""
    with visit.page.expect_console_message(lambda message: message.text == "through"):
        visit.page.get_by_role("link", name="Head 2-1", exact=True).evaluate("link => follow(link)")
    through.set()
    visit.arrive("Head 2-1")
    assert [url.endswith("/heads/2-1/") for url in visit.requests].count(True) == 1


def test_a_link_that_is_followed_before_the_sitemap_has_come_is_followed_once(browser: Browser, site: Site) -> None:
    sought, through = Event(), Event()
    with server(site.folder, partial(Late, sought, Event(), through)) as address, visiting(browser, address) as visit:
        visit.page.add_init_script(FOLLOW)
        visit.go(MODEL)
        visit.nudge()
        assert sought.wait(SECONDS)
        follow(visit, through)
        visit.page.go_back()
        visit.arrive("Tiny-BERT")


def test_a_link_that_is_followed_while_the_sitemap_is_read_is_followed_once(browser: Browser, site: Site) -> None:
    come, through = Event(), Event()
    come.set()
    with server(site.folder, partial(Late, Event(), come, through)) as address, visiting(browser, address) as visit:
        visit.page.add_init_script(FOLLOW)
        visit.go(MODEL)
        visit.nudge()
        until(visit.page, "window.reads")
        follow(visit, through)


@pytest.mark.parametrize("folder", ["", "name/"], ids=["another port", "a folder of another host"])
def test_pages_follow_each_other_at_addresses_that_the_sitemap_does_not_name(
    browser: Browser, site: Site, tmp_path, folder: str
) -> None:
    (tmp_path / "name").symlink_to(site.folder)
    with server(tmp_path if folder else site.folder) as address, visiting(browser, address + folder) as visit:
        assert address != site.address
        start(visit, MODEL)
        visit.page.get_by_role("link", name="Head 2-1", exact=True).click()
        arrive(visit, "Head 2-1")


def test_views_of_removed_figures_are_finalised_and_only_those(visit: Visit) -> None:
    start(visit, MODEL)
    visit.page.locator(".fg-cell").first.click()
    arrive(visit, "Head 1-1")
    views = visit.page.evaluate("views.map(({ slot, finalized }) => [slot.isConnected, finalized])")
    assert sorted(map(tuple, views)) == [(False, True)] * 2 + [(True, False)] * 3


def test_finder_answers_after_coming_back_to_it(visit: Visit) -> None:
    start(visit, PLACES["finder"])
    visit.page.locator("#finder tbody a[href$='heads/1-1/']").first.click()
    arrive(visit, "Head 1-1")
    visit.page.go_back()
    arrive(visit, "Find a head")
    visit.page.locator(".fg-finder[data-ready]").wait_for()
    visit.page.get_by_label("Heads where").fill("layer = 3 and head = 4")
    heads = visit.page.locator("#finder tbody tr td:nth-child(2)")
    assert set(heads.all_inner_texts()) == {"3-4"}
