"""Inputs of a few documents."""

import pytest

from tests.attention.observations import inputs_of
from tests.topics.vectors.compute.slowly import DOCUMENTS, ordered


@pytest.fixture(scope="module")
def corpus(encoder):
    """Gives a family's inputs of the documents, sorted."""
    return lambda family: ordered(inputs_of(encoder(family), DOCUMENTS, max_tokens=100))
