"""What builds changed is kept from one to the next, and a page tells it."""

from pathlib import Path

import pytest

from generator.errors import SiteError
from generator.home import TEMPLATES
from generator.numbers.number import Number
from generator.pages import addresses
from generator.pages.changes.known import Found, Judged, Known
from generator.pages.changes.page import MOST, NOTHING, changes_page
from generator.pages.changes.rebuilds import KEPT, RECORD, Rebuilds, load
from generator.pages.renderer import Renderer
from tests.pages.contract import check_html
from tests.pages.reading import anchors, prose

RIGHT = Number(0.7, 0.65, 0.75, 300)
FOUND = Found((3, 1), "direct objects (obj)", "finds direct objects", RIGHT)
KNOWN = Known("one", 3, 4, {"C04": Judged("holds", "0.9 is above 0.5.")}, (FOUND,))


def lost(number: int) -> Known:
    """The same model, right another time of a hundred."""
    return KNOWN._replace(finds=(FOUND._replace(right=RIGHT._replace(value=number / 100)),))


def test_a_record_is_read_as_it_was_written_and_a_build_without_changes_adds_nothing(tmp_path: Path) -> None:
    assert load(tmp_path) == Rebuilds()
    first = Rebuilds().then({"one": KNOWN}, "2026-01-02")
    first.save(tmp_path)
    again = load(tmp_path)
    assert again == first
    assert again.then({"one": KNOWN}, "2026-01-03") == first
    second = again.then({"one": lost(40)}, "2026-01-03").then({"one": lost(50)}, "2026-01-03").then({}, "2026-01-04")
    assert [build.anchor for build in second.builds] == ["2026-01-04", "2026-01-03-2", "2026-01-03", "2026-01-02"]
    assert [build.changes[0].text for build in second.builds[:1]] == ["is gone."]
    assert [verdict.date for verdict in second.verdicts] == ["2026-01-02"], "the verdict was the same all along"


def test_only_the_last_builds_are_kept() -> None:
    record = Rebuilds()
    for number in range(1, KEPT + 4):
        record = record.then({"one": lost(number)}, f"2026-01-{number:02}")
    assert [build.date for build in record.builds][:: KEPT - 1] == [f"2026-01-{KEPT + 3}", "2026-01-04"]


def test_an_anchor_belongs_to_one_build_however_many_a_day_has() -> None:
    record, given = Rebuilds(), dict[str, str]()
    for number in range(1, 2 * KEPT + 4):
        record = record.then({"one": lost(number)}, "2026-01-01")
        for build in record.builds:
            assert given.setdefault(build.anchor, build.changes[0].text) == build.changes[0].text
    assert len(given) == 2 * KEPT + 3
    assert [one.anchor for one in record.then({}, "2026-01-02").builds[:2]] == ["2026-01-02", "2026-01-01-27"]


@pytest.mark.parametrize("text", ["", "[]", '{"builds": [[1]]}', '{"builds": [], "models": {"a": 1}, "verdicts": []}'])
def test_a_record_that_cannot_be_read_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / RECORD).parent.mkdir()
    (tmp_path / RECORD).write_text(text)
    with pytest.raises(SiteError, match=r"changes\.json, found something else; delete it"):
        load(tmp_path)


def test_the_page_leads_to_what_changed_where_that_is_still_there() -> None:
    before, after = Rebuilds().then({"one": KNOWN, "two": KNOWN._replace(model="two")}, "2026-01-02"), lost(41)
    record = before.then({"one": after}, "2026-01-03")
    page = changes_page(record.builds, {"one"})
    html = Renderer(TEMPLATES).page(addresses.CHANGES, page).html
    check_html(page, html)
    assert anchors(page) == ["2026-01-03", "2026-01-02"]
    assert '<a href="../models/one/"><bdi>one</bdi></a> is new: ' in html
    again = record.then({}, "2026-01-03")
    assert [section.title for section in changes_page(again.builds, ()).sections] == [
        "2026-01-03, build 2",
        "2026-01-03",
        "2026-01-02",
    ]
    assert '<a href="../models/one/heads/3-1/">Head 3-1</a> finds direct objects: right for 41 %' in html
    assert "models/two" not in html
    assert "<bdi>two</bdi> is gone." in html
    assert prose(changes_page((), ()), "") == [NOTHING]


def test_many_changes_are_folded() -> None:
    many = Rebuilds().then({str(number): KNOWN for number in range(MOST + 5)}, "2026-01-02")
    html = Renderer(TEMPLATES).page(addresses.CHANGES, changes_page(many.builds, ())).html
    shown, _, folded = html.partition("<details")
    assert (shown.count("<li>"), folded.count("<li>")) == (MOST, 5)
    assert "5 more" in folded
