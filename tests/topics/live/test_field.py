"""In Chromium: a reader types a sentence on the pages of a head and of a model; nothing of it leaves the page."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.site.browser import NARROW, WIDE, Visit, until, visiting
from tests.topics.live.tab import typed

pytestmark = pytest.mark.browser
SENTENCE = "The keeper lit the lamp."
HEAD, MODEL = "models/bert/heads/2-3/", "models/bert/sentence/"
OPEN = ("live-view.js", "live-worker.js", "model.json", "0.bin", "live.css")


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    with visiting(browser, address) as found:
        yield found


def names(visit: Visit) -> set[str]:
    """The names of the files that the tab has asked for."""
    return {request.partition("#")[0].rsplit("/", 1)[-1] for request in visit.requests}


@pytest.mark.parametrize("place", ["", HEAD, MODEL], ids=["home", "head", "model"])
def test_nothing_is_fetched_before_a_reader_asks_and_then_from_the_site_alone(visit: Visit, place: str) -> None:
    page = visit.go(place)
    expect(page.locator(".fg-live")).to_contain_text("Nothing that you type leaves this page.")
    page.wait_for_load_state("networkidle")
    assert names(visit).isdisjoint(OPEN)
    expect(typed(page, SENTENCE).locator("svg").first).to_be_visible()
    assert names(visit) >= {*OPEN}
    fetched = len(visit.requests)
    typed(page, "It looks at the end.")
    expect(page.locator(".fg-live-shown")).to_contain_text("end")
    assert page.url.endswith(f"#s={quote('It looks at the end.')}")
    assert visit.requests[fetched:] == [], "what is typed is in no request"
    assert not any("keeper" in request for request in visit.requests)


def test_a_head_shows_arcs_numbers_and_a_map_that_follow_what_is_typed(visit: Visit) -> None:
    page = visit.go(HEAD)
    shown = typed(page, SENTENCE)
    words = shown.locator(".fg-arcs-word > text:last-child")
    expect(words.first).to_be_visible()
    assert [one for one in words.all_text_contents() if one[0] != "["] == ["the", "keeper", "lit", "the", "lamp", "."]
    expect(shown.locator(".fg-live-numbers tbody tr")).to_have_count(6)
    expect(shown.locator(".fg-small-maps svg")).to_have_count(1)
    page.locator(".fg-live input").press("End")
    page.locator(".fg-live input").press_sequentially(" Birds")
    until(page, "location.hash.endsWith('Birds')")
    expect(words.filter(has_text="birds")).to_have_count(1)


def test_an_address_brings_its_sentence_which_is_read_when_the_reader_says_so(visit: Visit) -> None:
    page = visit.go(HEAD)
    page.goto(f"{page.url}#s={quote(SENTENCE)}")
    page.reload()
    expect(page.locator(".fg-live input")).to_have_value(SENTENCE)
    expect(page.locator(".fg-live [role=status]")).to_have_text("Press Show to read this sentence.")
    assert "model.json" not in names(visit)
    page.locator(".fg-live input").press("Enter")
    expect(page.locator(".fg-live-shown svg").first).to_be_visible()
    page.reload()
    expect(page.locator(".fg-live-shown svg").first).to_be_visible()


def test_a_model_sorts_its_heads_and_leads_to_one_with_the_sentence(visit: Visit) -> None:
    page = visit.go(MODEL)
    shown = typed(page, SENTENCE)
    heads = shown.locator(".fg-small-maps li")
    expect(heads).to_have_count(12)
    assert heads.first.locator("a").inner_text().endswith("head 1-1")
    shown.locator("select").select_option("attention.next")
    expect(heads.first.locator("small")).to_contain_text("%")
    shares = [int(text.split(" ")[0]) for text in shown.locator("li small").all_inner_texts()]
    assert shares == sorted(shares, reverse=True)
    first = heads.first.locator("a").inner_text().strip().removeprefix("head ")
    heads.first.locator("a").click()
    page.wait_for_url(f"**/heads/{first}/#s={quote(SENTENCE)}")
    expect(page.locator(".fg-live-shown .fg-arcs-drawn")).to_be_visible()


def test_heads_are_taken_away_and_words_hidden_beside_what_was_before(visit: Visit) -> None:
    page = visit.go(MODEL)
    shown = typed(page, SENTENCE)
    shown.get_by_role("button", name="Hide lamp").click()
    rows = shown.locator(".fg-live-guesses tbody tr")
    expect(rows.first.locator("td")).to_have_count(1)
    before = rows.first.locator("td").first.inner_text()
    shown.get_by_role("button", name="Switch off layer 1").press("Enter")
    expect(rows.first.locator("td")).to_have_count(2)
    assert rows.first.locator("td").first.inner_text() == before
    assert rows.first.locator("td").nth(1).inner_text() != before
    expect(shown.get_by_role("button", name="Switch off layer 1")).to_be_focused()
    moved = [text.split("moved ")[1] for text in shown.locator("li small").all_inner_texts()]
    assert moved[:4] == ["0 %"] * 4, "the first layer sees what it saw before"
    assert moved[4:] != ["0 %"] * 8
    expect(shown.locator(".fg-live-off")).to_have_count(4)
    shown.get_by_role("button", name="Switch off layer 1").click()
    expect(shown.locator(".fg-live-off")).to_have_count(0)
    expect(shown.get_by_role("button", name="Hide lamp")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize(
    "text",
    [
        "<img src=x onerror='window.ran = 1'><script>window.ran = 1</script>",
        "a\u202eb\u2066c\x00d\x1b[31m",
        "{{7*7}} ${7}",
    ],
)
@pytest.mark.parametrize("place", [HEAD, MODEL], ids=["head", "model"])
def test_what_is_typed_is_text_and_nothing_else(visit: Visit, place: str, text: str) -> None:
    page = visit.go(place)
    shown = typed(page, text)
    expect(shown.locator("svg").first).to_be_visible()
    assert page.evaluate("window.ran") is None
    assert shown.locator("img, script").count() == 0
    assert not {*"\u202e\u2066\x00\x1b"} & {*shown.inner_text()}


@pytest.mark.parametrize(("letters", "told"), [(9_999, False), (10_000, True), (12_000, True)])
def test_a_very_long_text_has_clear_limits(visit: Visit, letters: int, told: bool) -> None:
    page = visit.go(HEAD)
    page.locator(".fg-live input").focus()
    page.locator(".fg-live input").evaluate("(field, text) => { field.value = text; }", ("it is " * letters)[:letters])
    page.locator(".fg-live form button").click()
    status = page.locator(".fg-live [role=status]")
    expect(status).to_contain_text("The model reads 128 tokens")
    assert ("Only the first 10,000 characters are read." in status.inner_text()) is told


def test_a_frame_on_another_site_runs_after_a_click(visit: Visit) -> None:
    page = visit.go(HEAD)
    shown = typed(page, 'The "lamp" & the keeper')
    shown.get_by_role("button", name="Embed").click()
    source = re.search('src="([^"]+)"', shown.locator("pre").inner_text())
    assert source
    visit.requests.clear()
    page.evaluate("sessionStorage.clear()")
    page.goto(source[1])
    expect(page.locator(".fg-live input")).to_have_value('The "lamp" & the keeper')
    assert "model.json" not in names(visit)
    page.locator(".fg-live form button").click()
    expect(page.locator(".fg-live-shown .fg-arcs-drawn")).to_be_visible()
    assert page.url == source[1]


def test_nothing_typed_is_asked_for(visit: Visit) -> None:
    page = visit.go(HEAD)
    typed(page, "   ")
    expect(page.locator(".fg-live [role=status]")).to_have_text("Type a sentence first.")


def test_from_disk_a_page_says_that_it_cannot_and_why(browser: Browser, folder: Path) -> None:
    with visiting(browser, f"{folder.as_uri()}/") as visit:
        page = visit.go(f"{HEAD}index.html")
        typed(page, SENTENCE)
        expect(page.locator(".fg-live [role=status]")).to_contain_text("browsers let a file read no other file")


def test_without_scripts_a_line_says_what_would_be_there(browser: Browser, address: str) -> None:
    with visiting(browser, address, java_script_enabled=False) as visit:
        page = visit.go(HEAD)
        expect(page.locator(".fg-live noscript p")).to_contain_text("With JavaScript, you could type a sentence")
        expect(page.locator(".fg-live form")).to_be_hidden()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", [HEAD, MODEL], ids=["head", "model"])
def test_what_is_shown_is_accessible_and_fits(
    browser: Browser, address: str, place: str, scheme: str, size: tuple[int, int]
) -> None:
    with visiting(browser, address, size, color_scheme=scheme) as visit:
        page = visit.go(place)
        expect(typed(page, SENTENCE).locator("svg").first).to_be_visible()
        found = Axe().run(page, ".fg-live")
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_pictures_are_saved(visit: Visit, tmp_path: Path) -> None:
    page = visit.go(HEAD)
    shown = typed(page, SENTENCE)
    starts = {"SVG": b"<svg", "PNG": b"\x89PNG"}
    for name, start in starts.items():
        with page.expect_download() as download:
            shown.get_by_role("button", name=name).click()
        download.value.save_as(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)
