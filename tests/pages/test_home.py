"""The first page: what it shows follows from verdicts and evidence, and what there is no evidence for is not there."""

import re
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from generator.numbers.number import alone
from generator.pages import home
from generator.pages.blocks import Columns
from generator.pages.claims.tables import Ledger
from generator.pages.heads.arcs import arcs_of
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.summary import Summary
from generator.pages.inline import plain
from generator.pages.links import head_name
from tests.pages.claims.judged import ledger as judged
from tests.pages.claims.judged import missing
from tests.pages.reading import anchors, block, section, told


def test_without_specialists_and_failures_there_are_models_doors_and_ways_on_alone(atlas: Atlas) -> None:
    page = home.home_page([atlas], Ledger((), ()))
    assert anchors(page) == ["models", "doors", "ways"]
    assert "heads of one encoder" in plain(page.lead)
    assert "on every model" in plain(page.lead)


def test_without_models_nothing_is_counted() -> None:
    page = home.home_page([], Ledger((), ()))
    assert not re.search(r"\d", plain(page.lead))
    assert "No model has been analysed yet" in told(section(page, "models"))


@pytest.mark.parametrize("more", [0, 1])
def test_the_first_page_shows_a_few_models_and_leads_to_all(atlas: Atlas, more: int) -> None:
    page = home.home_page([atlas] * (home.MODELS + more), Ledger((), ()))
    shown = block(page, "models", Columns)
    assert len(shown.parts) == home.MODELS
    assert ("all 7 models" in told(section(page, "models"))) == (more == 1)


RESULTS = SimpleNamespace(manifest=SimpleNamespace(model="Tiny"))
"""What a result says of its model."""


def ledger_of(verdicts: Sequence[dict[str, Any]]) -> SimpleNamespace:
    """Judgements of one model after the other, by the id of the claim; without numbers. "part" is the one that decides,
    counted from 0.
    """
    claims = Ledger((), ()).claims
    return SimpleNamespace(
        claims=claims,
        manifests=tuple(verdicts),
        by_model=lambda claim: [
            (
                SimpleNamespace(model=str(at)),
                SimpleNamespace(
                    model=f"m{at}",
                    verdict=verdict.get(claim.id, "holds"),
                    findings=(),
                    decides=SimpleNamespace(part=claim.parts[verdict.get("part", 0) % len(claim.parts)]),
                ),
            )
            for at, verdict in enumerate(verdicts)
        ],
    )


@pytest.mark.parametrize(
    ("verdicts", "shown", "says"),
    [
        ([{}, {}], "", ""),
        ([{"C07": "fails"}, {}], "C07", "fails for 1 of 2 models (m0): "),
        ([{"C07": "fails"}, {}, {"C07": "not testable"}], "C07", "fails for 1 of 2 models that can be tested (m0): "),
        ([{"C07": "fails"}, {"C07": "not testable"}], "C07", "fails for the one model that can be tested:"),
        ([{"K03": "fails", "C07": "fails"}, {"K03": "fails"}], "K03", "fails for both models"),
        ([{"C07": "inconclusive"}], "", ""),
        ([{"C07": "inconclusive"}, {"C07": "fails"}], "C07", "fails for 1 of 2 models (m1), and is open for 1: "),
        ([{"C01": "fails"}], "", ""),
    ],
)
def test_the_famous_claim_is_the_one_that_fails_for_most_models(verdicts, shown: str, says: str) -> None:
    ledger = ledger_of(verdicts)
    claim = home.famous(ledger)
    assert (claim.id if claim else "") == shown
    if claim:
        found = home.fails(ledger, claim, "")
        assert plain(ledger.claims[shown].statement) in plain(found.text)
        assert says in plain(found.text)
        failing = sum(verdict.get(shown) == "fails" for verdict in verdicts)
        tested = sum(verdict.get(shown) != "not testable" for verdict in verdicts)
        assert found.number == f"{failing} of {tested}"


@pytest.mark.parametrize(
    ("parts", "by"),
    [
        ((1, 1), "both models, by mean attention to [SEP] in the middle layers as a multiple of uniform attention: "),
        (
            (0, 1),
            "by mean attention to [SEP] in the middle layers or mean attention to [SEP] in the middle layers as a ",
        ),
    ],
)
def test_a_claim_of_several_parts_says_which_one_fails(parts: Sequence[int], by: str) -> None:
    ledger = ledger_of([{"C04": "fails", "part": part} for part in parts])
    found = home.fails(ledger, ledger.claims["C04"], "")
    assert by in plain(found.text)
    ledger = ledger_of([{"C06": "fails"}])
    one = home.fails(ledger, ledger.claims["C06"], "")
    assert "fails for the one model: how it was judged" in plain(one.text)


def test_a_famous_claim_of_one_part_fails_with_its_numbers() -> None:
    """Else the share of one layer, which stands beside it, seems to contradict it."""
    made = judged(missing, missing)
    told = plain(home.fails(made, made.claims["C06"], "").text)
    assert "for both models, where mean attention to periods and commas in the last layers is 40 %: how it was" in told


@pytest.mark.parametrize(("trust", "shown"), [("Well supported: ...", True), ("Supported: ...", False)])
def test_the_head_that_is_shown_is_well_supported_and_right_most_often(trust: str, shown: bool) -> None:
    less = Summary("relation", "finds adverbs", "Adverbs.", "Well supported: ...", "relation", 0.4, short="Adverb.")
    most = Summary("relation", "finds direct objects", "Objects.", trust, "relation", 0.8, short="Object.")
    looks = Summary("begin", "looks at [CLS]", "Begins.", "Measured.", "begin", 0.9)
    summaries = {(1, 1): less, (1, 2): most, (1, 3): looks}
    atlas = SimpleNamespace(slug="tiny", summaries=summaries, results=RESULTS)
    best = home.best_head([atlas])
    assert best == (atlas, (1, 2) if shown else (1, 1))
    found = home.finds(best, Ledger((), ()), "")
    assert found.title == f"A head {(most if shown else less).title}"
    assert found.number == ("80 %" if shown else "40 %")
    assert plain(found.text).startswith("Head 1-2 of Tiny: Object." if shown else "Head 1-1 of Tiny: Adverb.")
    assert found.text[-2].href.startswith("claims/c14/"), "the first of the claims, or its own"
    del summaries[1, 1], summaries[1, 2]
    assert home.best_head([atlas]) is None


@pytest.mark.parametrize(("what", "claim"), [("possessors", "c17"), ("determiners", "c15"), ("direct objects", "c14")])
def test_the_claim_beside_the_head_is_about_what_it_finds(what: str, claim: str) -> None:
    best = Summary("relation", f"finds {what}", "Says how often.", "Well supported: ...", "relation", 0.8)
    found = home.finds(
        (SimpleNamespace(slug="tiny", summaries={(1, 2): best}, results=RESULTS), (1, 2)), Ledger((), ()), ""
    )
    assert found.text[-2].href == f"claims/{claim}/"


@pytest.mark.parametrize(
    ("columns", "title"),
    [
        ((), None),
        (("attention.cls",), home.RESTS),
        (("attention.cls", "attention.cls"), home.RESTS),
        (("attention.cls", "attention.sep"), "Encoders rest on different tokens"),
    ],
)
def test_encoders_rest_on_different_tokens_only_if_they_do(
    monkeypatch, columns: Sequence[str], title: str | None
) -> None:
    found = [(None, SimpleNamespace(column=column, share=alone(0.3 + at / 10))) for at, column in enumerate(columns)]
    monkeypatch.setattr(home, "resting_of", lambda _: found)
    monkeypatch.setattr(home, "resting_sentence", lambda *_: "where")
    result = home.rest([], "")
    assert (result and result.title) == title
    if result:
        assert result.number == f"{30 + 10 * (len(columns) - 1)} %"


def test_a_head_at_work_stands_first_if_its_sentences_may_be_shown(atlas: Atlas) -> None:
    place = next(place for place in atlas.places if arcs_of(atlas, *place))
    shown = home.at_work((atlas, place), "")
    assert shown is not None
    assert shown.parts[0] == arcs_of(atlas, *place)
    assert f"Head {head_name(*place)} of" in told(shown.parts[1])
