"""The errors that a user can cause, one class for each cause.

    FieldguideError
    |- SettingsError    fieldguide.toml or an option
    |- ModelError       a checkpoint that cannot be found, read or observed
    |  `- TooLongError
    |- CorpusError      text that cannot be read or is too little
    |  `- RowError
    |- DeviceError      a device that is not there
    |- ResultsError     a results folder that cannot be read or written
    |  `- NewerResultsError
    `- SiteError        a site that cannot be built

Each message is one sentence: what was expected, what was found, where, what to do next.
The command line prints it and exits with 1; any other exception is a bug of ours.
"""

import re
from collections.abc import Sequence

MOST_QUOTED = 200
"""The most characters that a message quotes of what was found."""
QUOTED = re.compile("|".join(rf"(?<!\w)({sign}[^{sign}]{{{MOST_QUOTED}}})[^{sign}]+({sign})(?!\w)" for sign in "'\""))
"""Matches a longer quotation; no apostrophe within a word begins or ends one."""
BRACKET = re.compile(r"[\[\]{}]")
"""Matches what begins or ends a list or a table; round brackets hold sentences."""
ROOM = 8
"""How many characters more something may have before it is cut: a mark that it was, quotation marks, a comma."""
START, END = 150, 50
"""How much stays of a word that is too long, which may be a path: its file and the comma after it stand at its end."""
WORD = re.compile(rf"(?<!\S)(\S{{{START}}})\S{{{ROOM + 1},}}(\S{{{END}}})")
"""Matches a longer word, with or without quotation marks."""
NO_NUMBER = "What is refused is not stored."


def reason(error: Exception) -> str:
    """The first line of another library's error, to be quoted in one of ours."""
    first = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".: ")
    return first if len(first) <= MOST_QUOTED else f"{first[:MOST_QUOTED]}…"


def described(error: Exception) -> str:
    """An error as part of a sentence: one of ours unchanged; of any other, a bug, its class and its first line."""
    return str(error) if isinstance(error, FieldguideError) else f"{type(error).__name__}: {reason(error)}"


def brief(text: str) -> str:
    """A message in which no quotation, list, table or word is longer than a person reads; sentences stay whole."""
    text = QUOTED.sub(lambda found: "…".join(filter(None, found.groups())), text)
    return WORD.sub(r"\1…\2", _lists_cut(text))


def _lists_cut(text: str) -> str:
    """The text without the ends of lists and tables that are too long, whatever is nested in them."""
    parts, done, start, depth = [], 0, 0, 0
    for found in BRACKET.finditer(text):
        if found[0] in "[{":
            start = start if depth else found.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth and found.end() - start > MOST_QUOTED + ROOM:
                parts.append(f"{text[done : start + MOST_QUOTED]}…")
                done = found.start()
    return "".join([*parts, text[done:]])


def joined(problems: Sequence[str], count: int | None = None) -> str:
    """The end of a sentence about things that cannot be done: how many there are, and the errors that say why.

    `count` is their number if it is not that of the errors, because one error is about several things.

    >>> joined(["No network.", "No space."], 3)
    '3 that cannot be: No network; No space.'
    """
    return f"{count or len(problems)} that cannot be: {'; '.join(problem.rstrip('.') for problem in problems)}."


class FieldguideError(Exception):
    """An expected failure; its text is written for the person at the keyboard, and quotes little of what was found."""

    def __init__(self, text: str = "") -> None:
        super().__init__(brief(text))


class SettingsError(FieldguideError):
    """A setting is missing, unknown or out of range."""


class ModelError(FieldguideError):
    """A checkpoint cannot be found, read or observed."""


class TooLongError(ModelError):
    """An input needs more memory than there is; what needs less can still be done."""


class CorpusError(FieldguideError):
    """A corpus cannot be read, or holds too little text."""


class RowError(CorpusError):
    """One sentence or row of a corpus is wrong; what stands around it can be read."""


class DeviceError(FieldguideError):
    """The device asked for is not on this machine, or does not compute in the precision asked for."""


class ResultsError(FieldguideError):
    """A results folder cannot be read or written."""


class NewerResultsError(ResultsError):
    """Results were written by a later version of this program; they are never replaced."""


class SiteError(FieldguideError):
    """The site cannot be built from what is there."""
