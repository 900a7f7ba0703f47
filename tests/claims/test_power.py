"""How much more data would decide a number is told from the half of its interval that reaches over the bound."""

import math

import pytest

from generator.claims.bounds import parse
from generator.claims.power import HOPELESS, needed
from generator.numbers.number import Number


@pytest.mark.parametrize(
    ("bound", "number", "halves"),
    [
        ("above 0.5", Number(0.7, 0.6, 1.0, 9), 2.0),  # the lower half, .1, faces the bound
        ("above 0.5", Number(0.4, 0.1, 0.6, 9), -0.5),  # the upper half, .2
        ("below 0.5", Number(0.7, 0.6, 1.0, 9), -2.0),
        ("at most 0.5", Number(0.4, 0.1, 0.6, 9), 0.5),
        ("at least 0.5", Number(0.5, 0.3, 0.9, 9), 0.0),
        ("above 0.5", Number(0.7, 0.7, 0.9, 9), math.inf),  # counted on the side that counts
        ("above 0.5", Number(0.3, 0.1, 0.3, 9), -math.inf),
    ],
)
def test_a_distance_is_in_units_of_the_half_that_faces_the_bound(bound, number, halves):
    (one,) = parse(bound)
    assert one.distance(number) == pytest.approx(halves)


@pytest.mark.parametrize(
    ("number", "units"),
    [
        (Number(0.6, 0.4, 0.7, 50), 200),  # the lower half, .2, must shrink to .1: four times the documents
        (Number(0.4, 0.1, 0.6, 50), 200),  # the upper half
        (Number(0.6, 0.49, 0.99, 50), 61),  # 1.21 times, 60.5, rounded up; the other half does not count
    ],
)
def test_units_grow_with_the_square_of_what_the_half_must_shrink(number, units):
    said = needed("its share", parse("above 0.5"), number, "documents")
    assert said == f"About {units} documents, instead of 50, would decide its share if the estimate stays."


@pytest.mark.parametrize(
    ("bounds", "number", "units"),
    [
        # .6 is missed by .05, of .14; .65 is met, and the interval crosses it, too
        ("above 0.6 and below 0.65", Number(0.55, 0.1, 0.69, 100), 790),
        ("above 0.375 and below 0.7", Number(0.5, 0.25, 0.75, 100), 400),  # both are met; .375 needs more
    ],
    ids=["missed", "met"],
)
def test_of_two_bounds_the_one_that_needs_more_decides(bounds, number, units):
    said = needed("it", parse(bounds), number, "words")
    assert said.startswith(f"About {units} words, instead of 100,"), said


@pytest.mark.parametrize(("share", "hopeless"), [(1.01, False), (0.99, True)], ids=["just below", "just above"])
def test_a_number_at_its_threshold_is_not_to_be_decided(share, hopeless):
    value = 0.5 + share * 0.1 / math.sqrt(HOPELESS)
    number = Number(value, value - 0.1, value + 0.1, 10)
    said = needed("it", parse("above 0.5"), number, "documents")
    assert said.startswith("It lies so close to its threshold") == hopeless, said


def test_a_number_on_its_threshold_divides_by_nothing():
    said = needed("it", parse("above 0.5"), Number(0.5, 0.4, 0.6, 10), "documents")
    assert said == "It lies so close to its threshold that more documents alone would hardly decide it."


def test_what_a_model_has_a_fixed_number_of_does_not_grow_with_text():
    number = Number(0.6, 0.4, 0.7, 12)
    assert "so more text would hardly decide it" in needed("it", parse("above 0.5"), number, "heads")
    assert "so more text would hardly decide it" in needed("it", parse("above 0.5"), number, "words", heads=True)


@pytest.mark.parametrize("ends", [(math.nan, 0.7), (0.4, math.nan)])
def test_without_an_interval_nothing_is_advised(ends):
    assert needed("it", parse("above 0.5"), Number(0.6, *ends, 9), "words") == ""
