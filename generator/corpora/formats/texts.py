"""Documents of text files. They stay on disk, and each is read when it is asked for, so that a file may be larger than
memory.
"""

import hashlib
import json
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple, overload

from generator.corpora.formats.raw import PACKED, Sieve, decoded
from generator.corpora.pairs import Document
from generator.errors import CorpusError, RowError, reason

_HEADING = re.compile(r"#[ \t]+(\S.*)")
_AFTER = re.compile(rb"(?<=\r)(?=.)", re.DOTALL)
"""Behind a carriage return, but not at the end."""
_BLANK = re.compile(r"\n[ \t]*\n")
"""Between two paragraphs."""


class Place(NamedTuple):
    """Where a document stands."""

    id: str
    path: Path
    start: int
    """Offset of its first byte in the file."""
    end: int
    """Offset of the byte after its last."""
    crc: int
    """CRC-32 of its bytes, which tells whether the file has changed since."""


@dataclass(frozen=True)
class Texts(Sequence[Document]):
    """The documents at these places."""

    places: tuple[Place, ...]

    def __len__(self) -> int:
        return len(self.places)

    @overload
    def __getitem__(self, at: int) -> Document: ...
    @overload
    def __getitem__(self, at: slice) -> "Texts": ...
    def __getitem__(self, at: int | slice) -> "Document | Texts":
        """One document, or those of a slice. Raises CorpusError if its file has changed since it was opened."""
        if isinstance(at, slice):
            return Texts(self.places[at])
        place = self.places[at]
        try:
            with place.path.open("rb") as file:
                file.seek(place.start)
                raw = file.read(place.end - place.start)
        except OSError as error:
            raise CorpusError(f"Expected {place.path} as it was, found: {error.strerror}; run this again.") from None
        if zlib.crc32(raw) != place.crc:
            raise CorpusError(
                f"Expected document {place.id!r} in {place.path} as it was when the file was opened, found other "
                "contents; leave the file as it is while it is read, and run this again."
            )
        text = decoded(raw, place.path, 1 if place.start == 0 else 2)  # a byte order mark stands only at the start
        paragraphs = _of_json(text, str(place.path))[1] if _is_json(place.path) else _of_text(text)
        return Document(place.id, paragraphs)


def find_texts(paths: Sequence[Path], sieve: Sieve) -> tuple[str, Texts]:
    """The checksum of these files, and their documents; with several files, an id begins with the name of its file.

    Lines of `.jsonl`, and documents of `.txt` that are not UTF-8, go through the sieve. Raises CorpusError, naming file
    and line, for what cannot be read, is not UTF-8, or is no document.
    """
    digest = hashlib.sha256()
    places: list[Place] = []
    for path in paths:
        found = _json_places if _is_json(path) else _text_places
        prefix = f"{path.stem}/" if len(paths) > 1 else ""
        try:
            with path.open("rb") as file:
                places += (place._replace(id=prefix + place.id) for place in found(file, path, digest.update, sieve))
        except OSError as error:
            raise CorpusError(f"Expected a corpus file at {path}, found: {error.strerror}; check the path.") from None
    return digest.hexdigest(), Texts(tuple(places))


def _lines(file: BinaryIO, seen: Callable[[bytes], None]) -> Iterator[tuple[int, int, bytes]]:
    """Number, offset and bytes of every line."""
    offset = 0
    for number, raw in enumerate(_ended(file), start=1):
        seen(raw)
        yield number, offset, raw
        offset += len(raw)


def _ended(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file with their ends; carriage returns end them where no line feed does."""
    for raw in file:
        yield from [raw] if raw.endswith(b"\n") else _AFTER.split(raw)


def _json_places(file: BinaryIO, path: Path, seen: Callable[[bytes], None], sieve: Sieve) -> Iterator[Place]:
    for number, offset, raw in _lines(file, seen):
        name = ""
        with sieve.one():
            name = _name(raw, path, number)
        if name:
            yield Place(name, path, offset, offset + len(raw), zlib.crc32(raw))


def _name(raw: bytes, path: Path, number: int) -> str:
    """The id of the document in a line; empty for a blank one. Raises RowError for anything else."""
    try:
        text = decoded(raw, path, number)
        return _of_json(text, f"{path}, line {number}")[0] if text.strip() else ""
    except CorpusError as error:
        raise RowError(str(error)) from None


def _text_places(file: BinaryIO, path: Path, seen: Callable[[bytes], None], sieve: Sieve) -> Iterator[Place]:
    count, name, start, end, crc = 0, "", 0, 0, 0
    blank, filled, wrong = 0, False, ""
    for number, offset, raw in _lines(file, seen):
        text, said = _read(raw, path, number)
        heading = _HEADING.match(text)
        blank = blank + 1 if not text.strip(" \t\n") else 0
        if heading or blank == 2:
            if filled:
                count += 1
                yield from sieve.unless(wrong, Place(name or f"{path.stem}-{count}", path, start, end, crc))
                name, filled = "", False
            name, wrong = heading[1].rstrip() if heading else name, said
            start, crc = offset + len(raw), 0
        else:
            filled, wrong = filled or bool(text.split()), wrong or said
            crc = zlib.crc32(raw, crc)
        end = offset + len(raw)
    if filled:
        yield from sieve.unless(wrong, Place(name or f"{path.stem}-{count + 1}", path, start, end, crc))


def _read(raw: bytes, path: Path, number: int) -> tuple[str, str]:
    """The text of a line, and what is wrong with it. Raises CorpusError if the file is packed."""
    try:
        return decoded(raw, path, number), ""
    except CorpusError as error:
        if number == 1 and raw.startswith(tuple(PACKED)):
            raise
        return raw.decode(errors="replace"), str(error)


def _is_json(path: Path) -> bool:
    return path.suffix == ".jsonl"


def _of_text(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (" ".join(block.split()) for block in _BLANK.split(text))))


def _of_json(line: str, where: str) -> tuple[str, tuple[str, ...]]:
    """Id and paragraphs. Raises CorpusError for anything else."""
    expected = 'Expected {"id": "...", "paragraphs": ["...", ...]} in ' + where
    try:
        data = json.loads(line)
        json.dumps(data, ensure_ascii=False).encode()  # half a surrogate pair is no text
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{expected}, found something else ({reason(error)}); correct the line.") from None
    if not isinstance(data, dict) or not isinstance(data.get("id"), str) or not data["id"]:
        raise CorpusError(f"{expected}, found no id that is text; correct the line.")
    paragraphs = data.get("paragraphs")
    if not isinstance(paragraphs, list) or not all(isinstance(item, str) for item in paragraphs):
        raise CorpusError(f"{expected}, found no list of paragraphs that are text; correct the line.")
    return data["id"], tuple(item.strip() for item in paragraphs if item.strip())
