"""What a number is: every stored number has one record, used by all code that writes, judges, shows or explains it.

Numbers of a document and a head are measures. All others belong to a study, which may be an experiment, and are stored
under two names: that of the study and their own. A name without a record can be neither written nor read.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from enum import Enum
from functools import cached_property, partial
from typing import Literal, TypeVar

from generator.corpora.files import TEXT
from generator.corpora.kind import Kind

NO_NUMBER = "A record says what a number is called and means; it does not make it."

Found_co = TypeVar("Found_co", covariant=True)
Of = Literal["model", "layer", "head"]
Unit = Literal[
    "share",
    "nats",
    "ratio",
    "correlation",
    "cosine",
    "silhouette",
    "stress-1",
    "score",
    "count",
    "clusters",
    "tokens",
    "doublings",
    "number",
    "0 or 1",
    "as the measure",
    "as the number",
    "as the claim",
]


class Undeclared(Exception):  # noqa: N818 - the name is what is undeclared
    """A name has no record. This is a bug, never a reason why a number is missing."""


@dataclass(frozen=True)
class Placeholder:
    """A part of a name that differs from number to number, such as "start" in "drop.distance.{start}"."""

    name: str
    values: Mapping[str, str] = field(hash=False)
    """Value that the placeholder may take -> the words for it in a title."""
    pattern: str = ""
    """A regular expression for values that cannot be listed, such as relations; titles show these as they are."""

    @classmethod
    def any(cls, name: str, pattern: str) -> "Placeholder":
        """A placeholder whose values cannot be listed."""
        return cls(name, {}, pattern)

    @property
    def expression(self) -> str:
        """A named group of a regular expression that matches the allowed values."""
        return f"(?P<{self.name}>{self.pattern or '|'.join(map(re.escape, self.values))})"


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """One number, or a family of numbers whose names differ in placeholders alone."""

    name: str
    """The stored name, with placeholders in braces. For a measure it is also the last part of its page's address."""
    title: str
    """The name in plain words, as tables show it; it may contain placeholders too."""
    unit: Unit
    range: str = ""
    """The least and the greatest value, as text; empty if there are no bounds."""
    definition: str
    """One or two sentences."""
    formula: str = ""
    """Plain text; A[i, j] is the attention from token i to token j, n the number of tokens."""
    reference: str = ""
    """What it is compared with, in words or as a formula; of a measure, what uniform attention would score."""
    source: str = ""
    """Where its definition comes from, such as a paper; empty if the study's own `source` says it."""
    caveats: tuple[str, ...] = ()
    of: tuple[Of, ...] = ("model",)
    """What has such a number: the model as a whole, each layer, or each head."""
    placeholders: tuple[Placeholder, ...] = ()
    """The placeholders of the name."""
    table: str = ""
    """The table that has a column of this name; empty where the name stands in a row."""
    where: str = ""
    """Where alone it is stored, such as "a model with a masked-LM head"; empty if its study always stores it."""
    drawn: str = ""
    """What its interval draws beside what `n` counts, such as "random heads"; empty if nothing."""
    beyond: str = ""
    """Why an end of its interval may lie beyond its range; empty if none can."""

    @cached_property
    def _expression(self) -> re.Pattern[str]:
        # The whole name is escaped, and with it the braces of its placeholders.
        expression = re.escape(self.name)
        for placeholder in self.placeholders:
            expression = expression.replace(re.escape(f"{{{placeholder.name}}}"), placeholder.expression)
        return re.compile(expression)

    def values_in(self, name: str) -> Mapping[str, str] | None:
        """Placeholder -> its value in a stored name; None if the name belongs to another number."""
        found = self._expression.fullmatch(name)
        return found.groupdict() if found else None

    def called(self, **parts: object) -> str:
        """The stored name of one number of the family. Raises Undeclared for values that are not allowed."""
        name = self.name
        for part, value in parts.items():
            name = name.replace(f"{{{part}}}", str(value))
        if self.values_in(name) is None:
            raise Undeclared(f"Expected parts that {self.name} allows, found {parts}; declare them with its record.")
        return name

    def one(self, name: str) -> "Quantity":
        """The record of one number of the family, with its title and definition filled in."""
        title, definition = self.title, self.definition
        for part, value in (self.values_in(name) or {}).items():
            words = next(
                placeholder.values.get(value, value) for placeholder in self.placeholders if placeholder.name == part
            )
            title, definition = (text.replace(f"{{{part}}}", words) for text in (title, definition))
        title = title[0].upper() + title[1:]
        return replace(self, name=name, title=title, definition=definition, placeholders=())

    @cached_property
    def limits(self) -> tuple[float, float]:
        """The least and the greatest value of the range; infinite if there is no bound or it varies, such as "ln n"."""
        return limits(self.range)

    @property
    def unit_text(self) -> str:
        """Unit and range: "share, 0 to 1"."""
        return f"{self.unit}, {self.range}" if self.range and self.unit != "0 or 1" else self.unit


share = partial(Quantity, unit="share", range="0 to 1")
difference = partial(Quantity, unit="share", range="-1 to 1")
"""A difference of two shares."""
correlation = partial(Quantity, unit="correlation", range="-1 to 1")
ratio = partial(Quantity, unit="ratio", range="0 and more")
nats = partial(Quantity, unit="nats")
score = partial(Quantity, unit="score")
count = partial(Quantity, unit="count", range="0 and more")
place = partial(Quantity, unit="number", range="1 and up")
"""The layer or the head, from 1, of a head that was chosen; the name ends in AXIS."""
AT_ONCE = "It holds for several numbers at once, and reaches as far to either side."
AXIS = Placeholder("axis", {"layer": "layer", "head": "head"})


def columns(table: str, *quantities: Quantity) -> tuple[Quantity, ...]:
    """These numbers as columns of a table; `low` and `high` belong to `value`, `gain_low` to `gain`, and so on."""
    return tuple(replace(quantity, table=table) for quantity in quantities)


class Maker(Enum):
    """What makes the numbers of a study, and the words for it."""

    ANALYSIS = "An analysis"
    EXPERIMENT = "Experiments"
    CURVE = "The learning curve"
    PAGES = "Made from stored tables"


@dataclass(frozen=True, kw_only=True)
class Study:
    """Numbers that are computed together; each is stored with the study's name."""

    name: str
    title: str
    about: str
    """What is done, in a few sentences."""
    source: str
    quantities: tuple[Quantity, ...]
    made: Maker = Maker.ANALYSIS
    columns: tuple[Quantity, ...] = ()
    """Numbers that stand in columns of tables of its own."""
    reads: Kind = TEXT
    """The kind of corpus it is computed from."""
    takes: str = ""
    """What it needs besides maps, such as "a masked-LM head", as the end of a sentence."""
    finds: str = ""
    """What text or model must have for the study to give a number; follows the words "it takes"."""
    command: str = ""
    """The command that makes it, if an analysis does not."""
    family: str = ""
    """The placeholder at the end of the name, if there are several studies of the kind, such as one for each model."""

    some_heads: bool = False
    """Whether it may have a number of some heads alone, as where two models of different shape are compared."""

    def of(self, value: str) -> "Study":
        """The study of this kind for one value of the placeholder, such as a model."""
        return replace(self, name=f"{self.name}:{value}", family="")

    @property
    def stored(self) -> str:
        """The name as it is stored, with the placeholder."""
        return f"{self.name}:{{{self.family}}}" if self.family else self.name

    def owns(self, name: str) -> bool:
        """Whether a stored name of a study belongs to this study."""
        return name.startswith(f"{self.name}:") if self.family else name == self.name

    @cached_property
    def _known(self) -> dict[str, Quantity]:
        return {}

    def quantity(self, name: str) -> Quantity:
        """The record of a stored name. Raises Undeclared."""
        return self._known.get(name) or self._known.setdefault(name, self._declared(name))

    def _declared(self, name: str) -> Quantity:
        found = next((record for record in self.quantities if record.values_in(name) is not None), None)
        if found is None:
            near = get_close_matches(name, [record.name for record in self.quantities], 3, 0)
            raise Undeclared(
                f'Expected a declared number of study "{self.stored}", found "{name}"; add its record to the study, '
                f"or name one that it has, such as {', '.join(near)}."
            )
        return found.one(name) if found.placeholders else found

    def parts(self, name: str) -> Mapping[str, str]:
        """Placeholder -> its value in a stored name. Raises Undeclared."""
        self.quantity(name)
        return next(found for record in self.quantities if (found := record.values_in(name)) is not None)

    def check(self, names: Iterable[str], of: Of) -> None:
        """Raises Undeclared for a name that has no record, or whose record does not say that it is `of` this kind."""
        for name in names:
            found = self.quantity(name)
            if of not in found.of:
                raise Undeclared(
                    f'Expected "{name}" of study "{self.stored}" of {" or ".join(found.of)}, found one of a {of}; '
                    "correct `of` in its record."
                )


class Named(Mapping[str, Found_co]):
    """Numbers of a study by name. A name without a record raises Undeclared: it is a mistake, not merely missing."""

    def __init__(self, study: Study, found: Mapping[str, Found_co], before: str = "") -> None:
        """`before` is the common prefix of the stored names, which the keys leave out."""
        self._study, self._found, self._before = study, found, before

    def __getitem__(self, name: str) -> Found_co:
        self._study.quantity(self._before + name)
        return self._found[name]

    def __contains__(self, name: object) -> bool:
        self._study.quantity(f"{self._before}{name}")
        return name in self._found

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def limits(text: str) -> tuple[float, float]:
    """The least and the greatest value of a range as text; infinite if there is no bound or it varies, such as "ln n".

    >>> limits("0 to 1"), limits("1 and more"), limits("0 to ln n")
    ((0.0, 1.0), (1.0, inf), (0.0, inf))
    """
    least, _, most = text.partition(" to ")
    # "0 and less" names only the most; every other range without "to" names only the least.
    least, most = ("", least) if least.endswith("less") else (least, most)
    return _limit(least, -math.inf), _limit(most, math.inf)


def _limit(text: str, otherwise: float) -> float:
    """The number at the start of a part of a range, such as "0 and more" or "ln 2"; `otherwise` if there is none."""
    found = re.match(r"(ln )?(-?\d+)(?= |$)", text)
    if not found:
        return otherwise
    return math.log(int(found[2])) if found[1] else float(found[2])
