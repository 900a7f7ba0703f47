"""CITATION.cff says of the program what the program says of itself."""

import tomllib

import yaml

from generator import __version__
from generator.pages.citing import AUTHORS, YEAR
from tests.site.project import ROOT

REQUIRED = {"cff-version", "message", "title", "authors"}
"""By version 1.2.0 of the format."""


def test_citation_file_is_whole_and_names_this_version():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(cited) >= REQUIRED
    assert (cited["cff-version"], cited["type"]) == ("1.2.0", "software")
    assert (cited["version"], cited["license"]) == (__version__, project["license"])
    assert cited["title"].lower() == project["name"]
    assert cited["authors"] == [{"name": AUTHORS}]
    assert f"{YEAR} {AUTHORS}" in (ROOT / "LICENSE").read_text(encoding="utf-8")
