"""The heads of BERT-base that Clark et al. name: the badge is about what is measured here, not what is published."""

import re
from collections.abc import Mapping

import pytest

from generator.corpora.relation_names import in_words, labels_of
from generator.home import DATA, TEMPLATES
from generator.numbers.number import alone
from generator.numbers.writing import ALONE, percent
from generator.pages import addresses
from generator.pages.blocks import Items
from generator.pages.claims.tables import Ledger
from generator.pages.heads.aside import UNNAMED
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.finder import finder_file
from generator.pages.heads.map import head_map
from generator.pages.heads.papers_model import OURS
from generator.pages.heads.summary import weaker
from generator.pages.inline import plain
from generator.pages.models import model_page
from generator.pages.render import model_pages
from generator.pages.renderer import Page, Renderer
from generator.results.store import Results
from generator.topics.relations.page.printed import PUBLISHED, confirmed, printed
from generator.topics.relations.page.tried import tried_by
from tests.frozen_pages import text_of
from tests.pages.reading import block

Place = tuple[int, int]
SOURCE = "Clark et al. 2019"
LEADS = re.compile(r'<p class="fg-lead">(.*?)</p>', re.DOTALL)
BADGE = re.compile(r'<details class="fg-badge"><summary>How sure\? (.*?)</summary>(.*?)</details>')
COUNTED = re.compile(r"\bof (?:the )?([\d,]+) ")


LONGEST = 110
"""Letters of a title with the name of its model, which takes 25."""


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


def test_what_is_published_is_cited_and_each_measured_number_has_its_n(bert, pages, named):
    measured = 0
    for place in named:
        leads = LEADS.findall(pages[place].html)
        (published,) = (lead for lead in leads if lead.startswith(PUBLISHED))
        assert f">{SOURCE}</a>" in published
        tested = {
            in_words(one.relation)
            for one in printed(bert, *place)
            if tried_by(bert.results, in_words(one.relation), *place)
        }
        whole, _, untested = published.replace("&#39;", "'").partition("Not tested here")
        for one in printed(bert, *place):
            offset = "the best fixed offset for" if one.gain else "as is the best fixed offset"
            assert f"right for {percent(alone(one.right), digits=ALONE)}, {offset}" in whole
            assert (in_words(one.relation) in untested) == (bool(tested) and in_words(one.relation) not in tested)
        assert bool(untested) == (len(tested) < len({in_words(one.relation) for one in printed(bert, *place)}))
        aside = bert.summaries[place].aside
        here = [lead for lead in leads if lead.startswith(f"{OURS}: ")]
        counted = [n for one in here for n in COUNTED.findall(one)]
        assert len(counted) == len(tested | ({aside.relation} if aside else set()))
        assert not any(SOURCE in one for one in here)
        measured += len(counted)
    assert measured >= 9


def test_one_badge_says_how_sure_what_is_measured_here_is_and_no_sentence_begins_with_a_denial(bert, pages, named):
    for place in named:
        html, summary = pages[place].html, bert.summaries[place]
        ((badge, why),) = BADGE.findall(html)
        assert SOURCE not in why
        assert ": " in badge
        first, *_ = LEADS.findall(html)
        assert (html.index(PUBLISHED) < html.index(badge)) is first.startswith(PUBLISHED), "it is of what is ours"
        assert all(UNNAMED not in text_of(lead) for lead in LEADS.findall(html))
        first = tried_by(bert.results, in_words(printed(bert, *place)[0].relation), *place)
        if summary.kind == "none" and first:
            assert badge.startswith(("Weak evidence: ", "Supported, not the best: "))
            assert UNNAMED in why.replace("It is", "it is").replace("&#39;", "'")
        elif summary.kind not in weaker():
            assert badge == summary.badge[0]


def test_titles_name_the_source_and_say_what_became_of_it_here(bert, pages, named):
    for place in named:
        summary, title = bert.summaries[place], pages[place].title
        assert len(title) <= LONGEST
        tested = tried_by(bert.results, in_words(printed(bert, *place)[0].relation), *place)
        if summary.kind in weaker() and (tested or (summary.kind == "none" and not summary.leans)):
            assert "Clark et al." in title
            assert re.search(r"; .* here - ", title)
        elif summary.kind in weaker():
            assert f" {summary.title} - " in title
            leads = LEADS.findall(pages[place].html)
            assert not leads[0].startswith(PUBLISHED), "what the title says comes first"
        else:
            same = confirmed(printed(bert, *place), summary.found)
            assert bool(same) == (place in ((4, 10), (8, 11)))
            assert f" {summary.title}{same} - " in title


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
        title = f"{own.title.removesuffix(')')}; {said})" if own.title.endswith(")") else f"{own.title} ({said})"
        assert f'"{title}"' in script


def test_other_heads_have_their_own_badge(bert, pages, named):
    others = [place for place in bert.places if place not in named]
    assert others
    for place in others:
        assert f"<summary>How sure? {bert.summaries[place].badge[0]}</summary>" in pages[place].html
