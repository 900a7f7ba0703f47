"""The HTML of every kind of page is valid, but for what the theme does that cannot be mended from here."""

from collections import Counter

import pytest
from justhtml import JustHTML

from tests.site.documents import Document
from tests.site.project import PLACES, Site

LEFTOVERS = {
    "__toc": "the list of headings has a label for a switch that is there only on pages which the menu names",
    "__drawer": "a checkbox has `autocomplete`, so that no browser remembers the menu as open",
    "__search": "the same, for the search",
}
"""Id of the theme's -> what is wrong with it, and why."""
KINDS = {
    **PLACES,
    "claims": "claims/",
    "claim": "claims/c14/",
    "findings": "findings/",
    "finding": "findings/three-phases/",
    "data": "data/",
    "cite": "cite/",
    "glossary": "glossary/",
    "reproduce": "reproduce/",
    "not found": "404.html",
}
SWITCHES = ("checkbox", "radio", "button")


def faults(html: str) -> list[str]:
    """Errors of the parser, ids that stand twice, labels of nothing, attributes that cannot be."""
    found = [f"{error.code} in line {error.line}" for error in JustHTML(html, collect_errors=True).errors]
    elements = Document(html).elements
    ids = Counter(one.attributes["id"] for one in elements if "id" in one.attributes)
    found += [f"{name} stands twice" for name, times in ids.items() if times > 1]
    for element in elements:
        given = element.attributes
        if element.tag == "label" and given.get("for", "__toc") not in {*ids, "__toc"}:
            found.append(f"a label of {given['for']}, which is not there")
        if given.get("type") in SWITCHES and "autocomplete" in given and given.get("id") not in LEFTOVERS:
            found.append(f"autocomplete of {given}")
        if not given.get("tabindex", "0").lstrip("-").isdigit():
            found.append(f"tabindex of {given}")
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_pages_are_valid_but_for_listed_leftovers_of_the_theme(site: Site, kind: str) -> None:
    name = KINDS[kind] if KINDS[kind].endswith(".html") else f"{KINDS[kind]}index.html"
    assert faults(site.pages()[name]) == []


@pytest.mark.parametrize("broken", ["<p id=a><p id=a>", "<label for=b></label>", "<p tabindex=''>", "<div></p>"])
def test_what_is_not_valid_is_found(broken: str) -> None:
    page = f"<!doctype html><html><head><title>a</title></head><body>{broken}</body></html>"
    assert faults(page)
    assert faults(page.replace(broken, "<p id=a><label for=a>b</label>")) == []
