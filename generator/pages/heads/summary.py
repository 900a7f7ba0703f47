"""The summary of a head: the strongest thing known about it, as a title, a sentence and how far to believe it.

The first of these that is true names the head:

1. It finds a dependency relation, or antecedents (`generator.pages.heads.specialists`).
2. One target takes more than half of its attention. Clark et al. 2019 draw the line in the same place for positions
   (section 6: 0.5) and slightly higher for special tokens (0.6); one line is easier to remember.
3. Most of its maps surely have one pattern (`generator.pages.heads.naming.patterns`).
4. It looks almost everywhere.
5. A task surely loses by disabling it, and more than by any head (`generator.pages.heads.naming.cost`).
6. No specialty was found.

Of a head that 3, 5 or 6 names, a relation that it finds without being named for it is told as well
(`generator.pages.heads.aside`).
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from generator.numbers.number import UNDEFINED, Number, alone
from generator.numbers.writing import listed, percent
from generator.pages.heads.aside import Aside
from generator.pages.heads.naming import cost as costs
from generator.pages.heads.naming import patterns
from generator.pages.heads.naming.trait import Trait
from generator.pages.heads.specialists import LEVELS, Specialty
from generator.studies.layers.breadth import breadth

MOST = 0.5
"""A head is named after a target that receives more than this share of its attention."""
NOTABLE = 0.15
"""A target with a smaller share of the attention is not mentioned."""
BROAD = 0.8
"""Share of uniform attention's entropy from which a head counts as broad; Clark et al. use 3.8 of about 4.8 nats."""
SILENT = 0.5
"""If the norm of a class is less than this part of its weight, the head is said to look at it more than it uses it."""
BY_MEAN = "means with 95 % intervals; none was held out, and uniform attention is the baseline"
"""How far to believe a head that is named by its means over documents."""


class Target(NamedTuple):
    """Something a head may look at."""

    kind: str
    name: str
    """What it is called in lists and legends."""
    words: str
    """What it is called in a sentence, after "at"."""
    column: str
    norm: str | None = None
    """The measure of its contribution by norm."""


TARGETS = (
    Target("previous", "previous token", "the previous token", "attention.previous"),
    Target("next", "next token", "the next token", "attention.next"),
    Target("self", "the token itself", "the token itself", "attention.self"),
    Target("begin", "[CLS]", "[CLS]", "attention.cls", "norm.cls"),
    Target("separator", "[SEP]", "[SEP]", "attention.sep", "norm.sep"),
    Target("punctuation", "periods and commas", "periods and commas", "attention.punctuation", "norm.punctuation"),
)
FINDS: Mapping[str, str] = {"relation": "finds a relation", "antecedent": "finds antecedents"}
KINDS: Mapping[str, str] = (
    dict(FINDS)
    | {target.kind: target.name for target in TARGETS}
    | {
        patterns.KIND: "one pattern of maps",
        "broad": "almost everywhere",
        costs.KIND: "needed for a task",
        "none": "no specialty found",
    }
)
"""Kind -> its name on pages."""
WEAKER = frozenset((patterns.KIND, costs.KIND, "none"))
"""Kinds of heads of which a paper, or a relation that the head is not named for, may say more."""


class Summary(NamedTuple):
    """What pages say first about a head."""

    kind: str
    title: str
    """The words after the name of the head, such as "finds direct objects"."""
    text: str
    """The strongest thing known, in a sentence or two."""
    trust: str
    """A sentence on how far to believe it."""
    first: str
    """The kind that gives its square the colour: its own or, without a specialty, the target with most attention."""
    share: float
    """The share of its square that is filled: how often it is right, or how much attention the target gets; for a broad
    head, its entropy as a share of that of uniform attention.
    """
    shares: tuple[str, ...] = ()
    """The measures whose values the sentence tells: shares of attention, and of what the head writes."""
    found: Specialty | None = None
    """What it finds, if that is the strongest thing known about it."""
    aside: Aside | None = None
    """What it finds without being named for it, if its kind is one of `WEAKER`."""

    counted: str = ""
    """How much it was counted on, such as "40 documents"."""

    @property
    def alone(self) -> "Summary":
        """The same without what it finds and is not named for, for a page that tells this in a line of its own."""
        if not self.aside:
            return self
        trust = _by_mean(self.counted) if self.kind == "none" else self.trust
        return self._replace(text=self.text.replace(self.aside.text, "").strip(), trust=trust, aside=None)

    @property
    def badge(self) -> tuple[str, str]:
        """How far to believe it in a few words, and why."""
        level, _, why = self.trust.partition(": ")
        return level, why[:1].upper() + why[1:]


def summarise(
    values: Mapping[str, Number],
    uniform: Mapping[str, float],
    found: Sequence[Specialty] = (),
    names: Mapping[str, str] | None = None,
    aside: Aside | None = None,
    pattern: Trait | None = None,
    cost: Trait | None = None,
) -> Summary:
    """Describe a head by its measured values and what uniform attention would give, both by column.

    `found` is what it finds, the strongest first; `names` are those of special tokens by kind, such as `[CLS]`. `aside`
    is what it finds without being named for it, which is told of kinds that are `WEAKER`. `pattern` and `cost` are what
    surely most of its maps have, and what a task surely loses without it, if anything.

    >>> numbers = {"attention.previous": Number(0.68, 0.66, 0.71, 70), "entropy.all": Number(1.2, 1.1, 1.3, 70)}
    >>> summarise(numbers, {"attention.previous": 0.01, "entropy.all": 4.8}).text
    '68 % (66 to 71) of its attention goes to the previous token; uniform attention would give 1 %.'
    """
    ranked = sorted(((values.get(target.column, UNDEFINED), target) for target in TARGETS), key=_share, reverse=True)
    words = {target.kind: (names or {}).get(target.kind, target.words) for target in TARGETS}
    share, target = ranked[0]
    entropy, most = values["entropy.all"], uniform["entropy.all"]
    documents = f"{entropy.n} documents"
    trust = _by_mean(documents)
    if found:
        best, *others = found
        also = f" It is also the best head for {listed([one.found for one in others])}." if others else ""
        told, right = best.text + also, best.right.value
        return Summary(best.kind, best.title, told, best.trust, best.kind, right, found=best, counted=best.counted)
    if share.value > MOST:
        text = (
            f"{percent(share, against=(MOST,))} of its attention goes to {words[target.kind]}; uniform attention would "
        )
        use = _use(values, share, target)
        text += f"give {percent(alone(uniform[target.column]))}.{use}"
        told_of = (target.column, *((target.norm,) if use and target.norm else ()))
        title = f"looks at {words[target.kind]}"
        return Summary(target.kind, title, text, trust, target.kind, share.value, told_of, counted=documents)
    if pattern:
        return _of(pattern, aside)
    part = breadth(entropy, most)
    if part.value > BROAD:
        told = percent(part, against=(BROAD,))
        text = f"Its attention is spread widely: its entropy is {told} of that of uniform attention."
        filled = min(part.value, 1.0)
        return Summary("broad", "looks almost everywhere", text, trust, "broad", filled, counted=documents)
    if cost:
        return _of(cost, aside)
    named = [(one, other) for one, other in ranked if one.value >= NOTABLE][:2]
    text = "No single target takes more than half of its attention"
    parts = [f"{percent(one, against=(MOST,))} goes to {words[other.kind]}" for one, other in named]
    text += ": " * bool(named) + " and ".join(parts)
    first = target.kind if named else "none"
    told = f"{aside.text} {text}." if aside else f"{text}."
    if aside:
        trust = f"{LEVELS[0]}: it is not named for what it finds; shares are means over {documents}."
    title = aside.title if aside else "shows no specialty"
    told_of = tuple(other.column for _, other in named)
    return Summary("none", title, told, trust, first, share.value, told_of, aside=aside, counted=documents)


def _of(trait: Trait, aside: Aside | None) -> Summary:
    text = f"{trait.text} {aside.text}" if aside else trait.text
    of = trait.kind, trait.title, text, trait.trust, trait.kind, trait.share
    return Summary(*of, aside=aside, counted=trait.counted)


def _by_mean(counted: str) -> str:
    return f"Measured on {counted}: {BY_MEAN}."


def _share(ranked: tuple[Number, Target]) -> float:
    return -1.0 if math.isnan(ranked[0].value) else ranked[0].value  # undefined comes last


def _use(values: Mapping[str, Number], share: Number, target: Target) -> str:
    norm = values.get(target.norm, UNDEFINED) if target.norm else UNDEFINED
    most = SILENT * share.value
    told = f" But only {percent(norm, against=(most,))} of what it writes comes from there."
    return told if norm.value < most else ""
