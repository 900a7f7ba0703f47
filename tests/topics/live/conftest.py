"""Models as a browser runs them, and scripts that draw."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from generator.errors import ModelError
from generator.models.source import Source, locate
from tests.attention.masked_lm import CLASSES, write_masked_lm
from tests.cli.command import fieldguide
from tests.site.browser import chromium
from tests.site.project import server
from tests.topics.live import tab
from tests.topics.live.test_extra import project as written


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Gives Chromium, for this package alone: Playwright cannot be started twice at a time."""
    with chromium() as found:
        yield found


@pytest.fixture(scope="package")
def running(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Source], Page]]:
    """Gives a tab in which a model runs, by where the model's files lie."""
    with tab.running(browser, tmp_path_factory.mktemp("live")) as ready:
        yield ready


UNTIED = "untied"
"""A BERT whose masked-LM head has a last matrix of its own."""


@pytest.fixture(scope="package")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Source]:
    """Gives where a model lies that comes with the program, or one of a family with random weights."""

    @cache
    def source(name: str) -> Source:
        if name == UNTIED:
            return locate(
                str(write_masked_lm("bert", tmp_path_factory.mktemp("models") / name, tie_word_embeddings=False))
            )
        if name in CLASSES:
            return locate(str(write_masked_lm(name, tmp_path_factory.mktemp("models") / name)))
        try:
            return locate(name)
        except ModelError as error:
            pytest.skip(str(error))

    return source


@pytest.fixture(scope="package")
def drawings(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Gives a tab that can import all that draws, as `drawings.js`, and `tokenizer.js`."""
    root = tmp_path_factory.mktemp("drawings")
    tab.write_module(
        root / "drawings.js",
        ("visible", "measures", "arcs", "maps", "seen"),
        ("arcs", "smallMap", "share", "rank", "lineOf"),
    )
    tab.write_module(root / "tokenizer.js", ("visible", "tokenizer"), ("Tokenizer",))
    with tab.served(browser, root) as (_, page):
        yield page


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gives the built site of a guide whose tiny BERT, with a masked-LM head, is live."""
    root = tmp_path_factory.mktemp("guide")
    settings = written(root, lambda name: write_masked_lm(name, root / name), "bert")
    outcome = fieldguide("build", "--config", settings)
    assert outcome.exit == 0, outcome.err
    return root / "site"


@pytest.fixture(scope="package")
def address(folder: Path) -> Iterator[str]:
    """Gives the address of that site."""
    with server(folder) as found:
        yield found
