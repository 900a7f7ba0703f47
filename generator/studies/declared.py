"""The records of all studies whose numbers are stored, experiments included, or are computed from stored tables.

Every study has its record here or in its topic; what it stores, and what claims and pages read of it, is checked
against the record. This module imports little, so that pages and claims can use it.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import chain

from generator.numbers.quantity import Maker, Quantity, Study, Undeclared
from generator.studies.derived_quantities import OF_HEADS, OVER_HEADS
from generator.studies.measured_quantities import MEASURED
from generator.topics import of_topics

NO_NUMBER = "It finds records, which say what a number is; it makes none."
_ALL: tuple[Study, ...] = (
    *(MEASURED, OF_HEADS, OVER_HEADS),
    *chain.from_iterable(of_topics("records", "STUDIES")),
)
BY_MAKER: Mapping[Maker, tuple[Study, ...]] = {
    maker: tuple(study for study in _ALL if study.made is maker) for maker in Maker
}
STUDIES: tuple[Study, ...] = tuple(study for maker in Maker if maker is not Maker.PAGES for study in BY_MAKER[maker])
"""The studies whose numbers are stored; those that pages make are in no table, and `study_of` knows none."""
DERIVED = BY_MAKER[Maker.PAGES]
_BY_NAME: Mapping[str, Study] = {study.name: study for study in STUDIES}


def study_of(name: str) -> Study:
    """The study of a stored name. Raises Undeclared."""
    found = _BY_NAME.get(name.partition(":")[0])
    if found is None or not found.owns(name):
        raise Undeclared(f'Expected a declared study, found "{name}"; there are {", ".join(_BY_NAME)}.')
    return found


@lru_cache(maxsize=1 << 14)
def quantity_of(study: str, name: str) -> Quantity:
    """The record of a number by the two names under which it is stored. Raises Undeclared."""
    return study_of(study).quantity(name)
