"""Which listed models have moved on: the main branch of the hub is at another commit than the one that is listed."""

from collections.abc import Iterator

from huggingface_hub import HfApi

from generator.ci.plan import COMMIT
from generator.config import Project
from generator.errors import reason
from generator.models.source import called
from generator.project.edit import SHORT


def moved(project: Project) -> Iterator[str]:
    """A sentence for each model whose listed commit is not the newest of the hub, or whose newest cannot be had.

    A model without a commit in the settings is read as it is now, so there is nothing to say of it.
    """
    newest: dict[str, str] = {}
    for choice in project.models:
        if not choice.revision or not COMMIT.fullmatch(choice.revision):
            continue
        title = choice.name or called(choice.id)
        try:
            newest[choice.id] = newest.get(choice.id) or HfApi().model_info(choice.id, revision="main").sha or ""
        except Exception as error:  # noqa: BLE001 - the hub's client lets through whatever its transport raises
            yield f"{title}: the hub could not be asked for its newest commit ({reason(error)})."
            continue
        if newest[choice.id] != choice.revision:
            yield (
                f"{title} is listed at {choice.revision[:SHORT]}, the main branch of the hub is at "
                f"{newest[choice.id][:SHORT]}; to show that one as well: fieldguide add {choice.id}"
            )
