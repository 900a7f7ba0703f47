"""The bytes and the text of files that a user brings, and what is said of mistakes that several formats share."""

import gzip
import io
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, TypeVar

from generator.errors import CorpusError, RowError, reason
from generator.limits import check_size, most_unpacked

PACKED = {b"\x1f\x8b": "a gzipped file", b"PK\x03\x04": "a zip archive"}
"""How packed files begin."""


class Named(Protocol):
    """A document, a frame or a question."""

    @property
    def id(self) -> str:
        """Its name, which no other of its corpus has."""


Item = TypeVar("Item", bound=Named)


def unpacked(path: Path) -> bytes:
    """The content of a file, unpacked if it is gzipped. Raises OSError, EOFError, zlib.error, or ValueError if far too
    large.
    """
    raw = path.read_bytes()
    if path.suffix != ".gz":
        return raw
    with gzip.GzipFile(fileobj=io.BytesIO(raw)) as file:
        # One byte more than allowed tells that there are too many, without unpacking them all.
        whole = file.read(most_unpacked(len(raw)) + 1)
    check_size(len(whole), len(raw))
    return whole


def contents(path: Path, what: str) -> bytes:
    """The bytes of a file, unpacked if it is gzipped. Raises CorpusError, which says what was expected there."""
    try:
        return unpacked(path)
    except (OSError, EOFError, zlib.error, ValueError) as error:
        said = (isinstance(error, OSError) and error.strerror) or reason(error)
        raise CorpusError(f"Expected {what} at {path}, found: {said}; check the path.") from None


def decoded(raw: bytes, path: Path, first: int = 1) -> str:
    """The text of some lines of a file, ended by line feeds alone; `first` is the number of the first of them.

    Carriage returns end lines where there is no line feed, as old Macintoshes wrote them. Raises CorpusError for what
    is not UTF-8.
    """
    packed = next((kind for start, kind in PACKED.items() if first == 1 and raw.startswith(start)), "")
    if packed:
        raise CorpusError(f"Expected UTF-8 text in {path}, found {packed}; unpack it.")
    try:
        text = raw.decode("utf-8-sig" if first == 1 else "utf-8").replace("\r\n", "\n")
        return text if "\n" in text else text.replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = first + raw[: error.start].count(b"\n")
        raise CorpusError(
            f"Expected UTF-8 text in {path}, line {line}, found byte 0x{raw[error.start]:02x}; save it as UTF-8."
        ) from None


def marked(raw: bytes, path: Path) -> tuple[list[str], dict[int, str]]:
    """The lines of a file as `decoded` gives them, with a mark in place of what is not UTF-8; and number of a line ->
    what is wrong there.

    Raises CorpusError for a packed file.
    """
    try:
        return decoded(raw, path).split("\n"), {}
    except CorpusError:
        if raw.startswith(tuple(PACKED)):
            raise
    ended = raw.replace(b"\r\n", b"\n")
    wrong = {}
    for number, line in enumerate(ended.split(b"\n" if b"\n" in ended else b"\r"), start=1):
        try:
            decoded(line, path, number)
        except CorpusError as error:
            wrong[number] = str(error)
    return decoded(raw.decode(errors="replace").encode(), path).split("\n"), wrong


class Sieve:
    """Sentences or rows of a corpus: one that is wrong is an error, or is left out."""

    def __init__(self, leaves_out: bool) -> None:
        self._leaves_out = leaves_out
        self._bad: list[str] = []

    @property
    def bad(self) -> tuple[str, ...]:
        """What is wrong with those that were left out."""
        return tuple(self._bad)

    @contextmanager
    def one(self) -> Iterator[None]:
        """What is raised in the block about one sentence ends the block alone if such sentences are left out."""
        try:
            yield
        except RowError as error:
            if not self._leaves_out:
                raise
            self._bad.append(str(error))

    def unless(self, wrong: str, item: Item) -> Iterator[Item]:
        """The item, unless this is said to be wrong with it."""
        with self.one():
            if wrong:
                raise RowError(wrong)
            yield item

    def distinct(self, items: Iterable[Item], what: str) -> tuple[Item, ...]:
        """The items but those whose id another one had before; `what` they are, such as "document of novels"."""
        kept: dict[str, Item] = {}
        for item in items:
            with self.one():
                if item.id in kept:
                    raise RowError(twice(item.id, what))
                kept[item.id] = item
        return tuple(kept.values())

    @property
    def none(self) -> str:
        """What was found where nothing is left, as a few words for a message."""
        if not self._bad:
            return "none"
        number, first = len(self._bad), self._bad[0].removesuffix(".")
        return f"none but {number} that {'is' if number == 1 else 'are'} wrong ({first})"


def twice(name: str, what: str) -> str:
    """The sentence about an id that comes twice."""
    return f"Expected every {what} to have its own id, found {name!r} twice; rename one or leave it out."


def wrong_columns(wanted: object, found: int, where: str) -> RowError:
    """The error for a line of `found` columns where another number is wanted, such as 10 or "more than 10"."""
    return RowError(f"Expected {wanted} columns separated by tabs in {where}, found {found}; correct the line.")
