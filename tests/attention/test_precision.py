"""A model computes in the precision that was asked for; attention and what is made of it stay exact."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from generator.attention.anatomy import examine
from generator.attention.gradient import attention_gradients
from generator.attention.stream import Options, observe
from generator.errors import DeviceError
from generator.measures.patterns import PATTERN_COLUMNS
from generator.models.load import choose_device
from generator.models.masked_lm import load_masked_lm
from generator.models.precision import computing
from generator.models.source import locate
from generator.topics.vectors.compute.gradients import hide
from tests.attention.observations import inputs_of, largest_difference, survey
from tests.encoders import FAMILIES

CPU = torch.device("cpu")
ROUNDING = 0.02
"""What eight bits may change in a number, as a share of its range; measured on these encoders: up to 0.014."""
WEIGHTS = 0.1
"""The same of a single weight; measured: up to 0.071."""
GRADIENTS = 0.05
"""The same of a gradient, as a share of the largest of its input."""


def settings():
    """What torch has been told about precision."""
    products, convolutions = torch.get_float32_matmul_precision(), torch.backends.cudnn.allow_tf32
    return products, convolutions, torch.is_autocast_enabled("cpu")


@pytest.mark.parametrize(
    ("precision", "told"),
    [
        ("float32", ("highest", False, False)),
        ("tf32", ("high", True, False)),
        ("bfloat16", ("highest", False, True)),
    ],
)
def test_a_precision_holds_within_its_block_and_attention_inside_it_is_exact(precision, told):
    before = settings()
    with computing(precision, CPU):
        assert settings() == told
        with computing("float32", CPU):
            assert settings() == ("highest", False, False)
        assert settings() == told
    assert settings() == before


def test_float32_has_no_tf32_even_where_a_program_has_allowed_it():
    torch.set_float32_matmul_precision("high")
    try:
        with computing("float32", CPU):
            assert torch.get_float32_matmul_precision() == "highest"
        assert torch.get_float32_matmul_precision() == "high"
    finally:
        torch.set_float32_matmul_precision("highest")


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("whole", [False, True], ids=["one document at a time", "whole batch"])
def test_bfloat16_gives_the_numbers_of_float32_within_its_rounding(encoder, anatomy, family, whole):
    loaded, inputs = encoder(family), inputs_of(encoder(family))[:4]
    rounded = replace(loaded, precision="bfloat16")
    options = Options(keep_weights=True, keep_states=True, whole_batch=whole)
    exact, found = (list(observe(one, anatomy(family), inputs, options)) for one in (loaded, rounded))
    for one, other in zip(exact, found, strict=True):
        assert 0 < np.abs(one.weights - other.weights).max() < WEIGHTS
        np.testing.assert_allclose(other.weights.sum(-1), 1, rtol=0, atol=1e-6)
        assert {one.dtype for one in (other.weights, *other.states)} == {np.dtype(np.float32)}
        assert other.primitives.received.dtype == np.float64
        np.testing.assert_allclose(other.primitives.received, other.weights.sum(2), rtol=1e-5, atol=2e-6)
    columns = [survey(one, anatomy(family), inputs, options) for one in (loaded, rounded)]
    for found in columns:
        for of in found.values():
            for name in PATTERN_COLUMNS:  # a map is classed by cut-offs, and rounding may decide on which side it lies
                del of[name]
    assert 1e-5 < largest_difference(*columns) < ROUNDING


def test_gradients_of_a_model_in_bfloat16_are_those_of_float32_within_its_rounding(head_folder):
    source, losses, gradients = locate(str(head_folder("bert"))), [], []
    for precision in ("float32", "bfloat16"):
        found = load_masked_lm(source, CPU, precision)
        hidden = [hide(item, found, seed=0) for item in inputs_of(found.encoder)[:3]]
        seen = list(attention_gradients(found.encoder, examine(found.encoder), hidden))
        losses.append([one.loss for one in seen])
        gradients.append([np.stack(one.gradients) for one in seen])
    assert 0 < np.abs(np.subtract(*losses)).max() < GRADIENTS
    for exact, rounded in zip(*gradients, strict=True):
        assert rounded.dtype == np.float32
        assert 0 < np.abs(exact - rounded).max() < GRADIENTS * np.abs(exact).max()


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a CUDA device")
@pytest.mark.parametrize("device", ["cpu", "auto"])
def test_tf32_is_refused_where_it_would_change_nothing(device):
    with pytest.raises(DeviceError, match="found cpu, on which this precision changes nothing; choose float32 or"):
        choose_device(device, "tf32")
    assert choose_device(device, "bfloat16") == CPU
