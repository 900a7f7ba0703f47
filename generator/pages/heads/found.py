"""The figure of what a head finds: how often it is right, and below that the baselines that it had to beat."""

from typing import Any

from generator.numbers.number import Number
from generator.numbers.writing import percent, written
from generator.pages.blocks import Figure, Table
from generator.pages.figures import embed, estimate_columns
from generator.pages.heads.specialists import UNTRAINED, Specialty


def found_figure(head: str, one: Specialty) -> Figure:
    """The figure of how often a head is right in what it is named for; `head` is its name."""
    numbers = {f"head {head}": one.right, **dict(one.beside)}
    base, least = one.beside[0]
    counted = "words" if one.relation else "mentions"
    columns: dict[str, Any] = {"name": list(numbers), "own": [True] + [False] * len(one.beside)}
    columns |= estimate_columns(numbers.values())
    view = {"columns": columns, "signals": {}, "constants": {"unit": "share", "n": one.right.n}}
    return Figure(
        id="found",
        label=f"Head {head} {one.title}: right for {_rounded(one.right)}, the {base} for {_rounded(least)}",
        kinds=("found",),
        data=embed({"shared": {}, "views": [view]}),
        first=view,
        caption=(
            f"On {counted} that had no part in choosing the head, without special tokens. Lines are 95 % intervals"
            f"{'; of the untrained model, the range of several' if UNTRAINED in numbers else ''}."
        ),
        table=Table(("what", "right (95 % interval)"), tuple((name, written(one)) for name, one in numbers.items())),
    )


def _rounded(one: Number) -> str:
    return percent(one, ends=False)
