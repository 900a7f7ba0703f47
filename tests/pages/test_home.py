"""The first page: what it shows follows from verdicts and evidence, and what there is no evidence for is not there."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from generator.pages import home
from generator.pages.blocks import Columns
from generator.pages.claims.tables import Ledger
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.summary import Summary
from generator.pages.inline import plain
from tests.pages.reading import anchors, section, told


def test_without_specialists_failures_and_curves_there_are_models_and_ways_on_alone(atlas: Atlas) -> None:
    page = home.home_page([atlas], Ledger((), ()))
    assert anchors(page) == ["models", "ways"]


@pytest.mark.parametrize("more", [0, 1])
def test_the_first_page_shows_a_few_models_and_leads_to_all(atlas: Atlas, more: int) -> None:
    page = home.home_page([atlas] * (home.MODELS + more), Ledger((), ()))
    blocks = section(page, "models").blocks
    assert sum(isinstance(one, Columns) for one in blocks) == home.MODELS
    assert ("all 7 models" in told(section(page, "models"))) == (more == 1)


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
                    verdict=one.get(claim.id, "holds"),
                    findings=(),
                    decides=SimpleNamespace(part=claim.parts[one.get("part", 0) % len(claim.parts)]),
                ),
            )
            for at, one in enumerate(verdicts)
        ],
    )


@pytest.mark.parametrize(
    ("verdicts", "shown", "says"),
    [
        ([{}, {}], "", ""),
        ([{"C07": "fails"}, {}], "C07", "fails for 1 of 2 models"),
        ([{"C04": "fails", "C06": "fails"}, {"C06": "fails"}], "C06", "fails for both models"),
        ([{"C04": "inconclusive"}], "", ""),
        ([{"C01": "fails"}], "", ""),
    ],
)
def test_the_famous_claim_is_the_one_that_fails_for_most_models(verdicts, shown: str, says: str) -> None:
    ledger = ledger_of(verdicts)
    found = home.fails(ledger, "")
    assert (found is not None) is bool(shown)
    if found:
        assert plain(ledger.claims[shown].statement) in told(found)
        assert says in told(found)


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
    found = home.fails(ledger_of([{"C04": "fails", "part": part} for part in parts]), "")
    assert found is not None
    assert by in told(found)
    one = home.fails(ledger_of([{"C06": "fails"}]), "")
    assert one is not None
    assert "fails for the one model: how it was judged" in told(one)


@pytest.mark.parametrize(("trust", "shown"), [("Well supported: ...", True), ("Supported: ...", False)])
def test_the_head_that_is_shown_is_well_supported_and_right_most_often(trust: str, shown: bool) -> None:
    less = Summary("relation", "finds adverbs", "Adverbs.", "Well supported: ...", "relation", 0.4)
    most = Summary("relation", "finds direct objects", "Objects.", trust, "relation", 0.8)
    looks = Summary("begin", "looks at [CLS]", "Begins.", "Measured.", "begin", 0.9)
    manifest = SimpleNamespace(model="tiny")
    summaries = {(1, 1): less, (1, 2): most, (1, 3): looks}
    atlas = SimpleNamespace(slug="tiny", results=SimpleNamespace(manifest=manifest), summaries=summaries)
    found = home.finds([atlas], Ledger((), ()), "")
    assert found is not None
    assert found.title == f"A head that {(most if shown else less).title}"
    assert ("Head 1-2 of tiny finds direct objects. Objects." in told(found)) is shown
    assert "the best head of each model finds direct objects:" in told(found), "the first of the claims, or its own"
    del summaries[1, 1], summaries[1, 2]
    assert home.finds([atlas], Ledger((), ()), "") is None


@pytest.mark.parametrize("what", ["possessors", "determiners", "direct objects"])
def test_the_figure_beside_the_head_is_about_what_it_finds(what: str) -> None:
    best = Summary("relation", f"finds {what}", "Says how often.", "Well supported: ...", "relation", 0.8)
    results = SimpleNamespace(manifest=SimpleNamespace(model="tiny"))
    found = home.finds([SimpleNamespace(slug="tiny", results=results, summaries={(1, 2): best})], Ledger((), ()), "")
    assert found is not None
    assert told(found).rstrip().endswith(f"How often the best head of each model finds {what}:")
