"""In Chromium: a reader types a sentence on the pages of a head and of a model; nothing of it leaves the page."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from generator.topics.live.page.usual import TOLD
from tests.site.browser import NARROW, WIDE, Visit, until, visiting
from tests.topics.live.tab import typed

pytestmark = pytest.mark.browser
SENTENCE = "The keeper lit the lamp."
KEEP_READINGS = """
window.readings = [];
window.Worker = class extends Worker {
  postMessage(message, ...more) {
    if (message.task === "read") readings.push(message.text);
    super.postMessage(message, ...more);
  }
};
"""
"""Notes each text that the worker is asked to read."""
MOVING = """
() => {
  const styles = [...document.querySelectorAll(".fg-live, .fg-live *")].map((one) => getComputedStyle(one));
  const slow = (durations) => durations.split(", ").some((one) => parseFloat(one) > 0);
  return styles.flatMap((one) => [
    ...(one.animationName !== "none" && slow(one.animationDuration) ? [one.animationName] : []),
    ...(slow(one.transitionDuration) ? one.transitionProperty.split(", ") : []),
  ]);
}
"""
"""What is animated in the field, and what changes slowly there."""
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


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("place", ["", HEAD, MODEL], ids=["home", "head", "model"])
def test_the_button_stays_under_the_mouse_when_styles_come(
    browser: Browser, address: str, place: str, size: tuple[int, int]
) -> None:
    """Else a press that begins before they come, and ends after, is no click."""
    with visiting(browser, address, size) as visit:
        page = visit.go(place)
        button = page.locator(".fg-live form button")
        button.scroll_into_view_if_needed()
        before = button.bounding_box()
        page.locator(".fg-live input").focus()
        until(page, "[...document.styleSheets].some((one) => one.href?.endsWith('live.css'))")
        assert button.bounding_box() == before


def test_a_head_shows_arcs_numbers_and_a_map_that_follow_what_is_typed(visit: Visit) -> None:
    page = visit.go(HEAD)
    shown = typed(page, SENTENCE)
    words = shown.locator(".fg-arcs-word > text:last-child")
    expect(words.first).to_be_visible()
    assert [one for one in words.all_text_contents() if one[0] != "["] == ["the", "keeper", "lit", "the", "lamp", "."]
    expect(shown.locator(".fg-live-numbers tbody tr")).to_have_count(len(TOLD))
    expect(shown.locator(".fg-small-maps svg")).to_have_count(1)
    page.locator(".fg-live input").press("End")
    page.locator(".fg-live input").press_sequentially(" Birds")
    until(page, "location.hash.endsWith('Birds')")
    expect(words.filter(has_text="birds")).to_have_count(1)


def test_a_text_is_read_once_whatever_shows_it(visit: Visit) -> None:
    """A click on a sentence that was read while it was typed, and another order of its heads, ask nothing again."""
    visit.page.add_init_script(KEEP_READINGS)
    page = visit.go(MODEL)
    shown, field = typed(page, SENTENCE), page.locator(".fg-live input")
    expect(shown.locator("li")).to_have_count(12)
    field.press("End")
    field.press_sequentially(" Birds")
    expect(shown.get_by_role("button", name="Hide birds")).to_be_visible()
    page.locator(".fg-live form button").click()
    shown.locator("select").select_option("attention.next")
    expect(shown.locator("li small").first).to_contain_text("%")
    shown.get_by_role("button", name="Hide birds").click()
    expect(shown.locator(".fg-live-guesses")).to_be_visible()
    field.fill(SENTENCE)
    expect(shown.get_by_role("button", name="Hide birds")).to_have_count(0)
    again = f"{SENTENCE} Birds"
    assert page.evaluate("readings") == [SENTENCE, again, again, SENTENCE], "the third with a word hidden"


def test_another_sentence_in_the_address_is_read(visit: Visit) -> None:
    page = visit.go(HEAD)
    expect(typed(page, SENTENCE).locator("svg").first).to_be_visible()
    page.goto(f"{page.url.partition('#')[0]}#s={quote('A bird sang.')}")
    expect(page.locator(".fg-live input")).to_have_value("A bird sang.")
    expect(page.locator(".fg-live-shown .fg-arcs-word", has_text="bird").first).to_be_visible()


def test_an_address_brings_its_sentence_which_is_read_when_the_reader_says_so(visit: Visit) -> None:
    page = visit.page
    page.goto(f"{visit.address}{HEAD}#s={quote(SENTENCE)}")
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


def test_all_is_done_with_the_keyboard(visit: Visit) -> None:
    """The focus stays where it was, or returns to the field when what had it is gone."""
    page = visit.go(MODEL)
    field, shown = page.locator(".fg-live input"), page.locator(".fg-live-shown")
    field.focus()
    page.keyboard.type(SENTENCE)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Show", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(shown.locator("li")).to_have_count(12)
    page.keyboard.press("Tab")
    for word in ("the", "keeper"):
        expect(shown.get_by_role("button", name=f"Hide {word}").first).to_be_focused()
        page.keyboard.press("Tab")
    expect(shown.get_by_role("button", name="Hide lit")).to_be_focused()
    page.keyboard.press("Space")
    expect(shown.locator(".fg-live-guesses tbody tr").first).to_be_visible()
    expect(shown.get_by_role("button", name="Hide lit")).to_be_focused()
    tab_to(page, "head-2-1")
    page.keyboard.press("Space")
    expect(shown.locator(".fg-live-off")).to_have_count(1)
    expect(shown.get_by_role("button", name="Switch off head 2-1")).to_be_focused()
    tab_to(page, "back", "Shift+Tab")
    page.keyboard.press("Enter")
    expect(shown.locator(".fg-live-guesses")).to_have_count(0)
    expect(shown.locator("[aria-pressed=true]")).to_have_count(0)
    expect(field).to_be_focused()


def test_words_with_arcs_are_reached_with_the_keyboard(visit: Visit) -> None:
    page = visit.go(HEAD)
    page.locator(".fg-live input").focus()
    page.keyboard.type(SENTENCE)
    page.keyboard.press("Enter")
    words = page.locator(".fg-live-shown .fg-arcs-word")
    expect(words.first).to_be_visible()
    page.keyboard.press("Tab")
    for at in range(words.count()):
        page.keyboard.press("Tab")
        expect(words.nth(at)).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Copy link")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".fg-live-shown pre")).to_contain_text("<iframe")


def tab_to(page: Page, key: str, press: str = "Tab") -> None:
    """Press until a button has the focus."""
    for _ in range(100):
        if page.evaluate("document.activeElement.dataset.key") == key:
            return
        page.keyboard.press(press)
    pytest.fail(f"{key} is not reached")


@pytest.mark.parametrize("place", ["", HEAD, MODEL], ids=["home", "head", "model"])
def test_nothing_moves_for_who_wants_less_motion(browser: Browser, address: str, place: str) -> None:
    """Colours may change slowly, and nothing else."""
    with visiting(browser, address, reduced_motion="reduce") as visit:
        page = visit.page
        page.goto(f"{address}{place}#s={quote(SENTENCE)}")
        page.locator(".fg-live form button").click()
        expect(page.locator(".fg-live-shown svg").first).to_be_visible()
        expect(page.locator(".fg-live input")).to_be_in_viewport()
        assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
        assert {*page.evaluate(MOVING)} <= {"background-color", "border-color", "color"}


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


@pytest.mark.parametrize("before", ["", "a"], ids=["whole", "cut"])
def test_a_sign_that_the_limit_cuts_is_left_out(visit: Visit, before: str) -> None:
    """10,000 characters end behind an emoji, or within it."""
    page = visit.go(HEAD)
    page.locator(".fg-live input").evaluate("(field, text) => { field.value = text; }", before + "😀" * 5_000)
    page.locator(".fg-live form button").click()
    expect(page.locator(".fg-live [role=status]")).to_contain_text("Only the first 10,000 characters are read.")
    assert ("%EF%BF%BD" in page.url) is bool(before)
    expect(typed(page, SENTENCE).locator(".fg-arcs-word", has_text="lamp").first).to_be_visible()


@pytest.mark.parametrize(("letters", "told"), [(9_999, False), (10_000, True), (12_000, True)])
def test_a_very_long_text_has_clear_limits(visit: Visit, letters: int, told: bool) -> None:
    page = visit.go(HEAD)
    page.locator(".fg-live input").focus()
    page.locator(".fg-live input").evaluate("(field, text) => { field.value = text; }", ("it is " * letters)[:letters])
    page.locator(".fg-live form button").click()
    status = page.locator(".fg-live [role=status]")
    expect(status).to_contain_text("The model reads 128 tokens")
    assert ("Only the first 10,000 characters are read." in status.inner_text()) is told


@pytest.mark.parametrize("place", [HEAD, MODEL], ids=["head", "model"])
def test_a_frame_on_another_site_runs_after_a_click(visit: Visit, place: str) -> None:
    page = visit.go(place)
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
    expect(page.locator(".fg-live-shown svg").first).to_be_visible()
    assert page.url == source[1]


def test_nothing_typed_is_asked_for(visit: Visit) -> None:
    page = visit.go(HEAD)
    typed(page, "   ")
    expect(page.locator(".fg-live [role=status]")).to_have_text("Type a sentence first.")


def test_from_disk_a_page_says_that_it_cannot_and_why(browser: Browser, folder: Path) -> None:
    with visiting(browser, f"{folder.as_uri()}/") as visit:
        page = visit.go(f"{HEAD}index.html")
        expect(page.locator(".fg-live")).to_contain_text("browsers let a file read no other file")
        expect(page.locator(".fg-live form")).to_have_count(0)


def test_without_scripts_a_line_says_what_would_be_there(browser: Browser, address: str) -> None:
    with visiting(browser, address, java_script_enabled=False) as visit:
        page = visit.go(HEAD)
        expect(page.locator(".fg-live noscript p")).to_contain_text("With JavaScript, you could type a sentence")
        expect(page.locator(".fg-live form")).to_be_hidden()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", ["", HEAD, MODEL], ids=["home", "head", "model"])
def test_what_is_shown_is_accessible_and_fits(
    browser: Browser, address: str, place: str, scheme: str, size: tuple[int, int]
) -> None:
    with visiting(browser, address, size, color_scheme=scheme) as visit:
        page = visit.go(place)
        shown = typed(page, SENTENCE)
        expect(shown.locator("svg").first).to_be_visible()
        expect(page.get_by_role("status").filter(has_text="Read as ")).to_be_visible()
        if place == MODEL:
            shown.get_by_role("button", name="Hide lamp").click()
            shown.get_by_role("button", name="Switch off head 1-2").click()
            expect(shown.locator(".fg-live-guesses")).to_contain_text("guessed without 1-2")
        shown.get_by_role("button", name="Embed").click()
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
