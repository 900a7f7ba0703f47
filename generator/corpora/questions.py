"""Questions about passages, each with the stretches of its passage that answer it.

A `.toml` file asks about the articles that come with the program: `[[question]]` tables with `id`, `article`,
`paragraph` (1-based), `question` and `answer`, which must stand in the paragraph once. A `.json` file is one of SQuAD
v1.1 (Rajpurkar et al. 2016), whose questions have several answers, given by several people; each counts as right.
"""

import codecs
import hashlib
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from generator.corpora.catalogue import ARTICLES
from generator.corpora.files import read_corpus
from generator.corpora.formats.raw import Sieve, contents
from generator.corpora.kind import LEFT_OUT, Content, Corpus, Form, Kind
from generator.corpora.pairs import PairMaker
from generator.corpora.wordforms import whole_words
from generator.errors import CorpusError, RowError, reason

SUFFIXES = (".toml", ".json")


class Answer(NamedTuple):
    """A stretch of a passage, in characters."""

    start: int
    """Its first character, 0-based."""
    end: int
    """The character after its last."""


@dataclass(frozen=True)
class Question:
    """A question about a passage, and its answers."""

    id: str
    question: str
    passage: str
    answers: tuple[Answer, ...]
    """Each of them is right; at least one."""


def read_questions(_name: str, paths: Sequence[Path], skip_bad: bool = False) -> Content[Question]:
    """Read a file of questions, without those that are wrong if `skip_bad`; the checksum is of it and, for a `.toml`
    file, also of the articles.

    Raises CorpusError naming the file, and the question where there is one.
    """
    path, sieve = paths[0], Sieve(skip_bad)
    if not is_questions(path):
        raise CorpusError(
            f"Expected a file of questions ending in {' or '.join(SUFFIXES)}, found {str(path)!r}; convert it."
        )
    raw = contents(path, "a file of questions").removeprefix(codecs.BOM_UTF8)
    digest = hashlib.sha256(raw)
    if path.suffix == ".json":
        found = list(_squad(raw, path, sieve))
    else:
        articles = read_corpus(ARTICLES.name, ARTICLES.paths)
        digest.update(articles.sha256.encode())
        paragraphs = {document.id: document.paragraphs for document in articles.items}
        found = list(_about_articles(raw, path, paragraphs, sieve))
    questions = sieve.distinct(found, f"question of {path}")
    if not questions:
        raise CorpusError(f"Expected questions in {path}, found {sieve.none}; write some into it.")
    return Content(digest.hexdigest(), questions, sieve.bad)


def is_questions(path: Path) -> bool:
    """Whether a file's ending says that it may hold questions."""
    return path.suffix in SUFFIXES


def question_inputs(corpus: Corpus[Question], _maker: PairMaker) -> Sequence[Question]:
    """The questions themselves, because a question-answering head puts question and passage together in its own way."""
    return corpus.items


def counts_of(_corpus: Corpus[Question], inputs: Sequence[Question]) -> dict[str, int]:
    """How many questions there are."""
    return {"questions": len(inputs)}


QUESTIONS = Kind(
    name="questions",
    noun="questions with their passages",
    unit="questions",
    counted={"questions": "questions"} | LEFT_OUT,
    form=Form.HEAD,
    endings=SUFFIXES,
    recognises=is_questions,
    read=read_questions,
    inputs=question_inputs,
    counts=counts_of,
)
_CLOSED = ConfigDict(extra="forbid")
_Text = Annotated[str, Field(pattern=r"\S")]


@dataclass(frozen=True)
class _Asked:
    __pydantic_config__ = _CLOSED

    id: _Text
    article: _Text
    paragraph: Annotated[int, Field(strict=True, ge=1)]
    question: _Text
    answer: _Text


@dataclass(frozen=True)
class _File:
    __pydantic_config__ = _CLOSED

    question: tuple[_Asked, ...]


def _about_articles(raw: bytes, path: Path, articles: dict[str, tuple[str, ...]], sieve: Sieve) -> Iterator[Question]:
    try:
        data = tomllib.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"Expected TOML in {path}, found an error ({reason(error)}); correct the file.") from None
    try:
        file = TypeAdapter(_File).validate_python(data)
    except ValidationError as error:
        raise _misshapen("questions with id, article, paragraph, question and answer", path, error) from None
    for asked in file.question:
        with sieve.one():
            yield _of_article(asked, articles.get(asked.article, ()), f"question {asked.id!r} of {path}")


def _of_article(asked: _Asked, paragraphs: Sequence[str], where: str) -> Question:
    """A question about an article of these paragraphs. Raises RowError."""
    if asked.paragraph > len(paragraphs):
        raise RowError(
            f"Expected paragraph {asked.paragraph} of the article {asked.article!r} for {where}, found "
            f"{len(paragraphs)} paragraphs of that name; correct article or paragraph."
        )
    passage = paragraphs[asked.paragraph - 1]
    places = whole_words(asked.answer, passage)
    if len(places) != 1:
        raise RowError(
            f"Expected the answer {asked.answer!r} once in the paragraph of {where}, found it {len(places)} times; "
            "choose another stretch of the paragraph."
        )
    return Question(asked.id, asked.question, passage, (Answer(*places[0]),))


@dataclass(frozen=True)
class _Given:
    text: _Text
    answer_start: Annotated[int, Field(strict=True, ge=0)]


@dataclass(frozen=True)
class _Posed:
    id: _Text
    question: _Text
    answers: Annotated[tuple[_Given, ...], Field(min_length=1)]


@dataclass(frozen=True)
class _Paragraph:
    context: _Text
    qas: tuple[_Posed, ...]


@dataclass(frozen=True)
class _Article:
    paragraphs: tuple[_Paragraph, ...]


@dataclass(frozen=True)
class _Squad:
    data: tuple[_Article, ...]


def _squad(raw: bytes, path: Path, sieve: Sieve) -> Iterator[Question]:
    try:
        file = TypeAdapter(_Squad).validate_json(raw)
    except ValidationError as error:
        raise _misshapen("a file of SQuAD v1.1", path, error) from None
    for paragraph in (paragraph for article in file.data for paragraph in article.paragraphs):
        for posed in paragraph.qas:
            with sieve.one():
                yield _of_passage(posed, paragraph.context, path)


def _of_passage(posed: _Posed, passage: str, path: Path) -> Question:
    """A question about a passage. Raises RowError."""
    answers = {Answer(given.answer_start, given.answer_start + len(given.text)): given for given in posed.answers}
    for (start, end), given in answers.items():
        if passage[start:end] != given.text:
            raise RowError(
                f"Expected the answer {given.text!r} at character {start} of the passage of question "
                f"{posed.id!r} of {path}, found {passage[start:end]!r}; correct answer_start."
            )
    return Question(posed.id, " ".join(posed.question.split()), passage, tuple(sorted(answers)))


def _misshapen(expected: str, path: Path, error: ValidationError) -> CorpusError:
    first: Any = error.errors(include_url=False)[0]
    place = ".".join(map(str, first["loc"]))
    message = f"{first['msg']} at {place}" if place else first["msg"]
    return CorpusError(f"Expected {expected} in {path}, found an error: {message}; correct the file.")
