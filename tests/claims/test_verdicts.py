"""From an interval and a threshold to a verdict, and from the verdicts of parts to that of a claim."""

import math
from dataclasses import replace
from datetime import date

import pytest

from generator.claims.bounds import Bound
from generator.claims.claim import Claim, Part, judge
from generator.claims.gate.premises import NO_TWIN, Null, says_more
from generator.claims.missing import ByConstruction, NotTestable
from generator.claims.said import said
from generator.claims.verdict import combine
from generator.numbers.number import Number, alone
from generator.numbers.writing import written
from generator.topics.relations.claims.links import C12
from tests.claims.cases.clark import split_words
from tests.claims.made import evidence

ABOVE, AT_LEAST = Bound("above", 0.5), Bound("at least", 0.5)
BELOW, AT_MOST = Bound("below", 0.5), Bound("at most", 0.5)
BETWEEN = (Bound("above", 0.2), Bound("below", 0.8))


def giving(number):
    """What a part computes: this number, or what is raised instead."""

    def number_of(_):
        if isinstance(number, NotTestable):
            raise number
        return number

    return number_of


def part(*bounds, name="the number", number=None, over="documents"):
    return Part("X01.1", name, "share", giving(number), over, bounds, "Because.", date(2026, 1, 1))


def claim(*parts):
    return Claim(
        id="X01",
        title="A title",
        statement="A statement.",
        paper="A paper",
        section="1",
        measure="A measure.",
        needs="another model",
        parts=parts,
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
    assert part(*bounds).verdict(Number(0.5, low, high, 20)) == verdict


@pytest.mark.parametrize("number", [None, Number(math.nan, 0.6, 0.7, 99)])
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


STATED = "0.70 (0.60 to 0.80, 1,200 documents), above 0.5 as stated."
GOOD, BAD, OPEN = Number(0.7, 0.6, 0.8, 1200), Number(0.3, 0.2, 0.4, 29), Number(0.5, 0.4, 0.6, 29)
MISSING = NotTestable("no treebank was read")


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        ([GOOD, GOOD], f"The first is {STATED} The second is {STATED}"),
        ([GOOD, BAD], "The second is 0.30 (0.20 to 0.40, 29 documents), not above 0.5."),
        ([OPEN, GOOD], "The first is 0.50 (0.40 to 0.60, 29 documents), which leaves open whether it is above 0.5."),
        ([GOOD, MISSING], "Not testable: no treebank was read."),
        ([MISSING, MISSING], "Not testable: no treebank was read."),
        ([MISSING, BAD], "The second is 0.30 (0.20 to 0.40, 29 documents), not above 0.5."),
        ([Number(0.7, math.nan, math.nan, 20), GOOD], "The first is 0.7, but 20 documents give no interval."),
        (
            [Number(0.7, 0.6, 0.8, 19), GOOD],
            "Not testable: only 19 documents, where at least 20 are needed, for the first.",
        ),
        (
            [Number(0.7, 0.6, 0.8, 19), Number(0.2, 0.1, 0.3, 19)],
            "Not testable: only 19 documents, where at least 20 are needed.",
        ),
        ([ByConstruction("it cannot differ"), GOOD], f"The second is {STATED}"),
        ([ByConstruction("it cannot differ")], "Not testable: true by construction: it cannot differ."),
    ],
)
def test_the_reason_tells_the_numbers_that_decide(numbers, reason):
    parts = [
        part(ABOVE, name=name, number=number)
        for name, number in zip(("the first", "the second"), numbers, strict=False)
    ]
    assert judge(claim(*parts), evidence()).reason == reason


@pytest.mark.parametrize(
    ("bounds", "value", "end"),
    [
        (BETWEEN, 0.1, "not above 0.2"),
        (BETWEEN, 0.9, "not below 0.8"),
        ((AT_LEAST,), 0.4, "below 0.5"),
        ((AT_MOST,), 0.6, "above 0.5"),
    ],
)
def test_what_fails_names_the_bound_that_it_misses(bounds, value, end):
    number = Number(value, value - 0.05, value + 0.05, 99)
    assert judge(claim(part(*bounds, number=number)), evidence()).reason.endswith(f"99 documents), {end}.")


@pytest.mark.parametrize(("n", "end"), [(1, "1 model gives no interval"), (2, "2 models give no interval")])
def test_one_unit_gives_and_several_give(n, end):
    assert said("the size", alone(0.7)._replace(n=n), "models", (0.5,), "") == f"the size is 0.7, but {end}"


@pytest.mark.parametrize(
    ("over", "least"),
    [
        ("words", 50),
        ("mentions", 50),
        ("examples", 50),
        ("documents", 20),
        ("sentences", 20),
        ("heads", 3),
        ("model", 1),
    ],
)
def test_too_few_units_decide_nothing(over, least):
    sure = [judge(claim(part(ABOVE, over=over, number=GOOD._replace(n=n))), evidence()) for n in (least - 1, least)]
    assert [one.verdict for one in sure] == ["not testable", "holds"]


NULL = Null("chance", lambda _: Number(0.3, 0.28, 0.32, 29))


@pytest.mark.parametrize(
    ("number", "null", "verdict"),
    [
        (Number(0.2, 0.1, 0.27, 29), NULL, "holds"),
        (Number(0.2, 0.1, 0.28, 29), NULL, "not testable"),
        (Number(0.4, 0.35, 0.45, 29), NULL, "not testable"),
        (Number(0.5, 0.4, 0.6, 29), NULL, "inconclusive"),
        (Number(0.7, 0.6, 0.8, 29), NULL, "fails"),
        (Number(0.4, 0.35, 0.45, 29), Null("chance", lambda _: Number(0.6, 0.5, 0.7, 29)), "holds"),
        (Number(0.4, 0.35, 0.45, 29), Null("chance", lambda _: Number(0.6, 0.46, 0.7, 29)), "holds"),
        (Number(0.4, 0.35, 0.45, 29), Null("chance", lambda _: Number(0.6, 0.44, 0.7, 29)), "not testable"),
        (Number(0.4, 0.35, 0.45, 29), Null("chance", giving(MISSING)), "not testable"),
    ],
)
def test_little_counts_only_where_chance_gives_surely_more(number, null, verdict):
    found = judge(claim(replace(part(BELOW, number=number), null=null)), evidence())
    assert found.verdict == verdict
    if verdict == "holds":
        assert f", where chance gives {written(null.number(None), against=(0.5,))}." in found.reason


def test_what_does_not_count_leaves_the_verdict_to_the_other_parts():
    open_, idle = part(ABOVE, name="the first", number=OPEN), replace(part(BELOW, number=BAD), null=NULL)
    found = judge(claim(open_, idle), evidence())
    assert found.verdict == "inconclusive"
    assert [finding.outcome for finding in found.findings] == ["open", "does not count"]
    assert "chance" in str(found.findings[1].missing)


@pytest.mark.parametrize(
    ("other", "verdict"), [(GOOD, "not testable"), (OPEN, "inconclusive"), (BAD, "fails"), (MISSING, "not testable")]
)
def test_nothing_holds_while_what_could_meet_a_threshold_was_not_asked(other, verdict):
    """It may hold of a model that learned nothing; what another part leaves open or misses needs no second look."""
    unknown = replace(part(BELOW, number=BAD), null=Null("an untrained model", giving(MISSING)))
    found = judge(claim(part(ABOVE, name="the first", number=other), unknown), evidence())
    assert found.verdict == verdict
    assert [one.outcome for one in found.findings][1] == "does not count"
    assert (NO_TWIN in found.reason) == (other is GOOD)


@pytest.mark.parametrize(("first", "outcome"), [(0.73, "met"), (0.74, "does not count")])
def test_heads_that_lose_little_count_only_if_fewer_did_before_training(first, outcome):
    found = judge(C12, evidence(*split_words(0.08, 2, first)))
    assert [finding.outcome for finding in found.findings] == ["met", outcome]


@pytest.mark.parametrize(("null", "more"), [(0.0, False), (0.3, False), (0.45, True), (-0.45, True)])
def test_between_two_bounds_more_is_said_by_what_lies_nearer_to_their_middle(null, more):
    around = (Bound("above", -0.5), Bound("below", 0.5))
    found = Number(0.3, 0.25, 0.35, 29)
    assert says_more(around, found, Number(null, null - 0.05, null + 0.05, 29)) == more
    assert not says_more(around, found, Number(0.0, -0.4, 0.4, 29))


def test_without_its_premise_nothing_is_judged():
    def premise(_):
        raise NotTestable("it does not do so")

    found = judge(claim(replace(part(ABOVE, number=GOOD), premises=(premise,)), part(ABOVE, number=GOOD)), evidence())
    assert (found.verdict, found.reason) == ("not testable", "Not testable: it does not do so.")
    assert found.findings[0].number is None
    missing = judge(claim(replace(part(ABOVE, number=MISSING), premises=(premise,))), evidence())
    assert missing.reason == "Not testable: no treebank was read.", "what is missing comes first"


def test_a_judgement_shows_the_first_number_whichever_part_decides():
    """Models are compared by one number; another one each would be no comparison."""
    found = judge(claim(part(ABOVE, number=GOOD), part(ABOVE, number=BAD)), evidence())
    assert found.verdict == "fails"
    assert (found.value, found.low, found.high, found.n) == GOOD
    assert [finding.verdict for finding in found.findings] == ["holds", "fails"]
    assert found.published[0].key == "clark.sep.middle"


@pytest.mark.parametrize(
    ("value", "low", "high", "said"),
    [
        (
            0.6,
            0.4,
            0.8,
            "About 120 documents, instead of 30, would decide the number",
        ),  # the half below must shrink by two: four times 30
        (0.4, 0.3, 0.6, "About 120 documents, instead of 30, would decide the number"),
        (0.5, 0.4, 0.6, "so close to its threshold"),
    ],
)
def test_what_is_open_says_how_much_more_would_decide_it(value, low, high, said):
    assert said in judge(claim(part(ABOVE, number=Number(value, low, high, 30))), evidence()).power


def test_a_model_has_no_more_heads_than_it_has():
    open_ = judge(claim(part(ABOVE, over="heads", number=Number(0.6, 0.4, 0.8, 30))), evidence())
    assert open_.power == "The number rests on all 30 heads that count here, so more text would hardly decide it."


def test_more_text_is_not_asked_for_where_heads_are_drawn_too():
    open_ = judge(claim(replace(part(ABOVE, number=Number(0.6, 0.4, 0.8, 30)), heads=True)), evidence())
    assert open_.power == "The number rests on the heads that the model has, so more text would hardly decide it."


def test_what_is_decided_asks_for_no_more():
    assert judge(claim(part(ABOVE, number=GOOD)), evidence()).power == ""
