"""Ties functions that make numbers that no table holds to the records of these, so that neither changes alone."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from generator.numbers.quantity import Study, Undeclared

Made = TypeVar("Made", bound=Callable[..., Any])
_MAKERS: dict[tuple[str, str], set[str]] = {}


def makes(study: Study, *names: str) -> Callable[[Made], Made]:
    """Marks the function that makes these numbers of a study; `names` as in its records, with placeholders in braces.

    Raises Undeclared, when the function is imported, for a name without a record.
    """
    declared = {quantity.name for quantity in study.quantities}
    for name in names:
        if name not in declared:
            raise Undeclared(
                f'Expected a declared number of study "{study.name}", found "{name}"; add its record to the study.'
            )

    def mark(function: Made) -> Made:
        for name in names:
            _MAKERS.setdefault((study.name, name), set()).add(f"{function.__module__}.{function.__qualname__}")
        return function

    return mark


def makers() -> Mapping[tuple[str, str], frozenset[str]]:
    """(study, name) -> the functions, as far as they have been imported, that say that they make this number."""
    return {number: frozenset(functions) for number, functions in _MAKERS.items()}
