"""On which token each model rests, in one sentence."""

from dataclasses import replace

import numpy as np

from generator.claims.gate.maps import FEWEST
from generator.claims.gate.resting import PLACES
from generator.numbers.number import Number
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link, plain
from generator.pages.written.resting import where_models_rest


def given(atlas: Atlas, **shares: tuple[float, float]) -> Atlas:
    """The same model, where layer 2 gives these lowest and highest shares, and all else gets nothing."""
    estimates = dict(atlas.estimates)
    for column in PLACES:
        low, high = np.zeros((2, atlas.shape[0]))
        low[1], high[1] = shares.get(column.partition(".")[2], (0.0, 0.0))
        layers = Number((low + high) / 2, low, high, np.full(atlas.shape[0], FEWEST))
        estimates[column] = replace(estimates[column], uniform=0.1, layers=layers)
    other = Atlas(atlas.results)
    other.__dict__["estimates"] = estimates
    return other


def test_all_models_are_told_of_in_one_sentence(full: Atlas) -> None:
    name, page = full.results.manifest.model, "findings/x/"
    one, other = given(full, punctuation=(0.5, 0.6)), given(full, cls=(0.3, 0.4))
    told = where_models_rest([one, given(full), other, one], page)
    assert plain(told) == (
        f"In pairs of texts, layer 2 of 3 in {name} gives 55 % of its attention to periods and commas, "
        f"layer 2 of 3 in {name} 35 % to "
        f"{full.special_tokens.get('begin', '[CLS]')}, layer 2 of 3 in {name} 55 % to periods and commas."
    )
    assert Link(name, f"../../models/{full.slug}/") in told
    assert where_models_rest([given(full)], page) == ""
