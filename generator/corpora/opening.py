"""Names and files -> what is read from them: texts, treebanks, texts whose mentions are linked."""

import gzip
import random
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from generator.corpora.catalogue import CATALOGUE, FOLDER, CorpusEntry
from generator.corpora.document import Corpus
from generator.corpora.entities import read_entities
from generator.corpora.files import read_corpus
from generator.corpora.gap import read_gap
from generator.corpora.mentions import CorefCorpus
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

    @property
    def checksums(self) -> dict[str, str]:
        """Name -> checksum of every corpus."""
        found = {text.name: text.sha256 for text in self.texts} | {bank.name: bank.sha256 for bank in self.treebanks}
        return found | {linked.name: linked.sha256 for linked in self.mentions}


def open_corpora(names: Sequence[str], sample: int | None = None, seed: int = 0) -> Corpora:
    """Open catalogue names and files; `sample` keeps so many documents, or sentences of a treebank, in their order.

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
    return Corpora(
        tuple(replace(text, documents=_sample(text.documents, sample, seed)) for text in texts),
        tuple(replace(bank, sentences=_sample(bank.sentences, sample, seed)) for bank in banks),
        tuple(replace(one, documents=_sample(one.documents, sample, seed)) for one in linked),
    )


def _open(name_or_file: str) -> Corpora:
    known = next((entry for entry in CATALOGUE if entry.name == name_or_file), None)
    if known:
        return _read(known.name, _present(known))
    if Path(name_or_file).suffix or Path(name_or_file).name != name_or_file:
        return _read(Path(name_or_file).name, (Path(name_or_file),))
    names = ", ".join(entry.name for entry in CATALOGUE)
    raise CorpusError(
        f"Expected a corpus name ({names}) or a file, found {name_or_file!r}, which is neither; check the spelling."
    )


def _read(name: str, paths: Sequence[Path]) -> Corpora:
    if paths[0].name.endswith(TREES):
        linked = _names_entities(paths[0])
        return Corpora((), (read_treebank(name, paths),), (read_entities(name, paths),) if linked else ())
    if paths[0].suffix == ".tsv":
        return Corpora(mentions=(read_gap(name, paths),))
    return Corpora(texts=(read_corpus(name, paths),))


def _names_entities(path: Path) -> bool:
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            return any(line.startswith(MENTIONS) for line in file)
    except (OSError, EOFError, zlib.error):
        return False  # reading the trees will say what is wrong


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
