"""A topic of another package has a setting of its own for models, and files that are made where it is set."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.test_pipeline import write_project
from tests.topics.test_of_others import Guide, install

PROJECT = """
[project]
name = "fieldguide-cards"
version = "1.0"

[project.entry-points."fieldguide.topics"]
cards = "cards:TOPIC"
"""
TOPIC = """
from generator.topics.topic import Extra, Topic

TOPIC = Topic(package=__name__, extras={"card": Extra("make.card", str), "copies": Extra("make.copies", int)})
"""
MAKE = """
def card(source, results, setting):
    return {"card.txt": f"{setting} {results.manifest.layers}".encode()}


def copies(source, results, setting):
    return {f"{at}.txt": b"" for at in range(setting)}
"""
FILES = (("pyproject.toml", PROJECT), ("cards/__init__.py", TOPIC), ("cards/make.py", MAKE))


@pytest.fixture(scope="module")
def guide(checkpoint, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guide]:
    """Gives a guide that was built with settings of the package."""
    root = tmp_path_factory.mktemp("settings")
    model = Path(shutil.copytree(checkpoint("bert"), root / "models" / "one"))
    made = Guide(write_project(root / "guide", [model], studies=False).parent, install(root / "package", FILES))
    with closing(made):
        choose(made, 'card = "Layers:"\ncopies = 2\n')
        made.run("build")
        yield made


def choose(guide: Guide, keys: str) -> None:
    """Let the table of the model have these keys below its id."""
    path = guide.root / "fieldguide.toml"
    text, _, _ = path.read_text().partition("\n\n# of the package\n")
    path.write_text(f"{text.rstrip()}\n\n# of the package\n{keys}")


def published(guide: Guide) -> dict[str, str]:
    """The files below the model's address that the package made."""
    place = guide.root / "site" / "models" / "one"
    found = [path for name in ("card", "copies") for path in (place / name).glob("*")]
    return {path.relative_to(place).as_posix(): path.read_text() for path in found}


def test_what_a_setting_asks_for_is_made_of_its_value_and_published(guide: Guide) -> None:
    assert published(guide) == {"card/card.txt": "Layers: 3", "copies/0.txt": "", "copies/1.txt": ""}
    choose(guide, 'card = "So many layers:"\n')
    guide.run("build")
    assert published(guide) == {"card/card.txt": "So many layers: 3"}


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("card = true\n", "Expected another value of card in [[model]] of fieldguide.toml, found True ("),
        ('copies = "2"\n', "Expected another value of copies in [[model]] of fieldguide.toml, found '2' ("),
        ('cart = ""\n', "Expected one of id, revision, name, corpora, live, card, copies in [[model]] of"),
        ("extras = {}\n", "Expected one of id, revision, name, corpora, live, card, copies in [[model]] of"),
    ],
)
def test_a_wrong_value_and_an_unknown_key_are_named(guide: Guide, keys: str, said: str) -> None:
    choose(guide, keys)
    ended = guide.ended("build")
    assert ended.exit == 1
    assert said in ended.err


def test_two_topics_with_one_name_are_refused(guide: Guide, tmp_path: Path) -> None:
    choose(guide, "")
    path = guide.package / "cards" / "__init__.py"
    text = path.read_text()
    path.write_text(text.replace('"copies"', '"live"'))
    ended = guide.ended("claims")
    path.write_text(text)
    assert ended.err == (
        "Error: Expected settings of topics to have names of their own, found live for "
        "generator.topics.live.compute.extra.make and cards.make.copies; correct its package, or uninstall it.\n"
    )


def test_nothing_is_left_of_a_package_that_is_taken_away(guide: Guide) -> None:
    choose(guide, "copies = 1\n")
    guide.run("build")
    assert published(guide) == {"copies/0.txt": ""}
    assert "found 'copies'" in guide.ended("build", installed=False).err
    choose(guide, "")
    guide.run("build", installed=False)
    assert published(guide) == {}
