"""What hand-written pages say and show of a training: heads that formed in it, and what it paid for on tasks."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from generator.numbers.number import Number
from generator.numbers.writing import number, written
from generator.pages import addresses
from generator.pages.blocks import Figure
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cells, Link, Part, Prose
from generator.pages.links import to_head, to_model
from generator.pages.studies.tables import stored
from generator.pages.written.context import Context, Written
from generator.pages.written.in_markdown import sentence, table
from generator.results.tables import records
from generator.topics.learning.page.data import Course, step_text
from generator.topics.learning.page.figures import contrast_figure, signatures_figure
from generator.topics.learning.page.forming import formed, forming_figure
from generator.topics.learning.page.page import there
from generator.topics.learning.records.runs import TUNING
from generator.topics.tasks.page.words import METRICS, NAMES
from generator.topics.tasks.page.written import SCORELESS

UNFORMED = "This guide has no training in which a head came to give one target more than half of its attention."


def half_formed(atlases: Sequence[Atlas], page: str) -> Prose:
    """One sentence on the steps by which heads had come half the way to where they look in the end, in every training,
    with links to its page and to the heads; empty if there are none.
    """
    pieces: list[str | Part] = []
    for course in (Course(atlas) for atlas in atlases if there(atlas)):
        slug, found = course.atlas.slug, formed(course)
        curve = Link(course.atlas.results.manifest.model, addresses.relative(addresses.curve(slug), page))
        pieces += [f"{'; in' if pieces else 'In'} ", curve] if found else []
        for at, (target, rise) in enumerate(found.items()):
            pieces.append(" and head " if 0 < at == len(found) - 1 else ", head ")
            pieces.append(to_head(slug, rise["layer"], rise["head"], page))
            pieces.append(
                f"{'' if at else ' was half-way'} to looking at {target.words} by step {step_text(rise['step'])}"
            )
    return (*pieces, ".") if pieces else ""


def began(context: Context, /) -> str:
    """When heads were half-way to where they look at the end of a training."""
    return sentence(half_formed(context.atlases, context.page)) or UNFORMED


def paid(context: Context, /) -> str:
    """The scores on tasks from the first and the last checkpoint that were fine-tuned, as a table."""
    rows = [row for atlas in context.atlases for row in _ends(atlas, context.page)]
    return table(["model", "task", "examples", "first checkpoint", "last checkpoint"], rows) if rows else SCORELESS


def _ends(atlas: Atlas, page: str) -> Iterator[Cells]:
    rows = stored(atlas, "curves", study=TUNING, layer=0)
    for task, title in NAMES.items():
        own = rows[rows["name"] == f"{task}.{METRICS[task]}"].sort_values("step")
        if own["step"].nunique() > 1:
            first, *_, last = records(own)
            cells = [f"step {number(end['step'])}: {written(Number.of(end))}" for end in (first, last)]
            yield (to_model(atlas.slug, atlas.results.manifest.model, page), title, _examples(atlas, task), *cells)


def _examples(atlas: Atlas, task: str) -> str:
    """On how many examples of a task the checkpoints were fine-tuned."""
    settings = (one.manifest.settings for one in atlas.results.more if one.manifest.experiment == f"curve.{task}")
    most = next(settings, {}).get("examples")
    return f"{most:,}" if most else "all"


def _of_course(drawn: Callable[[Course], Figure | None], atlas: Atlas, page: str) -> Figure | None:  # noqa: ARG001
    return drawn(Course(atlas)) if there(atlas) else None


WRITTEN = Written(
    {"began": began, "paid": paid},
    {
        "forming": partial(_of_course, forming_figure),
        "signatures": partial(_of_course, signatures_figure),
        "next sentence": partial(_of_course, contrast_figure),
    },
)
