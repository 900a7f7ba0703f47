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
        for statement in said:
            yield reduce(lambda so_far, ask: ask(so_far), against, statement)

    return {
        head.place: (
            *(*first[head.place], *asked(of_maps(head, columns)), *last[head.place]),
            *asked((*leans(head, columns), *pairs(head, columns))),
        )
        for head in heads
    }


def of_maps(measured: Measured, columns: Mapping[str, str]) -> tuple[Statement, ...]:
    """The names that the maps of one head may give it, in the order of the rules."""
    return (*targets(measured, columns), *patterns(measured), *windows(measured), broad(measured))


def specialists(statements: Iterable[Statement]) -> dict[Place, list[Specialty]]:
    """Head -> what it finds, with the strongest evidence first, of statements on what heads find; heads of which none
    is given are left out.
    """
    by_name: dict[Place, list[Specialty]] = defaultdict(list)
    for statement in given(statements):
        by_name[statement.place].append(finds()[statement.kind].specialty(statement))
    return {
        place: sorted(some, key=lambda specialty: specialty.strength, reverse=True) for place, some in by_name.items()
    }


def _statements(kinds: Mapping[str, Naming], results: Results) -> list[Statement]:
    return [*chain.from_iterable(kind.statements(results) for kind in kinds.values())]


def _by_head(statements: Iterable[Statement]) -> dict[Place, list[Statement]]:
    by_name: dict[Place, list[Statement]] = defaultdict(list)
    for statement in statements:
        by_name[statement.place].append(statement)
    return by_name
