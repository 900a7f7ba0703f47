"""All names that a head may have, in the order in which the first that is given becomes its name; after them, the
leans, which are told of a head that has none.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from itertools import chain

from generator.claims.gate.maps import Measured, broad, leans, pairs, patterns, targets, windows
from generator.claims.gate.statement import Place, Statement, given
from generator.pages.heads.naming.naming import Naming, finds, needs
from generator.pages.heads.naming.specialty import Specialty
from generator.results.store import Results
from generator.topics import of_topics


def found(results: Results) -> list[Statement]:
    """What every head may be said to find."""
    return _statements(finds(), results)


def candidates(
    results: Results, heads: Iterable[Measured], columns: Mapping[str, str]
) -> dict[Place, tuple[Statement, ...]]:
    """Head -> its candidates in the order of the rules; `columns` are those of the measures of targets, by target."""
    first, last = (_by_head(some) for some in (results.once(found), _statements(needs(), results)))
    against = [make(results) for make in of_topics("against", "AGAINST")]

    def asked(said: Iterable[Statement]) -> Iterator[Statement]:
        for one in said:
            yield reduce(lambda so_far, ask: ask(so_far), against, one)

    return {
        one.place: (
            *(*first[one.place], *asked(of_maps(one, columns)), *last[one.place]),
            *asked((*leans(one, columns), *pairs(one, columns))),
        )
        for one in heads
    }


def of_maps(one: Measured, columns: Mapping[str, str]) -> tuple[Statement, ...]:
    """The names that the maps of one head may give it, in the order of the rules."""
    return (*targets(one, columns), *patterns(one), *windows(one), broad(one))


def specialists(statements: Iterable[Statement]) -> dict[Place, list[Specialty]]:
    """Head -> what it finds, with the strongest evidence first, of statements on what heads find; heads of which none
    is given are left out.
    """
    told: dict[Place, list[Specialty]] = defaultdict(list)
    for one in given(statements):
        told[one.place].append(finds()[one.kind].told(one))
    return {place: sorted(some, key=lambda one: one.strength, reverse=True) for place, some in told.items()}


def _statements(kinds: Mapping[str, Naming], results: Results) -> list[Statement]:
    return [*chain.from_iterable(one.statements(results) for one in kinds.values())]


def _by_head(statements: Iterable[Statement]) -> dict[Place, list[Statement]]:
    told: dict[Place, list[Statement]] = defaultdict(list)
    for one in statements:
        told[one.place].append(one)
    return told
