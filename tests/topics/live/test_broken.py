"""In Chromium: files that stall, break off or arrive wrong, tabs and workers that are killed: a sentence, and again."""

import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.site.browser import PATIENCE, tab, until
from tests.site.project import QuietHandler, server
from tests.topics.live.tab import renderers, typed

pytestmark = pytest.mark.browser
SENTENCE = "The keeper lit the lamp."
HEAD = "models/bert/heads/2-3/"
MODEL, WEIGHTS, VIEW, WORKER, USUAL = (
    *("live/model.json", "live/0.bin", "assets/fieldguide/live-view.js", "assets/fieldguide/live-worker.js"),
    "sentence/live.js",
)
LATE = "The model could not be fetched: nothing came for 15 seconds. Try again."
BROKEN = "The model could not be fetched: the connection broke, or the file is not there. Try again."
DAMAGED = "The model arrived damaged: a checksum is wrong. Try again; if it stays so, the site needs to be built anew."
SCRIPT = "A script of this site could not be fetched. Try again."
DIED = "The model stopped, perhaps because this device has too little memory. Try again, or a shorter sentence."
KILLED = (
    "This page ended while the model worked, perhaps because this device has too little memory. Press Show to try "
    "again, or take a shorter sentence."
)
DONE = re.compile(r"^Read as \d+ tokens")
COMING = "document.querySelector('.fg-live progress').value > 0"
"""Something of the model is there."""
SLOW = 6
"""Seconds between parts of a file that comes slowly: together longer than nothing may come."""


class Faulty(QuietHandler):
    """Serves files, some of them badly."""

    def __init__(self, faults: Mapping[str, "Fault"], *given: Any, **more: Any) -> None:
        self.faults = faults
        super().__init__(*given, **more)

    def do_GET(self) -> None:  # noqa: N802 - the parent's name for it
        """Serve a file as its fault says."""
        path = self.path.partition("?")[0]
        fault = next((fault for end, fault in self.faults.items() if path.endswith(end)), None)
        if fault:
            fault(self, Path(self.translate_path(self.path)).read_bytes())
        else:
            super().do_GET()

    def put(self, whole: bytes, length: int, pause: float = 0) -> None:
        """Write some bytes and say that it is so many, with a pause before each third but the first."""
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript")
        self.send_header("Content-Length", str(length))
        self.end_headers()
        third = len(whole) // 3
        for part in (whole[:third], whole[third : 2 * third], whole[2 * third :]):
            self.wfile.write(part)
            self.wfile.flush()
            time.sleep(pause)


Fault = Callable[[Faulty, bytes], None]


def stalls(handler: Faulty, whole: bytes) -> None:
    """Half of it, and then nothing until the test is over."""
    handler.put(whole[: len(whole) // 2], len(whole))
    threading.Event().wait(PATIENCE / 1000)


WRONG: Mapping[str, Fault] = {
    "broken": lambda handler, whole: handler.put(whole[: len(whole) // 2], len(whole)),
    "missing": lambda handler, whole: handler.send_error(404),
    "short": lambda handler, whole: handler.put(whole[:-1], len(whole) - 1),
    "long": lambda handler, whole: handler.put(whole + b" ", len(whole) + 1),
    "damaged": lambda handler, whole: handler.put(bytes([whole[0] ^ 1]) + whole[1:], len(whole)),
}
SENTENCES = {"broken": BROKEN, "missing": BROKEN}


@contextmanager
def faulty(browser: Browser, folder: Path, faults: Mapping[str, Fault]) -> Iterator[Page]:
    """The page of a head, from a server with faults."""
    with server(folder, partial(Faulty, faults)) as address, tab(browser) as page:
        page.goto(address + HEAD)
        yield page


def told(page: Page, sentence: str | re.Pattern[str]) -> None:
    """Wait for a sentence; no bar is left."""
    expect(page.locator(".fg-live [role=status]")).to_have_text(sentence)
    expect(page.locator(".fg-live progress")).to_be_hidden()


def works(page: Page, sentence: str = SENTENCE) -> None:
    """The button shows the sentence that is in the field."""
    expect(page.locator(".fg-live input")).to_have_value(sentence)
    page.locator(".fg-live form button").click()
    expect(page.locator(".fg-live-shown .fg-arcs-drawn")).to_be_visible()
    told(page, DONE)


@pytest.mark.parametrize("fault", WRONG)
@pytest.mark.parametrize("file", [MODEL, WEIGHTS])
def test_what_arrives_wrong_is_told_and_fetched_again(browser: Browser, folder: Path, file: str, fault: str) -> None:
    faults = {file: WRONG[fault]}
    with faulty(browser, folder, faults) as page:
        typed(page, SENTENCE)
        told(page, SENTENCES.get(fault, DAMAGED))
        faults.clear()
        works(page)


@pytest.mark.parametrize("fault", ["broken", "missing"])
@pytest.mark.parametrize("file", [VIEW, WORKER, USUAL])
def test_a_script_that_does_not_come_is_told_and_fetched_again(
    browser: Browser, folder: Path, file: str, fault: str
) -> None:
    faults = {file: WRONG[fault]}
    with faulty(browser, folder, faults) as page:
        typed(page, SENTENCE)
        told(page, SCRIPT)
        faults.clear()
        works(page)


class Waiting(NamedTuple):
    """A page that waits for something, and the faults of its server."""

    page: Page
    faults: dict[str, Fault]


@pytest.fixture(scope="module", autouse=True)
def waiting(browser: Browser, folder: Path) -> Iterator[Mapping[str, Waiting]]:
    """Gives pages that all wait while other tests run: by the file that stalls, or by what was killed."""
    with ExitStack() as stack:

        def begun(faults: dict[str, Fault]) -> Waiting:
            page = stack.enter_context(faulty(browser, folder, faults))
            typed(page, SENTENCE)
            return Waiting(page, faults)

        found = {file: begun({file: stalls}) for file in (MODEL, WEIGHTS, VIEW, WORKER, USUAL)}
        found["slow"] = begun({WEIGHTS: lambda handler, whole: handler.put(whole, len(whole), SLOW)})
        for name, faults in (("fetching", {WEIGHTS: stalls}), ("reading", {})):
            found[name] = begun(faults)
            until(found[name].page, COMING if faults else "document.querySelector('.fg-live .fg-arcs-drawn')")
            (worker,) = (one for one in found[name].page.workers if one.url.endswith(WORKER))
            with worker.expect_event("close"):  # until then it takes what it is asked
                worker.evaluate("self.close()")
        found["reading"].page.locator(".fg-live input").fill(f"{SENTENCE} Again.")  # is read without a click, once
        yield found


def test_what_comes_slowly_comes(waiting: Mapping[str, Waiting]) -> None:
    """For longer than the time in which something has to come."""
    page, _ = waiting["slow"]
    expect(page.locator(".fg-live-shown .fg-arcs-drawn")).to_be_visible()
    assert int(LATE.partition(" seconds")[0].rpartition(" ")[-1]) < 3 * SLOW


@pytest.mark.parametrize("name", ["fetching", "reading"])
def test_a_killed_worker_is_told_of_and_begun_again(waiting: Mapping[str, Waiting], name: str) -> None:
    page, faults = waiting[name]
    told(page, DIED)
    faults.clear()
    works(page, SENTENCE if name == "fetching" else f"{SENTENCE} Again.")


def of(session: CDPSession, expression: str) -> Any:
    """The value of an expression in a tab that was killed, which Playwright lets go of."""
    return session.send("Runtime.evaluate", {"expression": expression})["result"].get("value")


@pytest.mark.parametrize("name", ["fetching", "reading"])
def test_a_killed_tab_has_its_sentence_and_waits_for_its_reader(browser: Browser, folder: Path, name: str) -> None:
    """Else one that a model kills would be killed each time that it is loaded again."""
    faults: dict[str, Fault] = {WEIGHTS: stalls} if name == "fetching" else {}
    before = renderers(browser)
    with faulty(browser, folder, faults) as page:
        session, shown = page.context.new_cdp_session(page), typed(page, SENTENCE)
        if name == "fetching":
            until(page, COMING)
        else:
            expect(shown.locator("svg").first).to_be_visible()
            page.locator(".fg-live input").fill(f"{SENTENCE} Again.")
            page.evaluate(  # the answer of the worker finds nobody who could take it
                "() => { document.querySelector('.fg-live form').requestSubmit(); setTimeout(() => { for (;;); }); }"
            )
        with page.expect_event("crash"):
            for process in renderers(browser) - before:
                os.kill(process, signal.SIGKILL)
        faults.clear()
        session.send("Page.reload")
        deadline = time.monotonic() + PATIENCE / 1000
        while of(session, "document.querySelector('.fg-live [role=status]')?.textContent") != KILLED:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        said = SENTENCE if name == "fetching" else f"{SENTENCE} Again."
        assert of(session, "document.querySelector('.fg-live input').value") == said
        of(session, "document.querySelector('.fg-live form').requestSubmit()")
        while not of(session, "!!document.querySelector('.fg-live-shown .fg-arcs-drawn')"):
            assert time.monotonic() < deadline
            time.sleep(0.1)


@pytest.mark.parametrize(
    ("file", "sentence"),
    [(MODEL, LATE), (WEIGHTS, LATE), (VIEW, SCRIPT), (WORKER, SCRIPT), (USUAL, SCRIPT)],
    ids=lambda one: one.rpartition("/")[-1],
)
def test_what_stalls_is_told_and_fetched_again(waiting: Mapping[str, Waiting], file: str, sentence: str) -> None:
    page, faults = waiting[file]
    told(page, sentence)
    faults.clear()
    works(page)
