"""What has to be computed: one job for each listed model whose stored results are not what the settings ask for."""

import json
from typing import NamedTuple

from generator.config import Project
from generator.project.due import Due
from generator.project.models import address, check_names


class Job(NamedTuple):
    """A model to analyse."""

    model: str
    """What it is called."""
    slug: str
    revision: str
    why: str
    """"new", "other weights ..." or "stale: ..." with the studies."""


def plan(project: Project) -> list[Job]:
    """The jobs, in the order of the settings.

    Raises FieldguideError.
    """
    check_names(project.models)
    due = Due(project)
    found = ((choice, *due.why(choice)) for choice in project.models)
    return [Job(one.title, address(choice), one.revision, why) for choice, one, why in found if why]


def matrix(project: Project) -> str:
    """The jobs as the JSON of a workflow's matrix. Raises FieldguideError."""
    return json.dumps({"include": [job._asdict() for job in plan(project)]})
