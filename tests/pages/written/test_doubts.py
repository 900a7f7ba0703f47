"""The end of a sentence about verdicts: which threshold leaves it open, and whose sign is not sure."""

from collections.abc import Sequence

import pytest

from generator.claims import CLAIMS
from generator.claims.claim import Part
from generator.numbers.number import Number, alone
from tests.pages.claims.judged import Invent, crossing, meeting
from tests.pages.written.test_telling import FIRST, SECOND, giving, of, told

OPEN = '{{ tell("C10", inconclusive="By {1:more}.") }}'
BROAD = next(claim for claim in CLAIMS if claim.id == "C10").parts[0]


def between(value: float, low: float, high: float, part: Part = BROAD) -> Invent:
    """This number of the part, by default the one that must lie above 0.2 nats; the others meet their thresholds."""
    return giving(part, Number(value, low, high, 70))


@pytest.mark.parametrize(
    ("ways", "end"),
    [
        (
            [between(0.16, 0.1, 0.3)],
            "0.16 nats (0.10 to 0.30) more, and the interval includes the threshold of 0.2 nats",
        ),
        ([between(0.16, 0.1, 0.3), between(0.4, 0.1, 0.7)], "0.16 to 0.40 nats more, and each interval includes the"),
        ([between(-0.1, -0.4, 0.3)], "less, and the interval includes the threshold of 0.2 nats more and also 0."),
        ([between(0.16, -0.1, 0.3), between(0.4, 0.1, 0.7)], "threshold of 0.2 nats more, for A also 0."),
    ],
)
def test_what_remains_open_says_which_threshold_lies_within_the_interval(ways: Sequence[Invent], end: str) -> None:
    """Several models have the range of their values, as under every other verdict, and not of their intervals."""
    assert end in told(OPEN, of(*ways))


def test_a_number_that_decides_and_is_not_told_stands_at_the_end() -> None:
    knowledge = of(giving(SECOND, crossing(SECOND)))
    call = '{{ tell("C04", inconclusive="Open in {models}: {1}.") }}'
    assert told(call, knowledge).endswith(
        f"; {SECOND.name} is 5.01 (4.90 to 5.10), and the interval includes the threshold of 5. (C04)"
    )
    counted = told('{{ tell("C04", inconclusive="Of {1:n} documents.") }}', of(crossing))
    assert counted.startswith(f"Of 90 documents: {FIRST.name} is 51 % (40 to 60), and the interval includes the ")


def test_models_that_different_numbers_leave_open_stand_apart() -> None:
    other: Invent = lambda part: crossing(part) if part is SECOND else meeting(part)  # noqa: E731
    said = told('{{ tell("C04", inconclusive="Open.") }}', of(crossing, other, other))
    assert f"Open: for A {FIRST.name} is 51 % (40 to 60), and the interval includes the threshold of 50 %; " in said
    assert f"; for B and C {SECOND.name} is 5.01, and each interval includes the threshold of 5. (C04)" in said


def test_without_an_interval_it_says_so() -> None:
    one = alone(0.6, 70)
    assert told('{{ tell("C04", inconclusive="It is {1}.") }}', of(giving(FIRST, one))) == (
        "It is 60 %, and too little was read for an interval. (C04)"
    )


def test_a_score_and_a_difference_of_shares_are_told_in_points_and_a_third_in_two_digits() -> None:
    for claim, threshold in (("K16", "1 point"), ("C09", "10 points"), ("K03", "33 %")):
        made = next(one for one in CLAIMS if one.id == claim)
        part = made.parts[-1]
        assert f" the threshold of {threshold}" in told(
            f'{{{{ tell("{claim}", inconclusive="Open.") }}}}', of(giving(part, crossing(part)))
        )


@pytest.mark.parametrize(
    ("ways", "end"),
    [
        ([between(-0.2, -0.3, -0.1)], "0.20 nats (0.10 to 0.30) less."),
        ([between(-0.2, -0.5, 0.1)], "less, but whether more or less is not sure, as the interval includes 0."),
        ([between(-0.2, -0.5, 0.1)] * 2, "less, but whether more or less is not sure, as each interval includes 0."),
        (
            [between(-0.2, -0.3, -0.1), between(-0.1, -0.3, 0.1), between(0.05, -0.1, 0.15)],
            "but whether more or less is not sure for B and C, whose intervals include 0.",
        ),
        (
            [between(-0.2, -0.3, -0.1), between(-0.1, -0.3, 0.1)],
            "0.10 to 0.20 nats less, but whether more or less is not sure for B, whose interval includes 0.",
        ),
    ],
)
def test_what_is_said_to_be_more_or_less_names_the_models_for_which_that_is_not_sure(
    ways: Sequence[Invent], end: str
) -> None:
    assert told('{{ tell("C10", fails="By {1:more}.") }}', of(*ways)).removesuffix(" (C10)").endswith(end)


def test_a_sentence_without_a_sign_as_a_word_has_no_such_end() -> None:
    assert (
        told('{{ tell("C10", fails="By {1}.") }}', of(between(-0.2, -0.5, 0.1)))
        == "By -0.20 nats (-0.50 to 0.10). (C10)"
    )
