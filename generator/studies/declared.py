"""All studies whose numbers are stored, those of experiments among them. Light: a page or a claim may read it.

A new study is its record here; what it stores, and what claims and pages read of it, is checked against that.
"""

from collections.abc import Mapping
from functools import lru_cache

from generator.numbers.quantity import Quantity, Study, Undeclared
from generator.studies.inputs.quantities import BEGIN, MANIPULATIONS, NO_OP, OCCLUSION
from generator.studies.inputs.separator_quantities import SEPARATORS

STUDIES: tuple[Study, ...] = (MANIPULATIONS, BEGIN, NO_OP, SEPARATORS, OCCLUSION)
_BY_NAME: Mapping[str, Study] = {study.name: study for study in STUDIES}


def study_of(name: str) -> Study:
    """The study of a stored name. Raises Undeclared."""
    found = _BY_NAME.get(name.partition(":")[0])
    if found is None or not found.owns(name):
        raise Undeclared(f'Expected a declared study, found "{name}"; there are {", ".join(_BY_NAME)}.')
    return found


def check(study: str, name: str) -> None:
    """Raises Undeclared for a number that a declared study does not have."""
    if study in _BY_NAME:
        quantity_of(study, name)


@lru_cache(maxsize=1 << 14)
def quantity_of(study: str, name: str) -> Quantity:
    """The record of a number by the two names under which it is stored. Raises Undeclared."""
    return study_of(study).quantity(name)
