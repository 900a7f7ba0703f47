"""Where attention rests is said where the text is sure of it, and not before."""

import numpy as np
import pytest

from generator.claims.gate.maps import FEWEST, PREFERRED
from generator.claims.gate.resting import PLACES, Resting, resting
from generator.numbers.number import Number
from generator.numbers.simultaneous import widened

EDGE = 1e-6
UNIFORM = 0.1
LAYERS = 3
FACTOR = 1 - widened(Number(1.0, 0.0, 1.0, FEWEST), len(PLACES) * LAYERS).low
"""How many times as wide an interval is that holds for all numbers."""


def found(n: int = FEWEST, **shares: tuple[float, float, float]) -> Resting | None:
    """Where attention rests that layer 2 gives, with these shares and widened ends; all else gets nothing."""
    layers = {}
    for column in PLACES:
        value, low, high = np.zeros((3, LAYERS))
        value[1], least, most = shares.get(column.partition(".")[2], (0.0, 0.0, 0.0))
        low[1], high[1] = value[1] - (value[1] - least) / FACTOR, value[1] + (most - value[1]) / FACTOR
        layers[column] = Number(value, low, high, np.full(LAYERS, n))
    return resting(layers, dict.fromkeys(PLACES, UNIFORM))


def test_attention_rests_where_a_layer_gives_most() -> None:
    there = found(punctuation=(0.55, 0.5, 0.6), sep=(0.25, 0.2, 0.3))
    assert there
    assert (there.column, there.layer, there.share.value) == ("attention.punctuation", 2, 0.55)


def test_a_token_that_there_is_not_takes_part_in_nothing() -> None:
    there = found(cls=(np.nan, np.nan, np.nan), punctuation=(0.55, 0.5, 0.6))
    assert there
    assert there.column == "attention.punctuation"


@pytest.mark.parametrize(
    ("inside", "outside"),
    [
        (
            {"punctuation": (0.4, PREFERRED * UNIFORM + EDGE, 0.6)},
            {"punctuation": (0.4, PREFERRED * UNIFORM - EDGE, 0.6)},
        ),
        (
            {"punctuation": (0.55, 0.5, 0.6), "sep": (0.45, 0.4, 0.5 - EDGE)},
            {"punctuation": (0.55, 0.5, 0.6), "sep": (0.45, 0.4, 0.5 + EDGE)},
        ),
        ({"punctuation": (0.55, 0.5, 0.6)}, {"punctuation": (0.55, 0.5, 0.6), "n": FEWEST - 1}),
    ],
)
def test_nothing_is_said_that_is_not_sure(inside: dict, outside: dict) -> None:
    assert found(**inside)
    assert found(**outside) is None
