"""One folder for each question that the guide asks: its records, its computing, its claims, its charts and its page.

Stages ask for what all topics give and know none by name.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from generator.errors import SettingsError
from generator.home import PACKAGE
from generator.topics.topic import REMEDY, Extra, Topic, folder_of, installed

NO_NUMBER = "It finds modules, and computes nothing that is stored."
OURS = (
    *("relations", "mentions", "probes", "distances", "tokens", "layers", "frames", "inputs", "vectors"),
    *("tasks", "compare", "learning", "seeds", "variants", "quoted", "live"),
)
"""The folders here, in the order in which pages and definitions are listed."""
_INSTALLED, _WRONG = installed()
TOPICS: tuple[Topic, ...] = (*(import_module(f"{__name__}.{name}").TOPIC for name in OURS), *_INSTALLED)
OTHERS: Mapping[str, Path] = {
    name: folder_of(name) for name in sorted({topic.package.partition(".")[0] for topic in _INSTALLED})
}
"""Other packages that have topics -> where they lie."""
_EXTRAS = [
    (name, replace(extra, make=f"{topic.package}.{extra.make}"))
    for topic in TOPICS
    for name, extra in topic.extras.items()
]
SETTINGS: Mapping[str, Extra] = dict(_EXTRAS)
"""Key in the table of a model -> what is made of it, of all topics, by the whole name of its function."""
PROGRAM = (PACKAGE, *OTHERS.values())
"""The folders of all code that decides what a guide shows."""


def check_topics() -> None:
    """Raises SettingsError if a topic of another package cannot be loaded, so that no guide is made without it, or if
    two topics have a setting of the same name.
    """
    if _WRONG:
        raise SettingsError(_WRONG[0])
    makers = {name: [extra.make for other, extra in _EXTRAS if other == name] for name in SETTINGS}
    if twice := next((name for name in makers if len(makers[name]) > 1), None):
        found = f"{twice} for {' and '.join(makers[twice])}"
        raise SettingsError(f"Expected settings of topics to have names of their own, found {found}; {REMEDY}.")


def of_topics(part: str, constant: str) -> Iterator[Any]:
    """What the modules of a part of all topics call by the name of a constant, in the order of topics."""
    for topic in TOPICS:
        yield from topic.given(part, constant)
