"""The summary of a head: the strongest thing that may be said of it, as a title, a sentence and how far to believe it.

The first of these that the gate gives names the head (`generator.claims.gate`):

1. It finds a dependency relation, or antecedents, or what else a topic knows.
2. One target takes more than half of its attention. Clark et al. 2019 draw the line in the same place for positions
   (section 6: 0.5) and slightly higher for special tokens (0.6); one line is easier to remember.
3. Most of its maps surely have one pattern.
4. A few tokens before, after or around the query surely take more than half of its attention.
5. It looks broadly.
6. A task surely loses by disabling it, and more than by a head drawn at random; or a topic knows what else needs it.
7. No specialty was found. It leans to a target that surely gets a third of its attention, and more than any other; or
   to two that together surely get more than half; or it would, if single sentences did not give another token more.

Of a head that 3, 4, 6 or 7 names, something that it finds without being named for it is told as well
(`generator.topics.relations.page.asides`).
"""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from generator.claims.cutoffs import MAINLY
from generator.claims.gate import maps
from generator.claims.gate.maps import Measured, Move
from generator.claims.gate.statement import Statement
from generator.numbers.number import UNDEFINED, Number, alone
from generator.numbers.simultaneous import widened
from generator.numbers.writing import listed, percent
from generator.pages.heads.aside import Aside
from generator.pages.heads.naming.doubt import how_sure
from generator.pages.heads.naming.naming import finds, needs
from generator.pages.heads.naming.patterns import pattern_trait
from generator.pages.heads.naming.specialty import Specialty
from generator.pages.heads.naming.trait import SUPPORTED, Trait
from generator.pages.heads.naming.windows import window_trait

ENTROPY = "entropy.all"
MOST = MAINLY
"""A head is named after a target that surely receives more than this share of its attention."""
NOTABLE = 0.15
"""A target with a smaller share of the attention is not mentioned."""
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
OF_TARGET = {target.column: target for target in TARGETS}
_OF_MAPS = {target.kind: target.name for target in TARGETS} | {
    maps.PATTERN: "one pattern of maps",
    maps.WINDOW: "a few tokens",
    maps.BROAD: "broadly",
}
OTHERS, ORDINARY = "attention.other", "ordinary words"
"""The measure of attention to all tokens of no other class, and what these are called in a sentence."""
LEANS = (maps.LEAN, maps.PAIR)
"""Kinds of what is said of a head that has no name."""
MIX, MOVES = "has no clear job: a mix of {}", "prefers {} in running text and {} in single sentences"
IN_TEXT = "In running text {}; in single sentences {}."
"""Titles of heads that lean to nothing, and the sentence below the second."""
UNREAD = "no treebank read"
"""The kind of a head without a name where nothing was read in which it could find something."""


@cache
def kinds() -> Mapping[str, str]:
    """Kind -> its name on pages, in the order of the rules."""
    found, needed = ({kind: find.called for kind, find in some.items()} for some in (finds(), needs()))
    return {**found, **_OF_MAPS, **needed, "none": "no specialty found"}


@cache
def weaker() -> frozenset[str]:
    """Kinds of heads of which a paper, or something that the head is not named for, may say more."""
    return frozenset((maps.PATTERN, maps.WINDOW, *needs(), "none"))


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
    """What it finds without being named for it, if its kind is one of `weaker`."""

    counted: str = ""
    """How much it was counted on, such as "40 documents"."""
    looked: bool = True
    """Whether anything was read in which a head can find something."""
    short: str = ""
    """The text without the interval that stands in the figure beside it, of a head that has one."""
    looks: tuple[str, ...] = ()
    """The measures of the attention that its name speaks of, such as that to the previous token; of a head without one,
    that to the targets that its sentence names.
    """
    sure: str = ""
    """How far to believe it, in a few words."""
    number: Number = UNDEFINED
    """The share of its attention, or of its inputs, that names it, or to which it leans."""
    columns: tuple[str, ...] = ()
    """The measures of which that number is the sum."""
    leans: bool = False
    """Whether a head without a name surely gives one target more than any other, or two together more than half."""
    turned: tuple[Move, ...] = ()
    """What gets more in other texts than what gets most in this one."""
    without: "Summary | None" = None
    """The same without what it finds and is not named for."""

    @property
    def called(self) -> str:
        """The name of its kind on pages; a head is said to have no specialty only where one was looked for."""
        return kinds()[self.kind] if self.kind != "none" or self.looked else UNREAD

    @property
    def alone(self) -> "Summary":
        """The same without what it finds and is not named for, for a page that tells this in a line of its own."""
        return self.without or self

    @property
    def badge(self) -> tuple[str, str]:
        """How far to believe it in a few words, and why."""
        level, _, why = self.trust.partition(": ")
        return self.sure or level, why[:1].upper() + why[1:]


def summarise(
    measured: Measured,
    said: Sequence[Statement],
    found: Sequence[Specialty] = (),
    names: Mapping[str, str] | None = None,
    aside: Aside | None = None,
    *,
    looked: bool = True,
    lean: Statement | None = None,
) -> Summary:
    """Describe a head by what was measured of its maps.

    `said` is what may be said of its maps and of what disabling it costs, in the order of the rules: the first that is
    no lean names the head, if it finds nothing. `found` is what it finds, the strongest first; `names` are those of
    special tokens by kind, such as `[CLS]`. `aside` is what it finds without being named for it, which is told of kinds
    that are `weaker`. `looked` is whether anything was read in which a head can find something; `lean` is a lean to the
    target that gets most, which may have been refused.
    """
    documents = f"{measured.values[ENTROPY].n} documents"
    trust = _by_mean(documents)
    if found:
        best, *others = found
        also = f" It is also named for finding {listed([other.also for other in others])}." if others else ""
        right, of = best.right.value, (best.kind, best.title, best.text + also, best.trust, best.kind)
        return Summary(*of, right, found=best, counted=best.counted, short=best.short + also, sure=best.badge)
    first = next((statement for statement in said if statement.kind not in LEANS), None)
    if first and first.kind == maps.TARGET:
        return _at_target(measured, first, names, trust, documents)
    if first and first.kind == maps.BROAD:
        string, brief = (percent(first.number, against=(maps.WIDE,), ends=ends) for ends in (True, False))
        wide, whole = (f"{math.exp(nats):.0f}" for nats in (measured.values[ENTROPY].value, measured.uniform[ENTROPY]))
        text = (
            f"Its attention is as wide as if {wide} of {whole} tokens got the same share of it; its entropy is {{}} of "
            "that of uniform attention."
        )
        filled = first.number.value
        return Summary(
            maps.BROAD,
            title="looks broadly",
            text=text.format(string),
            trust=trust,
            first=maps.BROAD,
            share=filled,
            counted=documents,
            short=text.format(brief),
            sure=f"{SUPPORTED}: surely above {percent(alone(maps.WIDE))} of uniform, {documents}",
            number=first.number,
        )
    if first:
        return _of(_trait(first, measured, names), aside)
    leans = next((statement for statement in said if statement.kind in LEANS), None)
    return _nothing(measured, leans, names, aside, documents, refused=lean)._replace(looked=looked)


def _at_target(
    measured: Measured, first: Statement, names: Mapping[str, str] | None, trust: str, documents: str
) -> Summary:
    target, share = OF_TARGET[first.about], first.number
    words = (names or {}).get(target.kind, target.words)
    use, in_short = (_use(measured.values, share, target, ends=ends) for ends in (True, False))
    uniform = percent(alone(measured.uniform[target.column]))
    goes = f" of its attention goes to {words}; uniform attention would give {uniform}."
    text = f"{percent(share, against=(MOST,))}{goes}{use}"
    short = f"{percent(share, ends=False, against=(MOST,))}{goes}{in_short}"
    told_of = (target.column, *((target.norm,) if use and target.norm else ()))
    title, looks = f"looks at {words}{first.only}", (target.column,)
    of = target.kind, title, text, trust, target.kind, share.value, told_of
    sure = f"{SUPPORTED}: surely over half, {documents}"
    return Summary(*of, counted=documents, short=short, looks=looks, sure=sure, number=share, columns=looks)


def _nothing(
    measured: Measured,
    lean: Statement | None,
    names: Mapping[str, str] | None,
    aside: Aside | None,
    documents: str,
    *,
    refused: Statement | None,
) -> Summary:
    shares = ((measured.values.get(target.column, UNDEFINED), target) for target in TARGETS)
    ranked = sorted(shares, key=_share, reverse=True)
    paired = lean is not None and lean.kind == maps.PAIR
    most, named = ranked[0][0], [pair for pair in ranked[:2] if paired or pair[0].value >= NOTABLE]
    called = {target: (names or {}).get(target.kind, target.words) for target in TARGETS}
    turned = () if lean else tuple(move for move in maps.moves(refused) if move.column in OF_TARGET)
    to = {OF_TARGET[move.column]: move for move in reversed(turned)}
    there = listed([called[target] for _, target in ranked if target in to])
    # What sentences turn to is told and drawn as well, however little it gets in running text.
    named += [pair for pair in ranked[1:] if pair[1] in to and pair not in named]
    words = [called[target] for _, target in named]
    brief = [bool(at and turned) for at in range(len(named))]
    lines = (MOST, maps.LEANING)
    texts = [percent(share, against=lines, ends=not ends) for (share, _), ends in zip(named, brief, strict=True)]
    goes = f"{texts[0]} of its attention goes to {words[0]}" if named else ""
    rest = [f"{text} to {called[target]}" for text, (_, target) in zip(texts[1:], named[1:], strict=True)]
    also = f" and {rest[0]}" if rest else ""
    told_of = tuple(target.column for _, target in named)
    if lean and paired:
        uniform = percent(alone(sum(measured.uniform[column] for column in maps.columns_of(lean.about))))
        goes += f"{also}: together more than half, where uniform attention would give {uniform}"
        text = f"{goes}."
    elif lean:
        goes += f", where uniform attention would give {percent(alone(measured.uniform[lean.about]))}"
        text = f"{goes}{',' * bool(also)}{also}."
    elif turned:
        text = IN_TEXT.format(listed([goes, *rest]), _instead(to, called, words[0]))
    else:
        text, told_of = _divided(measured, named, goes, also)
    if named and not turned:
        use = _use(measured.values, most, named[0][1], words[0] if also or not lean else "there", ends=False)
        text += use
        told_of += (named[0][1].norm or "",) * bool(use)
    mixed = listed([*words, "other tokens"]) if words else "tokens"
    title = MOVES.format(words[0], there) if there else MIX.format(mixed)
    if lean:
        title = f"leans to {' and to '.join(words[: 1 + paired])}"
    first = named[0][1].kind if named else "none"
    of = "none", title, text, _by_mean(documents), first, most.value, told_of
    looks = tuple(target.column for _, target in named)[: 1 if lean and not paired else None]
    gets = [share for share, _ in ranked]
    sure = f"{how_sure(lean or refused, gets, measured.heads, there, called[ranked[0][1]])}, {documents}"
    made = Summary(*of, counted=documents, looks=looks, sure=sure, leans=lean is not None, turned=turned)
    if lean and not paired:
        short = percent(most, against=lines, ends=False) + text.removeprefix(texts[0])
        made = made._replace(short=short, number=most, columns=told_of[:1])
    if not aside:
        return made
    unnamed = f"{aside.reason.clause_on(aside.relation)}; shares are means over {documents}"
    return made._replace(
        title=aside.title,
        text=f"{aside.text} {goes}{'.' * bool(goes)}".strip(),
        short=f"{aside.short} {goes}{'.' * bool(goes)}".strip(),
        trust=f"{aside.reason.level}: {unnamed}.",
        sure=aside.reason.sure,
        aside=aside,
        columns=(),
        turned=(),
        without=made,
    )


def _instead(to: Mapping[Target, Move], called: Mapping[Target, str], own: str) -> str:
    """How much goes in single sentences to what gets more there than what gets most in running text, its `own`."""
    parts: list[str] = []
    for target, move in sorted(to.items(), key=lambda pair: -pair[1].share.value):
        less = f"{percent(move.own, ends=False)}{f' to {own}' * (not parts)}"
        parts.append(f"{percent(move.share, ends=False)} {'goes ' * (not parts)}to {called[target]} and {less}")
    return ", or ".join(parts)


def _divided(
    measured: Measured, named: Sequence[tuple[Number, Target]], goes: str, also: str
) -> tuple[str, tuple[str, ...]]:
    """Where the attention of a head goes that leans to nothing, and the measures of which this tells; `goes` and `also`
    say it of what is `named`.
    """
    told_of, rest = tuple(target.column for _, target in named), measured.values.get(OTHERS, UNDEFINED)
    text = f"No special token, mark or neighbour gets {percent(alone(NOTABLE))} of its attention"
    if named:
        uniform = percent(alone(measured.uniform[told_of[0]]))
        together = also and _may_get_most([share for share, _ in named], measured.heads)
        # What goes to a token of a class may also go to one at a place: then there is no sum to tell.
        apart = len({column in maps.NEAR for column in told_of}) == 1
        both = percent(alone(sum(share.value for share, _ in named)), against=(MOST,))
        perhaps = f"{both}, but perhaps less than half with all heads in view" if apart else "perhaps more than half"
        half = f", together {perhaps}" * bool(together)
        text = f"{goes}, where uniform attention would give {uniform}{',' * bool(also)}{also}{half}"
    if rest.value >= NOTABLE:
        told_of += (OTHERS,)
        even = percent(alone(measured.uniform[OTHERS]))
        text += f"; {percent(rest, ends=False)} goes to {ORDINARY} (uniform: {even})"
    return f"{text}.", told_of


def _may_get_most(shares: Sequence[Number], heads: int) -> bool:
    """Whether together they are more than half, but not surely."""
    return sum(widened(share, heads).low for share in shares) <= MOST < sum(share.value for share in shares)


def _trait(first: Statement, measured: Measured, names: Mapping[str, str] | None) -> Trait:
    if first.kind == maps.PATTERN:
        return pattern_trait(
            first, measured, {target.column: (names or {}).get(target.kind, target.words) for target in TARGETS}
        )
    return (
        window_trait(first, measured) if first.kind == maps.WINDOW else needs()[first.kind].trait(first, measured.heads)
    )


def _of(trait: Trait, aside: Aside | None) -> Summary:
    of = trait.kind, trait.title, trait.text, trait.trust, trait.kind, trait.share
    made = Summary(
        *of,
        counted=trait.counted,
        short=trait.short,
        looks=trait.looks,
        sure=trait.sure,
        number=trait.number,
        columns=trait.columns,
    )
    if not aside:
        return made
    trust = f"{made.trust.removesuffix('.')}; {aside.reason.clause_on(aside.relation)}."
    short = made.short and f"{made.short} {aside.text}"
    return made._replace(text=f"{made.text} {aside.text}", short=short, trust=trust, aside=aside, without=made)


def _by_mean(counted: str) -> str:
    return f"Measured on {counted}: {BY_MEAN}."


def _share(ranked: tuple[Number, Target]) -> float:
    return -1.0 if math.isnan(ranked[0].value) else ranked[0].value  # undefined comes last


def _use(
    values: Mapping[str, Number], share: Number, target: Target, where: str = "there", *, ends: bool = True
) -> str:
    norm = values.get(target.norm, UNDEFINED) if target.norm else UNDEFINED
    most = SILENT * share.value
    text = f" But only {percent(norm, ends=ends, against=(most,))} of its output comes from {where}."
    return text if norm.value < most else ""
