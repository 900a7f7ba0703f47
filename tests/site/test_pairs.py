"""In Chromium: a reader chooses any two models; the address keeps them, over http and from disk; names are text."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from generator.corpora.relation_names import with_label
from generator.models.names import slug
from generator.numbers.writing import in_column
from generator.results.tables import records
from generator.topics.relations.page.page import treebanks
from tests.analysed import PLAIN
from tests.site.browser import Visit, visiting
from tests.site.hostile import NAME
from tests.site.project import MODEL, PLACES, Site, server

pytestmark = pytest.mark.browser
PAIRS = PLACES["pairs"]
READY = ".fg-pairs[data-shown]"
HEADINGS = ".fg-pair h2"
MADE = ".fg-pair"
FIRST, SECOND = slug(PLAIN), slug(NAME)


def shown(page: Page, *slugs: str) -> list[str]:
    """The headings below the choice, once these models are shown."""
    there = f"document.querySelector('.fg-pairs')?.dataset.shown === {json.dumps(' '.join(slugs))}"
    told = f"[...document.querySelectorAll({json.dumps(HEADINGS)})].map((one) => one.textContent)"
    found = page.wait_for_function(f"() => {{ const told = {told}; return {there} && told.length > 1 && told; }}")
    return [str(one) for one in found.json_value()]  # in one step, as it may be drawn anew


def asked(page: Page) -> dict[str, list[str]]:
    """The pair in the address."""
    return parse_qs(urlsplit(page.url).query)


@pytest.mark.parametrize("place", [PAIRS, f"{PAIRS}index.html"])
def test_two_models_are_chosen_kept_in_the_address_and_left_by_the_way_back(
    visit: Visit, from_disk: Visit, place: str
) -> None:
    opened = visit if place == PAIRS else from_disk
    page = opened.go(place)
    start = [one.get_attribute("value") for one in page.locator("select[name=a] option").all()]
    assert set(start) == {FIRST, SECOND}
    names = {FIRST: PLAIN, SECOND: NAME}
    assert shown(page, *start)[:2] == [names[one] for one in start]
    page.locator("select[name=a]").select_option(start[1])  # what the other has: they change places
    assert shown(page, *start[::-1])[:2] == [names[one] for one in start[::-1]]
    assert asked(page) == {"a": [start[1]], "b": [start[0]]}
    page.reload()
    assert shown(page, *start[::-1])[:2] == [names[one] for one in start[::-1]]
    page.locator("select[name=b]").select_option(start[1])
    assert shown(page, *start)[:2] == [names[one] for one in start]
    page.go_back()
    assert shown(page, *start[::-1])[:2] == [names[one] for one in start[::-1]]
    expect(page.locator("select[name=a]")).to_have_value(start[1])
    page.go_back()
    assert shown(page, *start)[:2] == [names[one] for one in start]
    head = page.locator(".fg-pair .fg-cell").first
    assert head.get_attribute("aria-label").startswith(f"Head 1-1 of {names[start[0]]}: ")
    head.click()
    opened.arrive("Head 1-1")
    page.go_back()
    assert shown(page, *start)


def test_both_are_shown_as_stored_and_each_head_leads_to_its_page(visit: Visit, site: Site) -> None:
    page = visit.page
    page.goto(f"{visit.address}{PAIRS}?a={FIRST}&b={SECOND}")
    shown(page, FIRST, SECOND)
    for at, atlas in enumerate((site.atlases[PLAIN], site.atlases[NAME])):
        cells = page.locator(".fg-pair .fg-map").nth(at).locator("a")
        addresses = cells.evaluate_all("all => all.map(one => one.getAttribute('href'))")
        assert [address.split("/")[-2] for address in addresses] == [f"{one}-{two}" for one, two in atlas.places]
        assert all(address.startswith("../models/") for address in addresses)
        (first, *_) = treebanks(atlas)
        held = {with_label(row["relation"]): row for row in records(first.held)}
        rows = page.locator("#relations ~ * tbody tr, #relations ~ .fg-scroll tbody tr").all()
        told = {row.locator("th").text_content(): row.locator("td").nth(at + 1) for row in rows}
        compared = [one for one in held if one in told and told[one].text_content() != "-"]
        assert compared
        for name in compared:
            row = held[name]
            assert told[name].text_content().startswith(f"{row['layer']}-{row['head']} {in_column(row['value'])}")
            assert f"offset {row['offset']:+d}: {in_column(row['baseline'])}" in told[name].text_content()


def test_curves_of_both_lie_in_one_picture_and_have_a_table(visit: Visit, site: Site) -> None:
    page = visit.go(PAIRS)
    page.locator(READY).wait_for()
    layers = [atlas.shape[0] for atlas in site.atlases.values()]
    for panel in page.locator(".fg-pair-panels svg").all():
        assert panel.locator("circle, rect").count() == sum(layers)
        assert panel.get_attribute("role") == "img"
    page.locator(".fg-pair details.fg-table summary").click()
    assert page.locator(".fg-pair .fg-table tbody tr").count() == sum(layers)


def test_claims_that_differ_stand_first_and_the_same_are_folded(visit: Visit) -> None:
    page = visit.go(PAIRS)
    page.locator(READY).wait_for()
    row = "all => all.map(row => [...row.querySelectorAll('.fg-verdict')].map(one => one.textContent))"
    first = page.locator("#verdicts ~ .fg-scroll tbody tr").evaluate_all(row)
    assert all(one != other and "not testable" not in (one, other) for one, other in first)
    folded = page.locator("#verdicts ~ details", has=page.locator("summary", has_text="The same verdict"))
    same = folded.locator("tbody tr").evaluate_all(row)
    assert same
    assert all(one == other for one, other in same)
    assert not folded.evaluate("one => one.open")


def test_hostile_names_are_text(visit: Visit) -> None:
    """A dialog would fail the visit."""
    page = visit.go(PAIRS)
    page.locator(READY).wait_for()
    assert NAME in page.locator("select[name=b] option").all_text_contents()
    assert NAME in page.locator(HEADINGS).all_text_contents()
    assert page.locator(".fg-pairs :is(img, b, u, script, em, strong)").count() == 0


def test_what_is_unknown_or_alone_in_the_address_is_told_and_replaced(visit: Visit) -> None:
    page = visit.page
    page.goto(f"{visit.address}{PAIRS}?a=<b>nobody&b={SECOND}")
    assert shown(page, FIRST, SECOND)
    told = page.locator(".fg-pairs [role=status]")
    assert told.text_content().startswith("The guide has no model “<b>nobody”; another one is shown.")
    page.goto(f"{visit.address}{PAIRS}?a={SECOND}&b={SECOND}")
    assert shown(page, SECOND, FIRST)


def test_a_file_that_does_not_come_is_told_in_a_sentence(browser: Browser, site: Site) -> None:
    with server(site.folder) as address, visiting(browser, address) as visit:
        visit.page.route(
            "**/beside.js", lambda route: route.fulfill(body="window.fieldguideData={missing:'Not made.'};")
        )
        page = visit.go(PAIRS)
        page.locator(READY).wait_for()
        assert page.locator(".fg-pairs [role=status]").text_content() == "Not made."
        assert page.locator(MADE).inner_html() == ""


def test_without_javascript_there_is_a_table_of_models_and_a_line(browser: Browser, site: Site) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.address + PAIRS)
    assert page.locator(".fg-choose").first.is_hidden()
    line = page.locator(".fg-pairs noscript p")
    assert line.is_visible()
    assert line.inner_text().startswith("With JavaScript, this page shows any two")
    rows = page.locator("#pair-models tbody tr")
    assert rows.locator("a").all_text_contents() == list(dict.fromkeys(rows.locator("a").all_text_contents()))
    rows.locator("a", has_text=PLAIN).click()
    assert page.url == site.address + MODEL
    context.close()


def test_data_of_pairs_is_asked_for_by_their_page_alone_and_only_of_chosen_models(visit: Visit, site: Site) -> None:
    for name in ("pairs.js", "pairs.css"):
        assert [page for page, html in site.pages().items() if name in html] == [f"{PAIRS}index.html"]
    visit.go(MODEL)
    visit.go("models/")
    assert not [request for request in visit.requests if request.endswith("beside.js")]
    page = visit.go(PAIRS)
    page.locator(READY).wait_for()
    assert len([request for request in visit.requests if request.endswith("beside.js")]) == 2
