"""Claims, heads and hand-written pages lead to each other, and each page to where it can be contested."""

from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from generator import __version__
from generator.claims.claim import Judgement
from generator.home import TEMPLATES
from generator.pages import addresses
from generator.pages.blocks import Items
from generator.pages.claims.page import CONTESTED, claim_page
from generator.pages.claims.sentences import bearing, sentence, short
from generator.pages.claims.tables import MOST, Ledger, heads_of
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.page import head_page
from generator.pages.heads.studies import HeadStudies
from generator.pages.inline import inline, plain
from generator.pages.links import Contest
from generator.pages.renderer import Renderer
from tests.claims.made import LAYERS, Made, heads_at, joined, record, text
from tests.pages.claims.judged import MODELS, ledger, meeting
from tests.pages.claims.made import SOURCES
from tests.pages.claims.web import claims_of, heads_named
from tests.pages.reading import anchors, block, section, seen
from tests.site.documents import Document

HEADS = 4
PLACES = [(layer, head) for layer in range(1, LAYERS + 1) for head in range(1, HEADS + 1)]
CONTEST = Contest("https://example.org/group/guide/", "https://example.org/site/")


def test_heads_list_the_claims_that_list_them(atlas: Atlas) -> None:
    judged = Ledger.of([atlas.results])
    renderer, studies = Renderer(TEMPLATES), HeadStudies(atlas)
    named = {item.claim.id: {*judged.named_heads(item)} for item in judged.judgements if heads_of(item)}
    assert any(named.values())
    for place in atlas.places:
        page = head_page(atlas, studies, *place, judged)
        expected = {name for name, heads in named.items() if place in heads}
        assert ("claims" in anchors(page)) == bool(expected)
        html = renderer.page(addresses.head(atlas.slug, *place), page).html
        assert claims_of(html) == expected
    for name, heads in named.items():
        claim = judged.claims[name]
        html = renderer.page(addresses.claim(name), claim_page(judged, claim, SOURCES)).html
        assert heads_named(html) == {(atlas.slug, *place) for place in heads}


def special(count: int) -> Ledger:
    """K03 judged where so many of the heads attend to [CLS]."""
    attention = heads_at(*PLACES[:count], value=0.9, heads=HEADS)
    rows = text({"attention.cls": attention, "attention.sep": 0.0}, heads=HEADS)
    return Ledger.of([Made(record(heads=HEADS), joined(rows))])


def of_k03(judged: Ledger) -> tuple[Judgement, str, str]:
    """The judgement, the slug of the model, and the address of the claim's page."""
    (item,) = (judgement for judgement in judged.judgements if judgement.claim.id == "K03")
    return item, judged.manifests[0].slug, addresses.claim("K03")


def test_a_long_list_of_heads_is_folded_and_a_table_leads_to_it() -> None:
    judged = special(MOST + 3)
    item, slug, here = of_k03(judged)
    assert len(heads_of(item)) == MOST + 3
    (fold,) = Document(inline(sentence(judged, item, slug, here))).find("details")
    assert fold.text.split() == ["and", "3", "more", "4-1,", "4-2,", "4-3"]
    html = Renderer(TEMPLATES).page(here, claim_page(judged, item.claim, SOURCES)).html
    (more,) = [one for one in Document(html).find("a") if one.text == "3 more"]
    assert more.attributes["href"].partition("#")[2] in Document(html).ids
    assert heads_named(html) == {(slug, *place) for place in PLACES[: MOST + 3]}


@pytest.mark.parametrize(
    ("count", "told", "counted"),
    [
        (1, "The head with most of the attention on special tokens is 1-1.", ""),
        (3, "The heads with most of the attention on special tokens are 1-1, 1-2 and 1-3.", "one of 3 heads"),
        (len(PLACES) // 2, "and 12 more", "one of 24 heads"),
        (len(PLACES) - 2, "are all but 12-3 and 12-4.", "one of 2 exceptions"),
        (len(PLACES) - 1, "are all but 12-4.", "the one exception"),
        (len(PLACES), "are all 48.", None),
    ],
)
def test_a_verdict_on_most_heads_names_the_exceptions(count: int, told: str, counted: str | None) -> None:
    judged = special(count)
    item, slug, here = of_k03(judged)
    assert told in plain(sentence(judged, item, slug, here))
    named = judged.named_heads(item)
    assert set(named) in ({*PLACES[:count]}, {*PLACES[count:]})
    for place in PLACES:
        listed = bearing(judged, item.model, *place, addresses.head(slug, *place))
        lines = [plain(line) for line in listed.blocks[0].lines] if listed else []
        (line,) = [one for one in lines if "K03" in one] or [None]
        assert (line is not None) == (place in named)
        assert line is None or line.endswith(counted or "only")


def test_a_head_names_every_claim_that_names_it(monkeypatch: pytest.MonkeyPatch, atlas: Atlas) -> None:
    """Beyond the first few without their titles."""
    judged = Ledger.of([atlas.results])
    place = next(one for one in atlas.places if len(judged.bearing(atlas.results.manifest.model, *one)) > 1)
    resting = judged.bearing(atlas.results.manifest.model, *place)
    monkeypatch.setattr("generator.pages.claims.sentences.MOST", 1)
    page = head_page(atlas, HeadStudies(atlas), *place, judged)
    html = Renderer(TEMPLATES).page(addresses.head(atlas.slug, *place), page).html
    assert len(block(page, "claims", Items).lines) == 1
    assert claims_of(html) == {item.claim.id for item, _ in resting}


def test_a_verdict_is_said_with_the_number_that_decides_it(atlas: Atlas) -> None:
    judged = Ledger.of([atlas.results])
    for item in judged.judgements:
        (_, told), *_ = section(claim_page(judged, item.claim, SOURCES), "verdicts").blocks[0].lines
        judged_by = item.decides.clause() if item.decides and item.verdict != "not testable" else "not testable: "
        assert judged_by in seen(told)
        assert (f"udged on only {item.handful}." in seen(told)) == bool(item.handful)


def test_a_head_without_verdicts_has_no_such_section(atlas: Atlas) -> None:
    assert "claims" not in anchors(head_page(atlas, HeadStudies(atlas), 1, 1))


@pytest.mark.parametrize("more", [0, 1])
def test_an_issue_about_a_claim_begins_with_no_more_verdicts_than_its_address_holds(more: int) -> None:
    models = [replace(MODELS[0], model=f"model-{at}", slug=f"model-{at}") for at in range(CONTESTED + more)]
    judged = ledger(*[meeting] * len(models), models=models)
    told = plain(claim_page(judged, judged.claims["C01"], SOURCES).contest)
    assert told.count(": holds") == CONTESTED
    assert ("and 1 more" in told) == (more == 1)


def test_a_claim_and_a_head_are_contested_in_the_repository_with_address_version_and_numbers(atlas: Atlas) -> None:
    judged = Ledger.of([atlas.results])
    claim, address = judged.claims["C01"], addresses.claim("C01")
    head = head_page(atlas, HeadStudies(atlas), 1, 1, judged)
    for where, page, numbers in (
        (address, claim_page(judged, claim, SOURCES), short(judged, judged.by_model(claim)[0][1])),
        (addresses.head(atlas.slug, 1, 1), head, atlas.summaries[1, 1].text),
    ):
        html = Renderer(TEMPLATES, contest=CONTEST).page(where, page).html
        (link,) = [one for one in Document(html).find("a") if one.text == "Contest this page"]
        form = urlsplit(link.attributes["href"])
        assert form.geturl().startswith("https://example.org/group/guide/issues/new?")
        asked = parse_qs(form.query)
        for part in (f"https://example.org/site/{where}", f"Fieldguide {__version__}", numbers):
            assert part in asked["body"][0]
        assert "Contest" not in Renderer(TEMPLATES).page(where, page).html
