"""Made maps are what they are called, a network learns to tell them apart, and its figures are counted right."""

import numpy as np
import pytest
import torch
from sklearn.metrics import f1_score

from generator.attention.stream import Options, observe
from generator.experiments.made_maps import LONGEST, SHORTEST, made_maps
from generator.experiments.pattern_network import (
    SIDE,
    PatternNetwork,
    beside_the_rule,
    macro_f1,
    picture,
    report,
)
from generator.measures.patterns import PATTERN_COLUMNS, PATTERNS
from generator.results.tables import FACTS
from tests import slow
from tests.attention.observations import columns_of, inputs_of

SEED = 3


@pytest.fixture(scope="module")
def network():
    """A network that has learnt for a second."""
    return PatternNetwork(SEED, maps=400, epochs=4)


@pytest.fixture(scope="module")
def seen(encoder, anatomy):
    """Three inputs with their maps."""
    return list(observe(encoder("bert"), anatomy("bert"), inputs_of(encoder("bert"))[:3], Options(keep_weights=True)))


def test_made_maps_are_attention_of_all_patterns_in_turn():
    maps = made_maps(50, SEED)
    assert [one.pattern for one in maps] == list(range(5)) * 10
    for one in maps:
        assert SHORTEST <= len(one.weights) == one.weights.shape[1] <= LONGEST
        assert one.weights.min() >= 0
        np.testing.assert_allclose(one.weights.sum(-1), 1, atol=1e-5)


def test_made_maps_have_the_attention_of_their_pattern():
    """By medians: how much they have is drawn, too."""
    special, near = ({name: [] for name in PATTERNS} for _ in range(2))
    for one in made_maps(200, SEED):
        n = len(one.weights)
        special[PATTERNS[one.pattern]].append(one.weights[:, [0, n - 1]].sum(-1).mean())
        near[PATTERNS[one.pattern]].append(slow.at_offset(one.weights.tolist(), lambda distance: abs(distance) <= 1))
    middle = {name: (np.median(special[name]), np.median(near[name])) for name in PATTERNS}
    assert middle["vertical"][0] > 0.4 > 0.2 > middle["vertical"][1]
    assert middle["diagonal"][1] > 0.6 > 0.2 > middle["diagonal"][0]
    assert min(middle["mixed"]) > 0.2
    assert max(*middle["block"], *middle["heterogeneous"]) < 0.35


def test_a_seed_gives_the_same_maps_and_another_gives_others():
    first, again, other = made_maps(3, 1), made_maps(3, 1), made_maps(3, 2)
    assert all(np.array_equal(a.weights, b.weights) for a, b in zip(first, again, strict=True))
    assert not any(np.array_equal(a.weights, b.weights) for a, b in zip(first, other, strict=True))


@pytest.mark.parametrize("n", [16, 32, 100])
def test_a_picture_keeps_what_each_group_of_queries_gives_to_each_group_of_keys(n):
    weights = torch.rand(2, n, n).softmax(-1)
    drawn = picture(weights)
    assert drawn.shape == (2, 1, SIDE, SIDE)
    if n == SIDE:
        torch.testing.assert_close(drawn[:, 0] ** 2, weights)
    if n % SIDE == 0 or SIDE % n == 0:
        torch.testing.assert_close((drawn**2).sum(-1), torch.ones(2, 1, SIDE))


def test_the_network_tells_unseen_made_maps_apart(network):
    crossed = network.held_out(maps=200)
    assert (crossed.sum((1, 2)) == 1).all()
    np.testing.assert_array_equal(crossed.sum((0, 2)), 40)
    assert macro_f1(crossed.mean(0)) > 0.7


def test_held_out_maps_are_none_of_those_it_learnt_from():
    learnt = {one.weights.tobytes() for one in made_maps(400, SEED)}
    assert learnt.isdisjoint(one.weights.tobytes() for one in made_maps(200, SEED + 1))


def test_the_same_seed_gives_the_same_network_and_leaves_the_world_s_dice_alone(network):
    torch.manual_seed(0)
    before = torch.get_rng_state()
    again = PatternNetwork(SEED, maps=400, epochs=4)
    assert torch.equal(torch.get_rng_state(), before)
    maps = torch.stack([torch.rand(20, 20).softmax(-1) for _ in range(30)])
    np.testing.assert_array_equal(again.classify(maps), network.classify(maps))


def test_f1_is_that_of_scikit_learn():
    rng = np.random.default_rng(SEED)
    true, found = rng.integers(0, 5, 300), rng.integers(0, 5, 300)
    table = np.zeros((5, 5))
    np.add.at(table, (true, found), 1)
    assert macro_f1(table) == pytest.approx(f1_score(true, found, average="macro"))
    assert macro_f1(table.T) == pytest.approx(f1_score(found, true, average="macro"))


def test_network_and_rule_are_crossed_map_by_map(network, seen):
    found = beside_the_rule(network, seen)
    for table, one in zip(found, sorted(seen, key=lambda one: one.input.document), strict=True):
        columns = columns_of(one)
        expected = np.zeros((5, 5))
        for layer, head in np.ndindex(one.weights.shape[:2]):
            by_rule = next(at for at, name in enumerate(PATTERN_COLUMNS) if columns[name][layer, head])
            by_network = network.classify(torch.from_numpy(one.weights[layer, head]).unsqueeze(0))[0]
            expected[by_rule, by_network] += 1 / one.weights[..., 0, 0].size
        np.testing.assert_allclose(table, expected, atol=1e-12)


def test_the_report_has_rows_of_facts(network, seen):
    crossed = beside_the_rule(network, seen).mean(0)
    table = report(network, seen, "some/model", "tiny", SEED)
    assert list(table.columns) == FACTS.names
    rows = table.set_index("name")
    assert rows.loc["agreement", "value"] == pytest.approx(sum(crossed[at, at] for at in range(5)))
    for at, name in enumerate(PATTERNS):
        assert rows.loc[f"share.{name}", "value"] == pytest.approx(crossed[:, at].sum())
    assert (rows["low"] <= rows["value"] + 1e-12).all()
    assert (rows["value"] <= rows["high"] + 1e-12).all()
    assert set(rows["n"]) == {3, 1000}
    assert set(rows["layer"]) == {0}
