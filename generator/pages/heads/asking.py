"""Words of the field that the finder knows as questions, besides names of measures and relations."""

from collections.abc import Container, Iterator, Mapping

from generator.claims.gate.maps import BROAD, PATTERN, WINDOW
from generator.pages.heads.naming.naming import namings

WORDS: Mapping[tuple[str, ...], tuple[str, ...]] = {
    ("position", "positional", "offset"): ("previous", "next", "self", WINDOW),
    ("broad", "diffuse", "uniform"): (BROAD,),
    ("window", "local"): (WINDOW,),
    ("delimiter", "separator"): ("separator",),
    ("pattern",): (PATTERN,),
}
"""Words -> the kinds of the heads that are asked for; topics add those of their names."""
NUMBERS: Mapping[tuple[str, ...], str] = {
    ("copula", "copular"): "cop",
    ("object",): "obj",
    ("diagonal",): "pattern.diagonal",
    ("vertical",): "pattern.vertical",
    ("block",): "pattern.block",
}
"""Words -> the number of the finder by which heads are sorted, if the guide has it."""
UNMEASURED: Mapping[tuple[str, ...], str] = {
    ("induction",): (
        "No number of a head tells induction, which copies what followed an earlier use of the same word; the methods "
        "list what is measured about identical words."
    )
}
"""Words that the finder knows although it cannot answer -> why."""


def kinds_asked() -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """Words -> the kinds of the heads that are asked for, those of topics included."""
    return {**{naming.words: (kind,) for kind, naming in namings().items()}, **WORDS}


def field() -> tuple[str, ...]:
    """All words that the finder knows; the search of the site leads to it for them."""
    return tuple(word for group in (kinds_asked(), NUMBERS, UNMEASURED) for words in group for word in words)


def field_words(columns: Container[str]) -> dict[str, list[str] | str | dict[str, str]]:
    """Word -> the kinds it asks for, as a list; or the number that it sorts by, if that is one of `columns`; or, under
    the key `why`, why it has no answer.

    >>> field_words(["cop"])["copula"], field_words([])["window"], "copula" in field_words([])
    ('cop', ['window'], False)
    """
    found: dict[str, list[str] | str | dict[str, str]] = {}
    found |= {word: list(kinds) for words, kinds in kinds_asked().items() for word in words}
    found |= {word: column for words, column in NUMBERS.items() if column in columns for word in words}
    return found | {word: {"why": why} for words, why in UNMEASURED.items() for word in words}


def vocabulary(kinds: Mapping[str, str], columns: Container[str]) -> Iterator[tuple[str, str]]:
    """Words, and what they ask for, in words; `kinds` names kinds."""
    for words, asked in kinds_asked().items():
        yield ", ".join(words), " or ".join(kinds[kind] for kind in asked)
    for words, column in NUMBERS.items():
        if column in columns:
            yield ", ".join(words), f"all heads, the largest {column} first"
