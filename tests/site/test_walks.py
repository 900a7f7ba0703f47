"""In Chromium: what readers come for is within three clicks of the home page."""

import pytest

from tests.site.browser import Visit
from tests.site.project import MODEL

pytestmark = pytest.mark.browser
WALKS = {
    "the head that finds direct objects": (
        ["Check a claim", "C14", ".fg-reasons a[href*='/heads/']"],
        "Head ",
        "Numbers",
    ),
    "is the claim on separators true for it": (["Check a claim", "C04"], "C04:", "Tiny-BERT"),
    "what is a loner": (["Read the findings", "Special parts of speech", "loner"], "Glossary", "Loner"),
    "cite this figure": (
        [f"[class~=fg-strip] a[href$='{MODEL}']", "[class~=fg-menu] summary", "[class~=fg-menu] button:text('Cite')"],
        "Tiny-BERT",
        "@misc",
    ),
    "cite": (["Cite"], "Cite this guide", "@misc"),
    "add my model": (["Add your model"], "Reproduce", "fieldguide analyze"),
    "how heads form, and what follows": (["Read the findings", "The learning curve"], "The learning curve", "training"),
}
"""What a reader wants -> texts or places of what is clicked, the heading of the page, and what stands there."""


@pytest.mark.parametrize("wanted", WALKS)
def test_what_readers_come_for_is_within_three_clicks(visit: Visit, wanted: str) -> None:
    clicks, heading, told = WALKS[wanted]
    page = visit.go()
    assert len(clicks) <= 3
    for click in clicks:
        article = page.locator("article")
        link = article.locator(click) if "[" in click else article.get_by_role("link", name=click)
        leads = link.first.evaluate("one => Boolean(one.href)")
        article.evaluate("one => { one.dataset.left = ''; }")
        link.first.click()
        if leads:
            page.locator("article:not([data-left])").wait_for()
        page.wait_for_load_state()
    visit.arrive(heading)
    assert told in page.locator("article").inner_text()
