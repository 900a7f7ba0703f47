"""The kinds of names that topics give heads: for each what may be said, by the gate, and the words for it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from generator.claims.gate.statement import Place, Statement
from generator.pages.heads.aside import Aside
from generator.pages.heads.naming.specialty import Specialty
from generator.pages.heads.naming.trait import Trait
from generator.results.store import Results
from generator.topics import of_topics


@dataclass(frozen=True)
class Naming:
    """A kind of names. A topic gives one as `NAMING`: a `Find`, or a `Need`."""

    kind: str
    """By which its statements, its colour and lists know it."""
    called: str
    """What it is called in lists and legends, such as "finds a relation"."""
    story: tuple[str, str]
    """The page and heading among the findings that tell of such heads, and the question that they answer."""
    words: tuple[str, ...]
    """Words of the field by which readers may ask the finder for such heads."""
    statements: Callable[[Results], Iterable[Statement]]
    """What may be said of each head, given or refused."""
    title: Callable[[Statement], str]
    """What a statement says of its head, in words."""


@dataclass(frozen=True)
class Find(Naming):
    """Names for what a head finds, which come before what its maps look like."""

    specialty: Callable[[Statement], Specialty]
    tables: tuple[str, ...]
    """The tables that have rows where something was read in which a head could find it."""
    asides: Callable[[Results], Mapping[Place, Aside]] = lambda _: {}
    """What heads find without being named for it."""
    columns: Callable[[Results], Mapping[str, np.ndarray]] = lambda _: {}
    """What the finder of heads knows it by -> how often each head is right, `[layer, head]`."""


@dataclass(frozen=True)
class Need(Naming):
    """Names for what needs a head, which come after what its maps look like."""

    trait: Callable[[Statement, int], Trait]
    """Takes also how many heads the model has."""


@cache
def namings() -> Mapping[str, Naming]:
    """Kind -> its names, in the order of topics."""
    return {topic.kind: topic for topic in of_topics("naming", "NAMING")}


@cache
def finds() -> Mapping[str, Find]:
    """Those for what heads find."""
    return {kind: naming for kind, naming in namings().items() if isinstance(naming, Find)}


@cache
def needs() -> Mapping[str, Need]:
    """Those for what needs them."""
    return {kind: naming for kind, naming in namings().items() if isinstance(naming, Need)}
