"""Chromium, as the tests of the site start it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.site.browser import chromium


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Gives Chromium, for this package alone: Playwright cannot be started twice at a time."""
    with chromium() as running:
        yield running
