"""The sources of the hand-written pages: `references.bib` -> "Clark et al. 2019".

Only the form that this project writes is read: a field on each line, in braces, and the last brace on its own line.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from generator.errors import SiteError
from generator.files import text_of

_ENTRY = re.compile(r"^@\w+\{([\w-]+),\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^\s*(\w+)\s*=\s*\{(.*)\},?$", re.MULTILINE)


def read_bibliography(path: Path) -> Mapping[str, str]:
    """Key -> author and year, as in running text; empty if there is no file. Raises SiteError for a malformed entry."""
    if not path.is_file():
        return {}
    text = text_of(path, SiteError).replace("\r\n", "\n")
    entries = _ENTRY.findall(text)
    keys = [key for key, _ in entries]
    opened = len(re.findall(r"^@", text, re.MULTILINE))
    if opened != len(set(keys)):
        raise SiteError(
            f"Expected every entry of {path} under a key of its own and ended by a brace on its own line, found "
            f"{len(set(keys))} such entries of {opened}; correct the file."
        )
    return {key: _label(key, dict(_FIELD.findall(fields)), path) for key, fields in entries}


def key_of(source: str, bibliography: Mapping[str, str]) -> str:
    """The key of a source, given by its author and year; empty if the bibliography does not have it."""
    return next((key for key, label in bibliography.items() if label == source), "")


def _label(key: str, fields: Mapping[str, str], path: Path) -> str:
    """Author and year: one name, two names, or the first with "et al."."""
    if missing := [name for name in ("author", "year") if not fields.get(name)]:
        raise SiteError(f"Expected a field {missing[0]!r} in entry {key!r} of {path}, found none; add it.")
    first, *others = map(_family, fields["author"].split(" and "))
    names = f"{first} et al." if len(others) > 1 else " and ".join([first, *others])
    if "\\" in names:
        raise SiteError(
            f"Expected plain letters in the names of entry {key!r} of {path}, found {names!r}; write "
            "accented letters themselves, without LaTeX."
        )
    return f"{names} {fields['year']}"


def _family(name: str) -> str:
    """The family name of "Family, Given" or "Given Family"; a name in braces is taken whole."""
    name = name.strip()
    if name.startswith("{") and name.endswith("}"):
        return name.strip("{}")
    family = name.partition(",")[0] if "," in name else name.split()[-1]
    return family.strip()
