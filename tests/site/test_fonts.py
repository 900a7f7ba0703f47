"""The letters of the pages come with the site, under a name that the licence allows, and are few bytes."""

from io import BytesIO

import pytest
from fontTools.ttLib import TTFont

from generator.cache import Cache
from generator.site import fonts as cutting
from generator.site.fonts import FACES, FAMILY, LICENCE, cut, faces, fonts
from tests.site.browser import Visit
from tests.site.project import HEAD

MOST = 60_000
"""Bytes of all fonts."""
NAMES = {1, 4, 6}
"""The numbers of a font's names in OpenType."""
TOLD = "Zoë Łukasiewicz 30 % “of” 3-1 → œ…≥" + "\N{EN DASH}\N{MINUS SIGN}\N{RIGHT SINGLE QUOTATION MARK}"
READY = "document.fonts.ready.then(() => [...document.fonts].map((face) => face.style + ' ' + face.status))"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where fonts are kept once they are cut."""
    return tmp_path_factory.mktemp("fonts")


@pytest.fixture(scope="module")
def made(folder):
    """The fonts, cut once."""
    return fonts(Cache(folder))


def test_they_are_few_bytes_and_the_same_each_time(made):
    assert sum(len(made[name]) for name in FACES) <= MOST
    name = next(iter(FACES))
    assert cut.__wrapped__(name) == made[name], "tests keep what is cut, `tests.drawn`, and this cuts it again"


def test_what_was_cut_is_read_until_the_original_or_the_way_it_is_cut_changes(made, folder, tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(cutting, "cut", lambda name: asked.append(name) or b"cut anew")
    assert (fonts(Cache(folder)), asked) == (made, [])
    monkeypatch.setattr(cutting, "__file__", str(tmp_path / "fonts.py"))
    (tmp_path / "fonts.py").write_text("SIZE = 15")
    assert (fonts(Cache(folder)), asked) == (made | dict.fromkeys(FACES, b"cut anew"), [*FACES])
    (tmp_path / "files").mkdir()
    for original, _, _ in FACES.values():
        (tmp_path / "files" / original).write_text("another")
    (tmp_path / "LICENSE").write_text("free")
    monkeypatch.setattr(cutting, "PACKAGE", tmp_path)
    assert (len(fonts(Cache(folder))), asked) == (len(made), [*FACES, *FACES])


def test_what_was_changed_has_another_name_and_its_licence_beside_it(made):
    assert "SIL OPEN FONT LICENSE" in made[LICENCE].upper()
    for name in FACES:
        names = TTFont(BytesIO(made[name]))["name"].names
        told = {one.nameID: one.toUnicode() for one in names}
        assert told.keys() >= NAMES
        assert not [told[number] for number in NAMES if "source" in told[number].lower()]


def test_every_letter_of_latin_text_has_its_form(made):
    for name in FACES:
        forms = TTFont(BytesIO(made[name])).getBestCmap()
        assert {letter for letter in TOLD if letter != " "} <= {chr(point) for point in forms}


def test_the_style_sheet_names_each_and_its_weights():
    assert [faces().count(text) for text in (FAMILY, *FACES, "font-weight: 400 700;", "font-weight: 400;")] == [
        2,
        1,
        1,
        1,
        1,
    ]


@pytest.mark.browser
def test_a_page_is_set_in_them(visit: Visit):
    visit.go(HEAD)
    assert "normal loaded" in visit.page.evaluate(READY)


@pytest.mark.browser
def test_so_is_one_that_is_opened_from_disk(from_disk: Visit):
    from_disk.go(HEAD + "index.html")
    assert "normal loaded" in from_disk.page.evaluate(READY)
