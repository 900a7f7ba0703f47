"""A tiny encoder, copies of it whose change is known, and the inputs that both read."""

import copy
from dataclasses import replace

import pytest
import torch

from generator.corpora.pairs import Input
from generator.models.encoder import Encoder
from tests.attention.observations import inputs_of
from tests.encoders import LAYERS
from tests.topics.compare.run.tables import NAME, SEED, Made, Tables, compared


@pytest.fixture(scope="package")
def base(encoder: Made) -> Encoder:
    """Gives the tiny BERT."""
    return encoder("bert")


@pytest.fixture(scope="package")
def tuned(base: Encoder) -> Encoder:
    """Gives a copy that was moved a little, its last layer most."""
    model = copy.deepcopy(base.model)
    rng = torch.Generator().manual_seed(SEED)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            size = 0.1 if f"layer.{LAYERS - 1}." in name else 0.01
            weight.add_(size * torch.randn(weight.shape, generator=rng))
    return replace(base, id=NAME, model=model)


@pytest.fixture(scope="package")
def inputs(base: Encoder) -> list[Input]:
    """Gives documents of different length, one of them in several parts."""
    return inputs_of(base, max_tokens=32)


@pytest.fixture(scope="package")
def tables(base: Encoder, tuned: Encoder, inputs: list[Input]) -> Tables:
    """Gives the comparison with the copy that was moved."""
    return compared(base, tuned, inputs)
