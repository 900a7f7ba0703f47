"""The picture of heads is that of scikit-learn's scaling, which takes longer."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn.manifold import MDS

from generator.studies.distances.landscape import NO_BEHAVIOUR, landscape


def test_the_picture_is_that_of_scikit_learn():
    mean = np.random.default_rng(3).uniform(0.1, 0.6, size=66)
    settings = {"n_init": 5, "init": "random", "max_iter": 1000, "eps": 1e-10, "normalized_stress": True}
    theirs = MDS(2, metric="precomputed", random_state=7, **settings)
    drawn = theirs.fit_transform(squareform(mean))
    found = landscape(mean[None], (3, 4), np.full((3, 4), NO_BEHAVIOUR), "m", "c", seed=7)
    place = found.head_facts.pivot_table(index=["layer", "head"], columns="name", values="value")[["x", "y"]]
    np.testing.assert_allclose(pdist(place.to_numpy()), pdist(drawn), atol=1e-9)
    assert found.facts.set_index("name").loc["stress", "value"] == pytest.approx(theirs.stress_, abs=1e-9)
