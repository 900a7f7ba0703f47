"""Every link of the built site leads somewhere, and nothing that a page needs lies elsewhere."""

import posixpath
from functools import cache
from urllib.parse import urlsplit

import pytest

from tests.pages.claims.web import claims_of, heads_anywhere, heads_named
from tests.site.documents import Document, split
from tests.site.project import Site

NEEDED = ("script", "link", "img", "iframe", "source", "video", "audio", "object", "embed")
"""Elements whose address a browser fetches by itself."""
NAMED_ONLY = ("canonical", "alternate oembed")
"""Links that name an address and fetch nothing."""


@pytest.fixture(scope="module")
def documents(site: Site) -> dict[str, Document]:
    """Gives every page of the site, parsed, by its file."""
    return site.documents


def internal(address: str) -> bool:
    """Whether an address lies in the site."""
    return not urlsplit(address).scheme and not address.startswith("//")


def test_the_claims_that_name_a_head_are_those_that_the_head_lists(site: Site) -> None:
    of_claims, of_heads = set(), set()
    for address, html in site.pages().items():
        folders = address.split("/")
        if folders[0] == "claims" and len(folders) == 3:
            named = heads_named(html)
            of_claims |= {(*place, folders[1].upper()) for place in named}
            assert heads_anywhere(html) <= named, address
        elif folders[0] == "models" and folders[2:3] == ["heads"] and len(folders) == 5:
            layer, _, head = folders[3].partition("-")
            of_heads |= {(folders[1], int(layer), int(head), name) for name in claims_of(html)}
    assert of_claims
    assert of_claims == of_heads


def test_every_link_and_anchor_resolves(site: Site, documents: dict[str, Document]) -> None:
    files = {file.relative_to(site.folder).as_posix() for file in site.folder.rglob("*") if file.is_file()}

    @cache
    def anchors(file: str) -> set[str]:
        return documents[file].ids if file in documents else set()

    broken = []
    for name, document in documents.items():
        for _, address in document.references():
            path, anchor = split(address)
            if not internal(address) or (path.startswith("/") and name == "404.html"):
                continue
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            file = target if target in files else posixpath.join(target, "index.html").removeprefix("./")
            if path.startswith("/") or file not in files or (anchor and anchor not in anchors(file)):
                broken.append(f"{name} -> {address}")
    assert broken == []


def test_page_not_found_links_from_the_root(site: Site, documents: dict[str, Document]) -> None:
    """It is shown at any depth, so its own links cannot be relative."""
    addresses = [address for _, address in documents["404.html"].references() if internal(address)]
    broken = [
        address
        for address in addresses
        if address[:1] != "#" and not (site.folder / split(address)[0].lstrip("/")).exists()
    ]
    assert {"/models/", "/findings/", "/claims/", "/methods/", "/data/"} <= set(addresses)
    assert broken == []


def test_nothing_is_fetched_from_elsewhere(documents: dict[str, Document]) -> None:
    outside = [
        f"{name} -> {address}"
        for name, document in documents.items()
        for element, address in document.references()
        if element.tag in NEEDED
        and element.attributes.get("rel") not in NAMED_ONLY
        and not internal(address)
        and not address.startswith("data:")
    ]
    assert outside == []


def test_styles_fetch_nothing_from_elsewhere(site: Site) -> None:
    for style in site.folder.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert "@import" not in text, style
        assert not [part for part in text.split("url(")[1:] if part.strip("\"'").startswith(("http", "//"))], style


def test_no_anchor_stands_twice_on_a_page(documents: dict[str, Document]) -> None:
    twice = {
        name: repeated
        for name, document in documents.items()
        if (
            repeated := _repeated(
                [element.attributes["id"] for element in document.elements if "id" in element.attributes]
            )
        )
    }
    assert twice == {}


def _repeated(values: list[str]) -> set[str]:
    return {value for value in values if values.count(value) > 1}
