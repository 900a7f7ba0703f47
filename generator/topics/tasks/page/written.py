"""What hand-written pages say and show of tasks: what models score, and what disabling a head changes."""

from collections.abc import Mapping, Sequence

from generator.errors import SiteError
from generator.numbers.writing import written
from generator.pages.blocks import Figure
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cells, Link, Prose
from generator.pages.links import to_model
from generator.pages.written.context import Context, Written
from generator.pages.written.in_markdown import table
from generator.topics.tasks.claims.learned import FINE_TUNED, FROZEN, MAJORITY
from generator.topics.tasks.page.disabling import changes_figure
from generator.topics.tasks.page.optima import optima, optima_figure
from generator.topics.tasks.page.results import sweeps
from generator.topics.tasks.page.scores import Score, scores, scores_figure
from generator.topics.tasks.page.words import METRICS, NAMES

WAYS = {"fine-tuned": FINE_TUNED, "frozen": FROZEN}
"""Word on a page -> way of training from pre-trained weights, as the store names it."""
SCORELESS = "No model of this guide was trained on a task in this way."
NONE = "-"


def scored(context: Context, how: str, /) -> str:
    """The headline scores of all models for one way of training, "fine-tuned" or "frozen", as a table: a row for each
    that was trained on a task, and one of the commonest answer.
    """
    if how not in WAYS:
        raise SiteError(f"Expected {' or '.join(WAYS)} in scored(...), found {how!r}; correct the page.")
    every = [
        (atlas, [score for score in scores(atlas) if score.metric == METRICS.get(score.task)])
        for atlas in context.atlases
    ]
    ways = [(atlas, {score.task: score for score in found if score.number(WAYS[how])}) for atlas, found in every]
    tasks = [task for task in NAMES if any(task in by for _, by in ways)]
    if not tasks:
        return SCORELESS
    rows = [_row(_model(atlas, context.page), by, tasks, WAYS[how]) for atlas, by in ways if by]
    first = {task: next(by[task] for _, by in ways if task in by) for task in tasks}
    common = [_row("always the commonest answer", first, tasks, MAJORITY)] if how == "frozen" else []
    return table(["model", *(first[task].name for task in tasks)], [*rows, *common])


def _row(first: Prose, by: Mapping[str, Score], tasks: Sequence[str], how: str) -> Cells:
    numbers = [by[task].number(how) if task in by else None for task in tasks]
    return (first, *(written(number) if number and number.value == number.value else NONE for number in numbers))


def _model(atlas: Atlas, page: str) -> Link:
    return to_model(atlas.slug, atlas.results.manifest.model, page)


def _scores(atlas: Atlas, page: str) -> Figure | None:  # noqa: ARG001 - as all figures
    found = scores(atlas)
    return scores_figure(found) if found else None


def _changes(atlas: Atlas, page: str) -> Figure | None:
    """The figure of changes of the first task that was learned, for what was not learned cannot be lost."""
    learned = (sweep for sweep in sweeps(atlas) if sweep.learned)
    return next((changes_figure(atlas, sweep, 1, page) for sweep in learned), None)


WRITTEN = Written(
    {"optima": optima, "scored": scored}, {"disabling": _changes, "optima": optima_figure, "scores": _scores}
)
