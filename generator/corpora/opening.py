"""Opens corpora by catalogue name or file; the ending of a file tells its kind."""

import hashlib
import io
import random
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from generator.corpora.catalogue import CATALOGUE, FOLDER, CorpusEntry
from generator.corpora.document import Corpus
from generator.corpora.files import read_corpus
from generator.corpora.formats.entities import read_entities
from generator.corpora.formats.framenet import PACKED, read_framenet
from generator.corpora.formats.gap import read_gap
from generator.corpora.formats.propositions import is_propositions, read_propositions
from generator.corpora.frames import FrameSentence
from generator.corpora.kinds import CorpusKind
from generator.corpora.languages import language_of
from generator.corpora.questions import SUFFIXES as QUESTIONS
from generator.corpora.questions import read_questions
from generator.corpora.treebank import read_treebank
from generator.errors import CorpusError
from generator.limits import unpacked

TREES = (".conllu", ".conllu.gz")
MENTIONS = b"# global.Entity"
"""The header line of CoNLL-U files that link mentions of the same entity."""


@dataclass(frozen=True)
class Corpora:
    """Everything that one analysis reads. A treebank with linked mentions counts as two corpora of the same name."""

    all: tuple[Corpus[Any], ...] = ()

    def of(self, kind: CorpusKind) -> tuple[Corpus[Any], ...]:
        """The corpora of one kind, in the order in which they were named."""
        return tuple(corpus for corpus in self.all if corpus.kind is kind)

    @property
    def checksums(self) -> dict[str, str]:
        """Name -> checksum of every corpus."""
        return {corpus.name: corpus.sha256 for corpus in self.all}


def open_corpora(names: Sequence[str], sample: int | None = None, seed: int = 0) -> Corpora:
    """Open catalogue names and files; with `sample`, only that many documents or annotated sentences of each, in order.

    Raises CorpusError if one does not exist or cannot be read, or if two have the same name.
    """
    opened = [_open(name) for name in names]
    titles = [one[0].name for one in opened]
    for title in titles:
        if titles.count(title) > 1:
            raise CorpusError(f"Expected corpora of different names, found {title!r} twice; rename a file.")
    return Corpora(tuple(_sample(corpus, sample, seed) for one in opened for corpus in one))


def verify(entry: CorpusEntry) -> None:
    """Check the files of a public corpus by their checksums; raises CorpusError naming the file that differs."""
    for path, expected in zip(_present(entry), entry.sha256, strict=bool(entry.source)):
        try:
            with path.open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise CorpusError(f"Expected {entry.name} at {path}, found: {error.strerror}; check the file.") from None
        if found != expected:
            raise CorpusError(
                f"Expected {path} to have the checksum {expected}, found {found}; get it again from {entry.source}."
            )


def _open(name_or_file: str) -> list[Corpus[Any]]:
    known = next((entry for entry in CATALOGUE if entry.name == name_or_file), None)
    if known:
        return [replace(corpus, language=known.language) for corpus in _read(known.name, _present(known))]
    path = Path(name_or_file)
    if path.suffix or path.name != name_or_file:
        try:
            found = _read(path.name, (path,))
        except OSError as error:
            raise CorpusError(f"Expected a corpus at {path}, found: {error.strerror}; check the path.") from None
        language = language_of(path, _lines(path)) if path.name.endswith(TREES) else ""
        return [replace(corpus, language=language) for corpus in found]
    names = ", ".join(entry.name for entry in CATALOGUE)
    raise CorpusError(
        f"Expected a corpus name ({names}) or a file, found {name_or_file!r}, which is neither; check the spelling."
    )


def _read(name: str, paths: Sequence[Path]) -> list[Corpus[Any]]:
    if paths[0].is_dir() or paths[0].name.endswith(PACKED):
        return [read_framenet(name, paths)]
    if paths[0].name.endswith(TREES):
        if is_propositions(next((line for line in _lines(paths[0]) if line.strip() and line[:1] != b"#"), b"")):
            return [read_propositions(name, paths)]
        linked = any(line.startswith(MENTIONS) for line in _lines(paths[0]))
        return [read_treebank(name, paths), *([read_entities(name, paths)] if linked else [])]
    if paths[0].suffix == ".tsv":
        return [read_gap(name, paths)]
    if paths[0].suffix in QUESTIONS:
        return [read_questions(name, paths[0])]
    return [read_corpus(name, paths)]


def _lines(path: Path) -> Iterator[bytes]:
    try:
        yield from io.BytesIO(unpacked(path))
    except (OSError, EOFError, zlib.error, ValueError):
        return  # reading the trees will say what is wrong


def _present(entry: CorpusEntry) -> tuple[Path, ...]:
    missing = next((path for path in entry.paths if not path.is_file()), None)
    if missing:
        raise CorpusError(
            f"Expected {entry.name} at {missing}, found nothing; get it from {entry.source} ({entry.licence}) and name "
            f"the folder above it in {FOLDER}."
        )
    return entry.paths


def _sample(corpus: Corpus[Any], size: int | None, seed: int) -> Corpus[Any]:
    """A sample of `size` items of a corpus, in their order; all frames of one sentence are drawn together."""
    names = [_unit(item, at) for at, item in enumerate(corpus.items)]
    known = list(dict.fromkeys(names))
    if size is None or size >= len(known):
        return corpus
    kept = {known[at] for at in random.Random(seed).sample(range(len(known)), size)}
    return replace(corpus, items=tuple(item for item, name in zip(corpus.items, names, strict=True) if name in kept))


def _unit(item: object, at: int) -> str | int:
    return item.sentence if isinstance(item, FrameSentence) else at
