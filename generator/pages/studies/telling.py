"""What a claim came to, in sentences: one is written by hand for each verdict, and the numbers are filled in.

Models with the same verdict share its sentence. `{models}` are their names, `{1}` is the number of the claim's first
part and `{2}` that of its second: for one model with its interval if it has one, for several from the lowest to the
highest. A share is written in percent; `{2:points}` writes a difference of shares or scores in points.
"""

import math
import re
from collections.abc import Mapping, Sequence

from generator.claims.claim import Claim, Judgement
from generator.errors import SiteError
from generator.numbers import writing
from generator.numbers.number import Number, alone
from generator.pages.claims.tables import SHOWN, UNJUDGED, Ledger
from generator.pages.links import to_claim, to_model
from generator.pages.studies.in_markdown import anchor, text
from generator.results.manifest import Manifest

OPEN = "untestable"
"""What a page calls the verdict "not testable", which is no name."""
POINTS = "points"
SAID = ("nats", "doublings", "pieces")
"""Units that a sentence names; a share becomes percent, and other units are not named."""
_PLACE = re.compile(r"\{([^{}]*)\}")
Judged = Sequence[tuple[Manifest, Judgement]]


def tell(ledger: Ledger, claim: Claim, sentences: Mapping[str, str], page: str) -> str:
    """Markdown: one sentence for each verdict that a model has, then a link to the claim.

    Raises SiteError where a sentence or a number is missing, and for what is no verdict or no place for a number.
    """
    names = {verdict: OPEN if verdict == "not testable" else verdict for verdict in SHOWN}
    unknown = [name for name in sentences if name not in names.values()]
    call = f'tell("{claim.id}")'
    if unknown:
        raise SiteError(f"Expected {', '.join(names.values())} in {call}, found {unknown[0]!r}; correct its name.")
    judged = ledger.by_model(claim)
    told = [] if judged else [UNJUDGED]
    for verdict, name in names.items():
        alike = [one for one in judged if one[1].verdict == verdict]
        if alike and not sentences.get(name):
            models = writing.listed([model.model for model, _ in alike])
            raise SiteError(
                f"Expected a sentence {name}=... in {call}, found none, but that is the verdict of {models}."
            )
        if alike:
            told.append(_filled(sentences[name], alike, f"{name}=... of {call}", page))
    return f"{' '.join(told)} ({anchor(to_claim(claim.id, claim.id, page))})"


def _filled(sentence: str, alike: Judged, where: str, page: str) -> str:
    """A sentence with the names and the numbers of models of one verdict."""

    def fill(found: re.Match[str]) -> str:
        name, _, unit = found[1].partition(":")
        if found[1] == "models":
            links = [anchor(to_model(model.slug, model.model, page)) for model, _ in alike]
            return writing.listed(links)
        parts = alike[0][1].claim.parts
        if name not in map(str, range(1, len(parts) + 1)) or unit not in {"", POINTS}:
            known = ", ".join(f"{{{at}}}" for at in range(1, len(parts) + 1))
            raise SiteError(f"Expected {{models}} or one of {known} in {where}, found {found[0]}; correct the page.")
        part = parts[int(name) - 1]
        return text(_number(_numbers(alike, int(name) - 1, where), unit or part.unit, part.against))

    return _PLACE.sub(fill, sentence)


def _numbers(alike: Judged, order: int, where: str) -> list[Number]:
    """The numbers of a part, of those models that have it."""
    found = [judgement.findings[order].number for _, judgement in alike if judgement.findings]
    numbers = [number for number in found if number is not None and not math.isnan(number.value)]
    if not numbers:
        models = writing.listed([model.model for model, _ in alike])
        raise SiteError(
            f"Expected a number for {{{order + 1}}} in {where}, found none for {models}; analyse it again, or write "
            "the sentence without this number."
        )
    return numbers


def _number(numbers: Sequence[Number], unit: str, against: Sequence[float]) -> str:
    """One number with its interval, or the lowest and the highest of several."""

    def write(one: Number) -> str:
        if unit in {"share", POINTS}:
            return writing.percent(one) if unit == "share" else writing.percent(one).replace("%", POINTS)
        return writing.written(one, unit if unit in SAID else "", against=against)

    if len(numbers) == 1:
        (one,) = numbers
        return write(alone(one.value) if one.low == one.high else one)
    values = [one.value for one in numbers]
    low, high = write(alone(min(values))), write(alone(max(values)))
    return high if low == high else f"{low.partition(' ')[0]} to {high}"
