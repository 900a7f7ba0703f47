"""Chromium, and a page in it that keeps what went wrong: console messages, page errors, dialogs, far requests."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PROGRAMS = ("chromium-headless-shell", "chromium")
"""The first one is the same engine without a window; it takes half the time."""
MISSING = f"install it with `apt-get install {PROGRAMS[0]}`, or set FIELDGUIDE_CHROMIUM to the path of a Chromium"
ASIDE = re.compile(r"/(sitemap\.xml|search_index\.json|logo\.svg|workers/search\.\w+\.min\.js)$")
"""What a page fetches after it has loaded; who goes on before such a file has come lets go of it."""
WIDE, NARROW = (1280, 900), (390, 844)
PATIENCE = 120_000
"""Milliseconds within which a page does what a test waits for, on a machine with ten times as much to do as it can."""
BLANK = "about:blank"
PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
KEEP_VIEWS = """
let embed;
window.views = [];
Object.defineProperty(window, "vegaEmbed", {
  configurable: true,
  get: () => embed && (async (...given) => {
    const made = await embed(...given), finalize = made.view.finalize;
    const kept = { slot: given[0], finalized: false };
    made.view.finalize = function () { kept.finalized = true; return finalize.apply(this, arguments); };
    window.views.push(kept);
    return made;
  }),
  set: (value) => { embed = value; },
});
"""
"""Notes each view that the page makes, and whether it was finalised; drawing is left to the real vegaEmbed."""
KEEP_QUESTIONS = """
window.asked = [];
if (window.Worker && location.protocol !== "file:") window.Worker = class extends Worker {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => {
      if (data.type === 3) asked.find((one) => !one.answered).answered = true;
    });
  }
  postMessage(message, ...more) {
    if (message.type === 2) asked.push({ words: message.data, answered: false });
    super.postMessage(message, ...more);
  }
};
"""
"""Notes what the theme asks its search, which answers one question after the other, and whether an answer has come."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium; where there is none, a test fails in CI and is skipped at a desk."""
    path = os.environ.get("FIELDGUIDE_CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)
    if not path or not Path(path).is_file():
        found = f"none of {', '.join(PROGRAMS)} on PATH" if not path else f"no file {path}"
        sentence = f"Expected Chromium for the tests in a browser, found {found}; {MISSING}."
        if os.environ.get("CI") == "true":
            pytest.fail(sentence, pytrace=False)
        pytest.skip(sentence)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


def until(page: Page, condition: str) -> None:
    """Wait until an expression is true; as text it would be evaluated anew each time, which a page's policy forbids."""
    page.wait_for_function(f"() => {condition}")


UNFOLD = "one => { for (let fold = one; (fold = fold.parentElement?.closest('details')); ) fold.open = true; }"
"""Opens whatever an element is folded into."""


@dataclass
class Visit:
    """A tab in which nothing is kept of what was shown before, and everything it should not have done."""

    page: Page
    address: str
    """Everything the tab asks for must lie below it."""
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def go(self, place: str = "") -> Page:
        """Open a page of the site by its address below it, not yet quoted."""
        self.page.goto(self.address + quote(place), wait_until="load")
        return self.page

    def arrive(self, title: str) -> None:
        """Wait for another page by its heading, and until it has loaded."""
        self.page.locator("h1", has_text=title).wait_for()
        self.page.wait_for_load_state()

    def move(self) -> None:
        """Move the mouse, and wait until the theme knows the sitemap: only then it goes from page to page itself."""
        with self.sitemap():
            self.nudge()

    def nudge(self) -> None:
        """Move the mouse, once the page is painted: Chromium lets go of what a mouse does before."""
        self.page.evaluate(PAINTED)
        self.page.mouse.move(3, 3)

    @contextmanager
    def sitemap(self) -> Iterator[None]:
        """Wait until the theme knows the sitemap, which is asked for within the block and not before."""
        with self.page.expect_request_finished(lambda request: request.url.endswith("/sitemap.xml")):
            yield
        self.page.evaluate(PAINTED)

    def searched(self, words: str) -> None:
        """Wait until the search has answered every question, the last of them for these words."""
        last = f"asked.length && asked.at(-1).words === {json.dumps(words)} && asked.at(-1).answered"
        until(self.page, last)

    def figure(self, name: str) -> Locator:
        """Move the focus to a figure and wait until it is live."""
        figure = self.page.locator(f"figure#{name}")
        figure.evaluate(UNFOLD)
        figure.locator(".fg-charts").focus()
        self.page.locator(f"figure#{name}[data-drawn]").wait_for()
        return figure

    def figures(self) -> list[str]:
        """Bring every figure of the page to life; returns their names."""
        names = self.page.eval_on_selector_all(".fg-figure", "all => all.map(one => one.id)")
        for name in names:
            self.figure(name)
        return names

    def tables(self) -> None:
        """Open every table of the page that is folded."""
        self.page.eval_on_selector_all("details.fg-table", "all => all.forEach(one => { one.open = true; })")

    def turn_dark(self) -> None:
        """Click the palette button and wait until what was drawn is drawn again."""
        self.page.locator("[data-md-component=palette] label:visible").click()
        self.page.locator("body[data-md-color-scheme=slate]").wait_for()
        until(
            self.page,
            "[...document.querySelectorAll('.fg-figure[data-drawn]')].every(one => one.dataset.drawn === 'slate')",
        )

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Meanwhile note what the tab does."""
        heard = {
            "console": self._console,
            "pageerror": lambda error: self.problems.append(f"page error: {error}"),
            "request": lambda request: self._request(request.url),
            "requestfailed": self._failed,
            "dialog": self._dialog,
        }
        for event, hear in heard.items():
            self.page.on(event, hear)
        yield
        for event, hear in heard.items():
            self.page.remove_listener(event, hear)

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"console {message.type}: {message.text} ({message.location.get('url')})")

    def _request(self, url: str) -> None:
        self.requests.append(url)
        if not url.startswith((self.address, "data:", "blob:")):
            self.problems.append(f"request to {url}")

    def _failed(self, request: Any) -> None:
        if request.failure != "net::ERR_ABORTED" or not ASIDE.search(request.url):
            self.problems.append(f"failed: {request.url} {request.failure}")

    def _dialog(self, dialog: Any) -> None:
        self.problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()


@contextmanager
def tab(browser: Browser, **options: Any) -> Iterator[Page]:
    """Open a tab of a browser that knows nothing yet."""
    context = browser.new_context(**{"color_scheme": "light"} | options)
    context.set_default_timeout(PATIENCE)
    context.add_init_script(KEEP_VIEWS + KEEP_QUESTIONS)
    try:
        yield context.new_page()
    finally:
        context.close()


@contextmanager
def visiting(browser: Browser, address: str, size: tuple[int, int] = WIDE, **options: Any) -> Iterator[Visit]:
    """Open a tab, and fail at the end if anything went wrong in it."""
    with tab(browser, **options) as page, visiting_in(page, address, size) as visit:
        yield visit


@contextmanager
def visiting_in(page: Page, address: str, size: tuple[int, int] = WIDE) -> Iterator[Visit]:
    """Look at a site in a tab, and fail at the end if anything went wrong in it."""
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    visit = Visit(page, address)
    with visit.watched():
        yield visit
    assert not visit.problems, visit.problems


def left(page: Page) -> Page:
    """A tab that has shown pages as if it had shown none: it remembers no choice, and the mouse is out of the way."""
    page.unroute_all()
    if page.url != BLANK:
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
        page.goto(BLANK)
    page.mouse.move(0, 0)
    return page
