"""Names that say that a task needs a head: what disabling the head costs.

An interval of the loss that allows for all heads, and for all tasks and ways of disabling that were tried, must lie
above 0 and above what a head drawn at random costs. Tasks that were not surely learned do not count, nor those with few
examples. If the head was disabled in another way, too, it may not surely cost less in that way.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from generator.claims.bounds import fewest
from generator.claims.gate.statement import Check, Place, Row, Statement, least
from generator.corpora.tasks import TASKS
from generator.numbers.number import UNDEFINED, Number, apart
from generator.numbers.simultaneous import widened
from generator.numbers.writing import written
from generator.results.store import Results
from generator.results.tables import records
from generator.topics.tasks.records.tasks import DISABLING

COST = "cost"
"""The kind of these names."""
WAYS = {"uniform": "made uniform", "zero": "set to zero"}
"""Ways of disabling a head, and what is done to it."""
FAMILY = ".family"
"""After the name of a way: the same change with an interval that holds for all heads and layers of a task at once."""
FEWEST = fewest("examples")


class Tried(NamedTuple):
    """What disabling every head in one way changes on one task, as shares of a score: below 0 where it falls."""

    task: str
    way: str
    heads: Mapping[Place, Row]
    """Rows of changes, whose intervals hold for all heads and layers at once."""
    mean: Row
    """What a head drawn at random changes."""
    learned: Row
    """The lead of the score over always giving the same answer."""

    @property
    def is_learned(self) -> bool:
        """Whether there is something to lose; also true if the lead is not known."""
        return not self.learned["low"] <= 0


def losses(results: Results) -> list[Statement]:
    """A statement for each task, way of disabling and head that were tried, the largest loss first."""
    tried = list(_tried(*(results.of_study(name, DISABLING.name) for name in ("head_facts", "facts"))))
    several = sum(sweep.is_learned for sweep in tried)
    found = [_of(sweep, place, tried, several) for sweep in tried for place in sweep.heads]
    return sorted(found, key=lambda statement: -statement.number.value)


def loss_of(change: Number) -> Number:
    """What is lost by a change of a score."""
    return Number(-change.value, -change.high, -change.low, change.n)


def mean_loss(statement: Statement) -> Number:
    """What a head drawn at random costs, from the rows of a statement."""
    return loss_of(Number.of(statement.of("facts")[0]))


def _tried(heads: pd.DataFrame, facts: pd.DataFrame) -> Iterator[Tried]:
    whole = {(row["corpus"], row["name"]): row for row in records(facts[facts["layer"] == 0])}
    for task in (labelled.name for labelled in TASKS):
        own = heads[heads["corpus"] == task]
        for way in WAYS if len(own) else ():
            mean = whole.get((task, f"{way}.mean"))
            rows = {(row["layer"], row["head"]): row for row in records(own[own["name"] == way + FAMILY])}
            if rows and mean and not np.isnan(mean["high"]):
                yield Tried(task, way, rows, mean, whole.get((task, "base.lead"), UNDEFINED._asdict()))


def _of(sweep: Tried, place: Place, tried: list[Tried], several: int) -> Statement:
    loss, mean = loss_of(Number.of(sweep.heads[place])), loss_of(Number.of(sweep.mean))
    sure = widened(loss, max(several, 1))
    also = [other for other in tried if other.task == sweep.task and other.way != sweep.way and place in other.heads]
    checks = [
        Check(
            "premise",
            sweep.is_learned,
            f"{sweep.task} leads the commonest answer by {written(Number.of(sweep.learned))}",
        ),
        least(loss.n, FEWEST, "examples", f"of {sweep.task}"),
        Check("range", sure.low > 0, f"{WAYS[sweep.way]}, it loses {written(loss)}"),
        Check("null", sure.low > mean.high, f"a head drawn at random loses {written(mean)}"),
    ]
    for other in also:
        less = loss_of(Number.of(other.heads[place]))
        met = not (apart(less, loss) and less.value < loss.value)
        checks.append(Check("elsewhere", met, f"{WAYS[other.way]}, it loses {written(less)}"))
    rows = (
        ("head_facts", sweep.heads[place]),
        ("facts", sweep.mean),
        *(("head_facts", way.heads[place]) for way in also),
    )
    return Statement(place, kind=COST, about=f"{sweep.task}/{sweep.way}", number=loss, checks=tuple(checks), rows=rows)
