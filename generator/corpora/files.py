"""Opens text files as a corpus, and makes the inputs that a model reads from it.

A `.txt` file has paragraphs separated by a blank line, and documents by a line `# ...` (which names the next one) or by
two blank lines. A `.jsonl` file has one `{"id": ..., "paragraphs": [...]}` a line.
"""

from collections.abc import Sequence
from pathlib import Path

from generator.corpora.formats.raw import Sieve
from generator.corpora.formats.texts import Texts, find_texts
from generator.corpora.kind import LEFT_OUT, Content, Corpus, Form, Kind
from generator.corpora.pairs import Document, Input, PairMaker
from generator.errors import CorpusError

SUFFIXES = (".txt", ".jsonl")


def read_corpus(name: str, paths: Sequence[Path], skip_bad: bool = False) -> Content[Document]:
    """Find the documents of files as one corpus; with several files, a document's id begins with its file's name.

    Lines of `.jsonl` that are no document, documents of `.txt` that are not UTF-8, and those whose id came before are
    left out if `skip_bad`.

    Raises CorpusError naming the file, and the line where there is one.
    """
    for path in paths:
        if not is_text(path):
            ending = " or ".join(SUFFIXES)
            raise CorpusError(f"Expected a corpus file ending in {ending}, found {str(path)!r}; convert it.")
    sieve = Sieve(skip_bad)
    sha256, found = find_texts(paths, sieve)
    if not found:
        places = ", ".join(map(str, paths))
        raise CorpusError(f"Expected text in {places}, found {sieve.none}; write paragraphs into it.")
    documents = Texts(sieve.distinct(found.places, f"document of {name}"))
    return Content(sha256, documents, sieve.bad)


def is_text(path: Path) -> bool:
    """Whether a file's ending says that it is text."""
    return path.suffix in SUFFIXES


def text_inputs(corpus: Corpus[Document], maker: PairMaker) -> list[Input]:
    """The inputs of all documents, in order. Raises CorpusError if no document gives any."""
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
    }
    | LEFT_OUT,
    form=Form.TEXT,
    endings=SUFFIXES,
    recognises=is_text,
    read=read_corpus,
    inputs=text_inputs,
    counts=counts_of,
    measured=True,
)
