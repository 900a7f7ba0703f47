"""Reads text files as a corpus, and makes the inputs that a model reads from it.

A `.txt` file has paragraphs separated by a blank line, and documents by a line `# ...` (which names the next one) or by
two blank lines. A `.jsonl` file has one `{"id": ..., "paragraphs": [...]}` a line.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path

from generator.corpora.formats.raw import contents, decoded
from generator.corpora.kind import Content, Corpus, Form, Kind
from generator.corpora.pairs import Document, Input, PairMaker
from generator.errors import CorpusError

SUFFIXES = (".txt", ".jsonl")
_NEW_DOCUMENT = re.compile(r"^#[ \t]+(?P<name>\S.*)$|\n[ \t]*\n[ \t]*\n", re.MULTILINE)


def read_corpus(name: str, paths: Sequence[Path]) -> Content[Document]:
    """Read files as one corpus; with several, a document's id begins with its file's name.

    Raises CorpusError naming the file, and the line where there is one.
    """
    digest, documents = hashlib.sha256(), []
    for path in paths:
        raw = _read(path)
        digest.update(raw)
        prefix = f"{path.stem}/" if len(paths) > 1 else ""
        parse = _parse_jsonl if path.suffix == ".jsonl" else _parse_txt
        documents += [Document(prefix + d.id, d.paragraphs) for d in parse(decoded(raw, path), path)]
    if not documents:
        raise CorpusError(f"Expected text in {', '.join(map(str, paths))}, found none; write paragraphs into it.")
    _check_unique(documents, name)
    return Content(digest.hexdigest(), tuple(documents))


def is_text(path: Path) -> bool:
    """Whether a file is one by its ending."""
    return path.suffix in SUFFIXES


def text_inputs(corpus: Corpus[Document], maker: PairMaker) -> list[Input]:
    """The inputs of all documents, in order. Raises CorpusError when no document has two paragraphs."""
    inputs = [item for document in corpus.items for item in maker.inputs(document)]
    if not inputs:
        raise CorpusError(
            f"Expected documents of at least two paragraphs in {corpus.name}, found none among "
            f"{len(corpus.items)}; separate paragraphs by a blank line and documents by two, or by a line '# name'."
        )
    return inputs


def counts_of(corpus: Corpus[Document], inputs: Sequence[Input]) -> dict[str, int]:
    """Documents, inputs and tokens that were read, documents in several parts, and those too short to be read."""
    used = {item.document for item in inputs}
    return {
        "documents": len(used),
        "inputs": len(inputs),
        "tokens": sum(map(len, inputs)),
        "split": len({item.document for item in inputs if item.part > 1}),
        "short": len(corpus.items) - len(used),
    }


TEXT = Kind(
    name="text",
    noun="running text",
    unit="documents",
    counted={
        "documents": "documents",
        "inputs": "inputs",
        "tokens": "tokens",
        "split": "documents in several parts",
        "short": "documents too short",
    },
    form=Form.TEXT,
    recognises=is_text,
    read=read_corpus,
    inputs=text_inputs,
    counts=counts_of,
    measured=True,
)


def _read(path: Path) -> bytes:
    if path.suffix not in SUFFIXES:
        raise CorpusError(f"Expected a corpus file ending in {' or '.join(SUFFIXES)}, found {str(path)!r}; convert it.")
    return contents(path, "a corpus file")


def _parse_txt(text: str, path: Path) -> list[Document]:
    documents: list[Document] = []
    start, name = 0, None
    marks = [*_NEW_DOCUMENT.finditer(text), None]
    for mark in marks:
        end = mark.start() if mark else len(text)
        paragraphs = tuple(" ".join(block.split()) for block in re.split(r"\n[ \t]*\n", text[start:end]))
        paragraphs = tuple(block for block in paragraphs if block)
        if paragraphs:
            documents.append(Document(name or f"{path.stem}-{len(documents) + 1}", paragraphs))
        if mark:
            start, name = mark.end(), (mark["name"] or "").rstrip() or (None if paragraphs else name)
    return documents


def _parse_jsonl(text: str, path: Path) -> list[Document]:
    documents = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            documents.append(_json_document(line, f"{path}, line {number}"))
    return documents


def _json_document(line: str, where: str) -> Document:
    expected = 'Expected {"id": "...", "paragraphs": ["...", ...]} in ' + where
    try:
        data = json.loads(line)
        json.dumps(data, ensure_ascii=False).encode()  # half a surrogate pair is no text
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{expected}, found something else ({error}); correct the line.") from None
    if not isinstance(data, dict) or not isinstance(data.get("id"), str) or not data["id"]:
        raise CorpusError(f"{expected}, found no id that is text; correct the line.")
    paragraphs = data.get("paragraphs")
    if not isinstance(paragraphs, list) or not all(isinstance(item, str) for item in paragraphs):
        raise CorpusError(f"{expected}, found no list of paragraphs that are text; correct the line.")
    return Document(data["id"], tuple(item.strip() for item in paragraphs if item.strip()))


def _check_unique(documents: Sequence[Document], name: str) -> None:
    seen: set[str] = set()
    for document in documents:
        if document.id in seen:
            raise CorpusError(
                f"Expected every document of {name} to have its own id, found {document.id!r} twice; rename one."
            )
        seen.add(document.id)
