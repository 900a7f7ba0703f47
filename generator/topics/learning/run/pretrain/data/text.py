"""Reads the documents of folders, to train on or to hold out, and cuts them into sentences.

A folder holds `train` and `valid`, each as `.jsonl`, `.jsonl.gz`, `.txt` or `.txt.gz`, in the forms of
`generator.corpora.files`; in a `.jsonl` file a document may be called `book` where others say `id`. Of several folders
each holds one of the two or both, and what they hold is read as one text, in the order in which they are given.
"""

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from generator.corpora.files import SUFFIXES, TEXT, read_corpus
from generator.corpora.formats.raw import contents
from generator.corpora.kind import Content, Corpus
from generator.corpora.pairs import Document
from generator.errors import CorpusError

Split = Literal["train", "valid"]
FEWEST = 2
"""The fewest documents, so that a second segment can come from another one, and the fewest paragraphs of a document."""
_ABBREVIATED = "".join(rf"(?<!\b{title}\.)" for title in ("Mr", "Mrs", "Dr", "St"))
_SENTENCE_END = re.compile(_ABBREVIATED + r"(?:(?<=[.!?])|(?<=[.!?][\"'\u201d\u2019]))\s+")
_BOOK = re.compile(rb'^(\s*\{\s*)"book"(?=\s*:)', re.MULTILINE)


def read_split(data: Path | Sequence[Path], split: Split) -> Corpus[Document]:
    """Read the documents that have several paragraphs, from a folder or several.

    The checksum of the corpus is that of each file, in the order of the folders, joined by spaces.
    Raises CorpusError naming the file or the folders.
    """
    paths = find_split(data, split)
    if not paths:
        raise CorpusError(
            f"Expected one of {', '.join(_names(split))} in {named(data)}, found none; give the folder of the text."
        )
    corpora = [_read(path, split) for path in paths]
    checksums = [corpus.sha256 for corpus in corpora]
    for path, digest in zip(paths, checksums, strict=True):
        if checksums.count(digest) > 1:
            raise CorpusError(f"Expected another text in each folder, found that of {path} twice; leave one out.")
    return Corpus(split, TEXT, " ".join(checksums), tuple(document for corpus in corpora for document in corpus.items))


def find_split(data: Path | Sequence[Path], split: Split) -> list[Path]:
    """The files of a folder or several, in order; none where there are none."""
    folders = [data] if isinstance(data, Path) else list(data)
    found = [next((folder / name for name in _names(split) if (folder / name).is_file()), None) for folder in folders]
    return [path for path in found if path is not None]


def named(data: Path | Sequence[Path]) -> str:
    """The folder or folders, for a message."""
    return str(data) if isinstance(data, Path) else ", ".join(map(str, data))


def sentences(paragraph: str) -> list[str]:
    """Cut a paragraph after a full stop, a question or exclamation mark, and a quotation mark that follows it.

    The cuts say only where a segment may begin and end, so an odd one does no harm.

    >>> sentences('“Is it?” asked Mr. Grey. It was.')
    ['“Is it?”', 'asked Mr. Grey.', 'It was.']
    """
    return [sentence for sentence in _SENTENCE_END.split(paragraph) if sentence.strip()]


def _names(split: Split) -> list[str]:
    return [f"{split}{suffix}{packed}" for suffix in SUFFIXES for packed in ("", ".gz")]


def _read(path: Path, split: Split) -> Content[Document]:
    with tempfile.TemporaryDirectory() as place:
        plain = Path(place, path.name.removesuffix(".gz"))
        plain.write_bytes(_BOOK.sub(rb'\1"id"', contents(path, "text")))
        try:
            corpus = read_corpus(split, [plain])
        except CorpusError as error:
            raise CorpusError(str(error).replace(str(plain), str(path))) from None
        documents = tuple(document for document in corpus.items if len(document.paragraphs) >= FEWEST)
    if len(documents) < FEWEST:
        raise CorpusError(
            f"Expected at least {FEWEST} documents of {FEWEST} or more paragraphs in {path}, found {len(documents)} "
            f"among {len(corpus.items)}; keep the paragraphs of each document apart."
        )
    return corpus._replace(items=documents)
