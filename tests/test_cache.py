"""What a build remembers is read as it was written or not at all, whatever happens to its files meanwhile."""

import multiprocessing
import os
import random
import signal
import time
from pathlib import Path

import pytest

from generator import cache
from generator.cache import DRAFT, Cache

CONTENT = b'{"C04": "holds"}\n'


def test_an_entry_is_read_as_it_was_written_and_made_once(tmp_path: Path) -> None:
    made = []
    for _ in range(2):
        assert Cache(tmp_path / "new").get("key", lambda: made.append(1) or CONTENT) == CONTENT
    assert made == [1]
    assert Cache(tmp_path / "new").read("other") is None


def test_no_bit_of_an_entry_can_flip(tmp_path: Path) -> None:
    kept = Cache(tmp_path)
    kept.write("key", CONTENT)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    for bit in range(8 * len(whole)):
        body = bytearray(whole)
        body[bit // 8] ^= 1 << bit % 8
        path.write_bytes(body)
        assert kept.read("key") is None
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        assert kept.read("key") is None
    path.write_bytes(whole)
    assert kept.read("key") == CONTENT


def test_an_entry_of_another_key_is_none(tmp_path: Path) -> None:
    kept = Cache(tmp_path)
    kept.write("one", b"1")
    kept.write("other", b"2")
    one, other = sorted(tmp_path.iterdir())
    one.write_bytes(other.read_bytes())
    assert [kept.read("one"), kept.read("other")].count(None) == 1


def test_what_nobody_asked_for_is_forgotten_with_what_a_killed_build_left(tmp_path: Path) -> None:
    kept = Cache(tmp_path)
    for key in ("one", "other"):
        kept.write(key, CONTENT)
    (tmp_path / f"{64 * '0'}.1{DRAFT}").write_bytes(b"half")
    last = Cache(tmp_path)
    assert last.read("one") == CONTENT
    last.forget()
    assert [last.read("one"), last.read("other")] == [CONTENT, None]
    assert len(list(tmp_path.iterdir())) == 1
    Cache(tmp_path / "nowhere").forget()


def test_what_no_build_wrote_stays_beside_entries(tmp_path: Path) -> None:
    kept = Cache(tmp_path)
    kept.write("one", CONTENT)
    for name in ("thesis.tex", f"thesis.old{DRAFT}", "sub/notes", f"{64 * 'a'}/notes"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"mine")
    Cache(tmp_path).forget()
    assert sorted(path.name for path in tmp_path.iterdir()) == [64 * "a", "sub", "thesis.old.part", "thesis.tex"]
    assert (tmp_path / "sub" / "notes").read_bytes() == b"mine"


def test_what_no_build_wrote_stays_beside_a_file_alone_of_its_kind(tmp_path: Path) -> None:
    (tmp_path / f"site.json.old{DRAFT}").write_bytes(b"mine")
    cache.save(tmp_path / "site.json", "site", CONTENT)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["site.json", "site.json.old.part"]


def test_a_link_in_the_place_of_a_file_alone_of_its_kind_is_followed(tmp_path: Path) -> None:
    far, link = tmp_path / "far" / "kept.json", tmp_path / "build" / "changes.json"
    far.parent.mkdir()
    link.parent.mkdir()
    link.symlink_to(far)
    for content in (b"1", CONTENT):
        cache.save(link, "changes", content)
    assert link.readlink() == far
    assert cache.load(far, "changes") == cache.load(link, "changes") == CONTENT
    assert [len(list(folder.iterdir())) for folder in (far.parent, link.parent)] == [1, 1]


def test_a_file_alone_of_its_kind_leaves_no_draft(tmp_path: Path) -> None:
    (tmp_path / f"site.json.1{DRAFT}").write_bytes(b"half")
    cache.save(tmp_path / "site.json", "site", CONTENT)
    assert cache.load(tmp_path / "site.json", "site") == CONTENT
    assert cache.load(tmp_path / "site.json", "changes") is None
    assert len(list(tmp_path.iterdir())) == 1


def test_of_two_copies_one_is_whole_whichever_bit_flips(tmp_path: Path) -> None:
    path = tmp_path / "changes.json"
    cache.save(path, "changes", CONTENT, 2)
    whole = path.read_bytes()
    for bit in range(8 * len(whole)):
        body = bytearray(whole)
        body[bit // 8] ^= 1 << bit % 8
        path.write_bytes(body)
        assert cache.load(path, "changes", 2) == CONTENT
    body[0] ^= 1
    path.write_bytes(body)
    assert cache.load(path, "changes", 2) is None


def crowd(folder: Path, seed: int) -> None:
    """Writes, reads and forgets at random; what is read is right."""
    draw = random.Random(seed)
    while True:
        kept = Cache(folder)
        for key in draw.sample("abcdef", 3):
            assert kept.get(key, (key * 1000).encode) == (key * 1000).encode()
        kept.forget()


def test_builds_at_once_and_builds_that_are_killed_leave_whole_entries(tmp_path: Path) -> None:
    run = multiprocessing.get_context("fork").Process
    crowds = [run(target=crowd, args=(tmp_path, seed)) for seed in range(3)]
    for one in crowds:
        one.start()
    time.sleep(1)
    assert [one.is_alive() for one in crowds] == [True] * 3, "none was harmed by another"
    for one in crowds:
        os.kill(one.pid or 0, signal.SIGKILL)
        one.join()
    kept = Cache(tmp_path)
    for key in "abcdef":
        assert kept.read(key) in (None, (key * 1000).encode())
    kept.forget()
    assert not [path for path in tmp_path.iterdir() if path.suffix == DRAFT]


@pytest.mark.parametrize("wrong", [b"", b"\n", b"{}"])
def test_files_of_another_form_are_none(tmp_path: Path, wrong: bytes) -> None:
    (tmp_path / "site.json").write_bytes(wrong)
    assert cache.load(tmp_path / "site.json", "site") is None
    assert cache.load(tmp_path, "site") is None, "a folder is none either"
