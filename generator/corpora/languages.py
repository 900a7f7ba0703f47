"""The language of a text or treebank, by ISO 639 code, and relations that some languages do not mark by a word.

Most claims were made on English. Tested on a treebank of another language, a claim about a relation is a claim about
that language; it cannot be tested if the language has no word that could carry the relation. The table below names such
relations for the languages of the catalogue, as the documentation of Universal Dependencies describes them; a relation
that it does not name may still be rare in a treebank. A language that is not named is not taken for English.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from generator.corpora.formats.conllu import is_conllu, lines
from generator.errors import CorpusError

ENGLISH, GERMAN, KOREAN = "en", "de", "ko"
NAMES = {ENGLISH: "English", GERMAN: "German", KOREAN: "Korean"}
"""English names of languages by their codes."""
COMMENT = "language"
"""The key of the comment with a treebank's language, as in `# language = de`."""
_CODE = re.compile(r"[a-z]{2,3}")
_FILE = re.compile(rf"(?P<code>{_CODE.pattern})_[a-z0-9]+-u[dp]-")
"""How files of Universal Dependencies and Universal Propositions are named, such as `de_gsd-ud-dev.conllu`."""
_DOCUMENTATION = "https://universaldependencies.org/"


class Otherwise(NamedTuple):
    """A relation that a language does not mark by a word of its own."""

    how: str
    """What the language does instead, worded to follow "because"."""
    source: str
    """The page that says so."""


_UNSPLIT = Otherwise("noun compounds are written as one word", f"{_DOCUMENTATION}de/index.html")
_POSSESSORS = Otherwise(
    "possessors are genitive nouns (nmod) or determiners (det:poss), and no marker follows them",
    f"{_DOCUMENTATION}de/dep/nmod.html",
)
_PARTICLES = Otherwise(
    "words end at spaces, so that case particles are part of their noun, and few stand apart",
    f"{_DOCUMENTATION}ko/index.html",
)
_PASSIVES = Otherwise("no auxiliary makes a passive: it is part of the verb", f"{_DOCUMENTATION}ko/index.html")
_NO_PARTICLES = Otherwise("verbs have no separate particles", f"{_DOCUMENTATION}ko/index.html")
_ENDINGS = Otherwise(
    "words end at spaces, so that what marks a clause is the ending of its verb",
    f"{_DOCUMENTATION}ko/index.html",
)
OTHERWISE: Mapping[str, Mapping[str, Otherwise]] = {
    GERMAN: {"compound": _UNSPLIT, "nmod:poss": _POSSESSORS},
    KOREAN: {"aux:pass": _PASSIVES, "case": _PARTICLES, "compound:prt": _NO_PARTICLES, "mark": _ENDINGS},
}
"""Language -> relation in Universal Dependencies -> what the language does instead."""


def language_name(code: str) -> str:
    """The name of a language in a sentence; its code if it has no name here. The code "" is an unknown language."""
    return NAMES.get(code, f'the language "{code}"' if code else "a language that is not known")


def marked_otherwise(code: str, relations: Iterable[str]) -> Otherwise | None:
    """What a language does instead of marking a relation, which may go by several names; None if nothing is known."""
    known = OTHERWISE.get(code, {})
    return next((known[name] for name in relations if name in known), None)


def language_of(path: Path) -> str:
    """The code of the language of a CoNLL-U file, from its comments or else its name; "" if neither says it.

    Raises CorpusError for a comment whose value is no language code, and for two comments that differ.
    """
    found = ""
    if not is_conllu(path):
        return found
    for number, line in enumerate(lines(path), start=1):
        key, equals, value = (part.strip() for part in line[1:].decode("utf-8", "replace").partition("="))
        if line[:1] != b"#" or key != COMMENT or not equals:
            continue
        expected = f"the code {found!r}, which stands above," if found else "a code of two or three letters (ISO 639)"
        if not _CODE.fullmatch(value) or found not in ("", value):
            raise CorpusError(
                f"Expected {expected} after '# {COMMENT} =' in {path}, line {number}, found {value!r}; "
                "name one language, such as 'de'."
            )
        found = value
    named = _FILE.match(path.name)
    return found or (named["code"] if named else "")
