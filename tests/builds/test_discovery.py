"""A name that would break a feed, steer a reader's terminal or run in a spreadsheet is shown as what it is."""

import csv
import io
from xml.etree import ElementTree as ET

import pytest

from generator.pages.changes.known import Change
from generator.pages.changes.rebuilds import Given, Rebuild
from generator.site.discovery import feed, table

ATOM = "{http://www.w3.org/2005/Atom}"
NAMES = {
    "a\x00b": "a\\u0000b",
    "a\x1bb": "a\\u001bb",
    "a\u202eb": "a\\u202eb",
    "a\uffffb": "a\\uffffb",
    "a\ud83db": "a\\ud83db",
    "<b>&": "<b>&",
}


@pytest.mark.parametrize(("name", "shown"), NAMES.items(), ids=ascii)
def test_the_feed_is_well_formed_whatever_a_model_is_called(name: str, shown: str) -> None:
    change = Change(name, "tiny", "It", "models/tiny/", f"is now called {name}.")
    text = feed([Rebuild("2026-01-02", "2026-01-02", (change,))], "https://example.org/")
    (title,) = ET.fromstring(text.encode()).findall(f"{ATOM}entry/{ATOM}title")
    assert title.text == f"{shown}: It is now called {shown}."


@pytest.mark.parametrize(("name", "shown"), [*NAMES.items(), ("=1+2", "'=1+2")], ids=ascii)
def test_no_name_acts_in_the_table_of_verdicts(name: str, shown: str) -> None:
    text = table([Given("2026-01-02", name, "tiny", "C01", "holds")])
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows[1:] == [["2026-01-02", shown, "tiny", "C01", "holds"]]
