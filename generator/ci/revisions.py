"""Which listed models have moved on: their main branch on the hub is at another commit than the one that is listed."""

from collections.abc import Iterator

from generator.config import Project
from generator.errors import ModelError
from generator.models.newest import newest
from generator.project.edit import SHORT
from generator.project.models import at_commit


def moved(project: Project) -> Iterator[str]:
    """A sentence for each model whose listed commit is not the newest on the hub, or whose newest cannot be looked up.

    A model without a commit in the settings is read as it is now and gets no sentence.
    """
    for choice in project.models:
        if not choice.revision or not at_commit(choice):
            continue
        try:
            there = newest(choice.id)
        except ModelError as error:
            yield str(error)
            continue
        if there != choice.revision:
            yield (
                f"{choice.name or choice.id} is listed at {choice.revision[:SHORT]}, its main branch on the hub is at "
                f"{there[:SHORT]}; to show that one as well: fieldguide add {choice.id}"
            )
