"""The register of bounds: what every part of a claim must meet, since when, and why.

`data/claims/bounds.toml` holds a list of lines for each part (`[[C04.1]]`) and for each cut-off that a number is made
with (`[[cutoff.mainly]]`). The last line is in force; the ones before it stay, so that a bound cannot move unseen. The
checksum can be published before a model is analysed. A topic of another package has such a file, `bounds.toml`, beside
its modules.
"""

import hashlib
import math
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from functools import cache
from itertools import pairwise
from operator import ge, gt, le, lt
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast, get_args

from generator.errors import SiteError, reason
from generator.home import DATA
from generator.numbers.number import Number
from generator.numbers.writing import number as written
from generator.topics import TOPICS

FILE = DATA / "claims" / "bounds.toml"
FILES = (FILE, *(path for topic in TOPICS if (path := topic.folder / FILE.name).is_file()))
Side = Literal["above", "at least", "below", "at most"]
_MISSED: dict[str, str] = {"above": "not above", "at least": "below", "below": "not below", "at most": "above"}
_MEETS: dict[str, Callable[[float, float], bool]] = {"above": gt, "at least": ge, "below": lt, "at most": le}
HANDFUL = 2
"""A verdict rests on a handful of units if it has fewer than this many times the fewest that are asked for."""
_BOUND = re.compile(rf"({'|'.join(get_args(Side))}) (-?[\d./]+)")


class Bound(NamedTuple):
    """A number, and the side of it that is asked for."""

    side: Side
    at: float

    def met(self, value: float) -> bool:
        """Whether a value lies on the side that is asked for."""
        return _MEETS[self.side](value, self.at)

    def room(self, value: float) -> float:
        """How far a value lies on the side that is asked for; negative on the other."""
        return value - self.at if self.side in ("above", "at least") else self.at - value

    def distance(self, number: Number) -> float:
        """How far a number lies on the side that is asked for, in units of the half of its interval that faces the
        bound; negative on the other side, infinite for a number that is counted.
        """
        room = self.room(number.value)
        half = number.value - number.low if number.value > self.at else number.high - number.value
        return room / half if half > 0 else math.copysign(math.inf, room)

    @property
    def missed(self) -> str:
        """The other side, as text.

        >>> Bound("above", 0.5).missed, Bound("at least", 32500).missed
        ('not above 0.5', 'below 32,500')
        """
        return f"{_MISSED[self.side]} {self._place}"

    @property
    def _place(self) -> str:
        """A fraction where three digits are not exact, because numbers are compared with 1/3, not 0.333."""
        short = written(self.at)
        exact = float(short.replace(",", "")) == self.at
        return short if exact else str(Fraction(self.at).limit_denominator(1000))

    def __str__(self) -> str:
        return f"{self.side} {self._place}"


class Line(NamedTuple):
    """One entry of the register."""

    since: date
    text: str
    """The bounds as written, or the value of a cut-off."""
    why: str


def parse(text: str, file: Path = FILE) -> tuple[Bound, ...]:
    """Bounds as the register writes them. Raises SiteError for anything else.

    >>> parse("above 0 and below 1/4")
    (Bound(side='above', at=0.0), Bound(side='below', at=0.25))
    """
    found = [_BOUND.fullmatch(part) for part in text.split(" and ")]
    if not all(found):
        raise SiteError(f"Expected bounds such as 'above 0 and below 1/4' in {file}, found {text!r}; correct it.")
    sides = [match.groups() for match in found if match]
    return tuple(Bound(cast(Side, side), float(Fraction(at))) for side, at in sides)


def in_force(key: str) -> Line:
    """The line in force for a part, such as "C04.1". Raises SiteError for one that is not registered."""
    return _lines(key)[-1]


def cutoff(name: str) -> float:
    """The value of a cut-off that goes into a number, such as "mainly". Raises SiteError for an unknown one."""
    return float(Fraction(_lines(f"cutoff.{name}")[-1].text))


def fewest(unit: str) -> int:
    """How many distinct units of a kind a verdict or a name must rest on. Raises SiteError for an unknown kind."""
    return int(cutoff(f"fewest-{unit.replace(' ', '-')}"))


def handful(number: Number | None, unit: str) -> str:
    """The units a number rests on, such as "3 heads", if hardly more than the register asks for; empty otherwise."""
    least = fewest(unit)
    return counted(number.n, unit) if number and 1 < least <= number.n < HANDFUL * least else ""


def counted(n: int, units: str) -> str:
    """A count with its unit, in words.

    >>> counted(1, "heads"), counted(1200, "heads"), counted(1, "fine-tuned copies")
    ('1 head', '1,200 heads', '1 fine-tuned copy')
    """
    singular = f"{units.removesuffix('ies')}y" if units.endswith("ies") else units.removesuffix("s")
    return f"{n:,} {singular if n == 1 else units}"


def checksum() -> str:
    """Checksum of the whole register."""
    return hashlib.sha256(b"".join(file.read_bytes() for file in FILES)).hexdigest()


@cache
def register() -> Mapping[str, Sequence[Line]]:
    """Every key with its lines, oldest first. Raises SiteError naming the file and what is wrong in it."""
    found: dict[str, Sequence[Line]] = {}
    for file in FILES:
        registered = dict(_registered(file))
        if twice := found.keys() & registered.keys():
            raise SiteError(
                f"Expected keys in {file} that are not registered elsewhere, found {min(twice)}; choose another name."
            )
        found |= registered
    return found


def _registered(file: Path) -> Iterator[tuple[str, Sequence[Line]]]:
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise SiteError(
            f"Expected the register of bounds in {file}, found: {reason(error)}; install the program again."
        ) from None
    for group, named in data.items():
        for name, lines in named.items() if isinstance(named, dict) else [("", named)]:
            key = f"{group}.{name}".rstrip(".")
            read = _read(key, lines, file)
            if any(later.since < earlier.since for earlier, later in pairwise(read)):
                raise SiteError(
                    f"Expected the lines of {key} in {file} in the order of their dates, found a later one before an "
                    "earlier; move them."
                )
            yield key, read


def _lines(key: str) -> Sequence[Line]:
    if key not in register():
        raise SiteError(f"Expected {key} in {FILE}, found no such entry; register it with its date and reason.")
    return register()[key]


def _read(key: str, lines: Any, file: Path) -> list[Line]:
    asked = "value" if key.startswith("cutoff.") else "bounds"
    if not isinstance(lines, list) or not all(isinstance(line, dict) for line in lines):
        raise SiteError(f"Expected a list of lines for {key} in {file}, found {lines!r}; write them as [[{key}]].")
    if not all(line.keys() == {"set", asked, "why"} and line["why"] for line in lines):
        raise SiteError(
            f"Expected 'set', '{asked}' and 'why' in every line of {key} in {file}, found other keys or an empty "
            "'why'; correct it."
        )
    made = [Line(line["set"], str(line[asked]), line["why"]) for line in lines]
    for line in made:
        if type(line.since) is not date:
            raise SiteError(f"Expected a date as 'set' of {key} in {file}, found {line.since!r}; correct it.")
        if asked == "bounds":
            parse(line.text, file)
        elif not _is_number(line.text):
            raise SiteError(f"Expected a number for {key} in {file}, found {line.text!r}; correct it.")
    return made


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(Fraction(text))
    except (ValueError, ZeroDivisionError):
        return False
