"""The heads of BERT-base that Clark et al. name: what is published and what is measured here never share a badge."""

import re
from collections.abc import Mapping

import pytest

from generator.home import DATA, TEMPLATES
from generator.numbers.number import alone
from generator.numbers.writing import percent
from generator.pages import addresses
from generator.pages.blocks import Items
from generator.pages.claims.tables import Ledger
from generator.pages.heads.aside import UNNAMED
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.finder import finder_file
from generator.pages.heads.map import head_map
from generator.pages.heads.printed import MEASURED, OURS, PUBLISHED, confirmed, printed
from generator.pages.heads.summary import WEAKER
from generator.pages.inline import plain
from generator.pages.models import model_page
from generator.pages.render import model_pages
from generator.pages.renderer import Page, Renderer
from generator.results.store import Results
from generator.studies.syntax.names import in_words, labels_of
from tests.frozen_pages import text_of
from tests.pages.reading import block

Place = tuple[int, int]
SOURCE = "Clark et al. 2019"
TAGGED = re.compile(r'<p class="fg-lead"><span class="fg-chip fg-tag">(.*?)</span> (.*?)</p>', re.DOTALL)
BADGE = re.compile(
    r'<p class="fg-lead">([^\n]*)</p>\s*<div class="fg-chips"><details class="fg-badge">'
    r"<summary>(.*?)</summary>(.*?)</details>"
)


@pytest.fixture(scope="module")
def bert() -> Atlas:
    """Gives the stored results of BERT-base's published maps."""
    return Atlas(Results.open(DATA / "results" / "bert-base-uncased-sst2"))


@pytest.fixture(scope="module")
def pages(bert: Atlas) -> Mapping[Place, Page]:
    """Gives the page of every head."""
    made = {page.address: page for page in model_pages(bert, Ledger((), ()), Renderer(TEMPLATES))}
    return {place: made[addresses.head(bert.slug, *place)] for place in bert.places}


@pytest.fixture(scope="module")
def named(bert: Atlas) -> list[Place]:
    """Gives the heads that the paper or its notebook names."""
    found = [place for place in bert.places if printed(bert, *place)]
    assert len(found) >= 20
    assert {bert.summaries[place].kind for place in found} >= {"none", "pattern", "window"}
    return found


def test_what_is_published_is_cited_and_has_its_own_tag_and_each_measured_sentence_has_its_n(bert, pages, named):
    measured = 0
    for place in named:
        (tag, published), *here = TAGGED.findall(pages[place].html)
        assert tag == PUBLISHED
        assert f">{SOURCE}</a>" in published
        for one in printed(bert, *place):
            assert f"right for {percent(alone(one.right))}, the best fixed offset for" in published
            counted = bert.relation(in_words(one.relation), *place)
            untested = published.partition("Not tested here for ")[2].replace("&#39;", "'")
            assert (in_words(one.relation) in untested) == (counted is None)
        for tag, sentence in here:
            n = re.fullmatch(rf"{MEASURED} on (\d+) words", tag)
            assert n is not None
            assert re.search(rf"\bof (the )?{n[1]} ", sentence)
            assert SOURCE not in sentence
        tested = {in_words(one.relation) for one in printed(bert, *place)}
        aside = bert.summaries[place].aside
        also = {aside.relation} if aside else set()
        assert len(here) == len({one for one in tested if bert.relation(one, *place)} | also)
        measured += len(here)
    assert measured >= 10


def test_the_badge_is_about_the_lead_alone_and_says_that_this_was_measured_here(bert, pages, named):
    for place in named:
        ((lead, badge, why),) = BADGE.findall(pages[place].html)
        summary, text = bert.summaries[place], text_of(lead)
        n = re.match(rf"{MEASURED} on (\d+ \w+)(: (weak evidence|supported))?$", badge)
        assert n is not None
        assert n[3] is None or n[1] in why
        assert (n[3] is None) == (summary.kind not in ("pattern", "window", "relation"))
        assert UNNAMED.strip() not in text
        assert SOURCE not in text + why
        assert "not named" not in why
        assert pages[place].html.index(PUBLISHED) < pages[place].html.index(badge)


def test_titles_name_the_source_and_say_what_became_of_it_here(bert, pages, named):
    for place in named:
        summary, title = bert.summaries[place], pages[place].title
        if summary.kind in WEAKER:
            assert "Clark et al." in title
            assert "; here " in title
        else:
            same = confirmed(printed(bert, *place), summary.found)
            assert bool(same) == (place in ((4, 10), (8, 11)))
            assert f" {summary.title}{same or ' (published: best for '}" in title


def test_the_page_of_the_model_lists_the_named_heads_in_order(bert, pages, named):
    lines = block(model_page(bert), "published", Items).lines
    assert [line[1].text for line in lines] == [f"{layer}-{head}" for layer, head in named]
    assert all(f"Head {plain(line[1:])} - " in pages[place].title for place, line in zip(named, lines, strict=True))


def test_search_description_tooltip_and_row_say_what_is_published_before_what_is_measured(bert, pages, named):
    squares = [square for row in head_map(bert, "").rows for square in row]
    tooltips = {place: square.summary for place, square in zip(bert.places, squares, strict=True)}
    for place in bert.places:
        own = bert.summaries[place]
        for said in (pages[place].search, pages[place].description, tooltips[place]):
            published, ours, measured = said.replace("&#39;", "'").partition(f" {OURS}: ")
            assert bool(ours) == (place in named)
            for one in printed(bert, *place):
                assert f"Published by {SOURCE} as BERT-base's best head for " in published
                assert in_words(one.relation) in published
                assert all(label in published for label in labels_of(in_words(one.relation)))
            assert own.title not in published or not ours or own.found
            assert SOURCE not in measured


def test_rows_of_the_finder_mark_what_is_published(bert, named):
    script = finder_file([bert], [])[1]
    for place in named:
        own, (first, *_) = bert.summaries[place], printed(bert, *place)
        same = confirmed(printed(bert, *place), own.found)
        said = "as published" if same else f"published: best for {in_words(first.relation)}"
        assert f'"{own.title} ({said})"' in script


def test_other_heads_have_no_tags(bert, pages, named):
    others = [place for place in bert.places if place not in named]
    assert others
    for place in others:
        assert "fg-tag" not in pages[place].html
        assert f"<summary>{bert.summaries[place].badge[0]}</summary>" in pages[place].html
