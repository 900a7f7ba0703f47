"""CoNLL-U files -> sentences of words with their dependency heads, in any language.

Multiword tokens (`3-4`) only concern spelling, and empty nodes (`5.1`) belong to the enhanced graph; both are skipped,
so every word has a head. Every sentence must be a tree; a file that holds anything else is refused, naming the line.
"""

import codecs
import hashlib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.corpora.formats.conllu import COLUMNS, has_propositions, is_conllu
from generator.corpora.kind import Content, Corpus, Form, Kind
from generator.corpora.pairs import PairMaker, WordInput
from generator.errors import CorpusError
from generator.limits import SHOWN, unpacked

DIGITS = 9
"""The most digits that the place of a word may have."""
ROOT = 0
"""The head of a sentence's root."""


@dataclass(frozen=True)
class Word:
    """A word of a sentence and its place in the tree."""

    form: str
    upos: str
    head: int
    """1-based position of the word it depends on; 0 for the root."""
    relation: str
    """The relation with its subtype, such as `nsubj:pass`."""


@dataclass(frozen=True)
class Sentence:
    """A dependency tree."""

    id: str
    words: tuple[Word, ...]


Inputs = Mapping[str, tuple[Sentence, WordInput]]


def read_treebank(_name: str, paths: Sequence[Path]) -> Content[Sentence]:
    """Read files as one treebank. Raises CorpusError naming the file and the line."""
    digest, sentences, names = hashlib.sha256(), [], set()
    for path in paths:
        raw = _read(path)
        digest.update(raw)
        for sentence, line in _sentences(raw.removeprefix(codecs.BOM_UTF8), path):
            if sentence.id in names:
                raise CorpusError(
                    f"Expected sentences of different names, found {sentence.id!r} twice, the second in {path}, line "
                    f"{line}; rename one."
                )
            names.add(sentence.id)
            sentences.append(sentence)
    if not sentences:
        raise CorpusError(f"Expected sentences in {', '.join(map(str, paths))}, found none; check the file.")
    return Content(digest.hexdigest(), tuple(sentences))


def is_treebank(path: Path) -> bool:
    """Whether it is a CoNLL-U file with the columns of a treebank."""
    return is_conllu(path) and not has_propositions(path)


def forms(sentence: Sentence) -> list[str]:
    """The words of a sentence as they are written."""
    return [word.form for word in sentence.words]


def treebank_inputs(treebank: Corpus[Sentence], maker: PairMaker) -> dict[str, tuple[Sentence, WordInput]]:
    """The sentences that fit into one input, by name. Raises CorpusError when none does."""
    made = {one.id: (one, maker.words(one.id, forms(one))) for one in treebank.items}
    inputs = {name: (sentence, item) for name, (sentence, item) in made.items() if item is not None}
    if not inputs:
        raise CorpusError(
            f"Expected sentences that fit into one input in {treebank.name}, found none among {len(made)}; "
            "raise --max-tokens."
        )
    return inputs


def counts_of(treebank: Corpus[Sentence], inputs: Inputs) -> dict[str, int]:
    """Counts of the sentences and words that were read, and of the sentences that were too long."""
    return {
        "sentences": len(inputs),
        "words": sum(len(sentence.words) for sentence, _ in inputs.values()),
        "long": len(treebank.items) - len(inputs),
    }


TREEBANK = Kind(
    name="treebank",
    noun="a treebank",
    unit="sentences",
    counted={"sentences": "sentences", "words": "words", "long": "sentences too long"},
    form=Form.WORDS,
    recognises=is_treebank,
    read=read_treebank,
    inputs=treebank_inputs,
    counts=counts_of,
    words=forms,
    largest="words",
)


def _read(path: Path) -> bytes:
    try:
        return unpacked(path)
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise CorpusError(f"Expected a treebank at {path}, found: {error}; check the path.") from None


def _sentences(raw: bytes, path: Path) -> Iterator[tuple[Sentence, int]]:
    """Sentences and the lines of their first words."""
    rows: list[tuple[int, list[str]]] = []
    name = ""
    for number, line in enumerate([*raw.split(b"\n"), b""], start=1):
        where = f"{path}, line {number}"
        try:
            text = line.decode("utf-8").rstrip("\r")
        except UnicodeDecodeError:
            raise CorpusError(f"Expected UTF-8 text in {where}, found other bytes; save the file as UTF-8.") from None
        if text.startswith("#"):
            key, _, value = text[1:].partition("=")
            name = value.strip() if key.strip() == "sent_id" else name
        elif text.strip():
            rows.append((number, _columns(text, where)))
        elif rows:
            yield Sentence(name or f"{path.name}:{rows[0][0]}", _tree(rows, path)), rows[0][0]
            rows, name = [], ""


def _columns(text: str, where: str) -> list[str]:
    columns = text.split("\t")
    if len(columns) != COLUMNS:
        raise CorpusError(
            f"Expected {COLUMNS} columns separated by tabs in {where}, found {len(columns)}; correct the line."
        )
    return columns


def _tree(rows: Sequence[tuple[int, list[str]]], path: Path) -> tuple[Word, ...]:
    words: list[Word] = []
    lines: list[str] = []
    for number, columns in rows:
        if "-" in columns[0] or "." in columns[0]:
            continue
        where = f"{path}, line {number}"
        if columns[0] != str(len(words) + 1):
            raise CorpusError(f"Expected word {len(words) + 1} in {where}, found {columns[0]!r}; number them in order.")
        if not columns[6].isdecimal() or len(columns[6]) > DIGITS:
            raise CorpusError(f"Expected a number as head in {where}, found {columns[6][:SHOWN]!r}; annotate the word.")
        words.append(Word(columns[1], columns[3], int(columns[6]), columns[7]))
        lines.append(where)
    _check_tree(words, lines, f"{path}, line {rows[0][0]}")
    return tuple(words)


def _check_tree(words: Sequence[Word], lines: Sequence[str], start: str) -> None:
    roots = [line for word, line in zip(words, lines, strict=True) if word.head == ROOT]
    if len(roots) != 1:
        where = roots[1] if roots else start
        raise CorpusError(f"Expected one root in the sentence at {where}, found {len(roots)}; correct its heads.")
    rooted = {ROOT}
    for at, line in enumerate(lines):
        seen, here = set[int](), at + 1
        while here not in rooted:
            if here > len(words):
                raise CorpusError(f"Expected a head from 0 to {len(words)} in {line}, found {here}; correct it.")
            if here in seen:
                raise CorpusError(f"Expected a tree, found a cycle through {line}; correct the heads.")
            seen.add(here)
            here = words[here - 1].head
        rooted |= seen
