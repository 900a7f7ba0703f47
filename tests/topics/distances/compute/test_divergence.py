"""The divergence of every pair of heads, compiled and by torch, against loops over rows and keys in float64."""

import math

import numpy as np
import pytest
import torch
from scipy.spatial.distance import jensenshannon

from generator.topics.distances.compute import divergence
from generator.topics.distances.compute.divergence import BLOCK, SMOOTHING, pairwise, pairwise_torch
from tests.measures.maps import identity, random_map, uniform
from tests.studies.compiler import without_compiler

ROUNDING = 4e-6
"""Twice the error of the logarithm: that of a map of few rows, where errors are not averaged."""
AVERAGED = 1e-6


def _by_torch(weights, smoothing=SMOOTHING):
    return pairwise_torch(torch.tensor(weights), smoothing)


def _elsewhere(weights, smoothing=SMOOTHING):
    """As on a GPU, where several heads are compared with all later ones at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(divergence, "CPU", "not here")
        patch.setattr(divergence, "TOGETHER", 1000)
        return pairwise(weights, smoothing, "cpu")


every = pytest.mark.parametrize("path", [pairwise, _by_torch, _elsewhere], ids=["compiled", "torch", "elsewhere"])


def _slow(weights, smoothing):
    """Kullback-Leibler divergences from the mean row, one key at a time."""
    maps = [(1 - smoothing) * one.astype(float) + smoothing / weights.shape[-1] for layer in weights for one in layer]
    found = []
    for a, first in enumerate(maps):
        for second in maps[a + 1 :]:
            rows = [_row(p, q) for p, q in zip(first.tolist(), second.tolist(), strict=True)]
            found.append(sum(rows) / len(rows))
    return np.array(found)


def _row(first, second):
    total = 0.0
    for p, q in zip(first, second, strict=True):
        mean = (p + q) / 2
        total += (p * math.log(p / mean) if p else 0) / 2 + (q * math.log(q / mean) if q else 0) / 2
    return total


def _random(shape, seed=0, sharpness=3.0):
    scores = np.random.default_rng(seed).normal(size=shape) * sharpness
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)


def _to(*keys, n):
    """A head whose query i puts everything on `keys[i]`."""
    return np.eye(n, dtype=np.float32)[list(keys)]


def test_rows_of_two_maps_equal_the_slow_derivation(monkeypatch):
    first, second = (_random((2, 9, 47), seed=seed) for seed in (1, 2))
    second[0, :2] = first[0, :2]
    first[0, 2], second[0, 2] = _to(0, n=47)[0], _to(1, n=47)[0]
    expected = np.array([[_row(p, q) for p, q in zip(*maps, strict=True)] for maps in zip(first, second, strict=True)])
    assert expected[0, 2] == pytest.approx(math.log(2))
    by_compiled_code = divergence.by_row(first, second)
    for found in (by_compiled_code, without_compiler(monkeypatch, divergence).by_row(first, second)):
        np.testing.assert_allclose(found, expected, atol=ROUNDING)
        assert not found[0, :2].any(), "between equals there is none"


def test_divergence_is_none_between_equals_and_full_between_rows_that_share_nothing():
    one = np.stack([[random_map(6, 1), identity(6)]]).astype(np.float32)
    assert not divergence.by_row(one, one.copy()).any()
    apart = np.stack([[np.roll(identity(6), 1, axis=1), uniform(6)]]).astype(np.float32)
    found = divergence.by_row(np.stack([[identity(6), identity(6)]]).astype(np.float32), apart).mean(-1)
    assert found[0, 0] == pytest.approx(math.log(2))
    assert found[0, 1] == pytest.approx(_row(identity(6)[0], uniform(6)[0]), rel=1e-6)


@every
@pytest.mark.parametrize("tokens", [(1, 1), (3, 3), (7, 5), (32, 32), (47, 47)], ids=str)
@pytest.mark.parametrize("smoothing", [0, SMOOTHING, 0.5])
def test_every_pair_equals_the_slow_derivation(path, tokens, smoothing):
    weights = _random((2, 3, *tokens), seed=tokens[0])
    found = path(weights, smoothing)
    assert found.dtype == np.float64
    assert (math.prod(tokens) > BLOCK) == (tokens == (47, 47))
    np.testing.assert_allclose(found, _slow(weights, smoothing), atol=ROUNDING)


@every
def test_every_pair_equals_scipy_in_the_order_of_triu_indices(path):
    weights = _random((3, 2, 6, 9))
    heads = weights.reshape(6, 6, 9)
    expected = [
        (jensenshannon(heads[a], heads[b], axis=1) ** 2).mean() for a, b in np.argwhere(np.triu(np.ones((6, 6)), 1))
    ]
    np.testing.assert_allclose(path(weights, 0), expected, atol=ROUNDING)


@every
def test_heads_drawn_by_hand_differ_by_their_share_of_rows_with_other_targets(path):
    """Divergence is taken along keys: head 3 agrees with head 1 in one row of two, its columns in none."""
    weights = np.stack([_to(0, 0, n=2), _to(1, 1, n=2), _to(0, 1, n=2), np.full((2, 2), 0.5, np.float32)])[None]
    half, mixed = math.log(2) / 2, _row([1, 0], [0.5, 0.5])
    np.testing.assert_allclose(path(weights, 0), [2 * half, half, mixed, half, mixed, mixed], atol=ROUNDING)


@every
def test_smoothing_mixes_in_uniform_attention(path):
    weights = np.stack([_to(0, n=4), _to(1, n=4)])[None]
    assert path(weights, 0.2)[0] == pytest.approx(
        _row([0.85, 0.05, 0.05, 0.05], [0.05, 0.85, 0.05, 0.05]), abs=ROUNDING
    )
    assert path(weights, 1)[0] == 0
    np.testing.assert_array_equal(path(weights), path(weights, SMOOTHING))


@every
@pytest.mark.parametrize("smoothing", [0, SMOOTHING])
def test_equal_heads_do_not_differ_at_all_and_no_divergence_leaves_its_range(path, smoothing):
    one = _random((1, 1, 33, 33))
    assert (path(np.concatenate([one, one, one]), smoothing) == 0).all()
    near = path(np.concatenate([one, one + np.float32(1e-7)]), smoothing)
    assert near >= 0
    apart = path(np.stack([_to(*range(33), n=66), _to(*range(33, 66), n=66)])[None], 0)
    assert apart <= math.log(2) + ROUNDING


@every
def test_the_order_of_heads_permutes_the_pairs_and_that_of_tokens_changes_nothing(path):
    weights = _random((2, 3, 20, 20))
    order = np.random.default_rng(1).permutation(6)
    table = np.zeros((6, 6))
    table[np.triu_indices(6, 1)] = path(weights)
    table += table.T
    permuted = path(weights.reshape(6, 1, 20, 20)[order])
    np.testing.assert_allclose(permuted, table[np.ix_(order, order)][np.triu_indices(6, 1)], atol=1e-12)
    tokens = np.random.default_rng(2).permutation(20)
    np.testing.assert_allclose(path(weights[:, :, tokens][..., tokens]), path(weights), atol=ROUNDING)


@pytest.mark.parametrize("sharpness", [0.1, 3, 20])
def test_compiled_and_torch_agree(sharpness):
    weights = _random((6, 12, 40, 40), sharpness=sharpness)
    np.testing.assert_allclose(pairwise(weights), _by_torch(weights), rtol=0, atol=ROUNDING)


@every
def test_errors_are_averaged_over_many_rows(path):
    weights = _random((1, 3, 60, 60))
    np.testing.assert_allclose(path(weights), _slow(weights, SMOOTHING), rtol=0, atol=AVERAGED)


def test_a_single_row_is_exact_to_four_millionths_of_a_nat():
    share = np.linspace(0, 1, 150, dtype=np.float32)
    weights = np.stack([share, 1 - share], axis=-1).reshape(1, 150, 1, 2)
    np.testing.assert_allclose(pairwise(weights, 0), _slow(weights, 0), rtol=0, atol=ROUNDING)


@every
def test_what_is_not_a_number_stays_so_and_touches_its_own_pairs_alone(path):
    weights = _random((1, 3, 8, 8))
    weights[0, 2, 5, 5] = np.nan
    np.testing.assert_array_equal(np.isnan(path(weights)), [False, True, True])


@every
def test_maps_of_any_type_and_layout_are_read_and_left_alone(path):
    weights = _random((2, 2, 12, 12)).astype(np.float16)
    expected = path(weights.astype(np.float32))
    wide = np.zeros((2, 2, 24, 24), np.float16)
    wide[..., ::2, ::2] = weights
    copies = [weights, weights.astype(np.float64), wide[..., ::2, ::2], np.asfortranarray(weights)]
    for copy in copies:
        before = copy.copy()
        np.testing.assert_allclose(path(copy), expected, atol=1e-7)
        np.testing.assert_array_equal(copy, before)


@every
def test_maps_that_may_not_be_written_to_are_read(path):
    weights = _random((1, 2, 6, 6))
    expected = path(weights)
    weights.flags.writeable = False
    np.testing.assert_array_equal(path(weights), expected)


def test_without_the_compiler_torch_is_chosen_at_import(monkeypatch):
    module = without_compiler(monkeypatch, divergence)
    weights = _random((2, 2, 9, 9))
    assert not module.COMPILES
    np.testing.assert_array_equal(module.pairwise(weights), _by_torch(weights))
