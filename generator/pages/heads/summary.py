"""A head in one sentence, made from its numbers by rules, and the kind that its colour stands for.

A head is named after the one target that takes more than half of its attention. Clark et al. 2019 draw the line in the
same place for positions (section 6: 0.5) and slightly higher for special tokens (0.6); one line is easier to remember.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

from generator.numbers.writing import number

MOST = 0.5
"""More than half: the head is named after the target."""
NEARLY_ALL = 2 / 3
"""From here on the sentence says "almost only"."""
NOTABLE = 0.15
"""Less than this is not worth naming as a target."""
BROAD = 0.8
"""Share of the uniform entropy from which a head counts as broad; Clark et al. use 3.8 of about 4.8 nats."""
SILENT = 0.5
"""A class that contributes less than this part of its weight is said to be looked at more than it is used."""


class Target(NamedTuple):
    """Something a head may look at."""

    kind: str
    name: str
    """In lists and legends."""
    words: str
    """In a sentence, after "at"."""
    column: str
    norm: str | None = None
    """The measure of its contribution by norm."""


TARGETS = (
    Target("previous", "previous token", "the previous token", "attention.previous"),
    Target("next", "next token", "the next token", "attention.next"),
    Target("self", "the token itself", "the token itself", "attention.self"),
    Target("begin", "begin token", "the begin token", "attention.cls", "norm.cls"),
    Target("separator", "separators", "the separators", "attention.sep", "norm.sep"),
    Target("punctuation", "periods and commas", "periods and commas", "attention.punctuation", "norm.punctuation"),
)
KINDS: Mapping[str, str] = {target.kind: target.name for target in TARGETS} | {"broad": "broad", "mixed": "mixed"}
"""Kind -> its name on pages."""


class Summary(NamedTuple):
    """A kind and a sentence or two."""

    kind: str
    text: str
    first: str
    """The kind of the target that takes most; "broad" for a broad head."""
    share: float
    """How much it takes; of a broad head, its entropy as a part of the uniform one."""


def summarise(values: Mapping[str, float], uniform: Mapping[str, float]) -> Summary:
    """Describe a head by its measured values and what uniform attention would give, both by column.

    >>> numbers = {"attention.previous": 0.68, "entropy.all": 1.2}
    >>> summarise(numbers, {"attention.previous": 0.01, "entropy.all": 4.8}).text
    'Looks almost only at the previous token (0.68 of its attention; uniform would give 0.01).'
    """
    shares = sorted(
        ((values.get(target.column, math.nan), target) for target in TARGETS),
        key=lambda pair: -1 if math.isnan(pair[0]) else pair[0],
        reverse=True,
    )
    share, target = shares[0]
    if share > MOST:
        how = "almost only" if share > NEARLY_ALL else "mostly"
        text = (
            f"Looks {how} at {target.words} ({number(share, against=(MOST, NEARLY_ALL))} of its attention; "
            f"uniform would give {number(uniform[target.column])})."
        )
        return Summary(target.kind, text + _use(values, share, target), target.kind, share)
    entropy, most = values["entropy.all"], uniform["entropy.all"]
    if entropy > BROAD * most:
        text = f"Looks almost everywhere: entropy {number(entropy)} of the {number(most)} nats of uniform attention."
        return Summary("broad", text, "broad", min(entropy / most, 1.0))
    broadness = f"entropy {number(entropy)} of {number(most)} nats"
    named = [(share, target) for share, target in shares if share >= NOTABLE][:2]
    if not named:
        text = (
            "None of the targets stands out: neither the token itself, its neighbours, a special token nor punctuation "
            f"takes more than {number(share, against=(NOTABLE,))} of its attention ({broadness})."
        )
        return Summary("mixed", text, "mixed", share)
    parts = " and ".join(f"{number(part, against=(NOTABLE, MOST))} goes to {other.words}" for part, other in named)
    text = f"Looks at several things: {parts} ({broadness})."
    return Summary("mixed", text, target.kind, share)


def _use(values: Mapping[str, float], share: float, target: Target) -> str:
    norm = values.get(target.norm, math.nan) if target.norm else math.nan
    return f" Counted by norm, that is only {number(norm)} of what it writes." if norm < SILENT * share else ""
