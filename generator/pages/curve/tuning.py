"""How useful each checkpoint is as a start for a task: scores after fine-tuning against the step of pre-training."""

from collections.abc import Iterator, Mapping

from generator.pages.blocks import Section
from generator.pages.curve.data import Course, Row, step_text
from generator.pages.curve.figures import View, numbers_figure
from generator.pages.studies.tables import with_interval
from generator.pages.tasks.words import METRICS, NAMES, spelled
from generator.studies.learning.run_quantities import TUNING, TUNING_BASELINE

FINE_TUNED = "fine-tuned"
CAPTION = (
    "Score on the dev examples after fine-tuning from each checkpoint, mean over seeds; bands are 95 % intervals over "
    "examples and, where there are several, over seeds. Dashed: the majority class."
)


def tuned(course: Course) -> Section | None:
    """The section on scores after fine-tuning; None where no checkpoint was fine-tuned."""
    by_task = [list(_views(course, task)) for task in course.tasks()]
    views = [view for found in by_task for view in found]
    if not views:
        return None
    text = " ".join(_told(found[0]) for found in by_task if found)
    figure = numbers_figure(course.steps, "tuning", views, CAPTION)
    return Section("tuned", "What pre-training is worth after fine-tuning", (text, figure), level=3)


def _told(view: View) -> str:
    """A sentence with the first score, the last score and that of the majority class."""
    first, last = (view.curves[FINE_TUNED][end] for end in (0, -1))
    beside = "".join(f"; the {name} scores {with_interval(row)}" for name, row in view.baselines.items())
    return (
        f"{view.text}, after fine-tuning: {with_interval(first)} when it starts from step {step_text(first['step'])}, "
        f"{with_interval(last)} from step {step_text(last['step'])}{beside} (n {int(last['n']):,} examples)."
    )


def _views(course: Course, task: str) -> Iterator[View]:
    """A view for each metric, the headline first."""
    found: Mapping[str, list[Row]] = {name: course.series(TUNING, name, task) for name in course.names_of(TUNING, task)}
    first = METRICS.get(task)
    for name in sorted(found, key=lambda name: (name.rpartition(".")[2] != first, name)):
        metric = name.rpartition(".")[2]
        baseline = course.series(TUNING_BASELINE, name, task)
        kept = {"majority class": baseline[-1]} if baseline else {}
        of, what = NAMES.get(task, task), spelled(metric)
        phrase = f"After fine-tuning, {what} on {of}"
        yield View(f"{of}, {what}", "score", {FINE_TUNED: found[name]}, kept, phrase)
