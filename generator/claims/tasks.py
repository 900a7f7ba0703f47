"""Numbers of labelled tasks, and what several tasks say together."""

import math
from collections.abc import Iterable

from generator.claims.evidence import Evidence
from generator.claims.numbers import Number
from generator.corpora.tasks import find_task

POINT = 0.01
"""One point of a score: what tables of such scores tell apart."""
SIMILARITY = "stsb"
"""The task that asks how similar two texts are."""
FROZEN, RANDOM, FINE_TUNED = "pretrained.frozen", "random.fine-tuned", "pretrained.fine-tuned"
MAJORITY = "majority"


def score(evidence: Evidence, task: str, how: str) -> Number | None:
    """The task's headline score for a way of training, mean over seeds, or for the majority class."""
    return evidence.fact("scores", f"{find_task(task).metrics[0]}.{how}", task)


def scored(evidence: Evidence, *ways: str) -> tuple[str, ...]:
    """The tasks on which the model was trained in all of these ways."""
    return tuple(task for task in evidence.tasks if all(score(evidence, task, how) for how in ways))


def of_tasks(evidence: Evidence, study: str, name: str) -> dict[str, Number]:
    """A number of the whole model for every task that has it."""
    found = {task: evidence.fact(study, name, task) for task in evidence.tasks}
    return {task: number for task, number in found.items() if number}


def mean(numbers: Iterable[Number | None]) -> Number | None:
    """The mean over tasks, as wide as their intervals are in the mean; `n` is that of all. None if one is, or of none.

    >>> mean([Number(0.2, 0.1, 0.3, 5), Number(0.4, 0.3, 0.7, 7)])
    Number(value=0.3, low=0.2, high=0.5, n=12)
    """
    whole = _defined(numbers)
    if not whole:
        return None
    value, low, high = (round(sum(part[at] for part in whole) / len(whole), 12) for at in range(3))
    return Number(value, low, high, sum(part.n for part in whole))


def lowest(numbers: Iterable[Number | None]) -> Number | None:
    """The least of several numbers, with the least of their ends. None if one is, or of none.

    >>> lowest([Number(0.2, 0.1, 0.6, 5), Number(0.4, 0.0, 0.5, 7)])
    Number(value=0.2, low=0.0, high=0.5, n=12)
    """
    whole = _defined(numbers)
    if not whole:
        return None
    value, low, high = (min(part[at] for part in whole) for at in range(3))
    return Number(value, low, high, sum(part.n for part in whole))


def _defined(numbers: Iterable[Number | None]) -> list[Number]:
    """All of them, or none where one is missing or undefined."""
    parts = list(numbers)
    whole = [part for part in parts if part and not any(map(math.isnan, part[:3]))]
    return whole if len(whole) == len(parts) else []


def highest(numbers: Iterable[Number | None]) -> Number | None:
    """The greatest of several numbers, with the greatest of their ends. None if one is, or of none."""
    parts = list(numbers)
    least = lowest(None if part is None else Number(-part.value, -part.high, -part.low, part.n) for part in parts)
    return Number(-least.value, -least.high, -least.low, least.n) if least else None
