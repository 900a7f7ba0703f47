"""Every topic names what it gives, the core knows none by name, and what a topic shows computes nothing from maps."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from generator.home import PACKAGE
from generator.topics import OURS, TOPICS
from generator.topics.topic import Topic
from tests.test_architecture import FILES, PARTS, _imports

CONSTANTS = {
    "corpora": "KIND",
    "records": "STUDIES",
    "compute": "PROCEDURE",
    "claims": "CLAIMS",
    "charts": "CHARTS",
    "pages": "PAGE",
    "naming": "NAMING",
    "against": "AGAINST",
    "heads": "OF_HEADS",
    "models": "OF_MODELS",
    "home": "OF_HOME",
    "shared": "SHARED",
    "cached": "CACHED",
    "figures": "FIGURE",
    "written": "WRITTEN",
    "assets": "ASSETS",
    "commands": "COMMANDS",
}
"""Field of a topic -> what each of its modules gives."""
OF_PAGES = ("pages", "naming", "heads", "models", "home", "shared", "cached", "figures", "written", "assets")
FOLDERS = {"corpora": "corpus", "against": "claims"} | dict.fromkeys(OF_PAGES, "page")
"""Field of a topic -> the part in which its modules lie, if it is called otherwise."""


def test_every_folder_is_a_topic() -> None:
    folders = {path.parent.name for path in (PACKAGE / "topics").glob("*/__init__.py")}
    assert folders == set(OURS)
    assert [topic.package for topic in TOPICS] == [f"generator.topics.{name}" for name in OURS]


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.package.rpartition(".")[2])
def test_a_topic_names_all_that_it_gives_and_nothing_else(topic: Topic) -> None:
    """What is not named would be seen by nobody."""
    for part, constant in CONSTANTS.items():
        folder = f"{topic.package}.{FOLDERS.get(part, part)}"
        binds = re.compile(rf"^(def |\w+ = )?{constant}\b", re.MULTILINE)
        there = {name for name, path in FILES.items() if name.startswith(folder) and binds.search(path.read_text())}
        assert {f"{topic.package}.{name}" for name in getattr(topic, part)} == there, f"{constant} of {topic.package}"
    for place in (*topic.experiments.values(), *(one.make for one in topic.extras.values())):
        module, _, name = f"{topic.package}.{place}".rpartition(".")
        assert callable(getattr(import_module(module), name))


def test_a_topic_has_no_parts_but_those_of_stages() -> None:
    parts = {Path(name.replace(".", "/")).parts[3] for name in FILES if re.match(r"generator\.topics\.\w+\.", name)}
    assert parts == set(PARTS)


def test_no_file_of_the_core_names_a_topic() -> None:
    named = {
        (module, item.target)
        for module in FILES
        if not module.startswith("generator.topics")
        for item in _imports(module)
        if re.match(r"generator\.topics\.(?!topic\b)\w", item.target)
    }
    assert named == set()


@pytest.mark.parametrize("part", ["corpus", "records", "derived", "claims", "charts", "page"])
def test_what_follows_from_stored_tables_reads_no_maps_and_runs_no_experiment(part: str) -> None:
    """Pages and claims are made of tables; what makes the tables is known to analyses and experiments alone."""
    wrong = [
        (module, item.target)
        for module in FILES
        if re.match(rf"generator\.topics\.\w+\.{part}\b", module)
        for item in _imports(module)
        if re.match(r"generator\.topics\.\w+\.(run|compute)\b", item.target)
    ]
    assert wrong == []


def test_topics_import_of_each_other_what_is_public_and_nothing_else() -> None:
    topic_of = {topic.package: topic for topic in TOPICS}
    imported: set[tuple[str, str]] = set()
    for module in FILES:
        for item in _imports(module):
            found = re.match(r"(generator\.topics\.\w+)\.", item.target)
            if found and module.startswith("generator.topics.") and not module.startswith(found[1]):
                package, target = found[1], item.target
                while target not in FILES:
                    target = target.rpartition(".")[0]
                imported.add((package, target.removeprefix(f"{package}.")))
    assert imported == {(package, name) for package, topic in topic_of.items() for name in topic.public}
