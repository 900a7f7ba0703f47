"""What a claim came to, in sentences: one is written by hand for each verdict, and the numbers are filled in.

Models with the same verdict share its sentence. `{models}` are their names, `{1}` is the number of the claim's first
part and `{2}` that of its second: for one model with its interval if it has one, for several from the lowest to the
highest. A share is written in percent; `{2:points}` writes a difference of shares or scores in points.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from generator.claims.claim import Claim, Judgement
from generator.errors import SiteError
from generator.numbers import writing
from generator.numbers.number import Number, alone
from generator.pages.claims.figures import number_of
from generator.pages.claims.tables import SHOWN, UNJUDGED, Ledger
from generator.pages.links import to_model
from generator.pages.studies.in_markdown import anchor, text
from generator.results.manifest import Manifest

OPEN = "untestable"
"""What a page calls the verdict "not testable", which is no name."""
POINTS = "points"
SAID = ("nats", "doublings", "pieces")
"""Units that a sentence names; a share becomes percent, and other units are not named."""
MODELS = "models"
_PLACE = re.compile(r"\{([^{}]*)\}")
Judged = Sequence[tuple[Manifest, Judgement]]
Write = Callable[[Number], str]


def tell(ledger: Ledger, claim: Claim, sentences: Mapping[str, str], page: str) -> str:
    """Markdown: one sentence for each verdict that a model has.

    Raises SiteError where a sentence or a number is missing, and for what is no verdict or no place for a number.
    """
    told = []
    for verdict, alike in _by_verdict(ledger, claim, sentences).items():
        where = f"{verdict}=... of {_call(claim)}"

        def fill(found: re.Match[str], alike: Judged = alike, where: str = where) -> str:
            if found[1] == MODELS:
                return writing.listed([anchor(to_model(model.slug, model.model, page)) for model, _ in alike])
            order, write = _place(found, claim, where)
            return text(_range(_numbers(alike, order, where), write))

        told.append(_PLACE.sub(fill, sentences[verdict]))
    return " ".join(told or [UNJUDGED])


def fillings(ledger: Ledger, claim: Claim, sentences: Mapping[str, str]) -> dict[str, Any]:
    """Verdict -> its sentence, and for each model that has it what may fill the places of numbers.

    That is the value, and how it is written among others and alone. All text is plain. Raises SiteError as `tell` does.
    """
    found: dict[str, Any] = {}
    for verdict, alike in _by_verdict(ledger, claim, sentences).items():
        models: dict[str, dict[str, Any]] = {model.slug: {} for model, _ in alike}
        for place in _PLACE.finditer(sentences[verdict]):
            if place[1] == MODELS:
                continue
            order, write = _place(place, claim, f"{verdict}=... of {_call(claim)}")
            for model, judgement in alike:
                for one in _known([(model, judgement)], order):
                    models[model.slug][place[1]] = [one.value, write(alone(one.value)), _range([one], write)]
        found[verdict] = {"sentence": sentences[verdict], "models": models}
    return found


def _call(claim: Claim) -> str:
    return f'tell("{claim.id}")'


def _by_verdict(ledger: Ledger, claim: Claim, sentences: Mapping[str, str]) -> dict[str, Judged]:
    """The models of each verdict, by its name in the call."""
    names = {verdict: OPEN if verdict == "not testable" else verdict for verdict in SHOWN}
    unknown = [name for name in sentences if name not in names.values()]
    if unknown:
        raise SiteError(
            f"Expected {', '.join(names.values())} in {_call(claim)}, found {unknown[0]!r}; correct its name."
        )
    judged = ledger.by_model(claim)
    found = {name: [one for one in judged if one[1].verdict == verdict] for verdict, name in names.items()}
    for name, alike in found.items():
        if alike and not sentences.get(name):
            models = writing.listed([model.model for model, _ in alike])
            raise SiteError(
                f"Expected a sentence {name}=... in {_call(claim)}, found none, but that is the verdict of {models}."
            )
    return {name: alike for name, alike in found.items() if alike}


def _place(found: re.Match[str], claim: Claim, where: str) -> tuple[int, Write]:
    """The part whose number fills a place, counted from 0, and how it is written there."""
    name, _, unit = found[1].partition(":")
    parts = claim.parts
    if name not in map(str, range(1, len(parts) + 1)) or unit not in {"", POINTS}:
        known = ", ".join(f"{{{at}}}" for at in range(1, len(parts) + 1))
        raise SiteError(f"Expected {{models}} or one of {known} in {where}, found {found[0]}; correct the page.")
    order = int(name) - 1
    return order, partial(_written, unit=unit or parts[order].unit, against=parts[order].against)


def _known(alike: Judged, order: int) -> list[Number]:
    """The numbers of a part, of those models that have it."""
    return [number for _, judgement in alike if (number := number_of(judgement, order))]


def _numbers(alike: Judged, order: int, where: str) -> list[Number]:
    """The same; raises SiteError if there are none."""
    numbers = _known(alike, order)
    if not numbers:
        models = writing.listed([model.model for model, _ in alike])
        raise SiteError(
            f"Expected a number for {{{order + 1}}} in {where}, found none for {models}; analyse it again, or write "
            "the sentence without this number."
        )
    return numbers


def _written(one: Number, unit: str, against: Sequence[float]) -> str:
    if unit in {"share", POINTS}:
        return writing.percent(one, "%" if unit == "share" else POINTS, against=against)
    return writing.written(one, unit if unit in SAID else "", against=against)


def _range(numbers: Sequence[Number], write: Write) -> str:
    """One number with its interval, or the lowest and the highest of several."""
    if len(numbers) == 1:
        (one,) = numbers
        return write(alone(one.value) if one.low == one.high else one)
    values = [one.value for one in numbers]
    low, high = write(alone(min(values))), write(alone(max(values)))
    return high if low == high else f"{low.partition(' ')[0]} to {high}"
