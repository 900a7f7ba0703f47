"""In Chromium: what readers type finds the right page, and the index of the search is fetched when they go there."""

import json
import re

import pytest
from playwright.sync_api import Browser

from tests.analysed import PLAIN
from tests.site.browser import Visit
from tests.site.project import MODEL, Site

pytestmark = pytest.mark.browser
FIELD = "input.md-search__input"
INDEX = "search/search_index.json"
HITS = ".md-search-result__item"
ADDRESSES = "all => all.slice(0, 2).flatMap(hit => [...hit.querySelectorAll(':scope > a')].map(one => one.href))"
OBJECTS = "claims/c14/|models/.+/(heads/.+|relations/)"
"""The claim that a head finds direct objects, or where those of a model are told."""
TUNED = "findings/what-pre-trained-weights-are-good-for/.*|models/.+/tasks/"
RIGHT = {
    "direct object": OBJECTS,
    "obj": OBJECTS,
    "dobj": OBJECTS,
    "nsubj": OBJECTS,
    "CLS": "glossary/.*#begin-token",
    "[SEP]": "glossary/.*#separator",
    "3-1": "models/.+/heads/3-1/",
    "head 3-1": "models/.+/heads/3-1/",
    "L3H1": "models/.+/heads/3-1/",
    "layer 3, head 1": "models/.+/heads/3-1/",
    "loner": "glossary/.*#loner",
    "loners": "glossary/.*#loner",
    "entropy": "methods/entropy.all/",
    "phases": "findings/three-phases/",
    "cite": "cite/",
    "citation": "cite/",
    "BibTeX": "cite/.*",
    "embed": "cite/.*",
    "add my model": "your-own-guide/.*",
    "add your model": "your-own-guide/.*",
    "probing": "methods/probe/|glossary/.*#probe",
    "finetune": TUNED,
    "fine-tune": TUNED,
    "fine-tuning": TUNED,
    "special tokens": "findings/special-parts-of-speech/.*",
    PLAIN: MODEL,
    "learning curve": "findings/learning-curve/",
}
"""What is typed -> where one of the first two hits leads."""
LARGEST = 25_000 / 72
"""Bytes of the index for each head of a model."""


def test_what_is_typed_has_its_page_among_the_first_two_hits(visit: Visit) -> None:
    page = visit.go()
    field = page.locator(FIELD)
    wrong = {}
    for typed, right in RIGHT.items():
        field.fill("")
        page.locator(HITS).first.wait_for(state="detached")
        field.fill(typed)
        visit.searched(typed)
        page.locator(HITS).first.wait_for()
        found = [address.removeprefix(visit.address) for address in page.locator(HITS).evaluate_all(ADDRESSES)]
        if not any(re.fullmatch(rf"(?:{right})(\?.*)?", address) for address in found):
            wrong[typed] = found
    assert wrong == {}


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("coreference", "Find a head for coreference"),
        (
            "previous > 0.1 & <img src=x onerror=alert(1)>",
            "Find a head for previous > 0.1 & <img src=x onerror=alert(1)>",
        ),
        ("find a head for the window", "Find a head for the window"),
    ],
)
def test_a_question_leads_to_the_finder_as_it_was_typed(visit: Visit, typed: str, title: str) -> None:
    page = visit.go(MODEL)
    field = page.locator(FIELD)
    field.focus()
    field.fill(typed)
    visit.searched(typed)
    hit = page.locator(f"{HITS} a").filter(has=page.locator("h1", has_text="Find a head for"))
    assert hit.locator("h1").text_content() == title
    hit.click()
    page.locator(".fg-finder[data-ready]").wait_for()
    assert page.get_by_label("Heads where").input_value() == typed
    assert page.locator(".md-search img").count() == 0


def test_what_is_no_question_about_heads_does_not_lead_to_the_finder(visit: Visit) -> None:
    page = visit.go()
    field = page.locator(FIELD)
    for typed in ("entropy", "cite", PLAIN):
        field.fill(typed)
        visit.searched(typed)
        page.locator(HITS).first.wait_for()
        assert page.locator(f"{HITS} h1", has_text="Find a head for").count() == 0


def test_the_first_page_takes_a_question_to_the_finder(visit: Visit, from_disk: Visit) -> None:
    for opened, place in ((visit, ""), (from_disk, "index.html")):
        page = opened.go(place)
        page.get_by_label("Find a head for").fill("layer = 2 & broad")
        page.keyboard.press("Enter")
        page.locator(".fg-finder[data-ready]").wait_for()
        assert page.get_by_label("Heads where").input_value() == "layer = 2 & broad"


def test_without_javascript_the_first_page_has_a_link_to_the_finder(browser: Browser, site: Site) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.address)
    assert page.locator(".fg-ask").is_hidden()
    page.get_by_role("main").get_by_role("link", name="Find a head", exact=True).first.click()
    assert page.url == f"{site.address}heads/"
    context.close()


def test_words_with_digits_stay_themselves(browser: Browser, site: Site) -> None:
    """Their ends are shared by other words, and the theme's search tells ends apart by a text of signs and numbers."""
    page = browser.new_page()
    (worker,) = (site.folder / "assets/javascripts/workers").glob("search.*.min.js")
    page.add_script_tag(content=worker.read_text(encoding="utf-8"))
    config = {"lang": ["en"], "separator": " ", "pipeline": [], "fields": {"text": {"boost": 1}}}
    begun = {"type": 0, "data": {"config": config, "docs": [], "options": {}}}
    page.evaluate("data => dispatchEvent(new MessageEvent('message', { data }))", begun)
    end = """edges => {
      const one = new lunr.TokenSet();
      for (const [letter, id] of edges) one.edges[letter] = { id };
      return String(one);
    }"""
    ends = [page.evaluate(end, edges) for edges in ([["1", 5], ["2", 5]], [["1", 525]])]
    page.close()
    assert len({*ends}) == 2


def test_index_is_fetched_at_the_first_focus(visit: Visit) -> None:
    page = visit.go(MODEL)
    visit.figures()
    assert visit.address + INDEX not in visit.requests
    with page.expect_response(visit.address + INDEX):
        page.locator(FIELD).focus()


def test_index_has_every_head_and_stays_small(site: Site) -> None:
    docs = json.loads((site.folder / INDEX).read_text())["docs"]
    own = [doc for doc in docs if doc["location"].startswith(MODEL)]
    heads = [one for one in own if "/heads/" in one["location"]]
    assert len(heads) == len(site.plain.places)
    assert sum(len(json.dumps(head, separators=(",", ":"))) for head in heads) < LARGEST * len(heads)
