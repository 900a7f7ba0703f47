"""Where attention rests is said where the text is sure of it, and not before."""

from dataclasses import replace

import numpy as np
import pytest

from generator.claims.gate.maps import FEWEST, PREFERRED
from generator.numbers.number import Number
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link, plain
from generator.pages.written.resting import PLACES, resting, rests

EDGE = 1e-6
UNIFORM = 0.1
MOST = "attention.punctuation"


def given(atlas: Atlas, n: int = FEWEST, **shares: tuple[float, float]) -> Atlas:
    """The same model, where layer 2 gives these lowest and highest shares, and all else gets nothing."""
    estimates = dict(atlas.estimates)
    for column in PLACES:
        low, high = np.zeros((2, atlas.shape[0]))
        low[1], high[1] = shares.get(column.partition(".")[2], (0.0, 0.0))
        layers = Number((low + high) / 2, low, high, np.full(atlas.shape[0], n))
        estimates[column] = replace(estimates[column], uniform=UNIFORM, layers=layers)
    other = Atlas(atlas.results)
    other.__dict__["estimates"] = estimates
    return other


def test_attention_rests_where_a_layer_gives_most(full: Atlas) -> None:
    found = resting(given(full, punctuation=(0.5, 0.6), sep=(0.2, 0.3)))
    assert found
    assert (found.column, found.layer, found.share) == (MOST, 2, Number(0.55, 0.5, 0.6, FEWEST))


@pytest.mark.parametrize(
    ("inside", "outside"),
    [
        ({"punctuation": (PREFERRED * UNIFORM + EDGE, 0.6)}, {"punctuation": (PREFERRED * UNIFORM, 0.6)}),
        (
            {"punctuation": (0.5, 0.6), "sep": (0.4, 0.5 - EDGE)},
            {"punctuation": (0.5, 0.6), "sep": (0.4, 0.5)},
        ),
        ({"punctuation": (0.5, 0.6)}, {"punctuation": (0.5, 0.6), "n": FEWEST - 1}),
    ],
)
def test_nothing_is_said_that_is_not_sure(full: Atlas, inside: dict, outside: dict) -> None:
    assert resting(given(full, **inside))
    assert resting(given(full, **outside)) is None


def test_all_models_are_told_of_in_one_sentence(full: Atlas) -> None:
    name, page = full.results.manifest.model, "findings/x/"
    one, other = given(full, punctuation=(0.5, 0.6)), given(full, cls=(0.3, 0.4))
    told = rests([one, given(full), other, one], page)
    assert plain(told) == (
        f"Layer 2 of {name} gives 55 % of its attention to periods and commas, layer 2 of {name} 35 % to "
        f"{full.special_tokens.get('begin', '[CLS]')} and layer 2 of {name} 55 % to periods and commas."
    )
    assert Link(name, f"../../models/{full.slug}/") in told
    assert rests([given(full)], page) == ""
