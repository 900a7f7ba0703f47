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


def named(specialty: Specialty) -> Finding:
    """What a head is named for."""
    counted = "words" if specialty.relation else "mentions"
    several = "; of the untrained model, the range of several" if UNTRAINED in dict(specialty.beside) else ""
    caption = f"On {counted} that had no part in choosing it, without special tokens. Lines: 95 % intervals"
    return Finding(specialty.title, specialty.right, specialty.beside, f"{caption}{several}.")


def unnamed(aside: Aside) -> Finding:
    """What a head finds without being named for it."""
    title, _, _ = aside.title.partition(" (")
    return Finding(title, aside.right, ((OFFSET, aside.baseline),), ONE if aside.held_out else ALL)


def found_figure(head: str, finding: Finding) -> Figure:
    """The figure of how often a head is right; `head` is its name."""
    numbers = {f"head {head}": finding.right, **dict(finding.beside)}
    base, least = finding.beside[0]
    columns: dict[str, Any] = {"name": list(numbers), "own": [True] + [False] * len(finding.beside)}
    columns |= estimate_columns(numbers.values())
    view = {"columns": columns, "signals": {}, "constants": {"unit": "share", "n": finding.right.n}}
    return Figure(
        id="found",
        label=f"Head {head} {finding.title}: right for {_rounded(finding.right)}, the {base} for {_rounded(least)}",
        kinds=("found",),
        data=embed({"shared": {}, "views": [view]}),
        first=view,
        caption=finding.caption,
        table=Table(
            ("what", "right (95 % interval)"), tuple((name, written(number)) for name, number in numbers.items())
        ),
    )


def _rounded(number: Number) -> str:
    return percent(number, ends=False)
