"""A topic is one question that the guide asks: its modules, by what each gives to the stages of the house."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from generator.errors import FieldguideError, SettingsError, reason

NO_NUMBER = "It says where modules lie, and computes nothing that is stored."
GROUP = "fieldguide.topics"
"""The entry point under which a package of others names its topic."""
REMEDY = "correct its package, or uninstall it"


@dataclass(frozen=True)
class Extra:
    """Files that are made of a model itself, if a setting asks for it."""

    make: str
    """The function that makes them, in a module of the topic. It takes where the model's files lie, its results and the
    value of the setting, returns the content of each file by its name, and raises ModelError for a model of which they
    cannot be made.
    """
    kind: type[bool | int | float | str] = bool
    """What the setting is. Where it is not set, it is the empty value of its kind, for which nothing is made."""


@dataclass(frozen=True)
class Topic:
    """One question. It names its modules, so that each is loaded only by the stage that asks for it."""

    package: str
    """The folder of all of them, such as "generator.topics.tokens"."""
    public: tuple[str, ...] = ()
    """Modules that other topics may import; what else lies here may change without a look at them."""
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
    naming: tuple[str, ...] = ()
    """Modules with `NAMING`: a kind of names that heads may have, and the words for it."""
    against: tuple[str, ...] = ()
    """Modules with `AGAINST`: a function of results that returns one which adds to a statement on the maps of a head
    what tables of this topic say against it.
    """
    heads: tuple[str, ...] = ()
    """Modules with `OF_HEADS`: what is said of each head on its page and in lists."""
    models: tuple[str, ...] = ()
    """Modules with `OF_MODELS`: what is said of each model on pages that are not of this topic."""
    home: tuple[str, ...] = ()
    """Modules with `OF_HOME`: a function of all models that returns a section of the first page, or None."""
    shared: tuple[str, ...] = ()
    """Modules with `SHARED`: a function that makes pages about several models."""
    cached: tuple[str, ...] = ()
    """Modules with `CACHED`: what pages of all models show of each, kept between builds."""
    figures: tuple[str, ...] = ()
    """Modules with `FIGURE`: a kind of figures for notebooks."""
    written: tuple[str, ...] = ()
    """Modules with `WRITTEN`: calls and figures of hand-written pages."""
    extras: Mapping[str, Extra] = field(default_factory=dict)
    """Key in the table of a model, `[[model]]` of the settings -> what is made of the model itself where it is set. The
    files are published in a folder of that name below the model's address.
    """
    assets: tuple[str, ...] = ()
    """Modules with `ASSETS`: name of a file that pages load -> the files of which it is made."""
    commands: tuple[str, ...] = ()
    """Modules with `COMMANDS` of the command line; they import what they run when they run it."""

    @property
    def folder(self) -> Path:
        """Where its modules lie."""
        return folder_of(self.package)

    def given(self, part: str, constant: str) -> Iterator[Any]:
        """The constant of each module of a part, in order. Raises SettingsError for a module that does not give it."""
        for name in getattr(self, part):
            module = f"{self.package}.{name}"
            try:
                found = getattr(import_module(module), constant)
            except FieldguideError:
                raise
            except Exception as error:
                text = f"Expected {module} to give {constant}, found: {reason(error)}; {REMEDY}."
                raise SettingsError(text) from error
            yield found


def folder_of(package: str) -> Path:
    """Where a package lies."""
    return Path(str(import_module(package).__file__)).parent


def installed() -> tuple[tuple[Topic, ...], tuple[str, ...]]:
    """The topics of other packages, by name, and a sentence for each that cannot be loaded."""
    found, wrong = [], []
    for entry in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            found.append(entry.load())
        except Exception as error:  # noqa: BLE001 - code of others may raise anything
            wrong.append(f"Expected to load the topic {entry.name} ({entry.value}), found: {reason(error)}; {REMEDY}.")
    return tuple(found), tuple(wrong)
