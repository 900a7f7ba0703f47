"""FrameNet's files, releases 1.5 to 1.7 -> annotated sentences.

A release has the folders `frame` (one definition a file), `fulltext` (running text) and `lu` (example sentences, one
lexical unit a file). A release's folder gives its running text; its folder `lu` gives the examples, which Kovaleva et
al. 2019 use. All may be packed in tar files, nothing of which is unpacked to disk.

Words are those of `generator.corpora.wordforms`; a span covers every word that it touches.
Elements that are not expressed have no span and are passed over. Core is what the frame's definition calls Core or
Core-Unexpressed; an element that no definition names is not core. A frame without a target in the text is left out.
"""

import bz2
import gzip
import hashlib
import io
import lzma
import posixpath
import tarfile
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from operator import itemgetter
from pathlib import Path
from typing import Any, BinaryIO
from xml.etree.ElementTree import Element as Node
from xml.etree.ElementTree import ParseError, fromstring

from generator.corpora.formats.annotation import Element, FrameSentence, gather
from generator.corpora.formats.raw import Sieve
from generator.corpora.kind import Content
from generator.corpora.wordforms import word_spans
from generator.errors import CorpusError, RowError, reason
from generator.limits import check_size, checked, most_unpacked

PACKED = (".tar", ".tar.gz", ".tgz")
OPENERS: Mapping[bytes, Callable[..., Any]] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\0": lzma.open}
"""How packed files begin -> what unpacks them."""
SPOILT = (OSError, EOFError, ValueError, RecursionError, zlib.error, lzma.LZMAError, tarfile.TarError)
"""What damaged tar files raise; headers within headers are read by recursion."""
CORE = ("Core", "Core-Unexpressed")


def read_framenet(name: str, paths: Sequence[Path], skip_bad: bool = False) -> Content[FrameSentence]:
    """Read folders and tar files as one corpus, without files that are no XML and frames whose labels are wrong if
    `skip_bad`; frames' definitions are needed beside the texts.

    The checksum is of the files inside, so folders and tar files of one release have the same. Raises CorpusError
    naming the file.
    """
    checksums: dict[tuple[str, ...], bytes] = {}
    core: set[tuple[str, str]] = set()
    frames: set[str] = set()
    read: list[tuple[str, FrameSentence]] = []
    sieve = Sieve(skip_bad)
    for path in paths:
        for file, content in _files(path):
            with sieve.one():
                raw, root = _parsed(content, file)
                kind = root.tag.rpartition("}")[2]
                if kind == "frame":
                    frames.add(root.get("name", ""))
                    core |= {
                        (root.get("name", ""), element.get("name", "")) for element in _with(root, "FE", coreType=CORE)
                    }
                elif kind in ("fullTextAnnotation", "lexUnit"):
                    read += _annotated(root, file, sieve)
                else:
                    continue
                checksums[file.parts[-2:]] = hashlib.sha256(raw).digest()
    places = ", ".join(map(str, paths))
    if not checksums:
        raise CorpusError(
            f"Expected FrameNet's XML files in {places}, found {sieve.none}; name the folder of a release."
        )
    if not frames:
        raise CorpusError(
            f"Expected the definitions of frames in {places}, found {sieve.none}; keep frame/ beside the texts."
        )
    sentences = [
        FrameSentence(
            sentence.id,
            sentence.words,
            sentence.target,
            tuple(part._replace(core=(frame, part.name) in core) for part in sentence.elements),
            sentence.sentence,
        )
        for frame, sentence in read
    ]
    whole = hashlib.sha256(b"".join(checksums[key] for key in sorted(checksums)))
    return gather(name, whole.hexdigest(), sentences, sieve)


def is_framenet(path: Path) -> bool:
    """Whether it is a folder, or packed like a release."""
    return path.is_dir() or path.name.endswith(PACKED)


def _files(path: Path) -> Iterator[tuple[Path, Callable[[], bytes]]]:
    """The XML files of a release's folder, of one of its folders with the definitions beside it, or of a tar file, each
    with what reads it.

    A file in a tar file is named as if the tar file were a folder.
    """
    try:
        if path.is_dir():
            packed = sorted(each for each in path.iterdir() if each.name.endswith(PACKED))
            places = (path / "frame", path / "fulltext") if (path / "frame").is_dir() else (path.parent / "frame", path)
            for each in packed:
                yield from _packed(each)
            for place in () if packed else places:
                yield from ((file, file.read_bytes) for file in sorted(place.glob("*.xml")))
        else:
            yield from _packed(path)
    except SPOILT as error:
        raise CorpusError(f"Expected FrameNet at {path}, found: {reason(error)}; check the path.") from None


class _Bounded(io.RawIOBase):
    """The unpacked bytes of a file; raises ValueError where more are read or passed over than it may unpack to."""

    def __init__(self, file: BinaryIO, packed: int) -> None:
        self._file, self._packed = file, packed

    def read(self, size: int = -1) -> bytes:
        # One byte more than allowed tells that there are too many, without unpacking them all.
        most = most_unpacked(self._packed) + 1 - self.tell()
        content = self._file.read(most if size < 0 else min(size, most))
        check_size(self.tell(), self._packed)
        return content

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence == io.SEEK_SET:
            check_size(offset, self._packed)
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()


def _packed(path: Path) -> Iterator[tuple[Path, Callable[[], bytes]]]:
    """The XML files in a tar file. All that is unpacked counts: a header may be as long as it says."""
    size = path.stat().st_size
    with _unpacked(path) as file, tarfile.open(fileobj=_Bounded(file, size), mode="r:") as archive:
        files = (member for member in archive if member.isfile())
        for member in checked(files, lambda tar_info: (posixpath.normpath(tar_info.name), tar_info.size), size):
            content = archive.extractfile(member) if member.name.endswith(".xml") else None
            if content:
                yield path / member.name, partial(bytes, content.read())


def _unpacked(path: Path) -> BinaryIO:
    """The file, or what unpacks it as it is read."""
    with path.open("rb") as file:
        start = file.read(max(map(len, OPENERS)))
    opener: Callable[..., Any] = next((one for sign, one in OPENERS.items() if start.startswith(sign)), open)
    opened: BinaryIO = opener(path, "rb")
    return opened


def _parsed(content: Callable[[], bytes], file: Path) -> tuple[bytes, Node]:
    """The bytes of a file and its root. Raises RowError if it cannot be read or is no XML."""
    try:
        raw = content()
        root = fromstring(raw)  # noqa: S314 - entities outside the file are not read, and expat stops those that explode
    except (ParseError, OSError, ValueError, LookupError) as error:
        said = (isinstance(error, OSError) and error.strerror) or reason(error)
        raise RowError(f"Expected XML in {file}, found: {said}; get the file again.") from None
    return raw, root


def _with(node: Node, tag: str, **wanted: Sequence[str]) -> Iterator[Node]:
    """The children with this tag whose attributes have one of the wanted values."""
    for child in node.iterfind(f"{{*}}{tag}"):
        if all(child.get(name) in values for name, values in wanted.items()):
            yield child


def _annotated(root: Node, file: Path, sieve: Sieve) -> Iterator[tuple[str, FrameSentence]]:
    """Pairs of a frame's name and its sentence; which elements are core is filled in later."""
    number = count(1)
    for sentence in root.iterfind(".//{*}sentence"):
        name = f"{file.stem}/{sentence.get('ID', next(number))}"
        text = sentence.findtext("{*}text") or ""
        places = word_spans(text)
        words = tuple(text[start:end] for start, end in places)
        for at, annotation in enumerate(_with(sentence, "annotationSet"), start=1):
            frame = annotation.get("frameName") or root.get("frame")
            if frame is None:
                continue
            found = []
            with sieve.one():
                found = [
                    (
                        layer.get("name"),
                        Element(label.get("name", ""), False, _span(label, places, f"{file}, sentence {name}")),
                    )
                    for layer in _with(annotation, "layer", name=("Target", "FE"))
                    for label in _with(layer, "label")
                    if label.get("start") is not None
                ]
            target = {word for layer, part in found for word in part.positions if layer == "Target"}
            elements = tuple(part for layer, part in found if layer == "FE")
            if target:
                label = f"{name}/{annotation.get('ID', at)}"
                yield frame, FrameSentence(label, words, tuple(sorted(target)), elements, name)


def _span(label: Node, places: Sequence[tuple[int, int]], where: str) -> tuple[int, ...]:
    """The words that a label touches; its start and end are 0-based characters, and both belong to it."""
    start, end = label.get("start", ""), label.get("end", "")
    if start.isdecimal() and end.isdecimal():
        first = bisect_right(places, int(start), key=itemgetter(1))
        after = bisect_right(places, int(end), key=itemgetter(0))
        if first < after and int(end) < places[-1][1]:
            return tuple(range(first, after))
    raise RowError(
        f"Expected a label within its sentence in {where}, found {start!r} to {end!r}; correct its start and end."
    )
