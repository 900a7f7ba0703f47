"""What the numbers of a comparison of two models are called in the store: light, so that pages can read it."""

from generator.models.names import slug
from generator.numbers.quantity import Study
from generator.studies.experiments.comparison_quantities import COMPARISON

BASE = "base."
"""Before a measure's column: the value of the model that is compared, where the column alone is the change."""
OTHER = "other."
"""Before a measure's column: the value of the model beside it, mean over all heads."""
LEAST = "cosine.last.least"
"""How much more the last layers change than any other layer."""
RISE = "rise.highest"
"""The highest change of a linguistic feature's score."""
RELATION = "relation."
TWIN = "twin."
PATTERN = "pattern."
"""Columns that begin like this say, with 1 or 0, whether a map has one pattern."""
TOLERANCE = 1e-6
"""Differences below this are rounding."""


def study(other: str) -> Study:
    """The study that compares a model with `other`, by its id.

    >>> study("org/Tuned").name
    'compare:org--tuned'
    """
    return COMPARISON.of(slug(other))


def relation_fact(relation: str, direction: str) -> str:
    """The name of a change of accuracy.

    >>> relation_fact("nsubj", "dep->head")
    'relation.nsubj.dep->head'
    """
    return f"{RELATION}{relation}.{direction}"
