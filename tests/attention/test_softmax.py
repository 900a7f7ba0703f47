"""The softmax of attention: compiled code and torch both agree with float64, and what they tell of rows is right."""

import numpy as np
import pytest
import torch

from generator.attention import softmax
from generator.attention.softmax import LOWEST, weigh_rows

HEADS, QUERIES, DIM, SCALE = 3, 5, 4, 0.3
LOW = torch.finfo(torch.float32).min


@pytest.fixture(params=[True, False], ids=["compiled", "torch"])
def compiles(request, monkeypatch):
    """Whether compiled code is used, if numba is there."""
    monkeypatch.setattr(softmax, "COMPILES", softmax.COMPILES and request.param)


def _of(logits):
    """Weights and rows of these logits `[query, key]`."""
    weights, known = weigh_rows(torch.tensor([[logits]]), torch.eye(len(logits[0]))[None, None], None, 1.0)
    return weights[0, 0], *known[:, 0, 0]


@pytest.mark.usefixtures("compiles")
@pytest.mark.parametrize("keys", [1, 2, 15, 16, 17, 64, 129])
@pytest.mark.parametrize("spread", [0.1, 1, 10])
@pytest.mark.parametrize("hides", [False, True], ids=["all keys", "some keys"])
def test_weights_largest_weights_and_entropies_equal_those_in_float64(keys, spread, hides):
    generator = torch.Generator().manual_seed(keys)
    query, key = (torch.randn(1, HEADS, size, DIM, generator=generator) for size in (QUERIES, keys))
    query *= spread
    bias = torch.randn(1, 1, QUERIES, keys, generator=generator) if hides else None
    if hides:
        bias[..., 1:][..., ::3] = LOW
    before = query.clone(), key.clone(), None if bias is None else bias.clone()
    weights, (largest, entropies) = weigh_rows(query, key, bias, SCALE)
    logits = torch.matmul(query.double(), key.double().transpose(-1, -2)) * SCALE + (0 if bias is None else bias)
    expected = torch.softmax(logits, -1)
    torch.testing.assert_close(weights.double(), expected, rtol=0, atol=2e-6)
    torch.testing.assert_close(weights.double(), expected, rtol=2e-5, atol=1e-37)  # small weights, too
    torch.testing.assert_close(largest.double(), expected.amax(-1), rtol=5e-6, atol=0)
    torch.testing.assert_close(entropies.double(), torch.special.entr(expected).sum(-1), rtol=0, atol=5e-6)
    assert not hides or (weights[..., 1:][..., ::3] == 0).all()
    for now, was in zip((query, key, bias), before, strict=True):
        assert was is None or torch.equal(now, was)


@pytest.mark.usefixtures("compiles")
def test_a_row_whose_logits_are_all_alike_is_uniform_even_if_all_are_hidden():
    for logit in (0.0, 7.0, LOW):
        weights, largest, entropies = _of([[logit] * 8])
        assert weights.tolist() == [[0.125] * 8]
        assert (largest.item(), entropies.item()) == (0.125, pytest.approx(np.log(8)))


@pytest.mark.usefixtures("compiles")
def test_what_is_undefined_in_one_row_stays_there():
    weights, largest, entropies = _of([[0.0, 1.0, 2.0], [0.0, torch.nan, 2.0], [2.0, 1.0, 0.0]])
    for told in (weights[:, 0], weights[:, 2], largest, entropies):
        assert told.isnan().tolist() == [False, True, False]


def test_a_logit_far_below_the_largest_leaves_no_weight():
    if not softmax.COMPILES:
        pytest.skip("numba is not installed")
    for lead in (0.0, 1e4):
        (weights,), *_ = _of([[lead, lead + float(LOWEST) + 1, lead + float(LOWEST) - 1]])
        assert weights[0] == 1
        assert weights[1].item() == pytest.approx(np.exp(float(LOWEST) + 1), rel=1e-4)
        assert weights[2] == 0
