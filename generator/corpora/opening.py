"""Names and files -> what is read from them: texts, treebanks, linked mentions, annotated frames, questions."""

import gzip
import hashlib
import random
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from generator.corpora.catalogue import CATALOGUE, FOLDER, CorpusEntry
from generator.corpora.document import Corpus
from generator.corpora.files import read_corpus
from generator.corpora.formats.entities import read_entities
from generator.corpora.formats.framenet import PACKED, read_framenet
from generator.corpora.formats.gap import read_gap
from generator.corpora.formats.propositions import is_propositions, read_propositions
from generator.corpora.frames import FrameCorpus
from generator.corpora.languages import language_of
from generator.corpora.mentions import CorefCorpus
from generator.corpora.questions import SUFFIXES as QUESTIONS
from generator.corpora.questions import QuestionCorpus, read_questions
from generator.corpora.treebank import Treebank, read_treebank
from generator.errors import CorpusError

TREES = (".conllu", ".conllu.gz")
MENTIONS = b"# global.Entity"
"""The header of CoNLL-U files whose mentions are linked."""

_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Corpora:
    """Everything one analysis reads. A treebank whose mentions are linked stands among both."""

    texts: tuple[Corpus, ...] = ()
    treebanks: tuple[Treebank, ...] = ()
    mentions: tuple[CorefCorpus, ...] = ()
    frames: tuple[FrameCorpus, ...] = ()
    questions: tuple[QuestionCorpus, ...] = ()
    languages: Mapping[str, str] = field(default_factory=dict)
    """Name -> ISO 639 code, of every corpus whose language is known."""

    @property
    def checksums(self) -> dict[str, str]:
        """Name -> checksum of every corpus."""
        found = {text.name: text.sha256 for text in self.texts} | {bank.name: bank.sha256 for bank in self.treebanks}
        found |= {linked.name: linked.sha256 for linked in self.mentions}
        found |= {annotated.name: annotated.sha256 for annotated in self.frames}
        return found | {asked.name: asked.sha256 for asked in self.questions}

    @property
    def only_texts(self) -> "Corpora":
        """Running text and nothing else."""
        names = {text.name for text in self.texts}
        return Corpora(self.texts, languages={name: code for name, code in self.languages.items() if name in names})


def open_corpora(names: Sequence[str], sample: int | None = None, seed: int = 0) -> Corpora:
    """Open catalogue names and files; `sample` keeps so many documents, or annotated sentences, in their order.

    Raises CorpusError if one does not exist or cannot be read, or if two have the same name.
    """
    opened = [_open(name) for name in names]
    titles = [next(iter(one.checksums)) for one in opened]
    for title in titles:
        if titles.count(title) > 1:
            raise CorpusError(f"Expected corpora of different names, found {title!r} twice; rename a file.")
    texts = (text for each in opened for text in each.texts)
    banks = (bank for each in opened for bank in each.treebanks)
    linked = (one for each in opened for one in each.mentions)
    annotated = (one for each in opened for one in each.frames)
    asked = (one for each in opened for one in each.questions)
    languages = {name: code for each in opened for name, code in each.languages.items()}
    return Corpora(
        tuple(replace(text, documents=_sample(text.documents, sample, seed)) for text in texts),
        tuple(replace(bank, sentences=_sample(bank.sentences, sample, seed)) for bank in banks),
        tuple(replace(one, documents=_sample(one.documents, sample, seed)) for one in linked),
        tuple(_sample_frames(one, sample, seed) for one in annotated),
        tuple(replace(one, questions=_sample(one.questions, sample, seed)) for one in asked),
        languages,
    )


def verify(entry: CorpusEntry) -> None:
    """Check that a public corpus is here as it was published; raises CorpusError naming the file that is not."""
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


def _open(name_or_file: str) -> Corpora:
    known = next((entry for entry in CATALOGUE if entry.name == name_or_file), None)
    if known:
        return replace(_read(known.name, _present(known)), languages={known.name: known.language})
    path = Path(name_or_file)
    if path.suffix or path.name != name_or_file:
        found = _read(path.name, (path,))
        language = language_of(path, _lines(path)) if path.name.endswith(TREES) else ""
        return replace(found, languages={path.name: language} if language else {})
    names = ", ".join(entry.name for entry in CATALOGUE)
    raise CorpusError(
        f"Expected a corpus name ({names}) or a file, found {name_or_file!r}, which is neither; check the spelling."
    )


def _read(name: str, paths: Sequence[Path]) -> Corpora:
    if paths[0].is_dir() or paths[0].name.endswith(PACKED):
        return Corpora(frames=(read_framenet(name, paths),))
    if paths[0].name.endswith(TREES):
        if is_propositions(next((line for line in _lines(paths[0]) if line.strip() and line[:1] != b"#"), b"")):
            return Corpora(frames=(read_propositions(name, paths),))
        linked = any(line.startswith(MENTIONS) for line in _lines(paths[0]))
        return Corpora((), (read_treebank(name, paths),), (read_entities(name, paths),) if linked else ())
    if paths[0].suffix == ".tsv":
        return Corpora(mentions=(read_gap(name, paths),))
    if paths[0].suffix in QUESTIONS:
        return Corpora(questions=(read_questions(name, paths[0]),))
    return Corpora(texts=(read_corpus(name, paths),))


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            yield from file
    except (OSError, EOFError, zlib.error):
        return  # reading the trees will say what is wrong


def _present(entry: CorpusEntry) -> tuple[Path, ...]:
    missing = next((path for path in entry.paths if not path.is_file()), None)
    if missing:
        raise CorpusError(
            f"Expected {entry.name} at {missing}, found nothing; get it from {entry.source} ({entry.licence}) and name "
            f"the folder above it in {FOLDER}."
        )
    return entry.paths


def _sample(items: tuple[_Item, ...], size: int | None, seed: int) -> tuple[_Item, ...]:
    if size is None or size >= len(items):
        return items
    return tuple(items[at] for at in sorted(random.Random(seed).sample(range(len(items)), size)))


def _sample_frames(corpus: FrameCorpus, size: int | None, seed: int) -> FrameCorpus:
    """So many sentences, each with all of its frames."""
    names = tuple(dict.fromkeys(frame.sentence for frame in corpus.sentences))
    kept = set(_sample(names, size, seed))
    return replace(corpus, sentences=tuple(frame for frame in corpus.sentences if frame.sentence in kept))
