"""In Chromium: axe finds nothing serious that is ours, in light and dark."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.site.browser import NARROW, WIDE, visiting
from tests.site.project import PLACES, Site

pytestmark = pytest.mark.browser
GRAVE = ("serious", "critical")
KINDS = ("home", "models", "finder", "model", "head", "methods", "method")
OTHERS = {"claims": "claims/", "claim": "claims/c04/", "finding": "findings/what-does-bert-look-at/", "data": "data/"}
"""Kinds of page that are looked at in one scheme."""
OPTIONS = {"resultTypes": ["violations"]}


def grave(browser: Browser, site: Site, address: str, scheme: str, size: tuple[int, int]) -> list[str]:
    """Violations on a page whose figures are drawn and whose tables are open: rule, element, what axe says of it."""
    with visiting(browser, site.address, size, color_scheme=scheme) as visit:
        visit.go(address)
        visit.figures()
        for summary in visit.page.locator("details.fg-table summary").all():
            summary.click()
        for menu in visit.page.locator(".fg-menu:visible > summary").all()[:4]:
            menu.click()
        found = Axe().run(visit.page, options=OPTIONS).response["violations"]
    return [
        f"{violation['id']}: {node['html'][:160]} {node['failureSummary']}"
        for violation in found
        if violation["impact"] in GRAVE
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_page_has_no_grave_obstacle(browser: Browser, site: Site, kind: str, scheme: str) -> None:
    assert grave(browser, site, PLACES[kind], scheme, WIDE) == []


def test_narrow_page_has_no_grave_obstacle(browser: Browser, site: Site) -> None:
    assert grave(browser, site, PLACES["head"], "light", NARROW) == []


@pytest.mark.parametrize("kind", OTHERS)
def test_page_of_another_kind_has_no_grave_obstacle(browser: Browser, site: Site, kind: str) -> None:
    assert grave(browser, site, OTHERS[kind], "light", WIDE) == []
