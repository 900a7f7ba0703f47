"""Heads that are named for what disabling them costs on a labelled task.

A head is named if an interval of the loss that allows for all heads, and for all tasks and ways of disabling that were
tried, lies above 0 and above what a head drawn at random costs. Tasks that were not surely learned do not count, nor
those with few examples.
"""

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pandas as pd

from generator.claims.bounds import fewest
from generator.numbers.number import UNDEFINED, Number
from generator.numbers.simultaneous import widened
from generator.numbers.writing import written
from generator.pages.heads.naming.trait import SUPPORTED, Trait
from generator.pages.tasks.words import DOING, FAMILY, METRICS, NAMES, POINTS, spelled
from generator.results.store import Results
from generator.results.tables import records
from generator.studies.experiments.task_quantities import DISABLING

KIND, NEEDED = "cost", "is needed for "
"""The kind, and how the words after the name of the head begin, before the task."""
FEWEST = fewest("examples")
Place = tuple[int, int]


class Tried(NamedTuple):
    """What disabling every head in one way costs on one task, as shares of a score: above 0 where it falls."""

    task: str
    way: str
    heads: Mapping[Place, Number]
    """Their intervals hold for all heads and layers at once."""
    mean: Number
    """What a head drawn at random costs."""


def costs(results: Results) -> Mapping[Place, Trait]:
    """Head -> the largest loss without it, for the heads whose loss is surely larger than that of any head."""
    tried = list(_tried(*(results.of_study(name, DISABLING.name) for name in ("head_facts", "facts"))))
    found: dict[Place, tuple[float, Trait]] = {}
    for one in tried:
        for place, loss in one.heads.items():
            sure = widened(loss, len(tried)).low > max(0.0, one.mean.high)
            if loss.n >= FEWEST and sure and loss.value > found.get(place, (0.0,))[0]:
                found[place] = loss.value, _told(one, loss, len(one.heads))
    return {place: trait for place, (_, trait) in found.items()}


def _tried(heads: pd.DataFrame, facts: pd.DataFrame) -> Iterator[Tried]:
    whole = {(row["corpus"], row["name"]): Number.of(row) for row in records(facts[facts["layer"] == 0])}
    for task in NAMES:
        lead = whole.get((task, "base.lead"), UNDEFINED)
        own = heads[heads["corpus"] == task]
        for way in DOING if not lead.low <= 0 else ():  # what was not learned cannot be lost
            mean = _loss(whole.get((task, f"{way}.mean"), UNDEFINED))
            rows = list(records(own[own["name"] == way + FAMILY]))
            if rows and not math.isnan(mean.high):
                yield Tried(task, way, {(row["layer"], row["head"]): _loss(Number.of(row)) for row in rows}, mean)


def _loss(change: Number) -> Number:
    return Number(-change.value, -change.high, -change.low, change.n)


def _told(one: Tried, loss: Number, heads: int) -> Trait:
    task, metric = NAMES[one.task], spelled(METRICS[one.task])
    in_points, mean = _points(loss), _points(one.mean)
    others = f"costs {written(mean, 'points')}" if mean.value > 0 else f"gains {written(_loss(mean), 'points')}"
    return Trait(
        KIND,
        f"{NEEDED}{task}",
        f"{DOING[one.way]} costs {written(in_points, 'points')} of {metric} on {task}, in a copy of the model that was "
        f"fine-tuned on it; a head drawn at random {others}.",
        f"{SUPPORTED}: counted on {loss.n:,} examples; an interval that allows for all {heads} heads, and for all "
        "tasks and ways of disabling, lies above what a head drawn at random costs.",
        loss.value,
        f"{loss.n:,} examples",
    )


def _points(one: Number) -> Number:
    return Number(POINTS * one.value, POINTS * one.low, POINTS * one.high, one.n)
