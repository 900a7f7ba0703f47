"""One site, built once, served for the whole session, and looked at in Chromium."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.site import project
from tests.site.browser import NARROW, Visit, chromium, left, tab, visiting, visiting_in
from tests.site.project import HEAD, MODEL, Site


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, plain: Path) -> Iterator[Site]:
    """Gives the built site of two tiny encoders while it is served."""
    root = tmp_path_factory.mktemp("project")
    with project.server(root / "site") as address:
        with pytest.MonkeyPatch.context() as patch:  # not for the session: other tests build sites, too
            patch.setenv("SITE_URL", address)
            built = project.build(root, address, plain)
        yield built


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Gives Chromium, for this package alone: Playwright cannot be started twice at a time."""
    with chromium() as running:
        yield running


@pytest.fixture(scope="package")
def used(browser: Browser) -> Iterator[Page]:
    """Gives the tab of most tests: a new one would read each script anew, which takes as long as all that is shown."""
    with tab(browser) as page:
        yield page


@pytest.fixture
def visit(used: Page, site: Site) -> Iterator[Visit]:
    """Gives a tab of a laptop's width; the test fails if anything goes wrong in it."""
    with visiting_in(left(used), site.address) as visit:
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
def fresh(browser: Browser, site: Site) -> Iterator[Visit]:
    """Gives the same in a tab of its own, which a test may change for good."""
    with visiting(browser, site.address) as visit:
        yield visit


@pytest.fixture
def narrow(used: Page, site: Site) -> Iterator[Visit]:
    """Gives a tab of a telephone's width."""
    with visiting_in(left(used), site.address, NARROW) as visit:
        yield visit


@pytest.fixture(scope="package")
def used_for_files(browser: Browser) -> Iterator[Page]:
    """Gives the tab of tests that open files."""
    with tab(browser) as page:
        yield page


@pytest.fixture
def from_disk(used_for_files: Page, site: Site) -> Iterator[Visit]:
    """Gives a tab that opens the site's files without a server."""
    with visiting_in(left(used_for_files), f"{site.folder.as_uri()}/") as visit:
        yield visit
