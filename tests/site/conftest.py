"""One site, built once, served for the whole session, and looked at in Chromium."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.site import project
from tests.site.browser import NARROW, Visit, chromium, visiting
from tests.site.project import HEAD, MODEL, Site


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, plain: Path) -> Iterator[Site]:
    """Gives the built site of two tiny encoders while it is served."""
    root = tmp_path_factory.mktemp("project")
    with project.server(root / "site") as address, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SITE_URL", address)
        yield project.build(root, address, plain)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Gives Chromium, for this package alone: Playwright cannot be started twice at a time."""
    with chromium() as running:
        yield running


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Visit]:
    """Gives a tab of a laptop's width; the test fails if anything goes wrong in it."""
    with visiting(browser, site.address) as visit:
        yield visit


@pytest.fixture(scope="module")
def model(browser: Browser, site: Site) -> Iterator[Visit]:
    """Gives a tab that shows a model, every figure drawn; tests leave it as it is."""
    with visiting(browser, site.address) as visit:
        visit.go(MODEL)
        visit.figures()
        yield visit


@pytest.fixture(scope="module")
def head(browser: Browser, site: Site) -> Iterator[Visit]:
    """Gives a tab that shows a head, every figure drawn; tests leave it as it is."""
    with visiting(browser, site.address) as visit:
        visit.go(HEAD)
        visit.figures()
        yield visit


@pytest.fixture
def narrow(browser: Browser, site: Site) -> Iterator[Visit]:
    """Gives a tab of a telephone's width."""
    with visiting(browser, site.address, NARROW) as visit:
        yield visit


@pytest.fixture
def from_disk(browser: Browser, site: Site) -> Iterator[Visit]:
    """Gives a tab that opens the site's files without a server."""
    with visiting(browser, f"{site.folder.as_uri()}/") as visit:
        yield visit
