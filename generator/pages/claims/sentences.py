"""A verdict in a sentence: its number first, then what was measured, the heads, and how far to believe it."""

import math

from generator.claims.bounds import counted
from generator.claims.claim import Judgement
from generator.claims.said import REASON, ending
from generator.numbers import writing
from generator.pages.blocks import Items, Section
from generator.pages.claims.tables import Ledger, mark, to_heads
from generator.pages.inline import Count, Prose
from generator.pages.links import to_claim

MOST = 6
"""Claims that the page of a head names."""


def short(item: Judgement) -> str:
    """The verdict with the number that decides it, such as "holds: 0.775 (0.739 to 0.804), 622 words"."""
    return f"{item.verdict}: {_number(item) if item.verdict != 'not testable' else _reason(item)}"


def _number(item: Judgement) -> str:
    found = item.decides
    if found is None or found.number is None:
        return "no number"
    value, ends = writing.pieces(found.number, against=found.part.against)
    spread = f" ({ends})" if ends != writing.UNDEFINED else ""
    return f"{value + spread}, {counted(found.number.n, found.part.over)}"


def _reason(item: Judgement) -> str:
    return item.reason.removeprefix(REASON).replace(f". {REASON}", "; ")


def sentence(ledger: Ledger, item: Judgement, slug: str, page: str) -> Prose:
    """The verdict for one model, with its number first, and what a reader should know about it."""
    if item.verdict == "not testable" or item.decides is None or item.decides.number is None:
        said = f": {_reason(item)}"
    else:
        said = f": {_number(item)}: {item.decides.part.name}, {_end(item)}."
    heads = ledger.named_heads(item)
    named = (" Head " if len(heads) == 1 else " Heads ", *to_heads(heads, slug, page), ".") if heads else ()
    changed = ledger.adjusted.get((item.claim.id, item.model))
    notes = (
        f"Judged on only {item.handful}." if item.handful else "",
        item.power,
        f"Allowing for the number of claims, it is {changed}." if changed else "",
        f"The text is in another language than the claim: {item.language}." if item.language else "",
    )
    return (mark(item.verdict), said, *named, "".join(f" {note}" for note in notes if note))


def _end(item: Judgement) -> str:
    assert item.decides is not None
    part, number, verdict, *_ = item.decides
    if number is not None and math.isnan(number.low):
        return "and there is no interval"
    return ending(verdict, part.threshold)


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
    return Section(
        "claims", "Claims it bears on", (Items(lines, style="fg-list fg-similar"), *(rest if more > 0 else ()))
    )
