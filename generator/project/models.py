"""Finds the models that a project lists, on this machine or on the hub."""

import re
from collections.abc import Collection
from typing import NamedTuple

from generator.config import Analysis, ModelChoice, Project
from generator.errors import ModelError, SettingsError
from generator.models.names import slug
from generator.models.source import UNPINNED, Source, locate
from generator.models.source import called as named
from generator.numbers.writing import listed

COMMIT = re.compile("[0-9a-f]{40}")


class Listed(NamedTuple):
    """A model of the settings file."""

    source: Source
    analysis: Analysis
    pinned: bool
    """Whether its files cannot change, unlike those of a branch on the hub."""


def located(project: Project, but: Collection[ModelChoice] = ()) -> tuple[list[Listed], dict[str, str]]:
    """The models of the settings without those in `but`; and for each that cannot be found, its name and the reason.

    Raises SettingsError if two models would have the same addresses.
    """
    check_names(project.models)
    found, failed = [], {}
    for choice in (model for model in project.models if model not in but):
        try:
            found.append(_located(project, choice))
        except ModelError as error:
            failed[called(choice)] = str(error)
    return found, failed


def one(project: Project, model: str) -> Listed:
    """The model of the settings with this name.

    Raises SettingsError if no model has this name, ModelError if the model cannot be found.
    """
    check_names(project.models)
    for choice in project.models:
        if address(choice) == slug(model):
            return _located(project, choice)
    raise SettingsError(
        f"Expected a model of {project.root / project.file} ({names(project)}), found {model}; correct the name."
    )


def names(project: Project) -> str:
    """The names of the models of the settings as text, or "no model"."""
    return ", ".join(project.names) or "no model"


def _located(project: Project, choice: ModelChoice) -> Listed:
    source = locate(choice.id, choice.revision, choice.name or "")
    return Listed(source, project.analysis(choice), source.revision in {*UNPINNED, choice.revision})


def check_names(choices: tuple[ModelChoice, ...]) -> None:
    """Raises SettingsError if two models would have the same addresses."""
    slugs = [address(choice) for choice in choices]
    twice = next((name for name in slugs if slugs.count(name) > 1), None)
    if twice:
        both = listed([choice.id for choice, name in zip(choices, slugs, strict=True) if name == twice])
        raise SettingsError(
            f"Expected models of different names, found {twice!r} for {both}; give one a name of its own."
        )


def at_commit(choice: ModelChoice) -> bool:
    """Whether a model is listed with a whole commit of the hub, whose files cannot change."""
    return bool(choice.revision and COMMIT.fullmatch(choice.revision))


def address(choice: ModelChoice) -> str:
    """The slug of a model, known before its files are found."""
    return slug(called(choice))


def called(choice: ModelChoice) -> str:
    """What a model is called, known before its files are found."""
    return choice.name or named(choice.id)
