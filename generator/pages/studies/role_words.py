"""Which tokens have the roles that the hypothesis gives to special tokens, in words."""

from collections.abc import Mapping, Sequence

from generator.corpora.classes import CLASS_OF, TokenClass
from generator.numbers.writing import listed

MEANT = {
    "hunter": (TokenClass.BEGIN, "[CLS]"),
    "separator": (TokenClass.SEPARATOR, "[SEP]"),
    "loner": (TokenClass.PUNCTUATION, "periods and commas"),
}
"""Role -> the class of tokens to which the hypothesis gives it, and what these are called."""
NAMED = tuple(MEANT)


def behave(found: Mapping[str, Sequence[str]]) -> str:
    """Which types have which of these roles.

    >>> behave({"hunter": [], "separator": ["[CLS]"], "loner": []})
    '“[CLS]” behaves as a separator, the role that the hypothesis gives to [SEP], and no token as a hunter or a loner'
    >>> behave({"hunter": ["[CLS]"], "separator": [], "loner": [".", ","]})
    '“[CLS]” behaves as a hunter, “.” and “,” behave as loners, and no token as a separator'
    """
    parts = [_as(name, tokens) for name, tokens in found.items() if tokens]
    nobody = listed([f"a {name}" for name, tokens in found.items() if not tokens], "or")
    parts += [f"no token {'' if parts else 'behaves '}as {nobody}"] if nobody else []
    return f"{', '.join(parts[:-1])}{', and ' if parts[1:] else ''}{parts[-1]}"


def _as(name: str, tokens: Sequence[str]) -> str:
    """The tokens with one role, and to which other tokens the hypothesis gives it."""
    which = f"behaves as a {name}" if len(tokens) == 1 else f"behave as {name}s"
    of, meant = MEANT[name]
    other = (
        "" if all(CLASS_OF.get(token) is of for token in tokens) else f", the role that the hypothesis gives to {meant}"
    )
    return f"{listed([f'“{token}”' for token in tokens])} {which}{other}"
