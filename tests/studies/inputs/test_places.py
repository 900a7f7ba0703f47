"""Correlation of what types receive with how fixed their place is."""

import numpy as np
import pandas as pd

from generator.studies.inputs.separators import place_facts
from tests.studies.inputs.pairs import SEED


def roles(received, deviation, count, layers=2):
    each = pd.DataFrame({"received": received, "position_deviation": deviation, "count": count})
    each = each.assign(token=[f"t{at:02}" for at in range(len(each))], rank=range(len(each)))
    return pd.concat([each.assign(layer=layer) for layer in range(1, layers + 1)], ignore_index=True)


def test_correlation_with_place_holds_frequency_fixed():
    draw = np.random.default_rng(0)
    received, deviation, count = draw.random((3, 25))
    found = place_facts(roles(received, deviation, count), "m", "c", SEED)
    assert list(found["layer"]) == [1, 2]
    ranks = pd.DataFrame({"r": received, "d": deviation, "c": count}).rank()
    line = np.column_stack([np.ones(25), ranks["c"]])
    left = {name: ranks[name] - line @ np.linalg.lstsq(line, ranks[name], rcond=None)[0] for name in "rd"}
    np.testing.assert_allclose(found["value"], np.corrcoef(left["r"], left["d"])[0, 1], rtol=1e-9)
    assert ((found["low"] < found["value"]) & (found["value"] < found["high"])).all()


def test_types_in_a_fixed_place_that_receive_most_give_minus_one():
    deviation = np.arange(12.0)
    found = place_facts(roles(-deviation, deviation, np.array([3, 1, 2] * 4)), "m", "c", SEED)
    np.testing.assert_allclose(found[["value", "low", "high"]], -1, atol=1e-9)
    assert place_facts(roles([1.0], [2.0], [3]), "m", "c", SEED).empty
