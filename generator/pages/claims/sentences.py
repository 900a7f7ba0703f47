"""A verdict in a sentence: the number that decides it, the heads, and how far to believe it."""

import math

import numpy as np

from generator.claims.bounds import counted
from generator.claims.claim import Finding, Judgement
from generator.claims.said import REASON, ending
from generator.numbers import writing
from generator.numbers.number import UNDEFINED
from generator.pages.blocks import LINES, Items, Section
from generator.pages.claims.tables import Ledger, mark, to_heads
from generator.pages.inline import Count, Prose
from generator.pages.links import to_claim
from generator.pages.studies.seen import in_layers
from generator.studies.layers.profiles import in_depth

COUNTED = "once all claims are counted"
"""When a verdict may be another one: a few of many claims would hold by chance."""
MOST = 6
"""Claims that the page of a head names."""


def short(ledger: Ledger, item: Judgement) -> str:
    """The verdict with the number that decides it, such as "holds: 0.775 (0.739 to 0.804), 622 words"."""
    return (
        f"{item.verdict}{_changed(ledger, item)}: {_number(item) if item.verdict != 'not testable' else _reason(item)}"
    )


def _changed(ledger: Ledger, item: Judgement) -> str:
    """Words after the verdict if it is another one once the number of claims is allowed for; empty if it is not."""
    changed = ledger.adjusted.get((item.claim.id, item.model))
    return f" by itself, {changed} {COUNTED}" if changed else ""


def _number(item: Judgement) -> str:
    found = item.decides
    if found is None or found.number is None:
        return "no number"
    return f"{_written(found)}, {counted(found.number.n, found.part.over)}"


def _written(found: Finding) -> str:
    return writing.written(found.number or UNDEFINED, against=found.part.against)


def _reason(item: Judgement) -> str:
    return item.reason.removeprefix(REASON).replace(f". {REASON}", "; ")


def sentence(ledger: Ledger, item: Judgement, slug: str, page: str) -> Prose:
    """The verdict for one model, with the number that decides it, and what a reader should know about it."""
    if item.verdict == "not testable" or item.decides is None or item.decides.number is None:
        said = f": {_reason(item)}"
    else:
        said = f": {item.decides.told()}{_other(item)}."
    heads = ledger.named_heads(item)
    named = (" Head " if len(heads) == 1 else " Heads ", *to_heads(heads, slug, page), ".") if heads else ()
    notes = (
        _middle(ledger, item),
        f"{'Judged' if own_handful(item) else 'One part is judged'} on only {item.handful}." if item.handful else "",
        item.power,
        f"The text is in another language than the claim: {item.language}." if item.language else "",
    )
    return (
        mark(item.verdict),
        f"{_changed(ledger, item)}{said}",
        *named,
        "".join(f" {note}" for note in notes if note),
    )


def own_handful(item: Judgement) -> bool:
    """Whether the few units that a verdict rests on are those of the number that decides it."""
    found = item.decides
    return bool(found and found.number and counted(found.number.n, found.part.over) == item.handful)


def _other(item: Judgement) -> str:
    """The number of a claim's other part of two, and how it compares with its threshold; "" where it does not count."""
    others = [one for one in item.findings if one is not item.decides]
    if len(others) != 1 or others[0].number is None or others[0].verdict == "not testable":
        return ""
    (other,) = others
    return f"; {other.part.name} is {_written(other)}, {_end(other)}"


def _middle(ledger: Ledger, item: Judgement) -> str:
    """Which layers of the model a claim calls the middle ones; empty if it calls none so, or is not judged."""
    if item.claim.middle is None or item.verdict == "not testable":
        return ""
    layers = next(one.layers for one in ledger.manifests if one.model == item.model)
    middle = np.flatnonzero(in_depth(layers, *item.claim.middle)) + 1
    return f"Of {layers} layers, the middle ones are {in_layers(middle.tolist())}."


def _end(finding: Finding) -> str:
    part, number, verdict, *_ = finding
    if number is None or math.isnan(number.low):
        return "and there is no interval"
    return ending(verdict, part.bounds, number)


def bearing(ledger: Ledger, model: str, layer: int, head: int, page: str) -> Section | None:
    """The claims whose verdict for the model rests on a head, fewest heads first; None where no verdict does."""
    resting = sorted(ledger.bearing(model, layer, head), key=lambda one: one[1])
    lines = tuple(
        (
            *(mark(item.verdict), " ", to_claim(item.claim.id, f"{item.claim.id}: {item.claim.title}", page)),
            *((" ", Count(f"one of {heads} heads")) if heads > 1 else ()),
        )
        for item, heads in resting[:MOST]
    )
    if not lines:
        return None
    more = len(resting) - MOST
    rest = (f"{more} more {'verdict rests' if more == 1 else 'verdicts rest'} on this head and on others.",)
    return Section("claims", "Claims it bears on", (Items(lines, style=LINES), *(rest if more > 0 else ())))
