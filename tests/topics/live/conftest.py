"""Models as a browser runs them, and scripts that draw."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from generator.models.source import Source
from tests.site.browser import chromium
from tests.topics.live import tab


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


@pytest.fixture(scope="package")
def drawings(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Gives a tab that can import all that draws, as `drawings.js`."""
    root = tmp_path_factory.mktemp("drawings")
    tab.write_module(root / "drawings.js", ("arcs", "maps", "seen"), ("arcs", "smallMap", "share", "rank", "ofWords"))
    with tab.served(browser, root) as (_, page):
        yield page
