"""The heads of BERT-base, known from saved maps alone: their pages say so, and patterns name some of them."""

from copy import copy
from dataclasses import replace

import pytest

from generator.claims.gate.maps import PATTERN
from generator.home import DATA
from generator.pages import addresses
from generator.pages.blocks import Columns, Items
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.page import UNSHOWN, head_page
from generator.pages.heads.studies import HeadStudies
from generator.pages.inline import plain
from generator.pages.models import model_page
from generator.results.store import Results
from tests.pages.heads.tiny import atlas_of
from tests.pages.reading import block, prose

SLUG = "bert-base-uncased-sst2"
KNOWN = "Only saved maps of 40 documents are at hand, so this page is short; "
HUB = "fieldguide analyze bert-base-uncased makes full pages of BERT-base."
ELSEWHERE = "a full page needs weights."


@pytest.fixture(scope="module")
def bert() -> Atlas:
    """Gives the stored results of BERT-base's published maps."""
    return Atlas(Results.open(DATA / "results" / SLUG))


def said(atlas: Atlas, name: str = "", observed: str = "") -> str:
    """The line on saved maps, if the manifest had another name and way of observing."""
    manifest = atlas.results.manifest
    changed = replace(manifest, model=name or manifest.model, observed=observed or manifest.observed)
    studies = copy(HeadStudies(atlas))
    studies._atlas = Atlas(replace(atlas.results, manifest=changed))
    told = studies.saved(addresses.head(SLUG, 1, 1))
    return "" if told is None else plain(told)


def test_a_head_of_saved_maps_says_what_they_are_what_is_missing_and_how_to_get_it(bert: Atlas) -> None:
    told = said(bert)
    assert told == KNOWN + HUB
    page = head_page(bert, HeadStudies(bert), 8, 10)
    assert told in prose(page, "")
    assert not [line for line in prose(page, "") if "cannot be seen" in line]


def test_other_saved_maps_name_no_command_and_observed_models_say_nothing_of_it(bert: Atlas, tmp_path) -> None:
    assert said(bert, name="mine") == f"{KNOWN}{ELSEWHERE}"
    assert said(bert, observed="attention") == ""
    assert HeadStudies(atlas_of(tmp_path)).saved("") is None


def test_patterns_name_the_heads_of_bert_base_on_one_side_of_the_threshold(bert: Atlas) -> None:
    """Of the maps of 5-2, 78 % are vertical, of 9-1 75 %: 40 documents and 144 heads ask for more."""
    kinds = {place: summary.kind for place, summary in bert.summaries.items()}
    assert (kinds[5, 2], kinds[9, 1], kinds[8, 10]) == (PATTERN, "none", "none")
    named = [place for place, kind in kinds.items() if kind == PATTERN]
    assert all(bert.summaries[place].share > 0.7 for place in named)
    lead = plain(model_page(bert).lead)
    assert f" {len(named)} are named for the pattern of their maps, " in lead
    first = {
        line[1].text: line[2] for line in block(model_page(bert), "notable", Items).lines if line[0].key == PATTERN
    }
    assert {told.split(" (published")[0].removeprefix(" looks at ") for told in first.values()} == {
        "[CLS]",
        "[CLS] and [SEP]",
        "[CLS] and neighbouring tokens",
        "the previous token and [CLS]",
        "[CLS], [SEP] and the next token",
        "the next token, [CLS] and [SEP]",
        "[CLS], [SEP] and the previous token",
        "the previous token, [CLS] and [SEP]",
        "[CLS], [SEP] and the token itself",
    }
    shares = {name: bert.summaries[tuple(map(int, name.split("-")))] for name in first}
    assert all(
        share.share == max(other.share for other in bert.summaries.values() if other.title == share.title)
        for share in shares.values()
    )


@pytest.mark.parametrize(
    ("place", "figure"),
    [((6, 9), "classes"), ((9, 4), "classes"), ((3, 7), "offsets"), ((2, 5), "offsets")],
)
def test_a_head_whose_text_may_not_be_shown_shows_what_gets_its_attention(bert: Atlas, place, figure) -> None:
    """6-9 leans to two targets, 9-4 looks at [CLS] and [SEP], 3-7 at the token itself as well, and 2-5 at the previous
    token. What is below the sentences of other heads stands beside the figure.
    """
    page = head_page(bert, HeadStudies(bert), *place)
    work = page.sections[0].blocks[0]
    assert isinstance(work, Columns)
    shown, told = work.parts
    assert (shown.blocks[0].id, told.blocks[-1].text) == (figure, UNSHOWN)
    assert [part.title for part in told.blocks[0].parts] == ["Where else it looks", "Where next"]
    folded = [block.id for section in page.sections[1:] for block in section.blocks if hasattr(block, "id")]
    assert figure not in folded


def test_a_broad_head_whose_text_may_not_be_shown_shows_how_widely_it_looks(bert: Atlas) -> None:
    work = head_page(bert, HeadStudies(bert), 1, 1).sections[0].blocks[0]
    assert isinstance(work, Columns)
    assert [part.blocks[0].id if at == 0 else part.blocks[0].text for at, part in enumerate(work.parts)] == [
        *("looked", UNSHOWN)
    ]


def test_a_head_of_a_paper_shows_how_often_it_is_right_here_beside_what_was_printed(bert: Atlas) -> None:
    work = head_page(bert, HeadStudies(bert), 8, 10).sections[0].blocks[0]
    assert isinstance(work, Columns)
    figure, told = work.parts[0].blocks[0], work.parts[1].blocks[0]
    assert figure.label == "Head 8-10 on direct objects: right for 61 %, the best fixed offset for 31 %"
    assert [name for name, _ in figure.table.rows] == [
        "head 8-10",
        "best fixed offset",
        "as published",
    ]
    assert told.text == UNSHOWN


def test_how_sure_it_is_that_a_head_has_no_specialty_is_told_by_what_was_tried(bert: Atlas) -> None:
    """The share of 11-6 that its sentence tells first is not sure, but that it leans to nothing is what is told."""
    assert (
        bert.summaries[11, 6].badge[0]
        == "Supported: no special token, mark or neighbour gets a third ([CLS] at most 31 %), 40 documents"
    )
    assert bert.summaries[6, 9].badge[0] == "Supported: surely over half together, 40 documents"
