"""Names and words that try to be markup appear as themselves, in the built files and in Chromium, and run nothing."""

import json

import pytest

from generator.models.names import slug
from generator.numbers.pieces import readable
from generator.numbers.writing import unbroken
from tests.site.browser import Visit
from tests.site.documents import Document, data_of
from tests.site.hostile import CORPUS, NAME, SPECIAL, TEXTS, WORDS
from tests.site.project import HOSTILE_MODEL, Site
from tests.site.test_choices import choose
from tests.site.test_figures import LAYER, NUMBER

HOSTILE_HEAD = f"{HOSTILE_MODEL}heads/{LAYER}-{NUMBER}/"
INJECTED = (
    "img[onerror], [onload], [onclick], b, em i, strong, .md-content script:not([src*='assets/fieldguide/']),"
    " select script, template script, [href^='javascript:']"
)
"""What would be there if any of the names were read as HTML or Markdown."""


def test_data_of_the_maps_round_trips(site: Site) -> None:
    stored = site.atlases[NAME].examples[LAYER, NUMBER]
    views = data_of((site.folder / HOSTILE_HEAD / "figures.js").read_text(encoding="utf-8"))["maps"]["views"]
    assert [view["tokens"] for view in views] == [tokens for _, tokens, _ in stored]
    assert {SPECIAL["cls"], SPECIAL["sep"], SPECIAL["unk"]} | set(WORDS) <= {
        t for _, tokens, _ in stored for t in tokens
    }


def test_data_of_figures_holds_no_markup(site: Site) -> None:
    scripts = list(site.folder.rglob("figures.js"))
    assert len(scripts) > len(site.plain.places)
    for path in scripts:
        script = path.read_text(encoding="utf-8")
        assert data_of(script), path
        assert not set("<>&") & set(script), path


@pytest.mark.parametrize("place", ["", "models/", HOSTILE_MODEL, HOSTILE_HEAD, "methods/attention.previous/"])
def test_name_of_the_model_appears_as_itself(site: Site, place: str) -> None:
    document = Document(site.pages()[f"{place}index.html"])
    assert NAME in [element.text for element in document.elements]


def test_title_and_description_are_text(site: Site) -> None:
    model, head = (Document(site.pages()[f"{place}index.html"]) for place in (HOSTILE_MODEL, HOSTILE_HEAD))
    assert model.find("title")[0].text == f"{NAME} - Fieldguide"
    named = f"Head {LAYER}-{NUMBER} {site.atlases[NAME].summaries[LAYER, NUMBER].title}"
    assert head.find("title")[0].text == f"{named} - {NAME} - Fieldguide"
    told = [meta.attributes["content"] for meta in head.find("meta") if meta.attributes.get("name") == "description"]
    assert told == [unbroken(f"Head {LAYER}-{NUMBER} of {NAME}. {site.atlases[NAME].summaries[LAYER, NUMBER].text}")]


def test_corpus_appears_as_itself_with_its_provenance(site: Site) -> None:
    document = Document(site.pages()[f"{HOSTILE_MODEL}index.html"])
    assert f"Corpus {CORPUS}" in [one.text for one in document.find("dt")]
    assert any(CORPUS in one.text for one in document.find("figcaption"))
    manifest = site.atlases[NAME].results.manifest
    assert manifest.command in [one.text for one in document.find("code")]


def test_sinks_appear_as_themselves(site: Site) -> None:
    atlas = site.atlases[NAME]
    seen = set()
    for layer, head in atlas.places:
        token, often = atlas.sinks[layer, head]
        html = site.pages()[f"{HOSTILE_MODEL}heads/{layer}-{head}/index.html"]
        most = f"the sink, is {readable(token)} in {often} of {atlas.documents} documents."
        some = f"the commonest sink, {readable(token)}, receives most in {often} of {atlas.documents}."
        said = most if 2 * often > atlas.documents else some
        assert any(said in one.text for one in Document(html).find("p"))
        seen.add(token)
    assert seen & {*SPECIAL.values(), *WORDS}


def test_search_index_and_addresses_hold_text(site: Site) -> None:
    entries = json.loads((site.folder / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    assert f"models/{slug(NAME)}/" in HOSTILE_MODEL
    assert not [entry for entry in entries if "<img" in entry["text"] or "<script" in entry["text"]]


@pytest.mark.browser
@pytest.mark.parametrize("place", ["", "models/", HOSTILE_MODEL, HOSTILE_HEAD, "methods/sink.mass/"])
def test_nothing_is_injected_and_nothing_runs(visit: Visit, place: str) -> None:
    """A dialog would fail the visit."""
    page = visit.go(place)
    visit.figures()
    visit.tables()
    assert page.locator("body").evaluate(f"(body) => [...body.querySelectorAll({INJECTED!r})].length") == 0


@pytest.mark.browser
def test_page_shows_name_title_and_heading_as_they_are(visit: Visit) -> None:
    page = visit.go(HOSTILE_MODEL)
    assert page.locator("h1").text_content() == NAME
    assert page.title() == f"{NAME} - Fieldguide"
    assert page.locator(".md-header__topic").nth(1).inner_text() == NAME


@pytest.mark.browser
def test_sentences_to_choose_and_tokens_on_the_axes_are_text(visit: Visit, site: Site) -> None:
    page = visit.go(HOSTILE_HEAD)
    visit.figure("maps")
    assert page.locator("#maps option").all_text_contents()[: len(TEXTS)] == list(TEXTS)
    for at, (_, tokens, _) in enumerate(site.atlases[NAME].examples[LAYER, NUMBER]):
        if at:
            choose(visit, "maps", at)
        shown = page.locator("[data-kind=map] .mark-text.role-axis-label text").all_text_contents()
        for text, token in zip(shown, tokens * 2, strict=True):
            assert text == token or (text.endswith("\u2026") and token.startswith(text[:-1]))


@pytest.mark.browser
def test_tooltip_of_a_map_shows_its_tokens_as_text(visit: Visit, site: Site) -> None:
    page = visit.go(HOSTILE_HEAD)
    visit.figure("maps")
    _, tokens, _ = site.atlases[NAME].examples[LAYER, NUMBER][0]
    query, key = tokens.index(WORDS[0]), tokens.index(SPECIAL["unk"])
    page.locator("[data-kind=map] .mark-rect.role-mark path").nth(query * len(tokens) + key).hover()
    page.locator("#vg-tooltip-element.visible").wait_for()
    assert page.locator("#vg-tooltip-element td.value").all_text_contents()[:2] == [WORDS[0], SPECIAL["unk"]]


@pytest.mark.browser
def test_tables_show_tokens_as_text(visit: Visit, site: Site) -> None:
    page = visit.go(HOSTILE_HEAD)
    cells = page.locator("#maps tbody td:first-child")
    for at, (_, tokens, _) in enumerate(site.atlases[NAME].examples[LAYER, NUMBER]):
        if at:
            visit.figure("maps")
            choose(visit, "maps", at)
        assert cells.all_text_contents() == tokens


@pytest.mark.browser
def test_search_shows_the_name_as_text(visit: Visit) -> None:
    page = visit.go()
    page.locator("input.md-search__input").press_sequentially("onerror")
    page.locator(".md-search-result__item").first.wait_for()
    headings = page.locator(".md-search-result__item h1").all_text_contents()
    assert NAME in headings
    assert page.locator(".md-search img, .md-search script").count() == 0


@pytest.mark.browser
def test_instant_navigation_keeps_text_text(visit: Visit) -> None:
    page = visit.go("models/")
    visit.move()
    page.evaluate("window.marked = true")
    page.locator("h2 a", has_text="onerror").click()
    visit.arrive("onerror")
    assert page.evaluate("window.marked")
    assert page.locator("h1").text_content() == NAME
    assert page.title() == f"{NAME} - Fieldguide"
    visit.figures()
