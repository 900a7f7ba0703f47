"""WinoBias files (Zhao et al. 2018) -> coreference documents: a numbered sentence a line, with two occupations.

What means the same person stands in square brackets: "[The mover] thanked the cook because [she] was hungry." The
occupations of a file are all that it has in brackets besides pronouns; where one stands without them, it is a mention
of somebody else. So a pronoun has its antecedent and at least one other candidate before it. In files of type 1 only
knowledge of the world decides between them, in those of type 2 the sentence does; whether the pronoun is that which
statistics of occupations suggest (pro) or the other one (anti) stands in the name of the file.
"""

import hashlib
import re
from collections.abc import Collection, Sequence
from pathlib import Path

from generator.corpora.formats.raw import Sieve, contents, marked
from generator.corpora.kind import Content
from generator.corpora.wordforms import divided, word_spans
from generator.errors import RowError
from generator.topics.mentions.corpus.coreference import CorefDocument, Features, Mention, gather

ENDINGS = (".txt.dev", ".txt.test")
"""How the files of the repository end."""
GENDERS = {"he": "Masc", "him": "Masc", "his": "Masc", "himself": "Masc"} | dict.fromkeys(
    ("she", "her", "hers", "herself"), "Fem"
)
ARTICLES = frozenset({"the", "a", "an"})
PERSON = "person"
_LINE = re.compile(r"(\d{1,9}) (.*\S)")
_MARKED = re.compile(r"\[([^][]*)\]")


def read_winobias(name: str, paths: Sequence[Path], skip_bad: bool = False) -> Content[CorefDocument]:
    """Read files as one corpus, without lines that are wrong if `skip_bad`. Raises CorpusError naming file and line."""
    digest, documents, sieve = hashlib.sha256(), list[CorefDocument](), Sieve(skip_bad)
    for path in paths:
        raw = contents(path, "a WinoBias file")
        digest.update(raw)
        lines, wrong = marked(raw, path)
        occupations = {phrase for line in lines for found in _MARKED.findall(line) if (phrase := _phrase(found))}
        for number, line in enumerate(lines, 1):
            with sieve.one():
                if number in wrong:
                    raise RowError(wrong[number])
                documents += [_document(line, occupations, path, number)] if line.strip() else []
    return gather(name, digest.hexdigest(), documents, sieve)


def _phrase(marked_text: str) -> tuple[str, ...]:
    """The words of an occupation in small letters, without an article; nothing for a pronoun."""
    words = [marked_text[start:end].lower() for start, end in word_spans(marked_text)]
    words = words[1:] if words[:1] and words[0] in ARTICLES else words
    return () if len(words) == 1 and words[0] in GENDERS else tuple(words)


def _document(line: str, occupations: Collection[tuple[str, ...]], path: Path, number: int) -> CorefDocument:
    where = f"{path}, line {number}"
    numbered = _LINE.fullmatch(line.strip())
    if not numbered:
        raise RowError(f"Expected a number and a sentence in {where}, found {line!r}; correct the line.")
    text, brackets = _without_brackets(numbered[2])
    places = divided(text, word_spans(text), (at for span in brackets for at in span))
    words = tuple(text[start:end] for start, end in places)
    small = [word.lower() for word in words]
    begins, ends = ({span[side]: at for at, span in enumerate(places)} for side in (0, 1))
    # Where a bracket cuts a word, the span is one of no mention.
    inside = {_with_article(small, begins.get(start, -2), ends.get(end, -1) + 1) for start, end in brackets}
    pronouns = {(start, end) for start, end in inside if end - start == 1 and small[start] in GENDERS}
    people = _people(small, occupations)
    if not pronouns or not inside - pronouns or not inside - pronouns <= people:
        raise RowError(
            f"Expected a pronoun and an occupation, as whole words, in square brackets in {where}, found "
            f"{numbered[2]!r}; correct the brackets."
        )
    mentions = [
        Mention(start, end, start, PERSON, "pronoun", Features("Sing", GENDERS[small[start]], "3"))
        for start, end in pronouns
    ]
    mentions += [
        Mention(
            *span, span[1] - 1, PERSON if span in inside else f"other {span[0]}", "nominal", Features("Sing", None, "3")
        )
        for span in people
    ]
    document = f"{path.name}-{numbered[1]}"
    return CorefDocument(document, words, tuple(sorted(mentions, key=lambda mention: (mention.start, -mention.end))))


def _people(small: Sequence[str], occupations: Collection[tuple[str, ...]]) -> set[tuple[int, int]]:
    """Where occupations stand among words in small letters, with their articles."""
    return {
        _with_article(small, at, at + len(phrase))
        for phrase in occupations
        for at in range(len(small))
        if tuple(small[at : at + len(phrase)]) == phrase
    }


def _with_article(small: Sequence[str], start: int, end: int) -> tuple[int, int]:
    bare = start > 0 and small[start - 1] in ARTICLES and small[start] not in ARTICLES
    return start - bare, end


def _without_brackets(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text, and the first character of what stood in each pair of brackets, and the one after its last."""
    plain, spans, end = "", [], 0
    for found in _MARKED.finditer(text):
        plain += text[end : found.start()]
        inner = found[1].strip()
        spans.append((len(plain), len(plain) + len(inner)))
        plain, end = plain + inner, found.end()
    return plain + text[end:], spans
