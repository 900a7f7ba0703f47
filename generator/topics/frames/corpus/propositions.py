"""Universal Propositions 1.0 (Akbik et al. 2015) -> annotated sentences: PropBank's frames on Universal Dependencies.

A CoNLL-U file with an eleventh column, the frame of a predicate, and from the twelfth on one column for each predicate
of the sentence, in order, that marks the head words of its arguments. An element is that one word; its phrase is not
annotated. Numbered arguments are core. The target is the predicate and what its column marks as V or C-V, such as the
particle of a phrasal verb; a continued argument (C-ARG1) belongs to the first of its name, and a pronoun that refers to
an argument (R-ARG1) is an element of its own.

A sentence without a predicate is left out. So is one whose columns do not match its predicates, because it is not known
which column belongs to which predicate. Word forms that are left out ("_") are taken from the treebank file in the same
folder, which has `-ud-` for `-up-` in its name.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from generator.corpora.formats.annotation import Element, FrameSentence, gather
from generator.corpora.formats.conllu import COLUMNS, Rows, check_form, sentences
from generator.corpora.formats.raw import Sieve, contents, wrong_columns
from generator.corpora.kind import Content
from generator.corpora.treebank import read_treebank
from generator.errors import CorpusError, RowError

NOTHING = ("", "_")
TARGET = ("V", "C-V")
CONTINUED = "C-"
_CORE = re.compile(r"(R-)?(C-)?ARG[0-9A]")


def read_propositions(name: str, paths: Sequence[Path], skip_bad: bool = False) -> Content[FrameSentence]:
    """Read files as one corpus, without sentences that are wrong if `skip_bad`.

    Raises CorpusError naming the file and the line.
    """
    digest, sieve = hashlib.sha256(), Sieve(skip_bad)
    found: list[FrameSentence] = []
    for path in paths:
        raw = contents(path, "propositions")
        digest.update(raw)
        stripped: dict[str, tuple[str, ...]] = {}
        for sentence in sentences(raw, path):
            with sieve.one():
                rows = _rows(sentence.rows(path), path)
                words: tuple[str, ...] = tuple(row[1] for row in rows if row[0].isdecimal())
                if len(words) > 1 and set(words) == {"_"}:
                    stripped = stripped or _forms(path)
                    words = _restored(words, stripped, sentence.name, path)
                found += _frames(sentence.name, words, rows)
    return gather(name, digest.hexdigest(), found, sieve)


def _rows(lines: Rows, path: Path) -> list[list[str]]:
    """The lines of words and of empty nodes, which may be predicates; multiword tokens are left out."""
    rows: list[list[str]] = []
    for number, row in lines:
        where = f"{path}, line {number}"
        if len(row) <= COLUMNS or (rows and len(row) != len(rows[0])):
            raise wrong_columns(len(rows[0]) if rows else f"more than {COLUMNS}", len(row), where)
        if "-" not in row[0]:
            _check_number(row[0], rows, where)
            check_form(row[1], where)
            rows.append(row)
    return rows


def _check_number(found: str, rows: Sequence[list[str]], where: str) -> None:
    words = sum(row[0].isdecimal() for row in rows)
    if found != str(words + 1) and not found.startswith(f"{words}."):
        raise RowError(f"Expected word {words + 1} in {where}, found {found!r}; number them in order.")


def _frames(sentence: str, words: tuple[str, ...], rows: Sequence[list[str]]) -> Iterator[FrameSentence]:
    predicates = [row for row in rows if row[COLUMNS] not in NOTHING]
    places = {row[0]: at for at, row in enumerate(row for row in rows if row[0].isdecimal())}
    if not predicates or len(rows[0]) != COLUMNS + 1 + len(predicates):
        return
    for column, predicate in enumerate(predicates, start=COLUMNS + 1):
        marked = [(places[row[0]], row[column]) for row in rows if row[0] in places and row[column] not in NOTHING]
        target = {at for at, label in marked if label in TARGET} | {places.get(predicate[0], -1)} - {-1}
        if target:
            yield FrameSentence(
                f"{sentence}/{predicate[0]}", words, tuple(sorted(target)), tuple(_elements(marked)), sentence
            )


def _elements(marked: Sequence[tuple[int, str]]) -> list[Element]:
    """The arguments of one predicate in the order of their first words."""
    elements: list[Element] = []
    for at, label in marked:
        first = next((n for n, element in enumerate(elements) if label == CONTINUED + element.name), None)
        if first is not None:
            elements[first] = elements[first]._replace(positions=(*elements[first].positions, at))
        elif label not in TARGET:
            elements.append(Element(label, bool(_CORE.fullmatch(label)), (at,)))
    return elements


def _forms(path: Path) -> dict[str, tuple[str, ...]]:
    """Sentence name -> its words, from the treebank file in the same folder."""
    beside = path.with_name(path.name.replace("-up-", "-ud-"))
    if beside == path or not beside.is_file():
        raise CorpusError(
            f"Expected words in {path}, found them left out; put their treebank beside it, named with -ud- for -up-."
        )
    return {item.id: tuple(word.form for word in item.words) for item in read_treebank(beside.name, (beside,)).items}


def _restored(words: Sequence[str], forms: dict[str, tuple[str, ...]], sentence: str, path: Path) -> tuple[str, ...]:
    found = forms.get(sentence, ())
    if len(found) != len(words):
        raise CorpusError(
            f"Expected {len(words)} words for {sentence!r} of {path} in the treebank beside it, found {len(found)}; "
            "get the release of the treebank that it was made from."
        )
    return found
