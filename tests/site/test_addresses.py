"""What lies where: the promised addresses, the sitemap, the navigation and the search index."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from urllib.parse import unquote

from generator.measures import MEASURES
from generator.models.names import slug
from tests.site.documents import without_pictures
from tests.site.project import PLACES, Site

LOCATION = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
HEAD_BYTES, WITHOUT_PICTURES = 60_000, 25_000
"""With its pictures, and with the data of its figures, which are loaded when a reader touches one."""


def indexed(site: Site) -> list[dict[str, str]]:
    """The entries of the search index."""
    text = (site.folder / "search" / "search_index.json").read_text(encoding="utf-8")
    return json.loads(text)["docs"]


def locations(folder: Path) -> list[str]:
    """Every address of the sitemap of the site in a folder."""
    return [one.text or "" for one in ET.parse(folder / "sitemap.xml").iter(LOCATION)]


def sitemap(site: Site) -> set[str]:
    """Every address of the sitemap, below the site and unquoted."""
    return {unquote(location.removeprefix(site.address)) for location in locations(site.folder)}


def heads(site: Site) -> list[str]:
    """The address of every head."""
    return [
        f"models/{slug(name)}/heads/{layer}-{head}/"
        for name, atlas in site.atlases.items()
        for layer, head in atlas.places
    ]


def test_promised_addresses_exist(site: Site) -> None:
    promised = [
        "",
        "models/",
        *(f"models/{slug(name)}/" for name in site.atlases),
        *heads(site),
        "methods/",
        *(f"methods/{measure.name}/" for measure in MEASURES),
        "reproduce/",
        "notebook/",
    ]
    assert [address for address in promised if not (site.folder / address / "index.html").is_file()] == []


def test_sitemap_lists_every_page(site: Site) -> None:
    """Instant navigation follows only links that the sitemap knows."""
    pages = {name.removesuffix("index.html") for name in site.pages() if name.endswith("index.html")}
    assert sitemap(site) == pages
    assert set(heads(site)) <= pages


def test_an_address_cut_after_any_slash_is_a_page(site: Site) -> None:
    """Of pages and of what can be downloaded; styles, scripts and the search index have addresses that nobody reads."""
    files = [file.relative_to(site.folder) for file in site.folder.rglob("*") if file.is_file()]
    above = {place for file in files if file.parts[0] not in ("assets", "search") for place in file.parents}
    assert [place for place in above if not (site.folder / place / "index.html").is_file()] == []


def test_navigation_holds_no_head(site: Site) -> None:
    for name, document in site.documents.items():
        navigation = [
            element.attributes["href"]
            for element in document.find("a")
            if {"md-nav__link", "md-tabs__link"} & set(element.classes)
        ]
        assert navigation, name
        assert not [address for address in navigation if re.search(r"/heads/\d", address)], name


def test_every_head_is_found_by_its_own_summary(site: Site) -> None:
    said = {unquote(entry["location"]): entry["text"] for entry in indexed(site)}
    for name, atlas in site.atlases.items():
        for (layer, head), summary in atlas.summaries.items():
            assert summary.text in said[f"models/{slug(name)}/heads/{layer}-{head}/"]


def test_every_page_is_in_the_search_index(site: Site) -> None:
    assert set(PLACES.values()) <= {unquote(entry["location"].split("#")[0]) for entry in indexed(site)}


def test_every_section_of_a_finding_is_in_the_search_index(site: Site) -> None:
    said = {unquote(entry["location"]): entry["text"] for entry in indexed(site)}
    for name in (page for page in site.pages() if re.fullmatch(r"findings/.+/index.html", page)):
        article = site.pages()[name].partition("<article")[2]
        for anchor, section in re.findall(r'<h2 id="([^"]+)".*?</h2>(.*?)(?=<h2|</article>)', article, re.DOTALL):
            told = re.search(r"\n<p>(\w+)", section)  # the first of its sentences
            if told:
                assert told[1] in said[f"{name.removesuffix('index.html')}#{anchor}"], (name, anchor)


def test_head_pages_are_small(site: Site) -> None:
    found = {name: html for name, html in site.pages().items() if re.search(r"/heads/\d", name)}
    assert len(found) == sum(len(atlas.places) for atlas in site.atlases.values())
    for name, html in found.items():
        data = (site.folder / name).with_name("figures.js").stat().st_size
        assert len(html.encode()) + data < HEAD_BYTES, name
        assert len(without_pictures(html).encode()) < WITHOUT_PICTURES, name


def test_every_page_has_one_heading_a_title_and_a_language(site: Site) -> None:
    for name, document in site.documents.items():
        assert len(document.find("h1")) == 1, name
        assert document.find("title")[0].text, name
        assert document.find("html")[0].attributes["lang"] == "en", name
