"""CoNLL-U files with coreference in the column MISC (`Entity=`, the format of CorefUD 1.0 and of GUM) -> documents.

    Entity=(7-abstract(3-person)    mentions of entities 7 and 3 begin at this word; that of 3 also ends here
    Entity=7)                       the mention of 7 that began last ends here

What follows an entity's name in an opening bracket is not read: the head of a mention is found in the tree, its kind
and features in the columns UPOS and FEATS of its head. Mentions nest and cross, and end in the sentence they begin in.
Discontinuous mentions (`(e7[1/2]-...`) are left out, and so are mentions of empty nodes alone, which have no words.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from generator.corpora.formats.conllu import Rows, sentences
from generator.corpora.formats.raw import Sieve, contents
from generator.corpora.kind import Content
from generator.corpora.treebank import ROOT, Word, tree
from generator.errors import CorpusError, RowError
from generator.topics.mentions.corpus.coreference import CorefDocument, Features, Kind, Mention, gather

HEADER = b"# global.Entity"
"""The beginning of the comment that says how mentions are written."""
NAMES_FIRST = ("eid", "GRP")
"""What the header `# global.Entity` may call the first field of an opening bracket."""
_BRACKET = re.compile(r"\((?P<opened>[^()-]+)(?:-[^()]*)?(?P<whole>\))?|(?P<closed>[^()-]+)\)")
_PRONOUN_TYPES = ("Prs", "Rcp")
"""Types of determiner that count as pronouns, because they are possessive pronouns such as French "son"."""


def read_entities(name: str, paths: Sequence[Path], skip_bad: bool = False) -> Content[CorefDocument]:
    """Read files, plain or gzipped, as one corpus, without sentences that are wrong if `skip_bad`.

    Raises CorpusError naming the file and the line.
    """
    digest, documents, sieve = hashlib.sha256(), list[CorefDocument](), Sieve(skip_bad)
    for path in paths:
        raw = contents(path, "a treebank")
        digest.update(raw)
        documents += list(_documents(raw, path, sieve))
    return gather(name, digest.hexdigest(), documents, sieve)


def _documents(raw: bytes, path: Path, sieve: Sieve) -> Iterator[CorefDocument]:
    """The documents of a file. Text before the first `# newdoc` is a document too; one without a name is named after
    the file.
    """
    name = path.name
    words: list[str] = []
    mentions: list[Mention] = []
    for sentence in sentences(raw, path):
        fresh = _begins(sentence.comments, path)
        if fresh and words:
            yield CorefDocument(name, tuple(words), tuple(mentions))
            words, mentions = [], []
        name = fresh or name
        with sieve.one():
            rows = sentence.rows(path)
            annotated = tree(rows, path)
            mentions += _mentions(rows, annotated, path, len(words))
            words += [word.form for word in annotated]
    if words:
        yield CorefDocument(name, tuple(words), tuple(mentions))


def _begins(comments: Sequence[tuple[int, str, str]], path: Path) -> str:
    """The name of the document that begins with a sentence that has these comments, or "" if none does."""
    fresh = ""
    for number, key, value in comments:
        if key in ("newdoc", "newdoc id"):
            fresh = value or f"{path.name}:{number}"
        elif key == "global.Entity" and value.split("-")[0] not in NAMES_FIRST:
            raise CorpusError(
                f"Expected {' or '.join(NAMES_FIRST)} as the first field of global.Entity in {path}, line {number}, "
                f"found {value!r}; convert the file to CorefUD 1.0."
            )
    return fresh


def _mentions(rows: Rows, tree: Sequence[Word], path: Path, offset: int) -> list[Mention]:
    features = [columns[5] for _, columns in rows if columns[0].isdigit()]
    mentions = [
        _mention(tree, features=features, entity=entity, start=start, end=end, offset=offset)
        for entity, start, end in _spans(rows, path)
        if start < end and "[" not in entity
    ]
    return sorted(mentions, key=lambda mention: (mention.start, -mention.end, mention.entity))


def _spans(rows: Rows, path: Path) -> Iterator[tuple[str, int, int]]:
    """Entity, first word and the word after the last of every mention of a sentence."""
    begun: dict[str, list[tuple[int, str]]] = defaultdict(list)
    after = 0
    for number, columns in rows:
        # A contraction such as "don't": its words follow.
        if "-" in columns[0]:
            continue
        # Words that are not written have numbers such as 8.1 and no place of their own.
        before, after = after, after + columns[0].isdigit()
        where = f"{path}, line {number}"
        for bracket in _brackets(columns[9], where):
            if bracket["whole"]:
                yield bracket["opened"], before, after
            elif bracket["opened"]:
                begun[bracket["opened"]].append((before, where))
            elif begun[bracket["closed"]]:
                yield bracket["closed"], begun[bracket["closed"]].pop()[0], after
            else:
                raise RowError(
                    f"Expected a mention of {bracket['closed']!r} to begin before it ends in {where}, "
                    "found none; correct the brackets."
                )
    for entity, places in begun.items():
        for _, where in places:
            raise RowError(
                f"Expected the mention of {entity!r} that begins in {where} to end in its sentence, found no end; "
                "correct the brackets."
            )


def _brackets(misc: str, where: str) -> list[re.Match[str]]:
    value = next((item[len("Entity=") :] for item in misc.split("|") if item.startswith("Entity=")), "")
    found = list(_BRACKET.finditer(value))
    if "".join(bracket[0] for bracket in found) != value:
        raise RowError(
            f"Expected brackets such as (7-person, (7-person) or 7) in {where}, found {value!r}; correct them."
        )
    return found


def _mention(tree: Sequence[Word], features: Sequence[str], entity: str, start: int, end: int, offset: int) -> Mention:
    head = _head(tree, start, end)
    kind = _kind(tree[head], features[head])
    conjoined = any(word.head == head + 1 and word.relation.split(":")[0] == "conj" for word in tree[start:end])
    return Mention(
        offset + start,
        end=offset + end,
        head=offset + head,
        entity=entity,
        kind=kind,
        features=_features(features[head], kind, conjoined),
    )


def _head(tree: Sequence[Word], start: int, end: int) -> int:
    """The place of the span's word whose head lies outside the span; of several, the nearest to the root, then the
    first.
    """

    def depth(at: int) -> int:
        steps = 0
        while tree[at].head != ROOT:
            at, steps = tree[at].head - 1, steps + 1
        return steps

    return min((at for at in range(start, end) if not start < tree[at].head <= end), key=depth)


def _kind(word: Word, features: str) -> Kind:
    if word.upos == "PRON" or (word.upos == "DET" and _value(features, "PronType") in _PRONOUN_TYPES):
        return "pronoun"
    return "proper" if word.upos == "PROPN" else "nominal"


def _features(features: str, kind: Kind, conjoined: bool) -> Features:
    """Number, gender and person of a mention. Nouns are third person; a mention such as "Ann and Bo" is plural."""
    return Features(
        number="Plur" if conjoined else _value(features, "Number"),
        gender=_value(features, "Gender"),
        person=_value(features, "Person") or (None if kind == "pronoun" else "3"),
    )


def _value(features: str, name: str) -> str | None:
    """The value of one feature of column FEATS; None if it is missing or has several values (`Gender=Fem,Masc`)."""
    value = dict(item.partition("=")[::2] for item in features.split("|")).get(name)
    return None if value is None or "," in value else value
