"""What a build remembers is believed only as it was written: bits flip, and the site stays what it would have been."""

import os
import random
import shutil
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from generator.cache import Cache
from generator.pages.heads.summary import Summary
from generator.site.models.maker import READER
from tests.builds.test_cached import add, built
from tests.test_pipeline import ADDRESSED, write_project

FLIPPED = {
    "all files": lambda path: True,
    "what is known of models, and pictures": lambda path: path.parent.name != "build",
}
"""Which of the files below `build` are damaged."""


@pytest.fixture(scope="module")
def first(
    tmp_path_factory: pytest.TempPathFactory, plain: Path, unstudied: Path
) -> tuple[Path, Path, dict[str, bytes]]:
    """A project of two models that was built long ago; a copy of it; and its site with one model more."""
    root = write_project(tmp_path_factory.mktemp("remembered") / "project", [], mkdocs=ADDRESSED).parent
    add(root, plain, "other")
    add(root, unstudied, "two")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1000000000")
        built(root)
    copy = Path(shutil.copytree(root, root.with_name("copy")))
    add(root, unstudied, "more")
    return root, copy, built(root)


@pytest.fixture
def root(first: tuple[Path, Path, dict[str, bytes]]) -> Path:
    """The project as it was built, in its own place, because paths are part of what is remembered."""
    root, copy, _ = first
    shutil.rmtree(root)
    return Path(shutil.copytree(copy, root))


@pytest.fixture
def expected(first: tuple[Path, Path, dict[str, bytes]]) -> dict[str, bytes]:
    """The site with one model more, undisturbed."""
    return first[2]


def flip(path: Path, draw: random.Random) -> None:
    """Flip one bit of a file; its size and times stay."""
    status, body = path.stat(), bytearray(path.read_bytes())
    body[draw.randrange(len(body))] ^= 1 << draw.randrange(8)
    path.write_bytes(body)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def remembered(root: Path) -> list[Path]:
    """All files below `build` that are not results."""
    found = (path for path in sorted((root / "build").rglob("*")) if path.is_file())
    return [path for path in found if "results" not in path.relative_to(root).parts]


def other(one: dict[str, bytes], another: dict[str, bytes]) -> list[str]:
    """The names of files that differ."""
    return sorted(name for name in {*one, *another} if one.get(name) != another.get(name))


@pytest.mark.parametrize("which", FLIPPED)
def test_a_flipped_bit_in_what_a_build_remembers_changes_nothing(
    root: Path, expected: dict[str, bytes], unstudied: Path, which: str
) -> None:
    draw, damaged = random.Random(which), [path for path in remembered(root) if FLIPPED[which](path)]
    assert damaged
    for path in damaged:
        flip(path, draw)
    add(root, unstudied, "more")
    assert other(built(root), expected) == []


def test_what_is_remembered_is_made_again_where_it_is_lost_and_not_read_where_all_is_made_again(
    root: Path, expected: dict[str, bytes], unstudied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entries that say what is wrong, and are sealed, are healed."""
    add(root, unstudied, "more")
    entries, write = [], Cache.write

    def noted(cache: Cache, key: str, content: bytes) -> None:
        entries.append((cache, key, content))
        write(cache, key, content)

    monkeypatch.setattr(Cache, "write", noted)
    shutil.rmtree(root / "build" / "judged")
    assert other(built(root), expected) == []
    wrong = [(*one, body.replace(b'"fails"', b'"holds"')) for *one, body in entries if b'"fails"' in body]
    assert wrong
    for cache, key, content in wrong:
        write(cache, key, content)
    assert other(built(root, force=True), expected) == []
    assert [key for cache, key, content in wrong if cache.read(key) == content] == []


def test_every_record_within_one_that_is_remembered_can_be_read() -> None:
    assert Summary in READER.records
    within = {part for kind in READER.records for hint in get_type_hints(kind).values() for part in parts_of(hint)}
    assert not {part for part in within if is_dataclass(part) or hasattr(part, "_fields")} - {*READER.records}


def parts_of(hint: Any) -> Iterator[Any]:
    """A type, and those that it names in brackets."""
    yield get_origin(hint) or hint
    for part in get_args(hint):
        yield from parts_of(part)
