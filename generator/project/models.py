"""Finds the models that a project lists, on this machine or on the hub."""

from typing import NamedTuple

from generator.config import Analysis, ModelChoice, Project
from generator.errors import ModelError, SettingsError
from generator.models.names import slug
from generator.models.source import UNPINNED, Source, called, locate
from generator.numbers.writing import listed


class Listed(NamedTuple):
    """A model of the settings file."""

    source: Source
    analysis: Analysis
    pinned: bool
    """Whether its files cannot change, unlike those of a branch on the hub."""


def located(project: Project) -> tuple[list[Listed], dict[str, str]]:
    """The models of the settings; of those that cannot be found, the names with the reasons.

    Raises SettingsError if two models would have the same addresses.
    """
    check_names(project.models)
    found, failed = [], {}
    for choice in project.models:
        try:
            found.append(_located(project, choice))
        except ModelError as error:
            failed[choice.name or choice.id] = str(error)
    return found, failed


def one(project: Project, model: str) -> Listed:
    """The model of the settings with this name. Raises SettingsError if none has it, ModelError if it is missing."""
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


def address(choice: ModelChoice) -> str:
    """The slug of a model, known before its files are found."""
    return slug(choice.name or called(choice.id))
