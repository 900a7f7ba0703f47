"""What the five sources of the guide say, item by item, as records.

`data/sources.toml` has a list of records for each source, under its key in `references.bib`:

    says      what the source states, asks or tries, in our words
    told      the page and heading that tell or test it: "findings/three-phases.md#phase-one-what-a-word-is"
    claims    the claims that measure it: "C05", or "C04.2" for the second part of C04; the section names them, too
    why       why it is not measured, or not told if there is no place; beside claims, what they leave out
"""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from generator.errors import SiteError, reason
from generator.home import DATA

FILE = DATA / "sources.toml"


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Item:
    """One record, as described above."""

    says: str
    told: str = ""
    claims: tuple[str, ...] = ()
    why: str = ""


def read_sources(path: Path) -> Mapping[str, Sequence[Item]]:
    """Key of a source -> what it says, in its order. Raises SiteError for a file that does not hold that."""
    try:
        return TypeAdapter(dict[str, list[Item]]).validate_python(tomllib.loads(path.read_text(encoding="utf-8")))
    except ValidationError as error:
        first = error.errors()[0]
        found = f"{first['msg']} at {'.'.join(map(str, first['loc']))}"
    except (OSError, ValueError, RecursionError) as error:
        found = reason(error)
    raise SiteError(f"Expected what sources say in {path}, found: {found}; correct the file.")
