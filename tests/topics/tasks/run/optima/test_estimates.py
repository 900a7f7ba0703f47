"""Numbers of groups of trainings against means over lists, and barriers whose height is known."""

from itertools import combinations

import numpy as np
import pytest

from generator.numbers.resampling import sample_counts
from generator.topics.tasks.records.optima import OPTIMA
from generator.topics.tasks.run.optima.estimates import Split, of_answers, of_split
from generator.topics.tasks.run.optima.trainings import GROUPS, members, pairs, plan

SEED, UNITS = 3, 50
TRAININGS = plan(3)
OF = {
    "pretrained.same": (0, 1, 2),
    "pretrained.other": (0, 3, 4),
    "random.same": (5, 6, 7),
    "random.other": (5, 8, 9),
}
"""Group -> the places of its trainings."""
HILL = np.array([0.1, 0.2, 0.3, 0.5, 0.9, 0.6, 0.4, 0.2, 0.1])
"""What is added between two trainings of a group of other starts; above the others it is sunk."""


@pytest.fixture
def split() -> Split:
    """Gives losses in which other random starts have a barrier, and other heads a dip."""
    rng = np.random.default_rng(SEED)
    losses, between = rng.random((UNITS, 10)), {}
    for group, places in OF.items():
        height = {"random.other": 1.0, "pretrained.other": -1.0}.get(group, 0.0)
        for a, b in combinations(places, 2):
            share = np.arange(1, 10) / 10
            straight = (1 - share) * losses[:, a, None] + share * losses[:, b, None]
            between[a, b] = straight + height * HILL + 0.01 * rng.random((UNITS, 9))
    return Split("dev", rng.random(UNITS) < 0.5, losses, between, rng.random(UNITS))


def interval(values: list[float]) -> tuple[float, float]:
    low, high = np.quantile(values, (0.025, 0.975))
    return float(low), float(high)


def test_groups_have_the_trainings_that_share_a_start_or_an_order() -> None:
    assert {group: tuple(members(group, TRAININGS)) for group in GROUPS} == OF
    for group, places in OF.items():
        own = [TRAININGS[at] for at in places]
        kept, changing = (1, 2) if group.endswith("same") else (2, 1)
        assert len({one[kept] for one in own}) == 1
        assert len({one[changing] for one in own}) == 3
    assert len({*TRAININGS}) == 10


def test_losses_are_means_over_trainings_and_examples(split: Split) -> None:
    found = of_split(split, TRAININGS, SEED)
    draws = sample_counts(UNITS, SEED)
    for group, places in OF.items():
        each = [sum(split.losses[:, at].tolist()) / UNITS for at in places]
        mean = found[f"loss.dev.{group}"]
        assert mean.value == pytest.approx(sum(each) / 3)
        assert [found[f"loss.dev.{group}.{number}"].value for number in (1, 2, 3)] == pytest.approx(each)
        gaps = [abs(a - b) for a, b in combinations(each, 2)]
        apart = found[f"loss.dev.{group}.apart"]
        assert (apart.value, apart.n) == (pytest.approx(max(gaps)), 3)
        drawn = [float(np.mean([counts @ split.losses[:, at] / UNITS for at in places])) for counts in draws]
        assert (mean.low, mean.high, mean.n) == (*(pytest.approx(end) for end in interval(drawn)), UNITS)
    assert found["loss.dev.constant"].value == pytest.approx(split.constant.mean())
    for name in found:
        OPTIMA.quantity(name)


def test_a_line_has_both_ends_and_what_lies_between(split: Split) -> None:
    found = of_split(split, TRAININGS, SEED)
    for group, places in OF.items():
        for number, (a, b) in enumerate(combinations(places, 2), start=1):
            assert pairs(group, TRAININGS)[number - 1] == (a, b)
            points = [split.losses[:, a], *split.between[a, b].T, split.losses[:, b]]
            told = [found[f"line.dev.{group}.{number}.{point}"].value for point in range(11)]
            assert told == pytest.approx([float(point.mean()) for point in points])


def test_a_barrier_is_that_of_one_half_at_the_point_which_the_other_half_chooses(split: Split) -> None:
    found = of_split(split, TRAININGS, SEED)
    reported = [at for at in range(UNITS) if split.halves[at]]
    chosen_on = [at for at in range(UNITS) if not split.halves[at]]
    draws, drawn = sample_counts(len(reported), SEED), {}
    for group, places in OF.items():
        rows = []
        for a, b in combinations(places, 2):
            above = [
                [
                    split.between[a, b][at, point - 1]
                    - ((10 - point) * split.losses[at, a] + point * split.losses[at, b]) / 10
                    for point in range(1, 10)
                ]
                for at in range(UNITS)
            ]
            means = [sum(above[at][point] for at in chosen_on) / len(chosen_on) for point in range(9)]
            best = means.index(max(means))
            rows.append([above[at][best] for at in reported])
        values = [sum(row) / len(row) for row in rows]
        assert [found[f"barrier.dev.{group}.{number}"].value for number in (1, 2, 3)] == pytest.approx(values)
        mean = found[f"barrier.dev.{group}"]
        drawn[group] = [float(np.mean([counts @ np.array(row) / len(row) for row in rows])) for counts in draws]
        assert (mean.value, mean.n) == (pytest.approx(sum(values) / 3), len(reported))
        assert (mean.low, mean.high) == pytest.approx(interval(drawn[group]))
    for weights in ("pretrained", "random"):
        change = found[f"barrier.dev.{weights}.minus"]
        apart = [a - b for a, b in zip(drawn[f"{weights}.other"], drawn[f"{weights}.same"], strict=True)]
        assert (change.low, change.high) == pytest.approx(interval(apart))


def test_a_barrier_is_as_high_as_the_hill_that_was_made_and_below_0_in_a_dip(split: Split) -> None:
    found = of_split(split, TRAININGS, SEED)
    assert found["barrier.dev.random.other"].value == pytest.approx(0.9, abs=0.02)
    assert found["barrier.dev.random.same"].value == pytest.approx(0, abs=0.02)
    assert found["barrier.dev.pretrained.other"].value == pytest.approx(-0.1, abs=0.02)
    assert found["barrier.dev.random.counts"].value == 1
    assert (found["barrier.dev.pretrained.counts"].value, found["barrier.dev.pretrained.counts"].n) == (1, 6)


def test_a_difference_counts_only_where_no_two_lines_of_both_groups_are_alike(split: Split) -> None:
    """One flat line among the three from other starts is enough that the difference does not count."""
    share = np.arange(1, 10) / 10
    flat = (1 - share) * split.losses[:, 5, None] + share * split.losses[:, 8, None]
    found = of_split(
        Split("dev", split.halves, split.losses, {**split.between, (5, 8): flat}, split.constant), TRAININGS, SEED
    )
    assert found["barrier.dev.random.minus"].low > 0
    assert found["barrier.dev.random.counts"].value == 0


@pytest.mark.parametrize("labels", [2, 3])
def test_agreement_stands_beside_that_of_independent_trainings(labels: int) -> None:
    rng = np.random.default_rng(labels)
    gold, said = rng.integers(0, labels, UNITS), rng.integers(0, labels, (UNITS, 10))
    said[:, 6] = said[:, 5]
    majority = np.full(UNITS, np.bincount(gold).argmax())
    found = of_answers(said, gold, majority, TRAININGS, labels, SEED)
    draws = sample_counts(UNITS, SEED)
    constant = [int(a == b) for a, b in zip(majority, gold, strict=True)]
    for group, places in OF.items():
        right = {at: [int(said[row, at] == gold[row]) for row in range(UNITS)] for at in places}
        shares = {at: sum(row) / UNITS for at, row in right.items()}
        assert found[f"accuracy.{group}"].value == pytest.approx(sum(shares.values()) / 3)
        for number, at in enumerate(places, start=1):
            lead = found[f"lead.{group}.{number}"]
            assert lead.value == pytest.approx(shares[at] - sum(constant) / UNITS)
        alike, implied, apart = [], [], []
        for a, b in combinations(places, 2):
            same = [int(said[row, a] == said[row, b]) for row in range(UNITS)]
            alike.append(sum(same) / UNITS)
            implied.append(chance(shares[a], shares[b], labels))
        for counts in draws:
            share = {at: float(counts @ np.array(row)) / UNITS for at, row in right.items()}
            both = [
                float(counts @ (said[:, a] == said[:, b])) / UNITS - chance(share[a], share[b], labels)
                for a, b in combinations(places, 2)
            ]
            apart.append(sum(both) / 3)
        assert [found[f"agree.{group}.{number}"].value for number in (1, 2, 3)] == pytest.approx(alike)
        assert found[f"agree.{group}.implied"].value == pytest.approx(sum(implied) / 3)
        change = found[f"agree.{group}.minus"]
        assert change.value == pytest.approx(sum(alike) / 3 - sum(implied) / 3)
        assert (change.low, change.high) == pytest.approx(interval(apart))
    assert found["agree.random.same.1"].value == 1
    for name in found:
        OPTIMA.quantity(name)


def chance(first: float, second: float, labels: int) -> float:
    """How often two answer alike, counted over every pair of answers when the right one is 0."""
    answers = [[one if label == 0 else (1 - one) / (labels - 1) for label in range(labels)] for one in (first, second)]
    return sum(answers[0][label] * answers[1][label] for label in range(labels))
