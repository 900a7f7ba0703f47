"""The figure of the number that names a head, above what it is compared with: how often it is right in what it finds,
and the baselines that it had to beat; or how much it looks at something, and what other heads and uniform attention
give.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from generator.claims.gate.maps import BROAD, PATTERN
from generator.numbers.number import Number, alone
from generator.numbers.writing import listed, percent, written
from generator.pages.blocks import Figure, Table
from generator.pages.figures import embed, estimate_columns, has_norms
from generator.pages.heads.aside import Aside
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.naming.specialty import UNTRAINED, Specialty
from generator.pages.heads.summary import TARGETS
from generator.pages.links import head_name

OFFSET = "best fixed offset"
LINES = "Lines: 95 % intervals."
NONE_HELD_OUT = f"None was held out; a name needs an interval that is widened because {{}} heads were tried. {LINES}"
ALL = f"On all sentences; none was held out. {LINES}"
ONE = f"On words of one treebank that had no part in choosing it. {LINES}"
WRITES, MIDDLE, UNIFORM = "its output from there", "middle head here", "uniform attention"
"""What a share of attention stands beside; the second is the median of this model's heads."""
OF_MIDDLE = "The middle head is the median of this model's."
NORM_OF = {target.column: target.norm for target in TARGETS}


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
    rival = (aside.reason.rival,) if aside.reason.rival else ()
    return Finding(title, aside.right, ((OFFSET, aside.baseline), *rival), ONE if aside.held_out else ALL)


def found_figure(head: str, finding: Finding) -> Figure:
    """The figure of how often a head is right; `head` is its name."""
    numbers = {f"head {head}": finding.right, **dict(finding.beside)}
    base, least = finding.beside[0]
    label = f"Head {head} {finding.title}: right for {_rounded(finding.right)}, the {base} for {_rounded(least)}"
    return _bars("found", numbers, label, finding.caption, "right")


def looked_figure(atlas: Atlas, layer: int, head: int) -> Figure | None:
    """The figure of the share that names a head, or to which it leans, or of what gets more in other texts; None of a
    head that another thing names, or two targets together: what goes to both may be counted twice.
    """
    summary = atlas.summaries[layer, head]
    if summary.turned:
        return _turned(atlas, layer, head)
    if summary.kind == BROAD:
        return _broad(atlas, layer, head)
    if not summary.columns:
        return None
    shares = atlas.stacked("value", summary.columns).sum(-1)
    uniform = sum(atlas.estimates[column].uniform for column in summary.columns)
    name, norm = head_name(layer, head), NORM_OF.get(summary.columns[0])  # those of a window have none
    numbers = {f"head {name}": summary.number}
    if norm and has_norms(atlas, layer, head):
        numbers[WRITES] = atlas.estimates[norm].of(layer, head)
    numbers |= {MIDDLE: alone(float(np.median(shares))), UNIFORM: alone(uniform)}
    of = "inputs with this pattern" if summary.kind == PATTERN else "attention, as a mean"
    where = " in {} of inputs" if summary.kind == PATTERN else ": {}"
    label = (
        f"Head {name} {summary.title}{where.format(_rounded(summary.number))}, the {MIDDLE} {_rounded(numbers[MIDDLE])}"
    )
    caption = f"Share of {of} over {atlas.text}. {OF_MIDDLE} {NONE_HELD_OUT.format(len(atlas.places))}"
    return _bars("looked", numbers, label, caption, "share")


def _broad(atlas: Atlas, layer: int, head: int) -> Figure:
    """How widely a head spreads its attention, as a share of uniform attention's entropy."""
    own, middle = atlas.breadths[layer, head], float(np.median([one.value for one in atlas.breadths.values()]))
    name = head_name(layer, head)
    numbers = {f"head {name}": own, MIDDLE: alone(middle), UNIFORM: alone(1.0)}
    label = f"Head {name} has {_rounded(own)} of the entropy of uniform attention, the {MIDDLE} "
    caption = f"Entropy as a share of that of uniform attention, over {atlas.text}. {OF_MIDDLE} "
    caption += NONE_HELD_OUT.format(len(atlas.places))
    return _bars("looked", numbers, label + _rounded(alone(middle)), caption, "share")


def _turned(atlas: Atlas, layer: int, head: int) -> Figure:
    """How much of a head's attention goes to what gets most in running text, and to what gets more in sentences."""
    summary, words, name = atlas.summaries[layer, head], atlas.target_words, head_name(layer, head)
    first, most = summary.looks[0], summary.turned[0]
    own = atlas.estimates[first].of(layer, head)
    numbers = {words[first]: own, "the same in sentences": most.own}
    for move in summary.turned[::-1]:  # of what gets more in several treebanks, the first is shown
        numbers[words[move.column]] = atlas.estimates[move.column].of(layer, head)
        numbers[f"{words[move.column]} in sentences"] = move.share
    label = (
        f"Head {name} gives {words[first]} {_rounded(own)} in running text, "
        f"{words[most.column]} {_rounded(most.share)} in sentences"
    )
    treebanks = listed(list(dict.fromkeys(move.corpus for move in summary.turned)))
    caption = f"Share of attention in running text, {atlas.text}, and in single sentences of {treebanks}. {LINES}"
    return _bars("looked", numbers, label, caption, "share")


def _bars(kind: str, numbers: Mapping[str, Number], label: str, caption: str, what: str) -> Figure:
    """The figure of numbers by name, of which the first is that of the head."""
    own, *_ = numbers.values()
    columns: dict[str, Any] = {"name": list(numbers), "own": [True] + [False] * (len(numbers) - 1)}
    columns |= estimate_columns(numbers.values())
    view = {"columns": columns, "signals": {}, "constants": {"unit": "share", "n": own.n}}
    rows = tuple((name, written(number)) for name, number in numbers.items())
    return Figure(
        id=kind,
        label=label,
        kinds=(kind,),
        data=embed({"shared": {}, "views": [view]}),
        first=view,
        caption=caption,
        table=Table(("what", f"{what} (95 % interval)"), rows),
    )


def _rounded(number: Number) -> str:
    return percent(number, ends=False)
