"""The stored tables as the site publishes them: all there, as they are stored, and read by the examples as written."""

from urllib.parse import unquote

import pytest

from generator.models.names import slug
from generator.pages import addresses
from generator.results.manifest import Manifest
from generator.results.tables import KEPT_OUT
from tests.analysed import PLAIN
from tests.site.documents import Document
from tests.site.project import Site


def page(site: Site) -> Document:
    """The page of all tables."""
    return Document(site.pages()[f"{addresses.DATA}index.html"])


def test_every_table_is_published_as_it_is_stored_and_linked(site: Site) -> None:
    links = {unquote(address) for _, address in page(site).references()}
    for atlas in site.atlases.values():
        manifest = atlas.results.manifest
        for name in {*(manifest.tables or ()), *KEPT_OUT}:
            stored, there = (
                atlas.results.folder / f"{name}.parquet",
                site.folder / addresses.table(manifest.folder, name),
            )
            assert there.exists() == (name not in KEPT_OUT)
            if there.exists():
                assert there.read_bytes() == stored.read_bytes()
                assert f"{manifest.folder}/{name}.parquet" in links
        assert Manifest.read(site.folder / addresses.DATA / manifest.folder) == manifest


def test_what_tables_hold_is_told_before_the_files_and_linked_from_the_opening(site: Site) -> None:
    ids = [one.attributes.get("id", "") for one in page(site).find("h2")]
    assert ids[:2] == ["examples", "tables"]
    assert all(one.startswith("files-") for one in ids[2:])
    assert "#tables" in {address for _, address in page(site).references()}


@pytest.mark.parametrize("at", [0, 1], ids=["pandas", "duckdb"])
def test_example_runs_as_it_is_written_and_finds_the_stored_numbers(
    site: Site, monkeypatch: pytest.MonkeyPatch, at: int, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(site.folder / addresses.DATA / slug(PLAIN))
    known: dict = {}
    exec(page(site).find("pre")[at].text, known)
    estimate = site.plain.estimates["attention.previous"]
    top = sorted(site.plain.places, key=lambda place: -estimate.of(*place).value)[:5]
    found = known["top"]
    assert list(zip(found["layer"], found["head"], strict=True)) == top
    assert list(found["value"]) == [estimate.of(*place).value for place in top]
    assert str(top[0][0]) in capsys.readouterr().out
