"""What has to be computed: one job for each listed model whose stored results are not what the settings ask for."""

import json
import re
from typing import NamedTuple

from generator.analysis import due
from generator.config import ModelChoice, Project
from generator.errors import ResultsError
from generator.models.source import Identity, locate
from generator.project.models import address, check_names
from generator.results.manifest import Manifest

COMMIT = re.compile("[0-9a-f]{40}")


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

    A model's files are downloaded only if stored results of the same commit do not identify them. Raises
    FieldguideError.
    """
    check_names(project.models)
    found = ((choice, _identity(choice, project)) for choice in project.models)
    jobs = (
        Job(one.title, address(choice), one.revision, due(one, project.analysis(choice), project.results))
        for choice, one in found
    )
    return [job for job in jobs if job.why]


def matrix(project: Project) -> str:
    """The jobs as the JSON of a workflow's matrix. Raises FieldguideError."""
    return json.dumps({"include": [job._asdict() for job in plan(project)]})


def _identity(choice: ModelChoice, project: Project) -> Identity:
    """The identity of a model, from stored results of the same commit, which cannot change, or else from its files."""
    if choice.revision and COMMIT.fullmatch(choice.revision):
        try:
            stored = Manifest.read(project.results / address(choice))
        except ResultsError:
            pass
        else:
            if stored.revision == choice.revision and stored.setup_sha256:
                return Identity(stored.model, stored.revision, stored.weights_sha256, stored.setup_sha256)
    return locate(choice.id, choice.revision, choice.name or "").identity
