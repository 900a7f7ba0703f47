"""CoNLL-U files -> sentences of words with their dependency heads, in any language.

Multiword tokens (`3-4`) only concern spelling, and empty nodes (`5.1`) belong to the enhanced graph; both are skipped,
so every word has a head. Every sentence must be a tree; a file that holds anything else is refused, naming the line.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from generator.corpora.formats.conllu import (
    ENDINGS,
    Rows,
    check_columns,
    check_form,
    has_propositions,
    is_conllu,
    sentences,
)
from generator.corpora.formats.raw import Sieve, contents
from generator.corpora.kind import LEFT_OUT, Content, Corpus, Form, Kind
from generator.corpora.pairs import PairMaker, WordInput
from generator.errors import CorpusError, RowError
from generator.limits import SHOWN

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


def read_treebank(_name: str, paths: Sequence[Path], skip_bad: bool = False) -> Content[Sentence]:
    """Read files as one treebank, without sentences that are no trees if `skip_bad`.

    Raises CorpusError naming the file and the line.
    """
    digest, found, names, sieve = hashlib.sha256(), list[Sentence](), set[str](), Sieve(skip_bad)
    for path in paths:
        raw = contents(path, "a treebank")
        digest.update(raw)
        for sentence in sentences(raw, path):
            with sieve.one():
                words = tree(sentence.rows(path), path)
                if sentence.name in names:
                    raise RowError(
                        f"Expected sentences of different names, found {sentence.name!r} twice, the second in {path}, "
                        f"line {sentence.given[0][0]}; rename one."
                    )
                names.add(sentence.name)
                found.append(Sentence(sentence.name, words))
    if not found:
        raise CorpusError(f"Expected sentences in {', '.join(map(str, paths))}, found {sieve.none}; check the file.")
    return Content(digest.hexdigest(), tuple(found), sieve.bad)


def is_treebank(path: Path) -> bool:
    """Whether it is a CoNLL-U file with the columns of a treebank."""
    return is_conllu(path) and not has_propositions(path)


def forms(sentence: Sentence) -> list[str]:
    """The words of a sentence as they are written."""
    return [word.form for word in sentence.words]


def treebank_inputs(treebank: Corpus[Sentence], maker: PairMaker) -> dict[str, tuple[Sentence, WordInput]]:
    """The sentences that fit into one input, by name. Raises CorpusError when none does."""
    made = {item.id: (item, maker.words(item.id, forms(item))) for item in treebank.items}
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
    counted={"sentences": "sentences", "words": "words", "long": "sentences too long"} | LEFT_OUT,
    form=Form.WORDS,
    endings=ENDINGS,
    recognises=is_treebank,
    read=read_treebank,
    inputs=treebank_inputs,
    counts=counts_of,
    words=forms,
    largest="words",
)


def tree(rows: Rows, path: Path) -> tuple[Word, ...]:
    """The words of a sentence. Raises RowError, naming the line, if they are not a tree."""
    check_columns(rows, path)
    where = partial("{}, line {}".format, path)
    words: list[Word] = []
    lines: list[int] = []
    for number, columns in rows:
        # Contractions and words that are not written stand beside the tree.
        if "-" in columns[0] or "." in columns[0]:
            continue
        if columns[0] != str(len(words) + 1):
            raise RowError(
                f"Expected word {len(words) + 1} in {where(number)}, found {columns[0]!r}; number them in order."
            )
        check_form(columns[1], where(number))
        if not columns[6].isdecimal() or len(columns[6]) > DIGITS:
            raise RowError(
                f"Expected a number as head in {where(number)}, found {columns[6][:SHOWN]!r}; annotate the word."
            )
        words.append(Word(columns[1], columns[3], int(columns[6]), columns[7]))
        lines.append(number)
    _check_tree(words, lines, rows[0][0], where)
    return tuple(words)


def _check_tree(words: Sequence[Word], lines: Sequence[int], start: int, where: Callable[[int], str]) -> None:
    roots = [line for word, line in zip(words, lines, strict=True) if word.head == ROOT]
    if len(roots) != 1:
        place = where(roots[1] if roots else start)
        raise RowError(f"Expected one root in the sentence at {place}, found {len(roots)}; correct its heads.")
    rooted = {ROOT}
    for at, line in enumerate(lines):
        seen, here = set[int](), at + 1
        while here not in rooted:
            if here > len(words):
                raise RowError(f"Expected a head from 0 to {len(words)} in {where(line)}, found {here}; correct it.")
            if here in seen:
                raise RowError(f"Expected a tree, found a cycle through {where(line)}; correct the heads.")
            seen.add(here)
            here = words[here - 1].head
        # What leads to the root is not walked again, so that each word is looked at once.
        rooted |= seen
