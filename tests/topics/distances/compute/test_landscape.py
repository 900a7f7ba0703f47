"""The landscape of heads: planted layers, clusters and pictures are found, and numbers equal loops over pairs."""

import itertools
import math

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn.manifold import MDS

from generator.errors import ResultsError
from generator.numbers.permutation import PERMUTATIONS
from generator.numbers.resampling import bootstrap
from generator.topics.distances.compute.groups import Groups
from generator.topics.distances.compute.landscape import (
    BROAD,
    MOST_CLUSTERS,
    NO_BEHAVIOUR,
    behaviours,
    clusters,
    landscape,
    permutation_p,
    silhouette,
)

NAN = pytest.approx(np.nan, nan_ok=True)
NONE = np.full((3, 4), NO_BEHAVIOUR)
LAYER = np.repeat([1, 2, 3], 4)


def _planted(groups, documents=6, near=0.1, far=0.5, noise=0.02):
    """`[document, pair]`: heads of one group lie `near` each other, others `far`."""
    groups = np.asarray(groups)
    first, second = np.triu_indices(len(groups), 1)
    mean = np.where(groups[first] == groups[second], near, far)
    return mean + np.random.default_rng(0).uniform(-noise, noise, size=(documents, len(mean)))


def _alone(rows):
    """Every document a group of its own."""
    return Groups(rows, np.ones(len(rows), int))


@pytest.fixture(scope="module")
def planted():
    return landscape(_alone(_planted(LAYER)), (3, 4), NONE, "m", "c", 0)


def _values(table):
    return table.set_index("name")["value"].to_dict()


def _facts(divergence, shape=(3, 4), behaviour=NONE, seed=0):
    return landscape(_alone(divergence), shape, np.asarray(behaviour), "m", "c", seed).facts.set_index("name")


def _slow_silhouette(distance, labels):
    scores = []
    for head, label in enumerate(labels):
        others = {
            name: [distance[head][at] for at, one in enumerate(labels) if one == name and at != head]
            for name in set(labels)
        }
        if not others[label]:
            scores.append(0.0)
            continue
        own = sum(others[label]) / len(others[label])
        other = min(sum(found) / len(found) for name, found in others.items() if name != label)
        scores.append((other - own) / max(own, other))
    return sum(scores) / len(scores)


def test_columns_and_types_are_those_of_the_tables(planted):
    found = planted
    place = {"layer": "int16", "head": "int16"}
    rest = {"value": "float64", "low": "float64", "high": "float64", "n": "int32"}
    names = ["model", "corpus", "study", "name"]
    assert list(found.facts.columns) == [*names, "layer", *rest]
    assert list(found.head_facts.columns) == [*names, *place, *rest]
    for table in found:
        numbers = table.drop(columns=names)
        assert numbers.dtypes.astype(str).to_dict() == {name: (place | rest)[name] for name in numbers}
        assert (table["model"] + table["corpus"] + table["study"] == "mclandscape").all()
        assert (table["n"] == 6).all()
    assert (found.facts["layer"] == 0).all()
    assert len(found.head_facts) == 3 * 12
    x = found.head_facts[found.head_facts["name"] == "x"]
    assert list(zip(x["layer"], x["head"], strict=True)) == list(itertools.product([1, 2, 3], [1, 2, 3, 4]))


def test_distances_by_layer_and_silhouettes_equal_loops_over_pairs():
    divergence = np.random.default_rng(3).uniform(0.1, 0.6, size=(5, 66))
    behaviour = np.array([["sep", "sep", "", "next"], ["", "cls", "sep", "next"], ["next", "", "", "sep"]])
    within, between = [], []
    for at, (a, b) in enumerate(itertools.combinations(range(12), 2)):
        (within if a // 4 == b // 4 else between).append(sum(divergence[:, at]) / 5)
    inside, outside = sum(within) / len(within), sum(between) / len(between)
    found = _facts(divergence, behaviour=behaviour)["value"]
    assert found["within"] == pytest.approx(inside)
    assert found["between"] == pytest.approx(outside)
    assert found["ratio"] == pytest.approx(inside / outside)
    distance = squareform(divergence.mean(0))
    assert found["silhouette.layer"] == pytest.approx(_slow_silhouette(distance.tolist(), LAYER.tolist()))
    known = [head for head, name in enumerate(behaviour.ravel()) if name]
    labels = [behaviour.ravel()[head] for head in known]
    assert found["silhouette.behaviour"] == pytest.approx(_slow_silhouette(distance[np.ix_(known, known)], labels))


def test_planted_layers_are_found_and_shuffled_ones_are_not(planted):
    found = planted.facts.set_index("name")
    assert found.loc["p", "value"] == 1 / (1 + PERMUTATIONS)
    assert found.loc["ratio", "high"] < 0.5
    assert found.loc["silhouette.layer", "low"] > 0.5
    crossed = _facts(_planted(np.tile([1, 2, 3, 4], 3)))
    assert crossed.loc["p", "value"] > 0.9
    assert crossed.loc["ratio", "low"] > 1
    assert crossed.loc["silhouette.layer", "high"] < 0


def test_p_is_uniform_where_layers_mean_nothing():
    rng = np.random.default_rng(0)
    found = [permutation_p(rng.uniform(size=66), LAYER, seed) for seed in range(40)]
    assert 0.35 < np.mean(found) < 0.65
    assert np.mean(np.array(found) < 0.1) < 0.25


def test_p_is_the_share_of_all_labellings_that_are_as_near():
    mean = np.random.default_rng(1).uniform(size=15)
    pairs = list(itertools.combinations(range(6), 2))

    def inside(group):
        return sum(value for value, (a, b) in zip(mean, pairs, strict=True) if (a in group) == (b in group))

    sums = [inside(set(group)) for group in itertools.combinations(range(6), 3)]
    exact = sum(one <= inside({0, 1, 2}) + 1e-12 for one in sums) / len(sums)
    spread = math.sqrt(exact * (1 - exact) / PERMUTATIONS)
    assert permutation_p(mean, np.repeat([1, 2], 3), seed=0) == pytest.approx(exact, abs=4 * spread + 1 / PERMUTATIONS)


@pytest.mark.parametrize("count", [2, 3, 5])
def test_planted_clusters_are_found_and_numbered_in_the_order_of_heads(count):
    groups = np.random.default_rng(count).permutation(np.arange(24) % count)
    found = clusters(_planted(groups).mean(0))
    order = list(dict.fromkeys(groups.tolist()))
    assert found.tolist() == [order.index(group) + 1 for group in groups]


def test_clusters_are_two_to_twelve_and_one_where_nothing_tells_heads_apart():
    assert clusters(_planted(np.repeat(np.arange(20), 2)).mean(0)).max() == MOST_CLUSTERS
    assert (clusters(np.full(66, 0.3)) == 1).all()


def test_heads_of_one_behaviour_lie_near_each_other_when_planted():
    behaviour = np.tile(["next", "sep", "cls", NO_BEHAVIOUR], 3)
    found = _facts(_planted(behaviour), behaviour=behaviour.reshape(3, 4))
    assert found.loc["silhouette.behaviour", "value"] > 0.7
    assert found.loc["clusters", "value"] == 4


def test_a_plane_of_heads_is_drawn_as_it_is_whatever_the_seed_and_the_order_of_heads():
    points = np.random.default_rng(5).normal(size=(12, 2)) * [0.3, 0.1]
    order = np.random.default_rng(6).permutation(12)
    pictures = []
    for seed, heads in ((0, points), (1, points), (0, points[order])):
        found = landscape(_alone(pdist(heads)[None]), (3, 4), NONE, "m", "c", seed)
        assert _values(found.facts)["stress"] < 1e-3
        table = found.head_facts.pivot_table(index=["layer", "head"], columns="name", values="value")
        pictures.append(table[["x", "y"]].to_numpy())
    np.testing.assert_allclose(pdist(pictures[0]), pdist(points), atol=1e-3)
    np.testing.assert_allclose(pictures[1], pictures[0], atol=1e-3)
    np.testing.assert_allclose(pictures[2], pictures[0][order], atol=1e-3)
    assert pictures[0][:, 0].std() > pictures[0][:, 1].std()
    assert (pictures[0].max(0) > -pictures[0].min(0)).all()


def test_stress_is_kruskals_stress_one_of_the_picture(planted):
    place = planted.head_facts.pivot_table(index=["layer", "head"], columns="name", values="value")[["x", "y"]]
    drawn, meant = pdist(place.to_numpy()), _planted(LAYER).mean(0)
    expected = math.sqrt(sum((drawn - meant) ** 2) / sum(drawn**2))
    assert _values(planted.facts)["stress"] == pytest.approx(expected, rel=1e-3)


def test_the_order_of_documents_changes_no_number():
    divergence = np.random.default_rng(3).uniform(0.1, 0.6, size=(7, 66))
    behaviour = np.tile(["next", "sep"], 6).reshape(3, 4)
    one = landscape(_alone(divergence), (3, 4), behaviour, "m", "c", 0)
    other = landscape(_alone(divergence[::-1]), (3, 4), behaviour, "m", "c", 0)
    for first, second in zip(one, other, strict=True):
        assert first.equals(second)


def test_intervals_are_over_documents():
    divergence = _planted(LAYER, documents=8, noise=0.1)
    found = _facts(divergence)
    same = np.array([a // 4 == b // 4 for a, b in itertools.combinations(range(12), 2)])
    ordered = sorted(divergence.tolist(), key=sum)
    within = bootstrap(np.array([np.mean(np.array(row)[same]) for row in ordered]), seed=0)
    assert found.loc["within", ["low", "high"]].tolist() == pytest.approx([within.low.item(), within.high.item()])
    for name in ("within", "between", "ratio", "silhouette.layer"):
        assert found.loc[name, "low"] < found.loc[name, "value"] < found.loc[name, "high"]
    equal = _facts(np.repeat(divergence[:1], 3, axis=0))
    for name in ("within", "between", "ratio", "silhouette.layer"):
        assert equal.loc[name, "low"] == pytest.approx(equal.loc[name, "high"])


def test_the_ratio_resamples_both_of_its_parts_together():
    """Documents that differ only in scale have one ratio, so its interval has no width."""
    scaled = _planted(LAYER)[:1] * np.arange(1, 6)[:, None]
    found = _facts(scaled)
    assert found.loc["ratio", "low"] == pytest.approx(found.loc["ratio", "high"])
    assert found.loc["within", "low"] < 0.9 * found.loc["within", "high"]


def test_one_document_has_numbers_and_no_intervals():
    found = _facts(_planted(LAYER, documents=1))
    assert found["value"].drop("silhouette.behaviour").notna().all()
    assert found.drop("doubles.random")[["low", "high"]].isna().all(axis=None)


@pytest.mark.parametrize(
    ("shape", "undefined"),
    [
        ((1, 12), {"between", "ratio", "p", "silhouette.layer", "silhouette.behaviour"}),
        ((12, 1), {"within", "ratio", "p", "silhouette.layer", "silhouette.behaviour"}),
        ((3, 4), {"silhouette.behaviour"}),
    ],
    ids=["one layer", "one head a layer", "no behaviour"],
)
def test_what_is_undefined_is_nan_and_nothing_else_is(shape, undefined):
    found = _facts(_planted(LAYER), shape, np.full(shape, NO_BEHAVIOUR))["value"]
    assert set(found.index[found.isna()]) == undefined


def test_heads_that_do_not_differ_lie_on_one_point():
    found = landscape(_alone(np.zeros((3, 66))), (3, 4), NONE, "m", "c", 0)
    assert (found.head_facts.loc[found.head_facts["name"] != "cluster", "value"] == 0).all()
    assert _values(found.facts)["ratio"] == NAN
    assert _values(found.facts)["clusters"] == 1
    assert _values(found.facts)["doubles"] == NAN


def test_two_heads_are_refused():
    with pytest.raises(ResultsError, match="Expected 3 heads or more in tiny, found 2"):
        landscape(_alone(np.ones((4, 1))), (1, 2), np.full((1, 2), ""), "tiny", "c", 0)


def test_a_silhouette_needs_two_labels_of_which_one_is_shared():
    distance = squareform([1.0, 2.0, 3.0])
    assert silhouette(distance, np.array([1, 1, 1])) == NAN
    assert silhouette(distance, np.array([1, 2, 3])) == NAN
    assert silhouette(distance, np.array([1, 1, 2])) == pytest.approx(_slow_silhouette(distance.tolist(), [1, 1, 2]))


def test_the_picture_is_that_of_scikit_learn():
    mean = np.random.default_rng(3).uniform(0.1, 0.6, size=66)
    settings = {"n_init": 5, "init": "random", "max_iter": 1000, "eps": 1e-10, "normalized_stress": True}
    theirs = MDS(2, metric="precomputed", random_state=7, **settings)
    drawn = theirs.fit_transform(squareform(mean))
    found = landscape(_alone(mean[None]), (3, 4), np.full((3, 4), NO_BEHAVIOUR), "m", "c", seed=7)
    place = found.head_facts.pivot_table(index=["layer", "head"], columns="name", values="value")[["x", "y"]]
    np.testing.assert_allclose(pdist(place.to_numpy()), pdist(drawn), atol=1e-9)
    assert found.facts.set_index("name").loc["stress", "value"] == pytest.approx(theirs.stress_, abs=1e-9)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, NO_BEHAVIOUR),
        ({"attention.next": 0.51}, "next"),
        ({"attention.next": 0.5}, NO_BEHAVIOUR),
        ({"attention.previous": 0.51}, "previous"),
        ({"entropy.all": 4.0}, "broad"),
        ({"attention.cls": 0.61}, "cls"),
        ({"attention.cls": 0.6}, NO_BEHAVIOUR),
        ({"attention.sep": 0.61}, "sep"),
        ({"attention.punctuation": 0.61}, "punctuation"),
        ({"attention.previous": 0.7, "entropy.all": 4.5, "attention.sep": 0.7}, "sep"),
        ({"attention.next": 0.7, "attention.previous": 0.7}, "previous"),
        ({"attention.cls": np.nan, "attention.next": 0.7}, "next"),
    ],
)
def test_behaviour_follows_the_rules_of_the_paper_and_later_ones_win(changed, expected):
    names = ("attention.next", "attention.previous", "attention.cls", "attention.sep", "attention.punctuation")
    means = {name: np.full((2, 2), 0.1) for name in (*names, "entropy.all")}
    for name, value in changed.items():
        means[name][1, 0] = value
    found = behaviours(means, uniform_entropy=5.0)
    assert found[1, 0] == expected
    assert (found[[0, 0, 1], [0, 1, 1]] == NO_BEHAVIOUR).all()


def test_broad_is_a_share_of_what_uniform_attention_scores():
    means = dict.fromkeys(("attention.next", "attention.previous", "attention.cls"), np.zeros((1, 2)))
    means |= dict.fromkeys(("attention.sep", "attention.punctuation"), np.zeros((1, 2)))
    means["entropy.all"] = np.array([[BROAD * 3 + 0.01, BROAD * 3 - 0.01]])
    assert behaviours(means, uniform_entropy=3.0).tolist() == [["broad", NO_BEHAVIOUR]]
