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
    "heads": "of_heads",
    "below": "below_arcs",
    "home": "of_home",
    "assets": "ASSETS",
    "commands": "COMMANDS",
}
"""Field of a topic -> what each of its modules gives."""
FOLDERS = {"corpora": "corpus", "pages": "page", "heads": "page", "below": "page", "home": "page", "assets": "page"}
"""Field of a topic -> the part in which its modules lie, if it is called otherwise."""
STILL = {
    *("claims.clark.breadth", "claims.kovaleva.attention", "claims.others.introductions", "claims.others.related"),
    *("claims.evidence.evidence", "claims.evidence.reasons", "claims.evidence.tasks"),
    *(f"claims.gate.{name}" for name in ("losses", "mentions", "names", "premises", "treebanks")),
    *("public.figures", "site.models.maker"),
    *(f"pages.{name}" for name in ("contradicted", "compare.beside", "links", "models", "render", "titles.heads")),
    *(
        f"pages.heads.{name}"
        for name in ("arcs", "aside", "atlas", "naming.cost", "page", "pick", "printed", "studies")
    ),
    *(f"pages.heads.{name}" for name in ("trees", "why", "written")),
    *(f"pages.written.{name}" for name in ("drawn", "knowledge", "partners", "scored", "stored")),
    "studies.complete",
}
"""Files of the core that name a topic, because what they say of a model or a head is not given by the topic yet."""


def test_every_folder_is_a_topic() -> None:
    folders = {path.parent.name for path in (PACKAGE / "topics").glob("*/__init__.py")}
    assert folders == set(OURS)
    assert [one.package for one in TOPICS] == [f"generator.topics.{name}" for name in OURS]


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.package.rpartition(".")[2])
def test_a_topic_names_all_that_it_gives_and_nothing_else(topic: Topic) -> None:
    """What is not named would be seen by nobody."""
    for part, constant in CONSTANTS.items():
        folder = f"{topic.package}.{FOLDERS.get(part, part)}"
        binds = re.compile(rf"^(def )?{constant}\b", re.MULTILINE)
        there = {name for name, path in FILES.items() if name.startswith(folder) and binds.search(path.read_text())}
        assert {f"{topic.package}.{name}" for name in getattr(topic, part)} == there, f"{constant} of {topic.package}"
    for place in (*topic.experiments.values(), *topic.extras.values()):
        module, _, name = f"{topic.package}.{place}".rpartition(".")
        assert callable(getattr(import_module(module), name))


def test_a_topic_has_no_parts_but_those_of_stages() -> None:
    parts = {Path(name.replace(".", "/")).parts[3] for name in FILES if re.match(r"generator\.topics\.\w+\.", name)}
    assert parts == set(PARTS)


def test_no_further_file_of_the_core_names_a_topic() -> None:
    """The list only gets shorter."""
    named = {
        module.removeprefix("generator.")
        for module in FILES
        if not module.startswith("generator.topics")
        for item in _imports(module)
        if re.match(r"generator\.topics\.(?!topic\b)\w", item.target)
    }
    assert named == STILL


@pytest.mark.parametrize("part", ["records", "claims", "charts", "page"])
def test_what_is_shown_or_judged_runs_no_experiment(part: str) -> None:
    wrong = [
        (module, item.target)
        for module in FILES
        if re.match(rf"generator\.topics\.\w+\.{part}\b", module)
        for item in _imports(module)
        if re.match(r"generator\.topics\.\w+\.run\b", item.target)
    ]
    assert wrong == []
