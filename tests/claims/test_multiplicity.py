"""Allowing for many claims: p-values from intervals, chance, and Benjamini and Hochberg by hand."""

from dataclasses import replace
from datetime import date

import pytest
from scipy.stats import norm

from generator.claims.bounds import Bound
from generator.claims.claim import Claim, Part, judge
from generator.claims.missing import ByConstruction
from generator.claims.multiplicity import allow_for_many
from generator.numbers.number import Number
from tests.claims.made import evidence

ABOVE = (Bound("above", 0.5),)
BETWEEN = (Bound("above", 0.2), Bound("below", 0.8))
REACH = norm.ppf(0.975)


def at(z, bounds=ABOVE, n=100):
    """A part whose number lies `z` standard errors of 0.01 above 0.5."""
    value = 0.5 + 0.01 * z
    number = Number(value, value - 0.01 * REACH, value + 0.01 * REACH, n)
    return Part("X.1", "the number", "share", lambda _: number, "words", bounds, "Because.", date(2026, 1, 1))


def judged(*claims):
    made = [
        Claim(f"X{i:02}", "A title", "A statement.", "A paper", "1", "A measure.", "a model", parts=tuple(parts))
        for i, parts in enumerate(claims)
    ]
    return [judge(claim, evidence()) for claim in made]


def slowly(p, level=0.05):
    """Benjamini and Hochberg: the largest rank whose p is at most rank / m * level; it and all smaller ones stand."""
    ordered = sorted(p)
    standing = max((rank for rank, one in enumerate(ordered, 1) if one <= rank / len(p) * level), default=0)
    return [one in ordered[:standing] for one in p]


@pytest.mark.parametrize(
    "z", [(4, 2.0, 2.1, 0.3, -0.2), (2.2, 2.3, 2.4, 2.5, 2.6), (2, 0, 0, 0, 0, 0), (-2.0, -5, 0.1)]
)
def test_verdicts_stand_as_benjamini_and_hochberg_say(z):
    found = judged(*([at(one)] for one in z))
    p = [2 * norm.sf(abs(one)) if abs(one) > REACH else 1.0 for one in z]
    expected = {f"X{i:02}" for i, (one, stands) in enumerate(zip(p, slowly(p), strict=True)) if one < 1 and not stands}
    many = allow_for_many(found)
    assert set(many.adjusted) == expected
    assert set(many.adjusted.values()) <= {"inconclusive"}
    assert many.judged == len(z)
    assert many.by_chance == pytest.approx(0.025 * len(z))


def test_a_claim_of_two_parts_is_as_unlikely_as_its_weaker_one_and_fails_twice_as_easily():
    one, two = judged([at(5), at(2)], [at(5), at(-2.1)])
    assert (one.verdict, two.verdict) == ("holds", "fails")
    assert allow_for_many([one]).by_chance == pytest.approx(0.025**2)
    assert not allow_for_many([one]).adjusted  # 2 sf(2) = .0455
    assert set(allow_for_many(judged([at(5), at(2)], [at(0)])).adjusted) == {"X00"}  # .0455 of two is .091
    assert set(allow_for_many([two]).adjusted) == {"X01"}  # 2 * 2 sf(2.1) = .0715
    assert not allow_for_many([replace(two, findings=two.findings[1:])]).adjusted  # 2 sf(2.1) = .0357


def test_both_bounds_of_a_part_count():
    (narrow,) = judged([at(0, BETWEEN)])
    assert narrow.verdict == "holds"
    assert not allow_for_many([narrow]).adjusted


def test_what_is_counted_has_no_chance():
    counted = at(3)
    exact = replace(counted, number=lambda _: Number(0.7, 0.7, 0.7, 100))
    constructed = replace(counted, number=_raising)
    few = at(3, n=10)
    many = allow_for_many(judged([exact], [constructed], [few]))
    assert (many.judged, many.by_chance, many.adjusted) == (0, 0, {})


def _raising(_):
    raise ByConstruction("it cannot differ")


def test_a_claim_that_fails_by_what_is_counted_stays_failed():
    """Its other part has an interval and holds, which says nothing of the failure."""
    counted = replace(at(-5), number=lambda _: Number(0.3, 0.3, 0.3, 100))
    found = judged([counted, at(5)])
    assert found[0].verdict == "fails"
    assert not allow_for_many(found).adjusted
