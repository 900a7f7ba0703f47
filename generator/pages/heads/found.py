"""The figure of what a head finds: how often it is right, and below that the baselines that it had to beat."""

from typing import Any

from generator.numbers.number import Number, alone
from generator.numbers.writing import percent, written
from generator.pages.blocks import Figure, Table
from generator.pages.figures import embed, estimate_columns
from generator.pages.heads.specialists import Specialty


def found_figure(head: str, one: Specialty) -> Figure:
    """The figure of how often a head is right in what it is named for; `head` is its name."""
    numbers = {f"head {head}": one.right, **dict(one.beside)}
    base, least = one.beside[0]
    columns: dict[str, Any] = {"name": list(numbers), "own": [True] + [False] * len(one.beside)}
    columns |= estimate_columns(numbers.values())
    view = {"columns": columns, "signals": {}, "constants": {"unit": "share", "n": one.right.n}}
    return Figure(
        id="found",
        label=f"Head {head} {one.title}: right for {_alone(one.right)}, the {base} for {_alone(least)}",
        kinds=("found",),
        data=embed({"shared": {}, "views": [view]}),
        caption=(
            "Bars show how often each is right, counted on words that had no part in choosing the head; lines are 95 % "
            "intervals, or the range of untrained models."
        ),
        table=Table(("what", "right (95 % interval)"), tuple((name, written(one)) for name, one in numbers.items())),
    )


def _alone(one: Number) -> str:
    return percent(alone(one.value))
