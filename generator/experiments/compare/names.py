"""The names under which numbers of a comparison are stored; this file imports little, so that pages can import it."""

from generator.models.names import slug
from generator.numbers.quantity import Study
from generator.studies.experiments.comparison_quantities import COMPARISON

BASE = "base."
"""Prefix of a measure's column for the value of the model itself; the column's plain name stands for the change."""
OTHER = "other."
"""Prefix of a measure's column for the value of the other model, mean over all heads."""
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
    """The name of the number that holds a relation's change of accuracy.

    >>> relation_fact("nsubj", "dep->head")
    'relation.nsubj.dep->head'
    """
    return f"{RELATION}{relation}.{direction}"
