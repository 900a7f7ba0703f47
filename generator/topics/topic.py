"""A topic is one question that the guide asks: its modules, by what each gives to the stages of the house."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

NO_NUMBER = "It says where modules lie, and computes nothing that is stored."
GROUP = "fieldguide.topics"
"""The entry point under which a package of others names its topic."""


@dataclass(frozen=True)
class Topic:
    """One question. It names its modules, so that each is loaded only by the stage that asks for it."""

    package: str
    """The folder of all of them, such as "generator.topics.tokens"."""
    corpora: tuple[str, ...] = ()
    """Modules with `KIND`: a kind of corpus."""
    records: tuple[str, ...] = ()
    """Modules with `STUDIES`: the records of its numbers."""
    compute: tuple[str, ...] = ()
    """Modules with `PROCEDURE`: how an analysis makes the numbers of a study. If one reads what another one stores, it
    comes after it.
    """
    experiments: Mapping[str, str] = field(default_factory=dict)
    """Name of an experiment -> the function that makes it."""
    claims: tuple[str, ...] = ()
    """Modules with `CLAIMS`."""
    charts: tuple[str, ...] = ()
    """Modules with `CHARTS`: name of a kind of chart -> the function that makes it."""
    pages: tuple[str, ...] = ()
    """Modules with `PAGE`: a page that each model has for which there are numbers."""
    heads: tuple[str, ...] = ()
    """Modules with `of_heads`: a function of a model that returns what gives the section of a head on its page."""
    commands: tuple[str, ...] = ()
    """Modules with `COMMANDS` of the command line; they import what they run when they run it."""

    @property
    def folder(self) -> Path:
        """Where its modules lie."""
        return Path(str(import_module(self.package).__file__)).parent

    def given(self, part: str, constant: str) -> Iterator[Any]:
        """The constant of each module of a part, in order."""
        for name in getattr(self, part):
            yield getattr(import_module(f"{self.package}.{name}"), constant)


def installed() -> Iterator[Topic]:
    """The topics of other packages, by name."""
    for entry in sorted(entry_points(group=GROUP), key=lambda one: one.name):
        topic: Topic = entry.load()
        yield topic
