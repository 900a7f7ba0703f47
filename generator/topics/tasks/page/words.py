"""What tasks, their scores and ways of disabling are called on pages."""

from generator.corpora.tasks import TASKS
from generator.topics.tasks.records.tasks import METRICS as TITLES

DOING = {"uniform": "Making its attention uniform", "zero": "Setting its output to zero"}
"""Way of disabling -> how a sentence on its effect begins."""
POINTS = 100
"""A point is a hundredth of a score."""
NAMES = {task.name: task.title.partition(":")[0] for task in TASKS}
"""Task -> its name on pages."""
METRICS = {task.name: task.metrics[0] for task in TASKS}
"""Task -> its headline metric."""


def spelled(metric: str) -> str:
    """The name of a metric within a sentence.

    >>> spelled("f1"), spelled("matthews"), spelled("accuracy")
    ('F1', "Matthews' correlation", 'accuracy')
    """
    title = TITLES.get(metric, metric)
    return title.lower() if title.isalpha() else title
