"""What a head is needed for, in words: what disabling it costs on a labelled task."""

from functools import cached_property

from generator.claims.gate.statement import Statement, given
from generator.numbers.number import Number
from generator.numbers.writing import written
from generator.pages import addresses
from generator.pages.heads.naming.naming import Need
from generator.pages.heads.naming.trait import SUPPORTED, Trait
from generator.pages.heads.of_head import OfHead
from generator.pages.inline import Link, Prose
from generator.topics.tasks.claims.needs import COST, WAYS, loss_of, losses, mean_loss
from generator.topics.tasks.page.results import Effects
from generator.topics.tasks.page.words import DOING, METRICS, NAMES, POINTS, spelled

NEEDED = "is needed for "
"""How the words after the name of the head begin, before the task."""


def needed(statement: Statement, heads: int) -> Trait:
    """What names a head, of a model with so many heads, that a task is said to need."""
    code, _, way = statement.about.partition("/")
    task, metric, loss = NAMES[code], spelled(METRICS[code]), statement.number
    in_points, mean = _points(loss), _points(mean_loss(statement))
    others = f"costs {written(mean, 'points')}" if mean.value > 0 else f"gains {written(loss_of(mean), 'points')}"
    return Trait(
        COST,
        title=f"{NEEDED}{task}",
        text=f"{DOING[way]} costs {written(in_points, 'points')} of {metric} on {task}, in a copy of the model that "
        f"was fine-tuned on it; a head drawn at random {others}.",
        trust=f"{SUPPORTED}: counted on {loss.n:,} examples; an interval that allows for all {heads} heads, and for "
        "all tasks and ways of disabling, lies above what a head drawn at random costs.",
        share=loss.value,
        counted=f"{loss.n:,} examples",
        sure=f"{SUPPORTED}: costs more than a random head",
    )


def _points(number: Number) -> Number:
    return Number(POINTS * number.value, POINTS * number.low, POINTS * number.high, number.n)


def _title(statement: Statement) -> str:
    task, _, way = statement.about.partition("/")
    return f"{NEEDED}{NAMES[task]}, {WAYS[way]}"


NAMING = Need(
    kind=COST,
    called="needed for a task",
    story=("the-dark-secrets-of-bert/#disabling", "What is a model without a head?"),
    words=("ablation", "needed"),
    statements=losses,
    title=_title,
    trait=needed,
)


class OfTasks(OfHead):
    """What tasks say of the heads of one model."""

    @cached_property
    def _effects(self) -> Effects:
        return Effects(self.atlas)

    def needed(self, layer: int, head: int) -> str:
        """What disabling it changes and how much fine-tuning changes its maps; "" if neither was tried, or the summary
        says it all.
        """
        summary = self.atlas.summaries[layer, head]
        said = next(
            (statement.about for statement in given(self.atlas.candidates[layer, head]) if statement.kind == COST), ""
        )
        return self._effects.of_head(layer, head, said if summary.kind == COST else "")

    def same_job(self, layer: int, head: int, page: str) -> Prose:
        """A link to what tasks need, from a head that is named for it."""
        if self.atlas.summaries[layer, head].kind != COST:
            return ""
        return Link("What tasks need of other heads", addresses.relative(addresses.tasks(self.atlas.slug), page))


OF_HEADS = OfTasks
