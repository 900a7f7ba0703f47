"""The figure of each part of a claim draws numbers, threshold and published values, and its table says the same."""

import json
from dataclasses import replace

import pytest

from generator.charts import TOLD
from generator.claims.claim import Claim, Finding, Part
from generator.claims.verdict import OUTCOMES, Verdict
from generator.numbers.number import Number
from generator.numbers.writing import number as write
from generator.numbers.writing import pieces, written
from generator.pages import addresses
from generator.pages.claims.figures import ASIDE, COLUMNS, UNJUDGED, claim_figure, evidence_figure
from generator.pages.claims.tables import place
from tests.pages.claims.judged import PLAIN, beside, crossing, ledger, table, untold
from tests.pages.claims.made import JUDGED, PAGES, WITH_PARTS, columns, figures, made, of, with_parts
from tests.site.hostile import NAME


@with_parts
def test_figure_of_each_part_draws_numbers_threshold_and_published_values(claim: Claim) -> None:
    page = PAGES[addresses.claim(claim.id)]
    assert len(figures(page)) == len(claim.parts)
    for at, part in enumerate(claim.parts):
        drawn = columns(page, at)
        numbers = [item.findings[at].number for item in of(claim)]
        printed = beside(claim, at)
        assert set(drawn) == set(COLUMNS)
        assert drawn["name"] == [PLAIN, NAME, *(number.source for number in printed)]
        for name in ("value", "low", "high", "n"):
            given = [pytest.approx(getattr(number, name), rel=1e-5) for number in numbers if number]
            assert drawn[name] == [*given, *(None for _ in printed)]
        told = [written(number, against=part.against) for item in of(claim) if (number := item.findings[at].number)]
        assert drawn[TOLD] == [*told, *(write(number.value) for number in printed)]
        assert drawn["published"] == [None, None, *(pytest.approx(number.value, rel=1e-5) for number in printed)]
        assert drawn["outcome"][:2] == [OUTCOMES[item.findings[at].verdict] for item in of(claim)]
        assert set(drawn["bound"]) == {part.bounds[0].at}
        assert set(drawn["second_bound"]) == {part.bounds[1].at if len(part.bounds) > 1 else None}


@with_parts
def test_axis_of_each_figure_shows_zero_and_all_that_is_drawn(claim: Claim) -> None:
    for figure in figures(PAGES[addresses.claim(claim.id)]):
        (view,) = figure["views"]
        names = ("value", "low", "high", "bound", "second_bound", "published")
        along = [x for name in names for x in view["columns"][name] if x is not None]
        assert view["signals"]["left"] == min([0, *along])
        assert view["signals"]["right"] == max([0, *along])


@with_parts
def test_table_of_each_figure_says_what_is_drawn(claim: Claim) -> None:
    page = PAGES[addresses.claim(claim.id)]
    for at, part in enumerate(claim.parts):
        head, *rows = table(page.html, at)
        assert head[1:5] == [f"value ({part.unit})", "95 % interval", f"n ({part.over})", "this threshold"]
        for row, item in zip(rows, of(claim), strict=False):
            number = item.findings[at].number
            assert number is not None
            met = OUTCOMES[item.findings[at].verdict]
            assert row == [item.model, *pieces(number, against=part.against), str(number.n), met, "-"]
        assert [row[-1] for row in rows[2:]] == [place(number) for number in beside(claim, at)]


@with_parts
def test_only_a_claim_has_a_verdict(claim: Claim) -> None:
    """A claim of two parts can hold by one threshold and fail by the other: what is said of one is another word."""
    page = PAGES[addresses.claim(claim.id)]
    for at in range(len(claim.parts)):
        head, *rows = table(page.html, at)
        assert "verdict" not in head
        assert {row[4] for row in rows} <= {*OUTCOMES.values(), "-"}
        assert "verdict" not in columns(page, at)


@with_parts
def test_what_an_earlier_build_wrote_of_a_number_is_not_written_again(claim: Claim) -> None:
    for order, part in enumerate(claim.parts):
        first = claim_figure(JUDGED, claim, order, "evidence")
        kept = json.loads(json.dumps(JUDGED.sentences))
        assert claim_figure(replace(JUDGED, sentences=kept), claim, order, "evidence") == first
        for slug in kept:
            kept[slug][f"number {part.key}"] = "marked|before"
        again = claim_figure(replace(JUDGED, sentences=kept), claim, order, "evidence")
        assert first
        assert again
        assert [row[1:3] for row in again.table.rows if row[-1] == "-"] == [("marked", "before")] * 2
        assert again.data.count('"marked (before)"') == 2


def test_part_that_no_model_has_needs_no_figure() -> None:
    nothing = made(ledger(untold, untold))
    for claim in WITH_PARTS:
        assert figures(nothing[addresses.claim(claim.id)]) == []
        assert nothing[addresses.claim(claim.id)].html.count("No model has this number.") == len(claim.parts)


def test_an_interval_that_misses_a_bound_by_little_says_so_where_the_pointer_rests() -> None:
    claim = WITH_PARTS[0]
    part = claim.parts[0]
    bound = part.bounds[0].at
    near = Number(1.07 * bound, 0.9994 * bound, 1.148 * bound, 40)
    drawn = evidence_figure(claim, part, "evidence", {"a": Finding(part, near, part.verdict(near))}, (), {"a"})
    assert drawn
    (told,) = json.loads(drawn.data)["views"][0]["columns"][TOLD]
    low, high = told.partition("(")[2].removesuffix(")").split(" to ")
    assert float(low) < bound < float(high)


def test_caption_says_whether_published_numbers_stand_beside_ours() -> None:
    nothing = [part for part in WITH_PARTS if not part.published]
    assert nothing
    for claim in (*nothing, *(part for part in WITH_PARTS if part.comparable)):
        figure = claim_figure(JUDGED, claim, 0, "evidence")
        assert figure
        assert figure.caption.endswith(
            " Ticks are published numbers, from other text and partly from other models."
            if claim.comparable
            else " We know of no published number for it."
        )


@pytest.mark.parametrize(("high", "told"), [(0.6, True), (0.5, False)])
def test_caption_speaks_of_intervals_only_where_one_is_drawn(high: float, told: bool) -> None:
    claim = WITH_PARTS[0]
    part, one = claim.parts[0], Number(0.5, 0.5, high, 70)
    made = evidence_figure(claim, part, "evidence", {"a": Finding(part, one, part.verdict(one))}, (), {"a"})
    assert made
    assert ("intervals" in made.caption) == told


def test_a_title_says_where_a_part_is_judged_and_the_claim_is_not() -> None:
    claim = next(part for part in WITH_PARTS if part.id == "K15")

    def partly(part: Part) -> Number | None:
        return crossing(part) if part is claim.parts[0] else None

    titles = [claim_figure(ledger(way, partly), claim, 0, "evidence") for way in (partly, crossing)]
    assert [UNJUDGED in title.label for title in titles if title] == [True, False]


@pytest.mark.parametrize(("verdict", "aside"), [("not testable", True), ("fails", False)])
def test_a_title_says_that_it_leaves_out_what_is_not_judged(verdict: Verdict, aside: bool) -> None:
    """As that of C04, whose largest numbers are of models that are not judged."""
    claim = WITH_PARTS[0]
    part, one = claim.parts[0], Number(0.5, 0.5, 0.6, 70)
    findings = {"a": Finding(part, one, "holds"), "b": Finding(part, one._replace(value=0.6), verdict)}
    drawn = evidence_figure(claim, part, "evidence", findings, (), {"a"})
    assert drawn
    assert drawn.label.endswith(f"{ASIDE} ({claim.id})") is aside
    assert (" in b" in drawn.label) is not aside
