"""Built with an address and without one: what pages, the sitemap and robots.txt say of where the site stands."""

import json
import shutil
import xml.etree.ElementTree as ET

import pytest

from generator.claims.evidence.evidence import Evidence
from generator.claims.ledger import judge_all
from generator.pages import addresses
from generator.pages.changes.known import Judged, Known
from generator.pages.changes.rebuilds import Rebuilds, load
from generator.results.store import Results
from generator.site.build import build_site
from generator.site.discovery import FEED
from tests.analysed import PLAIN
from tests.reports import Telling
from tests.site.documents import Document
from tests.site.test_addresses import locations
from tests.test_pipeline import ADDRESSED

ATOM = "{http://www.w3.org/2005/Atom}"
ADDRESS = "https://example.org/guide/"
FEATURES = ["navigation.instant", "navigation.top"]


@pytest.mark.parametrize("address", [ADDRESS, ""], ids=["with an address", "without"])
def test_a_site_names_its_address_or_a_note_says_that_it_has_none(tmp_path, monkeypatch, plain, address):
    """The feed and the page of changes tell what changed since the build before."""
    monkeypatch.setenv("SITE_URL", address)
    shutil.copytree(plain, tmp_path / "build" / "results" / plain.name)
    stored = Results.open(plain)
    known = Known.of(stored, judge_all([Evidence(stored)]))
    other = known._replace(verdicts=dict(known.verdicts) | {"C04": Judged("not judged", "")})
    Rebuilds().then({plain.name: other}, "2026-01-02").save(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "note.md").write_text("# Note\n\nBy hand.\n")
    settings = ADDRESSED.replace("http://localhost/", '!ENV [SITE_URL, ""]')
    (tmp_path / "mkdocs.yml").write_text(settings.replace("font: false", f"font: false, features: {FEATURES}"))
    report = Telling()
    site, _ = build_site(tmp_path / "mkdocs.yml", [], report)
    assert (site / "sitemap.xml").exists() == (site / "sitemap.xml.gz").exists() == bool(address)
    note = Document((site / "note" / "index.html").read_text())
    canonical = [one.attributes["href"] for one in note.find("link") if one.attributes.get("rel") == "canonical"]
    assert canonical == ([f"{address}note/"] if address else [])
    (told,) = (one.text for one in note.find("script") if one.attributes.get("id") == "__config")
    assert json.loads(told)["features"] == FEATURES[not address :], "without a sitemap nothing may ask for it"
    assert not address or f"{address}note/" in locations(site)
    assert (f"Sitemap: {address}sitemap.xml" in (site / "robots.txt").read_text()) == bool(address)
    given = (site / addresses.VERDICTS).read_text()
    assert given.count(f",{PLAIN},{plain.name},C04,") == 2
    assert (site / FEED).exists() == bool(address)
    assert (site / "models" / plain.name / "card.png").exists() == bool(address)
    if address:
        entries = ET.parse(site / FEED).findall(f"{ATOM}entry")
        told = {entry.findtext(f"{ATOM}title"): entry.find(f"{ATOM}link").attrib["href"] for entry in entries}
        verdict, reason = known.verdicts["C04"]
        find = f"{known.finders} of its 12 heads {'finds' if known.finders == 1 else 'find'}"
        assert told == {
            f"{PLAIN}: C04 has a new verdict: {verdict} (before: not judged). {reason}": (
                f"{address}claims/c04/#of-{plain.name}"
            ),
            f"{PLAIN}: This model is new: 3 layers of 4 heads. {find} a relation or antecedents.": (
                f"{address}models/{plain.name}/"
            ),
        }
        assert [entry.findtext(f"{ATOM}updated")[:10] for entry in entries][1] == "2026-01-02"
    page = Document((site / addresses.CHANGES / "index.html").read_text())
    days = [one.text for one in page.find("h2")]
    assert days[1:] == ["2026-01-02"]
    lines = {one.text for one in page.find("li") if one.text.startswith(PLAIN)}
    assert len(lines) == 2
    assert load(tmp_path).models[plain.name].verdicts["C04"] == known.verdicts["C04"]
    assert any("SITE_URL" in one for one in report.notes) == (not address)
