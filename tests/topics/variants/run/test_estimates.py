"""Numbers of variants against means over lists, and the rule of what counts on both sides and in both directions."""

import numpy as np
import pytest

from generator.numbers.number import Number
from generator.numbers.resampling import sample_counts
from generator.studies.halves import reported
from generator.topics.variants.records import VARIANTS
from generator.topics.variants.run.estimates import counts, estimates, of_most
from generator.topics.variants.run.groups import Variant

SEED, UNITS = 5, 60
GROUPS = (Variant("a", {}, (0, 2)), Variant("b", {}, (1,)), Variant("c", {}, (3, 4, 5)))


@pytest.fixture
def part() -> np.ndarray:
    """Gives `[unit, training]`; those of the third variant lie far above all others."""
    rng = np.random.default_rng(SEED)
    return rng.random((UNITS, 6)) + np.array([0, 0.01, 0.05, 2, 2.1, 2.2])


@pytest.fixture
def whole() -> np.ndarray:
    """Gives `[unit]`."""
    return np.random.default_rng(SEED + 1).integers(1, 9, UNITS).astype(float)


def test_numbers_are_ratios_of_sums_and_plain_means_over_trainings(part: np.ndarray, whole: np.ndarray) -> None:
    found = estimates("masked", part, whole, GROUPS, SEED)
    ratios = [sum(part[:, at].tolist()) / sum(whole.tolist()) for at in range(6)]
    means = [(ratios[0] + ratios[2]) / 2, ratios[1], sum(ratios[3:]) / 3]
    singles = {"1.1": 0, "1.2": 2, "2.1": 1, "3.1": 3, "3.2": 4, "3.3": 5}
    assert {name: found[f"masked.{name}"].value for name in singles} == pytest.approx(
        {name: ratios[at] for name, at in singles.items()}
    )
    assert [found[f"masked.{at}"].value for at in (1, 2, 3)] == pytest.approx(means)
    assert [found[f"masked.{at}.minus"].value for at in (2, 3)] == pytest.approx(
        [mean - means[0] for mean in means[1:]]
    )
    gaps = [abs(ratios[0] - ratios[2]), *(abs(ratios[a] - ratios[b]) for a, b in ((3, 4), (3, 5), (4, 5)))]
    assert (found["masked.apart"].value, found["masked.apart"].n) == (pytest.approx(max(gaps)), 4)
    assert all(found[f"masked.{at}"].n == UNITS for at in (1, 2, 3))
    for name in found:
        VARIANTS.quantity(name)


def test_intervals_draw_the_same_units_for_all_trainings(part: np.ndarray, whole: np.ndarray) -> None:
    found = estimates("masked", part, whole, GROUPS, SEED)["masked.3.minus"]
    draws = []
    for drawn in sample_counts(UNITS, SEED):
        ratios = [(drawn * part[:, at]).sum() / (drawn * whole).sum() for at in range(6)]
        draws.append(np.mean(ratios[3:]) - np.mean([ratios[0], ratios[2]]))
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(draws, (0.025, 0.975))))


@pytest.mark.parametrize("sign", [1, -1])
def test_a_difference_counts_up_and_down_where_it_exceeds_that_of_seeds(
    part: np.ndarray, whole: np.ndarray, sign: int
) -> None:
    found = estimates("masked", sign * part, whole, GROUPS, SEED)
    assert (found["masked.3.counts"].value, found["masked.2.counts"].value) == (1, 0)
    assert np.sign(found["masked.3.minus"].value) == sign
    seeds_apart = part.copy()
    seeds_apart[:, 5] += 20
    assert estimates("masked", sign * seeds_apart, whole, GROUPS[:2], SEED)["masked.2.counts"].value == 0
    wide = estimates("masked", sign * seeds_apart, whole, GROUPS, SEED)
    assert wide["masked.3.minus"].value * sign > 0
    assert wide["masked.3.counts"].value == 0


@pytest.mark.parametrize(
    ("change", "apart", "expected"),
    [
        (Number(0.3, 0.2, 0.4, 9), 0.29, True),
        (Number(0.3, 0.2, 0.4, 9), 0.3, False),
        (Number(-0.3, -0.4, -0.2, 9), 0.29, True),
        (Number(-0.3, -0.4, -0.2, 9), 0.3, False),
        (Number(0.3, 0.0, 0.6, 9), 0.1, False),
        (Number(-0.3, -0.6, 0.0, 9), 0.1, False),
    ],
)
def test_both_the_interval_and_the_seeds_must_allow_it(change: Number, apart: float, expected: bool) -> None:
    assert counts(change, apart) is expected


def test_one_training_of_each_says_nothing_of_seeds(part: np.ndarray, whole: np.ndarray) -> None:
    alone = (Variant("a", {}, (0,)), Variant("c", {}, (3,)))
    found = estimates("masked", part, whole, alone, SEED)
    assert {*found} == {"masked.1", "masked.1.1", "masked.2", "masked.2.1", "masked.2.minus"}


def test_a_variant_without_the_number_has_no_rows(part: np.ndarray, whole: np.ndarray) -> None:
    part[:, 1] = np.nan
    found = estimates("next", part, whole, GROUPS, SEED)
    assert not [name for name in found if name.startswith("next.2")]
    assert {"next.1", "next.3.minus", "next.3.counts"} <= {*found}


def test_the_head_that_gives_most_is_chosen_on_one_half_and_told_on_the_other() -> None:
    rng = np.random.default_rng(SEED)
    part = rng.random((UNITS, 3, 5))
    found, left = of_most(part, SEED)
    halves = reported([str(number) for number in range(UNITS)], SEED)
    assert left.tolist() == halves.tolist()
    for training in range(3):
        sums = [sum(part[at, training, head] for at in range(UNITS) if not halves[at]) for head in range(5)]
        head = sums.index(max(sums))
        assert found[:, training].tolist() == [part[at, training, head] for at in range(UNITS) if halves[at]]
