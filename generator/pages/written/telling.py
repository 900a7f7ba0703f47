"""Sentences about the verdicts on a claim: one is written by hand for each verdict, and the numbers are filled in.

Models with the same verdict share its sentence. `{models}` are their names, or "all 4 models here" if these are three
or more and the page compares no others; those of which the last sentence speaks are "the other 3 models here". `{any}`,
for places behind a negation, is the same but for "any of the 4 models here". `{1}` is the number of the claim's first
part and `{2}` that of its second: for one model with its interval if it has one, for several from the lowest to the
highest, and in the sentence of what is inconclusive from the lowest end of their intervals to the highest. A share is
written in percent. `{2:points}` writes a difference of shares or scores in points, `{2:less}` says by how many percent
a ratio lies below 1, `{2:share}` writes a ratio in percent, `{2:times}` its inverse, and `{2:more}` has the sign of a
difference as a word, "more" or "less"; `{2:ahead}` does so for a difference in points. `{2:n}` is on how many it was
counted.
`{published:KEY}` is a published share in percent.

`{heads}`, right behind a word, is the one or two heads that a verdict rests on, such as " (3-1 in A and 2-5 in B)";
models whose verdict rests on more heads, or on none, are left out of it.

`inconclusive_disputed` is the sentence for models of which another text contradicts the number that decides;
`{against}` is what it says. Without it they get `inconclusive`.

`fails_2` is the sentence for models of which the second part is the first that fails; without it they get `fails`. The
same holds for `inconclusive_2`. A model that lacks a number of its sentence, because that part of the claim cannot be
tested, gets a sentence without numbers. `nowhere` replaces `untestable` if another line of the page names the models
for which the claim is not testable: it is used only if that is every model's verdict.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from generator.claims.claim import Claim, Judgement
from generator.claims.published import published
from generator.errors import SiteError
from generator.numbers import writing
from generator.numbers.number import Number, alone, one_minus
from generator.pages.claims.figures import SAID_UNITS, number_of
from generator.pages.claims.tables import SHOWN, UNJUDGED, Ledger, heads_of
from generator.pages.links import to_head, to_model
from generator.pages.written.in_markdown import anchor, one_sentence, text
from generator.pages.written.verdicts import SAID
from generator.results.manifest import Manifest

OPEN, NOWHERE, BARE = "untestable", "nowhere", "bare"
"""What a page calls the verdict "not testable", which cannot name an argument, that verdict of every model, and a
sentence without numbers.
"""
MODELS, ANY = "models", "any"
"""The places for names of models; "all" would be ambiguous behind a negation, where `ANY` stands."""
BRIEFLY = {"fails": f"Not so in {{{ANY}}}.", "inconclusive": f"For {{{MODELS}}} it remains open."}
"""What an answer says of models with another verdict than those of which it speaks first."""
AGAINST, DISPUTED = "against", "disputed"
"""The place for what another text says, and the end of the name of the sentence that has it."""
HEADS, FEW = "heads", 2
"""The place for the heads that a verdict rests on, and up to how many of one model are named."""
MANY = 3
"""As many models, or more, are not named if they are all of those compared, or all others."""
_PLACE = re.compile(r"\{([^{}]*)\}")
_PUBLISHED = re.compile(r"\{published:([^{}]*)\}")
POINTS, MORE, AHEAD = "points", "more", "ahead"
Judged = Sequence[tuple[Manifest, Judgement]]


def _times(one: Number) -> Number:
    value, low, high = (1 / end if end else math.inf for end in one[:3])
    return Number(value, high, low, one.n)


TURNS: Mapping[str, tuple[Callable[[Number], Number], str | None]] = {
    "": (lambda one: one, None),
    POINTS: (lambda one: one, POINTS),
    MORE: (lambda one: one, None),
    AHEAD: (lambda one: one, POINTS),
    "share": (lambda one: one, "share"),
    "less": (one_minus, "share"),
    "times": (_times, ""),
    "n": (lambda one: alone(float(one.n)), ""),
}
"""Word after the colon -> the function that changes the number, and the new unit, None if it stays the same."""


class Place(NamedTuple):
    """A place of a sentence that a number fills."""

    order: int
    """The part whose number it is, counted from 0."""
    turn: Callable[[Number], Number]
    unit: str
    against: Sequence[float]
    more: bool = False
    """Whether the sign is written as a word."""
    open: bool = False
    """Whether several numbers are told by the ends of their intervals, because they leave something open."""

    def known(self, alike: Judged) -> list[Number]:
        """The numbers for this place, of all models that have one."""
        return [self.turn(number) for _, judgement in alike if (number := number_of(judgement, self.order))]

    def write(self, one: Number, *, ends: bool = True) -> str:
        """A number as it is written in the sentence; without `ends` it is rounded as beside its interval."""
        if self.more:
            size = Number(-one.value, -one.high, -one.low, one.n) if one.value < 0 else one
            return f"{self._replace(more=False).write(size, ends=ends)} {'less' if one.value < 0 else MORE}"
        if self.unit in {"share", POINTS}:
            return writing.percent(one, "%" if self.unit == "share" else POINTS, against=self.against, ends=ends)
        unit = self.unit if self.unit in SAID_UNITS else ""
        if ends:
            return writing.written(one, unit, against=self.against)
        return f"{writing.number(*one[:3], against=self.against)} {unit}".rstrip()

    def told(self, one: Number) -> list[tuple[float, str]]:
        """What a number adds to a range, and how that is written: its value, or the ends of its interval."""
        ends = [end for end in ((one.low, one.high) if self.open else ()) if math.isfinite(end)] or [one.value]
        return [(end, self.write(one._replace(value=end), ends=False)) for end in ends]

    def range(self, numbers: Sequence[Number]) -> str:
        """One number with its interval, or the lowest and the highest of several. Of differences below 0 the smaller
        one comes first: "1 to 2 points less"; those on both sides of 0 are "1 to 2 points less or 3 points more", and
        if they are ends of intervals, "between 1 point less and 2 points more".
        """
        if len(numbers) == 1:
            (one,) = numbers
            return self.write(alone(one.value) if one.low == one.high else one)
        told = sorted((end for one in numbers for end in self.told(one)), key=lambda one: one[0])
        below = [one for one in told if one[0] < 0][::-1] if self.more else []
        above = told[len(below) :]
        if below and above:
            (_, low), (_, high) = told[0], told[-1]
            return f"between {low} and {high}" if self.open else f"{self._span(below)} or {self._span(above)}"
        return self._span(below or above)

    def _span(self, told: Sequence[tuple[float, str]]) -> str:
        """The first and the last of several, whose unit and sign stand once."""
        low, high = told[0][1], told[-1][1]
        (start, _, unit), (_, _, other) = low.partition(" "), high.partition(" ")
        return high if low == high else f"{start if unit == other else low} to {high}"


def with_published(sentence: str) -> str:
    """The sentence with its published numbers, which are shares, in percent. Raises SiteError for an unknown key."""
    return _PUBLISHED.sub(lambda found: writing.percent(alone(published(found[1]).value)), sentence)


def tell(ledger: Ledger, claim: Claim, sentences: Mapping[str, str], page: str, *, joined: bool = False) -> str:
    """Markdown with one sentence for each verdict that some model has, or with one that joins these and is brief after
    the first.

    Raises SiteError if a sentence or a number is missing, and for an unknown verdict or an unknown place for a number.
    """
    found = _by_sentence(ledger, claim, sentences)
    if joined and found:
        found = _briefly(found)
    told: list[str] = []
    left = len(ledger.manifests)
    for name, (sentence, alike) in found.items():
        where = f"{name}=... of {_call(claim)}"
        unnamed = _unnamed(len(alike), first=not told) if MANY <= len(alike) == left else {}

        def fill(
            found: re.Match[str], alike: Judged = alike, where: str = where, unnamed: Mapping[str, str] = unnamed
        ) -> str:
            if found[1] in (MODELS, ANY):
                return unnamed.get(found[1]) or writing.listed(
                    [anchor(to_model(model.slug, model.model, page)) for model, _ in alike]
                )
            if found[1] == HEADS:
                return _bracketed(alike, page)
            if found[1] == AGAINST:
                return text("; ".join(_against(item) for _, item in alike))
            place = _place(found, claim, where)
            return text(place.range(_numbers(place, alike, where)))

        told += [_PLACE.sub(fill, sentence)] if name != NOWHERE or len(found) == 1 else []
        left -= len(alike)
    return one_sentence(told or [UNJUDGED]) if joined else " ".join(told or [UNJUDGED])


def _briefly(found: Mapping[str, tuple[str, Judged]]) -> dict[str, tuple[str, Judged]]:
    """The sentences with BRIEFLY for another verdict than that of the first, unless a sentence is the same."""
    first = next(name for name in found if name != NOWHERE or len(found) == 1)
    verdict, _, bare = first.partition("_")
    told = {verdict, NOWHERE} if bare != BARE else {*SHOWN, NOWHERE}

    def brief(name: str, sentence: str) -> str:
        own = name.partition("_")[0]
        return sentence if own in told or sentence == found[first][0] else BRIEFLY.get(own, sentence)

    return {name: (brief(name, sentence), alike) for name, (sentence, alike) in found.items()}


def _against(item: Judgement) -> str:
    """What other texts say against the number that decides, in clauses."""
    return writing.listed(item.decides.opposed) if item.decides else ""


def _few_heads(model: Manifest, item: Judgement, page: str) -> str:
    """The one or two heads that a verdict rests on, as Markdown; empty if there are more, or none."""
    heads = heads_of(item)
    return writing.listed([anchor(to_head(model.slug, *place, page)) for place in heads]) if len(heads) <= FEW else ""


def _bracketed(alike: Judged, page: str) -> str:
    """The few heads of models with the same verdict, in brackets; of several models with the names of these."""
    found = [
        (told, anchor(to_model(one.slug, one.model, page)))
        for one, item in alike
        if (told := _few_heads(one, item, page))
    ]
    named = [told if len(alike) == 1 else f"{told} in {model}" for told, model in found]
    return f" ({writing.listed(named)})" if named else ""


def _unnamed(models: int, *, first: bool) -> Mapping[str, str]:
    """What fills the places for names where all models are meant, or all of which no sentence before has spoken."""
    start = {MODELS: "all", ANY: "any of the"} if first else dict.fromkeys((MODELS, ANY), "the other")
    return {place: f"{words} {models} models here" for place, words in start.items()}


def fillings(ledger: Ledger, claim: Claim, sentences: Mapping[str, str], page: str) -> dict[str, Any]:
    """For each sentence that is used, by its name: the sentence, and for each of its models what fills the places.

    A place is filled by how the number is written alone, and by what it adds to a range, each value with how that is
    written, all in plain text; that of the heads by Markdown that names them.
    Raises SiteError as `tell` does.
    """
    found: dict[str, Any] = {}
    for name, (sentence, alike) in _by_sentence(ledger, claim, sentences).items():
        made: Mapping[str, Callable[[Manifest, Judgement], str]] = {
            HEADS: lambda model, item: _few_heads(model, item, page),
            AGAINST: lambda _, item: _against(item),
        }
        models: dict[str, dict[str, Any]] = {
            model.slug: {place: fill(model, item) for place, fill in made.items() if f"{{{place}}}" in sentence}
            for model, item in alike
        }
        for key, place in _places(sentence, claim, name).items():
            for model, judgement in alike:
                for one in place.known([(model, judgement)]):
                    models[model.slug][key] = [place.range([one]), *place.told(one)]
        found[name] = {"sentence": sentence, "models": models}
    return found


def together(ledger: Ledger, claims: Sequence[Claim], sentences: tuple[str, str], page: str) -> str:
    """The first sentence, of the models for which all of the claims hold, or the second if there are none."""
    holds, fails = sentences
    holding = [
        anchor(to_model(model.slug, model.model, page))
        for model in ledger.manifests
        if all(item.verdict == "holds" for claim in claims for one, item in ledger.by_model(claim) if one is model)
    ]
    return holds.replace(f"{{{MODELS}}}", writing.listed(holding)) if holding else fails


def _call(claim: Claim) -> str:
    return f'tell("{claim.id}")'


def _by_sentence(ledger: Ledger, claim: Claim, sentences: Mapping[str, str]) -> dict[str, tuple[str, Judged]]:
    """Name -> a sentence and the models that it is about, in the order in which pages list verdicts; after those of the
    call, that for each verdict of models that lack a number.
    """
    verdicts = [OPEN if verdict == "not testable" else verdict for verdict in SHOWN]
    parts = range(1, len(claim.parts) + 1)
    names = [name for one in verdicts for name in (one, *(f"{one}_{part}" for part in parts if one in SHOWN[1:3]))]
    names.insert(names.index("inconclusive") + 1, f"inconclusive_{DISPUTED}")
    unknown = [name for name in sentences if name not in (*names, NOWHERE)]
    if unknown:
        raise SiteError(
            f"Expected {', '.join(verdicts)}, {NOWHERE}, or a part such as fails_2 in {_call(claim)}, found "
            f"{unknown[0]!r}; correct its name."
        )
    bare = {f"{one}_{BARE}": f'The claim "{claim.title}" {SAID.get(one, one)} for {{{MODELS}}}.' for one in SHOWN[:3]}
    found: dict[str, list[tuple[Manifest, Judgement]]] = {name: [] for name in (*names, NOWHERE, *bare)}
    for model, item in ledger.by_model(claim):
        name = _name(item, sentences)
        places = _places(sentences.get(name, ""), claim, name).values() if item.verdict != "not testable" else ()
        filled = all(place.known([(model, item)]) for place in places)
        found[name if filled else f"{item.verdict}_{BARE}"].append((model, item))
    written = {**bare, **sentences}
    for name, alike in found.items():
        if alike and not written.get(name):
            models = writing.listed([model.model for model, _ in alike])
            raise SiteError(
                f"Expected a sentence {name}=... in {_call(claim)}, found none, but that is the verdict of "
                f"{models}; write it."
            )
    return {name: (written[name], alike) for name, alike in found.items() if alike}


def _name(item: Judgement, sentences: Mapping[str, str]) -> str:
    """The name of the sentence for a model's judgement."""
    if item.verdict == "not testable":
        return NOWHERE if NOWHERE in sentences else OPEN
    which = 1 + next((at for at, one in enumerate(item.findings) if one is item.decides), 0)
    disputed = f"{item.verdict}_{DISPUTED}"
    if disputed in sentences and _against(item):
        return disputed
    return part if (part := f"{item.verdict}_{which}") in sentences else item.verdict


def _places(sentence: str, claim: Claim, name: str) -> dict[str, Place]:
    """What stands between the braces of each place for a number -> the place."""
    where = f"{name}=... of {_call(claim)}"
    found = (match for match in _PLACE.finditer(sentence) if match[1] not in (MODELS, ANY, HEADS, AGAINST))
    return {match[1]: _place(match, claim, where) for match in found}


def _place(found: re.Match[str], claim: Claim, where: str) -> Place:
    """The place that a match stands for. Raises SiteError for one that no number can fill."""
    name, _, turn = found[1].partition(":")
    parts = claim.parts
    if name not in map(str, range(1, len(parts) + 1)) or turn not in TURNS:
        known = ", ".join(f"{{{at}}}" for at in range(1, len(parts) + 1))
        raise SiteError(f"Expected {{models}} or one of {known} in {where}, found {found[0]}; correct the page.")
    part = parts[int(name) - 1]
    turned, unit = TURNS[turn]
    more = turn in (MORE, AHEAD)
    against = tuple(map(abs, part.against)) if more else () if turn else part.against
    left_open = where.startswith("inconclusive")
    return Place(int(name) - 1, turned, part.unit if unit is None else unit, against, more, left_open)


def _numbers(place: Place, alike: Judged, where: str) -> list[Number]:
    """The numbers that fill a place; raises SiteError if there are none."""
    numbers = place.known(alike)
    if not numbers:
        models = writing.listed([model.model for model, _ in alike])
        raise SiteError(
            f"Expected a number for {{{place.order + 1}}} in {where}, found none for {models}; analyse it again, or "
            "write the sentence without this number."
        )
    return numbers
