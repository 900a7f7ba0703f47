"""All names that a head may have, in the order in which the first that is given becomes its name; after them, the
leans, which are told of a head that has none.
"""

from collections.abc import Iterable, Mapping

from generator.claims.gate.losses import losses
from generator.claims.gate.maps import Measured, broad, leans, pairs, patterns, targets, windows
from generator.claims.gate.mentions import COUNTED, TABLE, antecedents
from generator.claims.gate.statement import Place, Statement
from generator.claims.gate.treebanks import Treebanks
from generator.results.store import Results
from generator.topics.mentions.records import ANTECEDENTS


def finds(results: Results, treebanks: Treebanks | None = None) -> list[Statement]:
    """What every head may be said to find, of relations and of what mentions refer to."""
    mentioned = antecedents(results.table(TABLE), results.of_study(COUNTED, ANTECEDENTS.name))
    return [*(treebanks or Treebanks.of(results)).names(), *mentioned]


def candidates(
    found: Iterable[Statement], heads: Iterable[Measured], columns: Mapping[str, str], results: Results
) -> dict[Place, tuple[Statement, ...]]:
    """Head -> its candidates in the order of the rules; `columns` are those of the measures of targets, by target."""
    every = tuple(heads)
    made = {one.place: of_maps(one, columns) for one in every}
    last = {one.place: (*leans(one, columns), *pairs(one, columns)) for one in every}
    lost: dict[Place, list[Statement]] = {place: [] for place in made}
    first: dict[Place, list[Statement]] = {place: [] for place in made}
    for one in losses(results):
        lost[one.place].append(one)
    for one in found:
        first[one.place].append(one)
    return {place: (*first[place], *shown, *lost[place], *last[place]) for place, shown in made.items()}


def of_maps(one: Measured, columns: Mapping[str, str]) -> tuple[Statement, ...]:
    """The names that the maps of one head may give it, in the order of the rules."""
    return (*targets(one, columns), *patterns(one), *windows(one), broad(one))
