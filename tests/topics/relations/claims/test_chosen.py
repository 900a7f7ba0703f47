"""The head that was chosen for a relation: the right row and numbers, of tables made by hand."""

import numpy as np
import pytest

from generator.claims.missing import NotTestable
from generator.topics.relations.claims.chosen import chosen_head, chosen_heads
from tests.claims.made import evidence, relation


def test_relations_are_those_of_the_protocol():
    made = evidence(
        relation("obj", 0.8, 0.3, place=(4, 2), direction="head<-dep"),
        relation("obj", 0.9, 0.4, protocol="same data"),
        relation("det", 0.7, 0.1),
    )
    assert [item.relation for item in chosen_heads(made)] == ["det", "obj"]
    found = chosen_head(made, "dobj", "obj")
    assert (found.layer, found.head, found.direction) == (4, 2, "head<-dep")
    np.testing.assert_allclose(found.accuracy, [0.8, 0.79, 0.81, 200])
    np.testing.assert_allclose(found.gain, [0.3, 0.29, 0.31, 200])
    with pytest.raises(NotTestable, match="has no parts of names"):
        chosen_head(made, "flat")
