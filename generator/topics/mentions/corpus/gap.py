"""GAP files (Webster et al. 2018) -> coreference documents: one passage, one pronoun and two names a row.

The pronoun and the names are mentions; a name that stands before the pronoun shares its entity where the row says so,
which makes the pronoun the mention that is scored. A name after its pronoun is no antecedent and is an entity of its
own, and rows whose pronoun means neither name score nothing. Other mentions of the same people are not annotated: a
head that attends to one of them counts as wrong among all words, so these figures are lower bounds.

Words are those of `generator.corpora.wordforms`; a phrase also ends before an apostrophe, as "Mia" does in "Mia's".
There is no tree: a name's head is its last word that is no mark, as "Jr" in "John Hart Jr.".
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from generator.corpora.formats.raw import Sieve, contents, marked, wrong_columns
from generator.corpora.kind import Content
from generator.corpora.treebank import DIGITS
from generator.corpora.wordforms import divided, word_spans
from generator.errors import CorpusError, RowError
from generator.topics.mentions.corpus.coreference import CorefDocument, Features, Mention, gather

COLUMNS = ("ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset", "B-coref", "URL")
GENDERS = {"he": "Masc", "him": "Masc", "his": "Masc", "she": "Fem", "her": "Fem", "hers": "Fem"}
TRUTH = {"TRUE": True, "FALSE": False}
PHRASES = ("Pronoun", "A", "B")


def read_gap(name: str, paths: Sequence[Path], skip_bad: bool = False) -> Content[CorefDocument]:
    """Read files as one corpus, without rows that are wrong if `skip_bad`; quotation marks are plain text.

    Raises CorpusError naming the file and the line.
    """
    digest, documents, sieve = hashlib.sha256(), list[CorefDocument](), Sieve(skip_bad)
    for path in paths:
        raw = contents(path, "a GAP file")
        digest.update(raw)
        (header, *lines), wrong = marked(raw, path)
        if 1 in wrong:
            raise CorpusError(wrong[1])
        _check(header.split("\t"), COLUMNS, f"{path}, line 1")
        for number, line in enumerate(lines, 2):
            with sieve.one():
                if number in wrong:
                    raise RowError(wrong[number])
                documents += [_document(line.split("\t"), f"{path}, line {number}")] if line else []
    return gather(name, digest.hexdigest(), documents, sieve)


def _check(found: Sequence[str], expected: Sequence[str], where: str) -> None:
    if list(found) != list(expected):
        raise CorpusError(f"Expected the columns {', '.join(expected)} in {where}, found {', '.join(found)}; add them.")


def _document(fields: Sequence[str], where: str) -> CorefDocument:
    if len(fields) != len(COLUMNS):
        raise wrong_columns(len(COLUMNS), len(fields), where)
    row = dict(zip(COLUMNS, fields, strict=True))
    ends = (at for name in PHRASES for at in (_offset(row, name), _offset(row, name) + len(row[name])))
    places = divided(row["Text"], word_spans(row["Text"]), ends)
    words = tuple(row["Text"][begin:stop] for begin, stop in places)
    start, end = _span(row, "Pronoun", places, where)
    features = Features("Sing", GENDERS.get(row["Pronoun"].lower()), "3")
    mentions = [Mention(start, end=end, head=start, entity="pronoun", kind="pronoun", features=features)]
    for name in ("A", "B"):
        first, last = _span(row, name, places, where)
        if row[f"{name}-coref"] not in TRUTH:
            found = row[f"{name}-coref"]
            raise RowError(f"Expected {' or '.join(TRUTH)} as {name}-coref in {where}, found {found!r}; mend it.")
        entity = "pronoun" if TRUTH[row[f"{name}-coref"]] and first < start else name
        named = [at for at in range(first, last) if any(map(str.isalnum, words[at]))]
        head = named[-1] if named else last - 1
        mentions.append(Mention(first, last, head, entity, kind="proper", features=Features("Sing", None, "3")))
    return CorefDocument(row["ID"], words, tuple(sorted(mentions, key=lambda mention: (mention.start, -mention.end))))


def _span(row: dict[str, str], name: str, places: Sequence[tuple[int, int]], where: str) -> tuple[int, int]:
    """The words of a phrase that stands at its offset, as first word and the word after the last."""
    phrase, offset = row[name], row[f"{name}-offset"]
    begins = {begin: word for word, (begin, _) in enumerate(places)}
    ends = {end: word for word, (_, end) in enumerate(places, start=1)}
    at = _offset(row, name)
    if phrase and row["Text"][at : at + len(phrase)] == phrase and at in begins and at + len(phrase) in ends:
        return begins[at], ends[at + len(phrase)]
    if phrase and row["Text"][at : at + len(phrase)] == phrase:
        end = at + len(phrase)
        touched = [(start, stop) for start, stop in places if start < end and stop > at]
        whole = row["Text"][min([at, *(start for start, _ in touched)]) : max([end, *(stop for _, stop in touched)])]
        found = f"a part of {whole!r}" if whole != phrase else "it with a blank at its end"
        raise RowError(
            f"Expected {name} {phrase!r} as whole words at its offset in the text in {where}, found {found}; correct "
            "the phrase."
        )
    raise RowError(
        f"Expected {name} {phrase!r} as whole words at its offset in the text in {where}, found another text at "
        f"{offset!r}; correct the offset."
    )


def _offset(row: dict[str, str], name: str) -> int:
    """The first character of a phrase; -1 if the row gives no number."""
    offset = row[f"{name}-offset"]
    return int(offset) if offset.isdecimal() and len(offset) <= DIGITS else -1
