"""What models score on tasks, as tables of hand-written pages: a row for each model that was trained on one."""

from collections.abc import Iterator, Mapping, Sequence

from generator.claims.evidence.tasks import FINE_TUNED, FROZEN, MAJORITY
from generator.errors import SiteError
from generator.numbers.number import Number
from generator.numbers.writing import number, written
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cells, Link, Prose
from generator.pages.links import to_model
from generator.pages.studies.tables import stored
from generator.pages.written.in_markdown import table
from generator.results.tables import records
from generator.topics.learning.records.runs import TUNING
from generator.topics.tasks.page.scores import Score, scores
from generator.topics.tasks.page.words import METRICS, NAMES

WAYS = {"fine-tuned": FINE_TUNED, "frozen": FROZEN}
"""Word on a page -> way of training from pre-trained weights, as the store names it."""
SCORELESS = "No model of this guide was trained on a task in this way."
NONE = "-"


def scored(atlases: Sequence[Atlas], how: str, page: str) -> str:
    """A Markdown table of the headline scores of one way of training, with those of the commonest answer where a task
    has one. Raises SiteError for an unknown way.
    """
    if how not in WAYS:
        raise SiteError(f"Expected {' or '.join(WAYS)} in scored(...), found {how!r}; correct the page.")
    every = [(atlas, [one for one in scores(atlas) if one.metric == METRICS.get(one.task)]) for atlas in atlases]
    ways = [(atlas, {one.task: one for one in found if one.number(WAYS[how])}) for atlas, found in every]
    tasks = [task for task in NAMES if any(task in by for _, by in ways)]
    if not tasks:
        return SCORELESS
    rows = [_row(_model(atlas, page), by, tasks, WAYS[how]) for atlas, by in ways if by]
    first = {task: next(by[task] for _, by in ways if task in by) for task in tasks}
    common = [_row("always the commonest answer", first, tasks, MAJORITY)] if how == "frozen" else []
    return table(["model", *(first[task].name for task in tasks)], [*rows, *common])


def paid(atlases: Sequence[Atlas], page: str) -> str:
    """A Markdown table of the scores from the first and the last checkpoint that were fine-tuned."""
    rows = [row for atlas in atlases for row in _ends(atlas, page)]
    return table(["model", "task", "first checkpoint", "last checkpoint"], rows) if rows else SCORELESS


def _ends(atlas: Atlas, page: str) -> Iterator[Cells]:
    rows = stored(atlas, "curves", study=TUNING, layer=0)
    for task, title in NAMES.items():
        own = rows[rows["name"] == f"{task}.{METRICS[task]}"].sort_values("step")
        if own["step"].nunique() > 1:
            first, *_, last = records(own)
            cells = [f"step {number(end['step'])}: {written(Number.of(end))}" for end in (first, last)]
            yield (_model(atlas, page), title, *cells)


def _row(first: Prose, by: Mapping[str, Score], tasks: Sequence[str], how: str) -> Cells:
    numbers = [by[task].number(how) if task in by else None for task in tasks]
    return (first, *(written(one) if one and one.value == one.value else NONE for one in numbers))


def _model(atlas: Atlas, page: str) -> Link:
    return to_model(atlas.slug, atlas.results.manifest.model, page)
