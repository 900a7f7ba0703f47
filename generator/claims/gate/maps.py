"""Names that say what the maps of a head are: one target, one pattern (Kovaleva et al. 2019), or breadth.

Each rests on a mean over documents, of which there must be as many as a claim asks for. Its interval, widened so that
those of all heads of the model hold together, must lie above the cut-off of the name and above uniform attention.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from generator.claims.bounds import fewest
from generator.claims.cutoffs import MAINLY
from generator.claims.gate.statement import Place, Statement, above, beats, least
from generator.numbers.number import UNDEFINED, Number
from generator.numbers.resampling import with_width
from generator.numbers.simultaneous import widened
from generator.studies.layers.breadth import breadth

TARGET, PATTERN, BROAD = "target", "pattern", "broad"
"""The kinds of these names."""
NAMED = ("vertical", "diagonal", "mixed", "block")
"""The patterns that name a head, in the order in which they are tried; heterogeneous is what the others leave."""
WIDE = 0.8
"""Share of uniform attention's entropy from which a head counts as broad; Clark et al. use 3.8 of about 4.8 nats."""
FEWEST = fewest("documents")


class Measured(NamedTuple):
    """What was measured of the maps of one head, beside uniform attention on the same text; both are by column."""

    place: Place
    values: Mapping[str, Number]
    uniform: Mapping[str, float]
    heads: int
    """How many heads the model has."""


def targets(one: Measured, columns: Mapping[str, str]) -> list[Statement]:
    """A statement for each target that there is, the largest share first; `columns` are those of measures by the name
    of the target.
    """
    shares = {name: one.values.get(column, UNDEFINED) for name, column in columns.items()}
    ranked = sorted((name for name in shares if not np.isnan(shares[name].value)), key=lambda name: -shares[name].value)
    return [_of(one, TARGET, columns[name], shares[name], MAINLY, f"its attention to {name}") for name in ranked]


def patterns(one: Measured) -> Iterator[Statement]:
    """A statement for each pattern of which the share is known."""
    for name in NAMED:
        share = one.values.get(f"pattern.{name}", UNDEFINED)
        if not np.isnan(share.value):
            spread = with_width(Number(*(np.array([part]) for part in share)), [0.0]).at(0)
            yield _of(one, PATTERN, f"pattern.{name}", spread, MAINLY, f"the share of its maps that are {name}")


def broad(one: Measured) -> Statement:
    """That a head looks almost everywhere."""
    part = breadth(one.values["entropy.all"], one.uniform["entropy.all"])
    return _of(one, BROAD, "entropy.all", part, WIDE, "its entropy as a share of that of uniform attention")


def _of(one: Measured, kind: str, column: str, number: Number, bound: float, what: str) -> Statement:
    checks = [
        least(number.n, FEWEST, "documents", "of the text that is shown"),
        above(number, bound, one.heads, what),
    ]
    if kind != BROAD:
        checks.append(beats(widened(number, one.heads), one.uniform[column], "uniform attention"))
    rows = tuple(("heads", _row(one, name)) for name in (column,) if name in one.values)
    return Statement(one.place, kind, column, number, tuple(checks), rows)


def _row(one: Measured, column: str) -> dict[str, object]:
    layer, head = one.place
    return (
        {"measure": column, "layer": layer, "head": head}
        | one.values[column]._asdict()
        | {"uniform": one.uniform[column]}
    )
