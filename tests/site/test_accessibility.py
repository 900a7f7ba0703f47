"""In Chromium: axe finds nothing serious that is ours, in light and dark."""

import json

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from tests.site.browser import Visit, until
from tests.site.project import PLACES

pytestmark = pytest.mark.browser
GRAVE = ("serious", "critical")
KINDS = ("home", "models", "finder", "pairs", "model", "head", "methods", "method")
OTHERS = {"claims": "claims/", "claim": "claims/c04/", "finding": "findings/what-does-bert-look-at/", "data": "data/"}
"""Kinds of page that are looked at in one scheme."""
EVERYTHING: dict[str, object] = {"resultTypes": ["violations"]}
COLOURS = EVERYTHING | {"runOnly": ["color-contrast", "link-in-text-block"]}
"""All that axe judges by colour: a scheme changes nothing else."""
AT_REST = "document.getAnimations().every(one => one.playState !== 'running' || one instanceof CSSAnimation)"
"""No colour is on its way to another."""
DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""What was done before has been drawn, so that a change of colour that follows from it has begun."""


def opened(visit: Visit, address: str) -> None:
    """Open a page, draw its figures, open its tables, and click its first menus."""
    visit.go(address)
    visit.figures()
    visit.tables()
    for menu in visit.page.locator(".fg-menu:visible > summary").all()[:4]:
        menu.click()


def grave(visit: Visit, options: dict[str, object] = EVERYTHING) -> list[str]:
    """Violations on a page that is at rest: rule, element, what axe says of it."""
    visit.page.evaluate(DRAWN)
    until(visit.page, AT_REST)
    if not visit.page.evaluate("'axe' in window"):
        visit.page.evaluate(AXE_SCRIPT)
    found = visit.page.evaluate(f"axe.run({json.dumps(options)}).then(found => found.violations)")
    return [
        f"{violation['id']}: {node['html'][:160]} {node['failureSummary']}"
        for violation in found
        if violation["impact"] in GRAVE
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_page_has_no_grave_obstacle_in_light_and_dark(visit: Visit, kind: str) -> None:
    opened(visit, PLACES[kind])
    assert grave(visit) == []
    visit.turn_dark()
    assert grave(visit, COLOURS) == []


def test_narrow_page_has_no_grave_obstacle(narrow: Visit) -> None:
    opened(narrow, PLACES["head"])
    assert grave(narrow) == []


def test_narrow_page_of_hand_written_tables_has_no_grave_obstacle(narrow: Visit) -> None:
    opened(narrow, "ported-statistics/")
    assert narrow.page.locator(".md-typeset__scrollwrap").evaluate_all(
        "all => all.some(one => one.scrollWidth > one.clientWidth)"
    )
    assert grave(narrow) == []


@pytest.mark.parametrize("kind", OTHERS)
def test_page_of_another_kind_has_no_grave_obstacle(visit: Visit, kind: str) -> None:
    opened(visit, OTHERS[kind])
    assert grave(visit) == []
