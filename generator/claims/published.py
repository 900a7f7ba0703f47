"""Published numbers, from `data/published/*.toml`, each with its exact place and how far it is to be trusted.

A file holds groups; a group is one table, curve or sentence of a paper:

    key       how its numbers' keys begin; `values = { dobj = { accuracy = 86.8 } }` in group `clark.table1` is
              `clark.table1.dobj.accuracy`, and `layers = [...]` gives `KEY.1`, `KEY.2` and so on
    source    the paper; the file's own unless given
    place     section, table, or cell of a released notebook
    trust     primary: output, code or text of the authors; secondary: notes of others; approximate: read off a plot, or
              from memory
    unit      of all numbers; `units` names those of single columns
    notes     by key within the group

Files keep the paper's figures. Percent and points become shares when they are read, which is what the results hold.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError

from generator.errors import SiteError, reason
from generator.home import DATA

FOLDER = DATA / "published"
HUNDREDTHS = ("percent", "points")
Trust = Literal["primary", "secondary", "approximate"]


@dataclass(frozen=True)
class Published:
    """One number of a paper."""

    key: str
    value: float
    unit: str
    """`share`, `nats`, `layer`, `words` and so on; never percent."""
    source: str
    """Authors and year."""
    place: str
    trust: Trust
    note: str
    """What a reader must know beside the number; mostly empty."""


@dataclass(frozen=True)
class _Group:
    """A group of published numbers as a file holds it."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    key: str
    place: str
    trust: Trust
    source: str = ""
    unit: str = ""
    units: dict[str, str] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    layers: list[float] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)


def published(key: str) -> Published:
    """A published number by its key. Raises SiteError for a key that no file has."""
    known = read_published(FOLDER)
    if key not in known:
        near = get_close_matches(key, known, n=3)
        raise SiteError(
            f"Expected the key of a published number, found {key!r}, which no file in {FOLDER} has; "
            + (f"did you mean {' or '.join(near)}?" if near else "add it there or correct it.")
        )
    return known[key]


def of_layers(key: str) -> tuple[str, ...]:
    """The keys of a curve over the twelve layers of BERT-base.

    >>> of_layers("kovaleva.cosine_qqp")[::11]
    ('kovaleva.cosine_qqp.1', 'kovaleva.cosine_qqp.12')
    """
    return tuple(f"{key}.{layer}" for layer in range(1, 13))


@cache
def read_published(folder: Path) -> Mapping[str, Published]:
    """All numbers of a folder by key. Raises SiteError naming the file that cannot be read or repeats a key."""
    found: dict[str, Published] = {}
    for path in sorted(folder.glob("*.toml")):
        for number in _read(path):
            if number.key in found:
                raise SiteError(
                    f"Expected every key once in {folder}, found {number.key!r} again in {path}; rename it."
                )
            found[number.key] = number
    if not found:
        raise SiteError(f"Expected published numbers in {folder}, found none; install the program again.")
    return found


def _read(path: Path) -> list[Published]:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        groups = TypeAdapter(list[_Group]).validate_python(data["group"])
        return [number for group in groups for number in _numbers(group, data.get("source", ""))]
    except ValidationError as error:
        first = error.errors()[0]
        found = f"{first['msg']} at {'.'.join(map(str, first['loc']))}"
    except KeyError as error:
        found = f"no {error.args[0]!r}"
    except (OSError, ValueError, RecursionError) as error:
        found = reason(error)
    raise SiteError(f"Expected groups of published numbers in {path}, found: {found}; correct the file.")


def _numbers(group: _Group, source: str) -> Iterator[Published]:
    """The numbers of a group. Raises ValueError for one without unit or source, and for a note without its number."""
    values = dict(_flat(group.values)) | {str(layer): value for layer, value in enumerate(group.layers, start=1)}
    if lost := group.notes.keys() - values.keys():
        raise ValueError(f"a note on {min(lost)!r}, which group {group.key!r} does not hold")
    for name, value in values.items():
        unit = next((group.units[part] for part in reversed(name.split(".")) if part in group.units), group.unit)
        if not unit or not (group.source or source):
            raise ValueError(f"no unit or no source for {name!r} in group {group.key!r}")
        yield Published(
            key=f"{group.key}.{name}",
            value=value / 100 if unit in HUNDREDTHS else value,
            unit="share" if unit in HUNDREDTHS else unit,
            source=group.source or source,
            place=group.place,
            trust=group.trust,
            note=group.notes.get(name, ""),
        )


def _flat(values: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from ((f"{name}.{inner}", number) for inner, number in _flat(value))
        else:
            yield name, float(value)
