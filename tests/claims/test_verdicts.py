"""From an interval and a threshold to a verdict, and from the verdicts of parts to that of a claim."""

import math

import pytest

from generator.claims.claim import Bound, Claim, Part, combine, judge
from generator.claims.numbers import Number
from tests.claims.made import evidence

ABOVE, AT_LEAST = Bound("above", 0.5), Bound("at least", 0.5)
BELOW, AT_MOST = Bound("below", 0.5), Bound("at most", 0.5)
BETWEEN = (Bound("above", 0.2), Bound("below", 0.8))


def part(*bounds, name="the number"):
    return Part(name, "share", bounds, "Because.")


def claim(*parts, numbers=()):
    return Claim(
        id="X01",
        title="A title",
        statement="A statement.",
        paper="A paper",
        section="1",
        measure="A measure.",
        needs="another model",
        parts=parts,
        judge=lambda _: list(numbers),
        published=("clark.sep.middle",),
    )


@pytest.mark.parametrize(
    ("bounds", "low", "high", "verdict"),
    [
        ((ABOVE,), 0.51, 0.6, "holds"),
        ((ABOVE,), 0.5, 0.6, "inconclusive"),
        ((ABOVE,), 0.4, 0.5, "fails"),
        ((AT_LEAST,), 0.5, 0.6, "holds"),
        ((AT_LEAST,), 0.4, 0.5, "inconclusive"),
        ((AT_LEAST,), 0.4, 0.49, "fails"),
        ((BELOW,), 0.4, 0.49, "holds"),
        ((BELOW,), 0.4, 0.5, "inconclusive"),
        ((BELOW,), 0.5, 0.6, "fails"),
        ((AT_MOST,), 0.4, 0.5, "holds"),
        ((AT_MOST,), 0.5, 0.6, "inconclusive"),
        ((AT_MOST,), 0.51, 0.6, "fails"),
        (BETWEEN, 0.3, 0.7, "holds"),
        (BETWEEN, 0.1, 0.7, "inconclusive"),
        (BETWEEN, 0.1, 0.9, "inconclusive"),
        (BETWEEN, 0.0, 0.2, "fails"),
        (BETWEEN, 0.8, 0.9, "fails"),
        ((ABOVE,), math.nan, math.nan, "inconclusive"),
        ((ABOVE,), 0.6, math.nan, "inconclusive"),
    ],
)
def test_the_whole_interval_must_lie_on_one_side(bounds, low, high, verdict):
    assert part(*bounds).verdict(Number(0.5, low, high, 9)) == verdict


@pytest.mark.parametrize("number", [None, Number(math.nan, 0.6, 0.7, 9)])
def test_without_a_number_a_part_is_not_testable(number):
    assert part(ABOVE).verdict(number) == "not testable"


@pytest.mark.parametrize(
    ("verdicts", "whole"),
    [
        (["holds", "holds"], "holds"),
        (["holds", "inconclusive"], "inconclusive"),
        (["inconclusive", "not testable"], "not testable"),
        (["not testable", "holds"], "not testable"),
        (["not testable", "fails"], "fails"),
        (["holds", "fails", "inconclusive"], "fails"),
        ([], "not testable"),
    ],
)
def test_all_parts_must_hold(verdicts, whole):
    assert combine(verdicts) == whole


STATED = "0.7 (0.6 to 0.8, 1,200 documents), above 0.5 as stated."
GOOD, BAD, OPEN = Number(0.7, 0.6, 0.8, 1200), Number(0.3, 0.2, 0.4, 9), Number(0.5, 0.4, 0.6, 9)


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        (
            [GOOD, GOOD],
            f"The first is {STATED} The second is {STATED}",
        ),
        ([GOOD, BAD], "The second is 0.3 (0.2 to 0.4, 9 documents), not above 0.5."),
        ([OPEN, GOOD], "The first is 0.5 (0.4 to 0.6, 9 documents), which leaves open whether it is above 0.5."),
        ([GOOD, None], "Needs another model."),
        ([Number(0.7, math.nan, math.nan, 1), GOOD], "The first is 0.7, but 1 documents give no interval."),
        ([Number(0.7, 0.7, 0.7, 3), BAD], "The second is 0.3 (0.2 to 0.4, 9 documents), not above 0.5."),
    ],
)
def test_the_reason_tells_the_numbers_that_decide(numbers, reason):
    parts = part(ABOVE, name="the first"), part(ABOVE, name="the second")
    assert judge(claim(*parts, numbers=numbers), evidence()).reason == reason


def test_a_judgement_shows_the_first_number_whichever_part_decides():
    """Models are compared by one number; another one each would be no comparison."""
    found = judge(claim(part(ABOVE), part(ABOVE), numbers=[GOOD, BAD]), evidence())
    assert found.verdict == "fails"
    assert (found.value, found.low, found.high, found.n) == GOOD
    assert [finding.verdict for finding in found.findings] == ["holds", "fails"]
    assert found.published[0].key == "clark.sep.middle"


def test_a_judge_must_give_one_number_per_part():
    with pytest.raises(ValueError, match="zip"):
        judge(claim(part(ABOVE), numbers=[GOOD, BAD]), evidence())
