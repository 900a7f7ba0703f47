"""Written numbers read back: what they show, in which order, and on which side of a threshold."""

import math

import numpy as np
import pytest

from generator.claims.bounds import parse, register
from generator.claims.claim import part
from generator.numbers.number import UNDEFINED, Number
from generator.numbers.writing import PRECISION, handed, interval, number, percent, pieces, written

CASES = 4000
THRESHOLDS = (0.0, 0.1, 0.5, 0.25, -0.05, 1 / 3, 2 / 3, 1.0, 33500.0)


def read(text: str) -> float:
    """What a reader takes it for."""
    return float(text.replace(",", ""))


def made(seed: int) -> list[Number]:
    """Numbers of all sizes with intervals of all widths, some of them hard by a threshold."""
    rng = np.random.default_rng(seed)
    size = 10.0 ** rng.uniform(-9, 5, CASES)
    near = rng.choice(THRESHOLDS, CASES)
    moved = rng.normal(size=CASES) * size
    value = np.where(rng.random(CASES) < 0.5, near + 1e-3 * moved, moved)
    below, above = 10.0 ** rng.uniform(-5.5, 2, (2, CASES)) * np.maximum(abs(value), 1)
    return [Number(*map(float, (v, v - b, v + a)), 9) for v, b, a in zip(value, below, above, strict=True)]


def side(value: float, threshold: float) -> float:
    return float(np.sign(np.longdouble(value) - np.longdouble(threshold)))


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_two_ends_that_differ_look_different_and_stay_in_order(seed: int, signed: bool) -> None:
    for one in made(seed):
        low, high = interval(one.low, one.high, signed=signed).split(" to ")
        assert read(low) < read(high), one


@pytest.mark.parametrize(("width", "differ"), [(1.1 * PRECISION, True), (0.9 * PRECISION, False)])
def test_ends_that_differ_by_the_rounding_of_single_precision_alone_look_alike(width: float, differ: bool) -> None:
    low, high = interval(0.5, 0.5 + width).split(" to ")
    assert (low != high) is differ


@pytest.mark.parametrize("threshold", THRESHOLDS)
def test_a_number_reads_on_its_own_side_of_a_threshold(threshold: float) -> None:
    hard_by = [np.nextafter(threshold, end) for end in (-np.inf, np.inf)] + [threshold, threshold + 4e-5]
    for one in [*made(7), *(Number(value, value - 0.03, value + 0.05, 9) for value in hard_by)]:
        value, ends = pieces(one, against=(threshold,))
        for shown, exact in zip((value, *ends.split(" to ")), one[:3], strict=True):
            assert side(read(shown), threshold) == side(exact, threshold), (one, shown)
        alone = number(one.value, against=(threshold,))
        assert side(read(alone), threshold) == side(one.value, threshold), (one, alone)


@pytest.mark.parametrize("threshold", [0.0, 0.1, 0.5, 1.0])
def test_a_share_in_percent_reads_on_its_own_side_and_has_two_digits_or_those_that_its_interval_needs(
    threshold,
) -> None:
    given = Number(0.4998, 0.497, 0.5003, 9), Number(0.0002, 0.0001, 0.0003, 9), Number(1.0, 1.0, 1.0, 9)
    for one in (*made(5), *given):
        value, ends = percent(one, against=(threshold,)).split(" %")
        shown = (value, *(ends.strip(" ()").split(" to ") if ends else ()))
        for text, exact in zip(shown, one[:3], strict=False):
            assert side(read(text), 100 * threshold) == side(100 * exact, 100 * threshold), (one, text)
        more = written(Number(*(100 * part for part in one[:3]), one.n), against=(100 * threshold,))
        assert len(value) <= len(more.split(" ")[0]) or read(more.split(" ")[0]) == read(value), (one, value, more)


@pytest.mark.parametrize(
    ("low", "high", "told"), [(0.739, 0.804, "78 % (74 to 80)"), (0.7701, 0.7799, "77.5 % (77.0 to 78.0)")]
)
def test_an_interval_narrower_than_a_point_asks_for_more_digits(low: float, high: float, told: str) -> None:
    assert percent(Number(0.775, low, high, 9)) == told


def size(number: float) -> float:
    """The power of ten of the first digit."""
    return 10.0 ** math.floor(math.log10(abs(number)))


@pytest.mark.parametrize("seed", range(3))
def test_what_is_shown_is_the_number_to_three_digits_or_to_one_or_two_of_its_interval(seed: int) -> None:
    for one in made(seed):
        value, ends = pieces(one)
        of_width = size(one.high - one.low)
        step = max(0.1 * of_width, min(of_width, 0.01 * size(min(abs(one.low), abs(one.high)) or of_width)))
        for shown, exact in zip((value, *ends.split(" to ")), one[:3], strict=True):
            assert read(shown) == pytest.approx(exact, abs=max(0.51 * step, abs(exact) * 1e-12)), (one, shown)


@pytest.mark.parametrize("seed", range(3))
def test_only_zero_reads_as_zero_and_signs_are_kept(seed: int) -> None:
    for value, *_ in made(seed):
        for shown in (number(value), number(value, value - 1, value + 2), number(value, signed=True)):
            assert side(read(shown), 0) == side(value, 0), (value, shown)
        assert number(value, signed=True).lstrip("+") == number(value)
        assert number(-value) == (f"-{number(value)}" if value > 0 else number(value)[1:])
    assert {number(0.0), number(-0.0), number(0.0, -0.1, 0.1), number(0.0, signed=True)} == {"0"}


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (written(Number(0.107, 0.09994, 0.1148, 30)), "0.107 (0.100 to 0.115)"),
        (written(Number(0.107, 0.09994, 0.1148, 30), against=(0.1,)), "0.107 (0.0999 to 0.115)"),
        (written(Number(0.107, 0.0999, 0.1, 30), against=(0.1,)), "0.1070 (0.0999 to 0.1000)"),
        (percent(Number(0.98240, 0.98214, 0.98262, 30)), "98.24 % (98.21 to 98.26)"),
        (percent(Number(0.98212, 0.98191, 0.98302, 30)), "98.21 % (98.19 to 98.30)"),
        (written(Number(0.9941, 0.9883, 1.0, 30)), "0.994 (0.988 to 1.000)"),
        (written(Number(0.02, 0.0, 0.05, 30)), "0.020 (0 to 0.050)"),
        (percent(Number(0.98212, 0.98151, 0.98249, 30)), "98.21 % (98.15 to 98.25)"),
        (written(Number(98.2, 98.15, 98.25, 30)), "98.20 (98.15 to 98.25)"),
        (written(Number(2.0, 1.5, 2.5, 30)), "2.0 (1.5 to 2.5)"),
        (written(Number(2.0, 1.96, 2.05, 30)), "2.00 (1.96 to 2.05)"),
        (written(Number(-0.00042, -0.00061, 0.00012, 30), "nats"), "-0.00042 nats (-0.00061 to 0.00012)"),
        (written(Number(0.00042, -0.00012, 0.1, 30), signed=True), "+0.0004 (-0.0001 to +0.10)"),
        (written(Number(33004.5, 32499.6, 33200, 30), against=(32500.0,)), "33,004 (32,499.6 to 33,200)"),
        (written(Number(17.0, 12.0, 20.0, 144), "heads"), "17 heads (12 to 20)"),
        (written(Number(0.25, 0.25, 0.25, 4)), "0.25"),
        (written(Number(0.3, 0.3, 0.1 + 0.2, 4)), "0.3"),
        (written(Number(0.123456, math.nan, math.nan, 1), "nats"), "0.123 nats"),
        (written(UNDEFINED, "nats"), "-"),
        (" ".join(pieces(UNDEFINED)), "- -"),
        (number(4e-7), "0.0000004"),
        (number(4e-8), "4e-8"),
        (number(999.6), "1,000"),
        (number(math.inf), "inf"),
    ],
)
def test_numbers_as_a_page_has_them(shown: str, expected: str) -> None:
    assert shown == expected


@pytest.mark.parametrize("key", [key for key in register() if not key.startswith("cutoff.")])
def test_a_registered_bound_is_written_as_what_it_is(key: str) -> None:
    """A number is compared with it by eye."""
    for bound in (bound for line in register()[key] for bound in parse(line.text)):
        assert parse(str(bound).replace(",", "")) == (bound,)
    named = part(key, "", "", lambda _: UNDEFINED)
    assert named.against == tuple(bound.at for bound in named.bounds)


@pytest.mark.parametrize(
    ("one", "text"),
    [
        (Number(1.3304, 1.3296, 1.3377, 9), "1.3304 (1.3296 to 1.3377)"),
        (Number(0.16, 0.0, 0.16, 9), "0.16 (0 to 0.16)"),
        (Number(0.7076, 0.667, 0.7083, 9), "0.7076 (0.6670 to 0.7083)"),
    ],
)
def test_an_end_reads_like_the_value_only_if_it_is_the_value(one, text):
    assert written(one) == text


@pytest.mark.parametrize("seed", range(3))
def test_a_number_handed_to_a_program_is_written_alike_and_meets_the_same_bounds_of_five_digits(seed: int) -> None:
    rng = np.random.default_rng(seed)
    bounds = [float(f"{bound:.4e}") for bound in 10.0 ** rng.uniform(-9, 5, CASES)]
    bounds += [0.5, 0.25, 0.3125, -0.125, 1e-7, 30522.0] * 20
    near = rng.choice((0.0, 1.0), len(bounds)) * 10.0 ** rng.uniform(-16, -1, len(bounds)) * rng.choice((-1, 1))
    for bound, away in zip(bounds, near, strict=True):
        value = bound * (1 + float(away))
        given = float(handed(value))
        assert side(given, bound) == side(value, bound)
        assert number(given) == number(value)
        assert given == pytest.approx(value, rel=5e-6)
    assert handed(math.nan) == number(math.nan)
