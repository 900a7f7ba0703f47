"""The register of bounds: nothing moves in it without a line that says why, and what is broken in it is said."""

import hashlib
import tomllib
from datetime import date

import pytest

from generator.claims import bounds
from generator.claims.all import CLAIMS
from generator.claims.bounds import FILE, Bound, checksum, cutoff, fewest, in_force, parse, register
from generator.claims.power import OF_THE_MODEL
from generator.errors import SiteError

REGISTERED = 1181, "c566e779edcb138b07c4e359894a4d04a8db02fb2d8efe578bfe450d95a6b2bb"
"""Lines of the register, and the checksum that they had when the last of them was registered."""
REPLACED = {
    "C07.1": "C07.2",
    "C09.2": "C09.4",
    "C09.3": "C09.5",
    "C20.2": "C20.4",
    "C20.3": "C20.4",
    "H01.2": "H01.4",
    "H01.3": "H01.4",
    "K06.2": "K06.3",
    "K12.2": "K12.3",
    "K14.1": "K14.2",
    "K18.2": "K18.4",
    "H09.2": "H12.1",
    "H16.2": "H16.3",
}
"""Parts whose number is made in another way, or judged in another claim, now -> the parts that it is made for."""
PARTS = [part for claim in CLAIMS for part in claim.parts]
WRITTEN = {
    f"{group}.{name}": lines
    for group, entries in tomllib.loads(FILE.read_text(encoding="utf-8")).items()
    for name, lines in entries.items()
}


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Gives a function that reads another register."""

    def write(text):
        path = tmp_path / "bounds.toml"
        path.write_text(text, encoding="utf-8")
        monkeypatch.setattr(bounds, "FILE", path)
        monkeypatch.setattr(bounds, "FILES", (path,))
        register.cache_clear()
        return register()

    yield write
    register.cache_clear()


def test_every_line_stands_as_it_was_registered():
    """To change a bound, append an entry to the file; to make a number in another way, give it another key."""
    count, checksum = REGISTERED
    lines = FILE.read_text(encoding="utf-8").splitlines()[:count]
    assert hashlib.sha256("\n".join(lines).encode()).hexdigest() == checksum


def test_every_line_is_read_as_it_is_written():
    written = {
        key: [(str(line["set"]), str(line.get("bounds", line.get("value")))) for line in lines]
        for key, lines in WRITTEN.items()
    }
    assert {
        key: [(line.since.isoformat(), line.text) for line in lines] for key, lines in register().items()
    } == written


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.key)
def test_a_part_is_judged_by_the_line_in_force(part):
    line = WRITTEN[part.key][-1]
    assert " and ".join(f"{side} {at:g}" for side, at in part.bounds) == " and ".join(
        f"{bound.side} {bound.at:g}" for bound in parse(line["bounds"])
    )
    assert part.since == line["set"]
    for bound in part.bounds:
        near = max(abs(bound.at) * 0.02, 0.001)
        inwards = near if bound.side in ("above", "at least") else -near
        assert bound.met(bound.at + inwards)
        assert not bound.met(bound.at - inwards)
        assert bound.met(bound.at) == (bound.side in ("at least", "at most"))


def test_the_register_holds_the_parts_of_the_claims_and_those_that_were_replaced():
    keys = {key for key in register() if not key.startswith("cutoff.")}
    parts = {part.key for part in PARTS}
    assert keys == parts | REPLACED.keys()
    assert REPLACED.keys().isdisjoint(parts)
    assert {*REPLACED.values()} <= parts


def test_every_line_has_a_reason_that_is_a_sentence():
    for key, lines in register().items():
        for line in lines:
            assert line.why[0].isupper(), key
            assert line.why.endswith("."), key
            assert date(2026, 11, 21) <= line.since


def test_cutoffs_and_least_numbers_are_those_registered():
    assert cutoff("mainly") == 0.5
    assert [fewest(unit) for unit in ("words", "documents", "sentences", "heads", "model")] == [50, 20, 20, 3, 1]
    assert in_force("C04.1").text == "above 0.5"


@pytest.mark.parametrize("unit", sorted({part.over for part in PARTS}))
def test_what_is_drawn_from_more_than_the_model_has_is_counted_twenty_times_or_more(unit):
    """A model's heads, relations and special tokens are all that there are, and few."""
    assert fewest(unit) >= (1 if unit in OF_THE_MODEL else 20)


def test_a_unit_without_a_least_number_is_refused():
    with pytest.raises(SiteError, match=r"Expected cutoff\.fewest-shared-layers in "):
        fewest("shared layers")


def test_the_checksum_is_that_of_the_file(written):
    before = checksum()
    text = FILE.read_text(encoding="utf-8")
    written(text.replace("above 0.5", "above 0.55", 1))
    assert checksum() != before


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("above 0.5", (Bound("above", 0.5),)),
        ("at least 1/3", (Bound("at least", 1 / 3),)),
        ("above -0.5 and below 0.5", (Bound("above", -0.5), Bound("below", 0.5))),
    ],
)
def test_bounds_are_read_as_they_are_written(text, found):
    assert parse(text) == found


@pytest.mark.parametrize("text", ["", "0.5", "over 0.5", "above half", "above 0.5, below 1", "above 0.5 and"])
def test_other_words_are_refused(text):
    with pytest.raises(SiteError, match="Expected bounds such as 'above 0 and below 1/4'"):
        parse(text)


LINE = '[[C01.1]]\nset = 2026-01-02\nbounds = "above 0.5"\nwhy = "Because."\n'
CUTOFF = '[[cutoff.most]]\nset = 2026-01-02\nvalue = "{}"\nwhy = "Because."\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[", "Expected the register of bounds in"),
        (LINE.replace("why", "reason"), "Expected 'set', 'bounds' and 'why' in every line of C01.1 in .*, found other"),
        (LINE.replace("Because.", ""), "in every line of C01.1 in .*, found other keys or an empty 'why'; correct it"),
        (LINE + LINE.replace("2026", "2025"), "Expected the lines of C01.1 in .*, found a later one before an earlier"),
        (LINE.replace("above", "beyond"), "Expected bounds such as"),
        ('C01 = "above 0"', "Expected a list of lines for C01 in .*, found 'above 0'; write them as"),
        ("[C01.1]\nset = 2026-01-01", "Expected a list of lines for C01.1 in .*; write them as"),
        ('[C01]\n1 = ["above 0"]', "Expected a list of lines for C01.1 in"),
        (LINE.replace("2026-01-02", '"today"'), "Expected a date as 'set' of C01.1 in .*, found 'today'; correct it"),
        (CUTOFF.format("half"), "Expected a number for cutoff.most in .*, found 'half'; correct it"),
        (CUTOFF.format("1/0"), "Expected a number for cutoff.most in .*, found '1/0'; correct it"),
    ],
)
def test_a_broken_register_is_refused(written, text, said):
    with pytest.raises(SiteError, match=said):
        written(text)


def test_an_entry_that_is_not_there_is_refused():
    with pytest.raises(SiteError, match=r"Expected C99\.1 in .* found no such entry; register it"):
        in_force("C99.1")
