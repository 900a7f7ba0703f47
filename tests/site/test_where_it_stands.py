"""Built with an address and without one: what pages, the sitemap and robots.txt say of where the site stands."""

import shutil
import xml.etree.ElementTree as ET

import pytest

from generator.pages import addresses
from generator.site.build import build_site
from generator.site.discovery import FEED, Given, table
from tests.analysed import PLAIN
from tests.reports import Telling
from tests.site.documents import Document
from tests.site.test_addresses import locations
from tests.test_pipeline import MKDOCS

ATOM = "{http://www.w3.org/2005/Atom}"
ADDRESS = "https://example.org/guide/"


@pytest.mark.parametrize("address", [ADDRESS, ""], ids=["with an address", "without"])
def test_a_site_names_its_address_or_a_note_says_that_it_has_none(tmp_path, monkeypatch, plain, address):
    """The feed tells what changed since the site that was there before."""
    monkeypatch.setenv("SITE_URL", address)
    shutil.copytree(plain, tmp_path / "build" / "results" / plain.name)
    before = tmp_path / "site" / addresses.VERDICTS
    before.parent.mkdir(parents=True)
    before.write_text(table([Given("2026-01-02", PLAIN, plain.name, "C04", "not judged")]))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "note.md").write_text("# Note\n\nBy hand.\n")
    (tmp_path / "mkdocs.yml").write_text(MKDOCS.replace("http://localhost/", '!ENV [SITE_URL, ""]'))
    report = Telling()
    site, _ = build_site(tmp_path / "mkdocs.yml", [], report)
    note = Document((site / "note" / "index.html").read_text())
    canonical = [one.attributes["href"] for one in note.find("link") if one.attributes.get("rel") == "canonical"]
    assert canonical == ([f"{address}note/"] if address else [])
    assert f"{address}note/" in locations(site)
    assert (f"Sitemap: {address}sitemap.xml" in (site / "robots.txt").read_text()) == bool(address)
    given = (site / addresses.VERDICTS).read_text()
    assert given.count(f",{PLAIN},{plain.name},C04,") == 2
    assert (site / FEED).exists() == bool(address)
    assert (site / "models" / plain.name / "card.png").exists() == bool(address)
    if address:
        entries = ET.parse(site / FEED).findall(f"{ATOM}entry")
        told = {one.findtext(f"{ATOM}title"): one.find(f"{ATOM}link").attrib["href"] for one in entries}
        verdict = given.partition(f",{plain.name},C04,not judged\n")[2].partition(",C04,")[2].partition("\n")[0]
        assert told == {
            f"C04 for {PLAIN}: {verdict}, was not judged": f"{address}claims/c04/#of-{plain.name}",
            f"New model: {PLAIN}": f"{address}models/{plain.name}/",
        }
        assert [one.findtext(f"{ATOM}updated")[:10] for one in entries][1] == "2026-01-02"
    assert any("SITE_URL" in one for one in report.notes) == (not address)
