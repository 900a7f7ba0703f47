"""What has to be computed: one job for each listed model whose stored results are not what the settings ask for."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from generator.config import Project
from generator.errors import FieldguideError
from generator.project.due import Due
from generator.project.models import address, called, check_names


class Planned(NamedTuple):
    """A model to analyse."""

    model: str
    """What it is called."""
    slug: str
    revision: str
    why: str
    """"new", "other weights ...", "stale: ..." with the studies, or "other corpora"."""


def plan(project: Project) -> tuple[list[Planned], list[str]]:
    """The jobs, in the order of the settings, and a sentence for each model that cannot be planned, with the reason.

    Raises SettingsError if two models would have the same addresses.
    """
    check_names(project.models)
    due = Due(project)
    jobs, failed = [], []
    for choice in project.models:
        try:
            identity, why = due.why(choice)
        except FieldguideError as error:
            failed.append(f"{called(choice)}: {error}")
            continue
        if why:
            jobs.append(Planned(identity.title, address(choice), identity.revision, why))
    return jobs, failed


def problems(project: Project) -> list[str]:
    """A sentence for each listed model whose stored results are missing or stale, and for each that cannot be planned.

    Raises SettingsError as `plan` does.
    """
    jobs, failed = plan(project)
    return [*(f"{job.model} has no results that are up to date ({job.why})." for job in jobs), *failed]


def shown(project: Project) -> bool:
    """Whether there are results of any listed model, old ones included."""
    return any((project.results / address(choice)).is_dir() for choice in project.models)


def matrix(jobs: Sequence[Planned]) -> str:
    """The jobs as the JSON of a workflow's matrix."""
    return json.dumps({"include": [job._asdict() for job in jobs]})
