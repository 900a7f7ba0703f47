"""The figure of what a head finds: how often it is right, and below that the baselines that it had to beat."""

from typing import Any, NamedTuple

from generator.numbers.number import Number
from generator.numbers.writing import percent, written
from generator.pages.blocks import Figure, Table
from generator.pages.figures import embed, estimate_columns
from generator.pages.heads.aside import Aside
from generator.pages.heads.naming.specialty import UNTRAINED, Specialty

OFFSET = "best fixed offset"
ALL = "On all sentences; none was held out. Lines: 95 % intervals."
ONE = "On words of one treebank that had no part in choosing it. Lines: 95 % intervals."


class Finding(NamedTuple):
    """How often a head is right about something."""

    title: str
    """The words after its name."""
    right: Number
    beside: tuple[tuple[str, Number], ...]
    """Names of what it is compared with, and how often each is right."""
    caption: str


def named(one: Specialty) -> Finding:
    """What a head is named for."""
    counted = "words" if one.relation else "mentions"
    several = "; of the untrained model, the range of several" if UNTRAINED in dict(one.beside) else ""
    caption = f"On {counted} that had no part in choosing it, without special tokens. Lines: 95 % intervals"
    return Finding(one.title, one.right, one.beside, f"{caption}{several}.")


def unnamed(one: Aside) -> Finding:
    """What a head finds without being named for it."""
    title, _, _ = one.title.partition(" (")
    return Finding(title, one.right, ((OFFSET, one.baseline),), ONE if one.held_out else ALL)


def found_figure(head: str, one: Finding) -> Figure:
    """The figure of how often a head is right; `head` is its name."""
    numbers = {f"head {head}": one.right, **dict(one.beside)}
    base, least = one.beside[0]
    columns: dict[str, Any] = {"name": list(numbers), "own": [True] + [False] * len(one.beside)}
    columns |= estimate_columns(numbers.values())
    view = {"columns": columns, "signals": {}, "constants": {"unit": "share", "n": one.right.n}}
    return Figure(
        id="found",
        label=f"Head {head} {one.title}: right for {_rounded(one.right)}, the {base} for {_rounded(least)}",
        kinds=("found",),
        data=embed({"shared": {}, "views": [view]}),
        first=view,
        caption=one.caption,
        table=Table(
            ("what", "right (95 % interval)"), tuple((name, written(number)) for name, number in numbers.items())
        ),
    )


def _rounded(one: Number) -> str:
    return percent(one, ends=False)
