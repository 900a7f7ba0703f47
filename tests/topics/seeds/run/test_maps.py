"""Twins of several trainings: against pairings tried one after the other, and correlations over lists."""

from itertools import combinations, permutations

import numpy as np
import pytest

from generator.measures import COLUMNS
from generator.studies.halves import reported
from generator.topics.seeds.run.maps import Seen, find_twins, map_facts, measure_facts

SEED, DOCUMENTS, TRAININGS, SHAPE = 7, 12, 3, (2, 2)
HEADS = SHAPE[0] * SHAPE[1]
NAMES = [f"document {number}" for number in range(DOCUMENTS)]
COLUMN = COLUMNS.index("entropy.all")


@pytest.fixture(scope="module")
def seen() -> Seen:
    """Gives trainings whose heads are alike in pairs, in another order in each."""
    rng = np.random.default_rng(SEED)
    orders = [rng.permutation(HEADS) for _ in range(TRAININGS)]
    measures = rng.random((DOCUMENTS, TRAININGS, HEADS, len(COLUMNS))) * 0.1
    for training, order in enumerate(orders):
        measures[:, training, :, COLUMN] += order
    between = {}
    for a, b in combinations(range(TRAININGS), 2):
        apart = rng.uniform(0.3, 0.6, (DOCUMENTS, HEADS, HEADS))
        apart[:, orders[a][:, None] == orders[b]] -= 0.25
        between[a, b] = apart
    return Seen(NAMES, SHAPE, measures, between, list(rng.uniform(0.2, 0.6, (TRAININGS, DOCUMENTS, HEADS, HEADS))))


def slow_twins(rows: np.ndarray) -> tuple[tuple[int, ...], np.ndarray]:
    """The best of all pairings on the half that is not reported, and what its twins differ by on the other half."""
    left = reported(NAMES, SEED)
    chosen = rows[~left].mean(0)
    best = min(permutations(range(HEADS)), key=lambda order: sum(chosen[head, at] for head, at in enumerate(order)))
    return best, np.stack([rows[left][:, head, at] for head, at in enumerate(best)], 1)


def test_twins_are_the_best_of_all_pairings_and_are_reported_on_the_other_half(seen: Seen) -> None:
    twins = find_twins(seen, SEED)
    whole, layers = map_facts(seen, twins, SEED)
    slow = {which: slow_twins(rows) for which, rows in seen.between.items()}
    assert {which: tuple(twin.matches) for which, twin in twins.items()} == {
        which: one for which, (one, _) in slow.items()
    }
    assert whole["matched"].value == pytest.approx(np.mean([apart for _, apart in slow.values()]))
    assert whole["matched"].n == reported(NAMES, SEED).sum() < DOCUMENTS
    assert whole["matched"].low < whole["matched"].value < whole["matched"].high
    left = reported(NAMES, SEED)
    assert whole["every"].value == pytest.approx(np.mean([rows[left] for rows in seen.between.values()]))
    assert whole["untrained"].value == pytest.approx(np.mean([slow_twins(rows)[1] for rows in seen.untrained]))
    for layer in range(SHAPE[0]):
        told = [
            apart[:, head]
            for order, apart in slow.values()
            for head, at in enumerate(order)
            for side in (head, at)
            if side // SHAPE[1] == layer
        ]
        assert layers["matched"].value[layer] == pytest.approx(np.mean(told))
        here = slice(layer * SHAPE[1], (layer + 1) * SHAPE[1])
        both = np.mean([rows[left][:, here, here] for rows in seen.between.values()])
        assert layers["every"].value[layer] == pytest.approx(both)


def test_twins_in_the_same_layer_are_counted_over_all_pairs_of_trainings(seen: Seen) -> None:
    whole, _ = map_facts(seen, find_twins(seen, SEED), SEED)
    orders = [slow_twins(rows)[0] for rows in seen.between.values()]
    same = [head // SHAPE[1] == at // SHAPE[1] for order in orders for head, at in enumerate(order)]
    assert (whole["same_layer"].value, whole["same_layer"].n) == (np.mean(same), len(same))
    assert whole["same_layer.chance"].value == 1 / SHAPE[0]


def test_correlations_are_those_of_lists_both_ways_round(seen: Seen) -> None:
    twins = find_twins(seen, SEED)
    found = measure_facts(seen, twins, SEED)
    left = reported(NAMES, SEED)
    values = seen.measures[left][..., COLUMN].mean(0)
    of_layer = values.reshape(TRAININGS, *SHAPE).mean(2)
    links = [((a, head), (b, int(at))) for (a, b), twin in twins.items() for head, at in enumerate(twin.matches)]
    both = {
        "twins": [(values[one], values[other]) for pair in links for one, other in (pair, pair[::-1])],
        "layer": [
            (values[a, head], of_layer[b, head // SHAPE[1]])
            for a, b in permutations(range(TRAININGS), 2)
            for head in range(HEADS)
        ],
    }
    for kind, pairs in both.items():
        one = found[f"{kind}.entropy.all"]
        assert one.value == pytest.approx(np.corrcoef(*np.transpose(pairs))[0, 1])
        assert one.low <= one.value <= one.high
        assert one.n == TRAININGS * HEADS
    assert found["twins.entropy.all"].value > 0.99 > found["twins.entropy.cls"].value
    gain = found["twins.entropy.all"].value - found["layer.entropy.all"].value
    assert found["gain.entropy.all"].value == pytest.approx(gain)
    assert found["gain.entropy.all"].low > 0
    means = [found[f"mean.entropy.all.{number}"].value for number in range(1, TRAININGS + 1)]
    assert means == pytest.approx(seen.measures[..., COLUMN].mean((0, 2)))


def test_measures_by_which_nothing_was_paired_have_intervals_that_hold_0(seen: Seen) -> None:
    """Random numbers of 12 heads, whose correlation is far from 0 by chance for many a column."""
    found = measure_facts(seen, find_twins(seen, SEED), SEED)
    random = [found[f"twins.{name}"] for name in COLUMNS if name != "entropy.all"]
    assert np.mean([one.low < 0 < one.high for one in random]) > 0.9
    assert np.mean([abs(one.value) > 0.2 for one in random]) > 0.2


def test_measure_without_a_value_has_no_row(seen: Seen) -> None:
    measures = seen.measures.copy()
    measures[:, 0, 1, COLUMN] = np.nan
    measures[..., COLUMNS.index("entropy.cls")] = 0.5
    found = measure_facts(seen._replace(measures=measures), find_twins(seen, SEED), SEED)
    assert "mean.entropy.all.1" in found
    assert {"twins.entropy.all", "layer.entropy.all", "gain.entropy.all", "twins.entropy.cls"}.isdisjoint(found)
