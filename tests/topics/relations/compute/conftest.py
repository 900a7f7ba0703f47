"""Random sentences with their maps, and what their words' links and spans are."""

import numpy as np
import pytest

from tests.topics.relations.compute.words import maps_of, random_sentence, tables_of


@pytest.fixture(scope="module")
def corpus():
    """Sentences with their maps and the pieces of their words."""
    rng = np.random.default_rng(0)
    lengths = [1, 2, *rng.integers(3, 14, 70)]
    return [
        (random_sentence(words, f"s{number}", rng), maps_of(words, number), rng.integers(1, 4, words))
        for number, words in enumerate(lengths)
    ]


@pytest.fixture(scope="module")
def tables(corpus):
    return tables_of(corpus)
