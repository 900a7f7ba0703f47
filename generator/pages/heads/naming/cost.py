"""What a head is needed for, in words: what disabling it costs on a labelled task."""

from generator.claims.gate.losses import COST, loss_of, mean_loss
from generator.claims.gate.statement import Statement
from generator.numbers.number import Number
from generator.numbers.writing import written
from generator.pages.heads.naming.trait import SUPPORTED, Trait
from generator.topics.tasks.page.words import DOING, METRICS, NAMES, POINTS, spelled

NEEDED = "is needed for "
"""How the words after the name of the head begin, before the task."""


def needed(one: Statement, heads: int) -> Trait:
    """What names a head, of a model with so many heads, that a task is said to need."""
    code, _, way = one.about.partition("/")
    task, metric, loss = NAMES[code], spelled(METRICS[code]), one.number
    in_points, mean = _points(loss), _points(mean_loss(one))
    others = f"costs {written(mean, 'points')}" if mean.value > 0 else f"gains {written(loss_of(mean), 'points')}"
    return Trait(
        COST,
        f"{NEEDED}{task}",
        f"{DOING[way]} costs {written(in_points, 'points')} of {metric} on {task}, in a copy of the model that was "
        f"fine-tuned on it; a head drawn at random {others}.",
        f"{SUPPORTED}: counted on {loss.n:,} examples; an interval that allows for all {heads} heads, and for all "
        "tasks and ways of disabling, lies above what a head drawn at random costs.",
        loss.value,
        f"{loss.n:,} examples",
        sure=f"{SUPPORTED}: costs more than a random head",
    )


def _points(one: Number) -> Number:
    return Number(POINTS * one.value, POINTS * one.low, POINTS * one.high, one.n)
