"""How far a head leads at finding antecedents over the best simple rule, from stored numbers."""

from generator.numbers.makers import makes
from generator.numbers.number import Number, difference
from generator.studies.derived_quantities import OF_HEADS

EXACT = 12
"""Decimals that are kept of a difference of two stored shares; those that follow are rounding errors."""


@makes(OF_HEADS, "antecedents.lead")
def lead(head: Number, rule: Number) -> Number:
    """How much more often the head is right than the rule, with an interval as wide as both together."""
    found = difference(head, rule)
    return found._replace(value=round(found.value, EXACT))
