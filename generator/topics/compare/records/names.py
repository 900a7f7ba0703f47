"""The names under which numbers of a comparison are stored; this file imports little, so that pages can import it."""

from generator.models.names import slug
from generator.numbers.quantity import Study
from generator.topics.compare.records.comparison import COMPARISON

BASE = "base."
"""Before a measure's column: the value of the first model. The column without this prefix stands for the change."""
OTHER = "other."
"""Before a measure's column: the mean over all heads of the other model."""
LEAST = "cosine.last.least"
"""How much more the last layers change than any other layer."""
RISE = "rise.highest"
"""The highest change of a linguistic feature's score."""
RELATION = "relation."
TWIN = "twin."
PATTERN = "pattern."
"""Prefix of the columns that say, with 1 or 0, whether a map has a pattern."""
TOLERANCE = 1e-6
"""Differences below this are rounding."""


def study(other: str) -> Study:
    """The study that compares a model with `other`, by its id.

    >>> study("org/Tuned").name
    'compare:org--tuned'
    """
    return COMPARISON.of(slug(other))


def relation_fact(relation: str, direction: str) -> str:
    """The name under which the change of accuracy for a relation is stored.

    >>> relation_fact("nsubj", "dep->head")
    'relation.nsubj.dep->head'
    """
    return f"{RELATION}{relation}.{direction}"
