"""Built with an address and without one: what pages, the sitemap and robots.txt say of where the site stands."""

import pytest

from generator.site.build import build_site
from tests.reports import Telling
from tests.site.documents import Document
from tests.site.test_addresses import locations
from tests.test_pipeline import MKDOCS

ADDRESS = "https://example.org/guide/"


@pytest.mark.parametrize("address", [ADDRESS, ""], ids=["with an address", "without"])
def test_a_site_names_its_address_or_a_note_says_that_it_has_none(tmp_path, monkeypatch, address):
    monkeypatch.setenv("SITE_URL", address)
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
    assert any("SITE_URL" in one for one in report.notes) == (not address)
