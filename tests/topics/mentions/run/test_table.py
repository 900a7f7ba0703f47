"""Every number on spans is derived again by loops, on invented picks."""

import numpy as np
import pytest

from generator.numbers.resampling import sample_counts
from generator.topics.mentions.records import SPANS
from generator.topics.mentions.run.spans.passages import Passage, Passages
from generator.topics.mentions.run.spans.table import span_numbers
from generator.topics.mentions.run.spans.train import Pick

N, SEEDS, DRAWN = 23, 3, 5


@pytest.fixture(scope="module")
def invented():
    """Gives passages, picks that are right about every third time, and whether random heads cross."""
    rng = np.random.default_rng(3)
    passages, picks = [], {seed: [] for seed in range(SEEDS)}
    for at in range(N):
        first = int(rng.integers(0, 20))
        answer = first, first + int(rng.integers(0, 3))
        passages.append(
            Passage(f"p{at}", (1,) * 40, (0,) * 40, 5, 30, answer, bool(rng.random() < 0.3), bool(rng.random() < 0.5))
        )
        for seed in range(SEEDS):
            start, end, low, high = rng.integers(0, 30, 4).tolist()
            apart = answer if rng.random() < 0.3 else (start, end)
            both = answer if rng.random() < 0.4 else (min(low, high), max(low, high))
            picks[seed].append(Pick(*apart, *both))
    return Passages(tuple(passages), 4, 2), picks, rng.random((N, DRAWN)) < 0.4


@pytest.fixture(scope="module")
def found(invented):
    return span_numbers(invented[0], 90, invented[1], invented[2])


def by_loops(passages, picks, before, times):
    """Values of all numbers, each passage counted so many times."""
    crossed, apart, pair, null = ([] for _ in range(4))
    right, wrong = [], []
    for picked in picks.values():
        sums = dict.fromkeys(("crossed", "apart", "pair"), 0)
        for one, pick, times_one in zip(passages, picked, times, strict=True):
            is_crossed, is_right = pick.end < pick.start, (pick.first, pick.last) == one.answer
            sums["crossed"] += times_one * is_crossed
            sums["apart"] += times_one * (pick.start == one.answer[0] and pick.end == one.answer[1])
            sums["pair"] += times_one * is_right
            (right if is_crossed else wrong).extend([is_right] * int(times_one))
        pairs = hits = 0
        for i in range(len(passages)):
            for j in range(len(passages)):
                if i != j:
                    pairs += times[i] * times[j]
                    hits += times[i] * times[j] * (picked[j].end < picked[i].start)
        crossed.append(sums["crossed"] / sum(times))
        apart.append(sums["apart"] / sum(times))
        pair.append(sums["pair"] / sum(times))
        null.append(hits / pairs)
    nearest = sum(t * one.nearest for t, one in zip(times, passages, strict=True)) / sum(times)
    given = sum(t * one.given for t, one in zip(times, passages, strict=True)) / sum(times)
    drawn = [sum(t * hit for t, hit in zip(times, before[:, head], strict=True)) / sum(times) for head in range(DRAWN)]
    numbers = {f"crossed.seed{seed}": value for seed, value in enumerate(crossed)}
    numbers |= {f"exact.independent.seed{seed}": value for seed, value in enumerate(apart)}
    numbers |= {f"exact.pair.seed{seed}": value for seed, value in enumerate(pair)}
    mended, uncrossed = (np.mean(some) if some else np.nan for some in (right, wrong))
    return numbers | {
        "crossed": np.mean(crossed),
        "crossed.null": np.mean(null),
        "crossed.minus.null": np.mean(crossed) - np.mean(null),
        "crossed.random": np.mean(drawn),
        "exact.independent": np.mean(apart),
        "exact.pair": np.mean(pair),
        "exact.gain": np.mean(pair) - np.mean(apart),
        "exact.mended": mended,
        "exact.uncrossed": uncrossed,
        "exact.mended.minus.uncrossed": mended - uncrossed,
        "exact.nearest": nearest,
        "exact.given": given,
        "exact.pair.minus.nearest": np.mean(pair) - nearest,
    }


def test_all_numbers_are_those_of_loops(invented, found):
    test, picks, before = invented
    expected = by_loops(test.read, picks, before, [1] * N) | {"trained": 90, "cut": 4, "lost": 2}
    assert {name: number.value for name, number in found.items()} == pytest.approx(expected)
    assert all(number.low <= number.value <= number.high for number in found.values())
    assert {quantity.name for quantity in SPANS.quantities} == {
        name.replace("seed0", "seed{seed}") for name in found if "seed1" not in name and "seed2" not in name
    }


def test_intervals_without_seeds_are_the_quantiles_of_numbers_of_resampled_passages(invented):
    """With one training and one random head nothing else is drawn."""
    test, picks, before = invented
    found = span_numbers(test, 90, {0: picks[0]}, before[:, :1])
    draws = []
    for times in sample_counts(N, 0):
        whole = by_loops(test.read, {0: picks[0]}, np.repeat(before[:, :1], DRAWN, axis=1), times)
        draws.append(whole)
    for name in draws[0]:
        low, high = np.nanquantile([draw[name] for draw in draws], (0.025, 0.975))
        assert (found[name].low, found[name].high) == pytest.approx((low, high)), name


def test_seeds_that_differ_widen_the_interval_of_their_mean(invented):
    test, picks, before = invented
    alike = span_numbers(test, 90, dict.fromkeys(range(SEEDS), picks[0]), before)["crossed"]
    other = [pick._replace(start=29, end=0) for pick in picks[1]]
    apart = span_numbers(test, 90, {0: picks[0], 1: other, 2: picks[0]}, before)["crossed"]
    assert apart.high - apart.low > 1.5 * (alike.high - alike.low)


def test_n_counts_passages_and_of_some_those_that_crossed(invented, found):
    crossing = [any(picked[at].end < picked[at].start for picked in invented[1].values()) for at in range(N)]
    assert found["exact.mended"].n == sum(crossing) < N
    assert {number.n for name, number in found.items() if name not in ("exact.mended", "exact.uncrossed")} == {N}


def test_without_a_crossed_span_none_is_mended(invented):
    test, picks, before = invented
    ordered = {0: [pick._replace(start=0) for pick in picks[0]]}
    found = span_numbers(test, 90, ordered, before)
    assert found["crossed"].value == 0
    assert {name for name in found if "mended" in name} == set()
    assert found["exact.uncrossed"].value == found["exact.pair"].value
