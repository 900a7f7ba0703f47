"""What pages tell machines and other sites of themselves: titles, descriptions, Open Graph, data sets."""

import json
import struct
from collections import Counter
from urllib.parse import unquote, urljoin

import pytest

from generator.pages.data import dataset
from tests.site.documents import Document
from tests.site.project import HEAD, MODEL, PLACES, Site

DATA_SET = "application/ld+json"


def told(page: Document, name: str) -> str:
    """What a page says in the metadata of a name."""
    found = [
        one.attributes["content"]
        for one in page.find("meta")
        if name in (one.attributes.get("name"), one.attributes.get("property"))
    ]
    assert len(found) == 1, name
    return found[0]


def documents(site: Site) -> dict[str, Document]:
    """Every page but the one for what is not there."""
    return {name: page for name, page in site.documents.items() if name != "404.html"}


def test_titles_and_descriptions_of_all_pages_differ(site: Site) -> None:
    pages = documents(site)
    for seen in (
        {name: page.find("title")[0].text for name, page in pages.items()},
        {name: told(page, "description") for name, page in pages.items()},
    ):
        counts = Counter(seen.values())
        assert {name: text for name, text in seen.items() if counts[text] > 1 or not text} == {}


def test_pages_of_a_model_name_it_in_their_titles(site: Site) -> None:
    titles = {name: page.find("title")[0].text for name, page in documents(site).items()}
    assert [title for name, title in titles.items() if name.startswith(MODEL) and "Tiny-BERT" not in title] == []


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_other_sites_are_told_title_description_and_address(site: Site, place: str) -> None:
    page = documents(site)[f"{place}index.html"]
    assert told(page, "og:title") == page.find("title")[0].text.removesuffix(" - Fieldguide")
    assert told(page, "og:description") == told(page, "description")
    (canonical,) = (one for one in page.find("link") if one.attributes.get("rel") == "canonical")
    assert unquote(canonical.attributes["href"]) == site.address + place


@pytest.mark.parametrize(
    ("place", "card"),
    [("", ""), (MODEL, MODEL), (HEAD, MODEL), (f"{MODEL}map/", MODEL), ("claims/c04/", "claims/c04/"), ("cite/", "")],
    ids=["home", "model", "head", "study", "claim", "another"],
)
def test_a_page_shows_its_own_card_or_that_of_the_nearest_page_above(site: Site, place: str, card: str) -> None:
    page = documents(site)[f"{place}index.html"]
    assert told(page, "og:image") == f"{site.address}{card}card.png"
    assert told(page, "twitter:card") == "summary_large_image"
    content = (site.folder / card / "card.png").read_bytes()
    assert struct.unpack(">II", content[16:24]) == (1200, 630)


def test_the_page_of_a_model_and_no_other_kind_offers_its_tables_as_a_data_set(site: Site) -> None:
    pages = documents(site)
    of_model, of_head = (pages[f"{place}index.html"].find("script") for place in (MODEL, HEAD))
    (script,) = (one for one in of_model if one.attributes.get("type") == DATA_SET)
    described = json.loads(script.text)
    assert (described["@type"], described["name"]) == ("Dataset", "Attention heads of Tiny-BERT")
    found = [unquote(one["contentUrl"]) for one in described["distribution"]]
    files = [one.removeprefix(site.address) for one in found if one.startswith(site.address)]
    assert len(files) == len(found), "search engines read no relative addresses"
    assert {"heads.parquet", "documents.parquet"} <= {file.rpartition("/")[2] for file in files}
    assert [file for file in files if not (site.folder / file).is_file()] == []
    assert DATA_SET not in [one.attributes.get("type") for one in of_head]


def test_without_an_address_of_the_site_the_files_of_a_data_set_are_relative_to_the_page(site: Site) -> None:
    described = dataset(site.plain, "", "")
    files = [urljoin(MODEL, one["contentUrl"]) for one in described["distribution"]]
    assert files
    assert [file for file in files if not (site.folder / unquote(file)).is_file()] == []
