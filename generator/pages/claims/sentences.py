"""A verdict in a sentence: the number that decides it, the heads, and how far to believe it."""

import math
from collections.abc import Container, Iterator
from dataclasses import dataclass, replace

import numpy as np

from generator.claims.bounds import counted
from generator.claims.claim import Claim, Finding, Judgement
from generator.claims.said import REASON
from generator.numbers import writing
from generator.numbers.depth import in_depth
from generator.numbers.number import UNDEFINED
from generator.pages.blocks import LINES, Block, Items, Section
from generator.pages.claims.tables import MOST as MOST_HEADS
from generator.pages.claims.tables import Ledger, heads_of, mark
from generator.pages.inline import Count, Joined, Part, as_html
from generator.pages.links import to_claim, to_head
from generator.pages.studies.seen import in_layers

COUNTED = "once all claims are counted"
"""When a verdict may be another one: a few of many claims would hold by chance."""
MOST = 4
"""Claims of which the page of a head gives the title; of the rest it gives the ids, as these pages must be small."""

GAIN = "the gain for "
"""Begins the names of the parts of a claim that are each about another relation."""
OF_PAPER = "the paper's head"
"""What stands after a claim for which a paper prints the head."""
RESTS = "that it rests on"
"""The words for the heads of a claim that does not say which they are."""
UNNAMED = "Where a verdict names none, there is no such head, or the results do not say which one was chosen."


@dataclass(frozen=True)
class Fold:
    """Parts that a reader opens by a few words; it stands at the end of a text."""

    text: str
    parts: tuple[Part, ...]

    def __html__(self) -> str:
        """The parts, which are in the page, open without a script."""
        text, parts = as_html(self.text), Joined(self.parts).__html__()
        return f' <details class="fg-block"><summary>{text}</summary> <p>{parts}</p></details>'


def short(ledger: Ledger, item: Judgement) -> str:
    """The verdict with the number that decides it, such as "holds: 0.775 (0.739 to 0.804), 622 words"."""
    changed, why = reason_of(ledger, item)
    return f"{item.verdict}{changed}: {why}"


def reason_of(ledger: Ledger, item: Judgement) -> tuple[str, str]:
    """What `short` says after the verdict: words on another verdict, often empty, and the number or the reason."""
    return _changed(ledger, item), _number(item) if item.verdict != "not testable" else _reason(item)


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


def sentence(ledger: Ledger, item: Judgement, slug: str, page: str) -> tuple[str | Part, ...]:
    """The verdict for one model, with the number that decides it, and what a reader should know about it."""
    if item.verdict == "not testable" or item.decides is None or item.decides.number is None:
        said = f": {_reason(item)}"
    else:
        said = f": {item.decides.clause()}{_other(item)}."
    notes = (
        _middle(ledger, item),
        f"{'Judged' if own_handful(item) else 'One part is judged'} on only {item.handful}." if item.handful else "",
        item.power,
        f"The text is in another language than the claim: {item.language}." if item.language else "",
    )
    return (
        mark(item.verdict),
        f"{_changed(ledger, item)}{said}{''.join(f' {note}' for note in notes if note)}",
        *_heads(ledger, item, slug, page),
    )


def _heads(ledger: Ledger, item: Judgement, slug: str, page: str) -> Iterator[str | Part]:
    """Which heads a verdict rests on, or all but which, with a link to each that is named."""
    every, named = heads_of(item), ledger.named_heads(item)
    if not every:
        return
    which, to_each = item.claim.which or RESTS, ((place, to_head(slug, *place, page)) for place in named)
    links = tuple(replace(link, text=f"{link.text}{_gains(item, place)}") for place, link in to_each)
    yield f" The head {which} is " if len(every) == 1 else f" The heads {which} are "
    yield "" if named == every else "all but " if named else f"all {len(every)}"
    if len(links) > MOST_HEADS:
        yield from (Joined(links[:MOST_HEADS]), Fold(f"and {len(links) - MOST_HEADS} more", links[MOST_HEADS:]))
    else:
        yield from (Joined(links[:-1]), " and " if links[1:] else "", *links[-1:], ".")


def heads_meant(claim: Claim, unnamed: bool) -> str:
    """Which heads a claim names, or why it names none; `unnamed` says whether a verdict was reached and names none.

    >>> from generator.claims.kovaleva.attention import K10
    >>> from generator.topics.distances.claims import K18
    >>> heads_meant(K18, False)
    'Those that have a double.'
    >>> heads_meant(K10, True)
    'It names no heads, for its numbers are means over all heads of a layer.'
    """
    if claim.nameless:
        return f"It names no heads, for {claim.nameless}."
    return f"Those {claim.which or RESTS}.{f' {UNNAMED}' if unnamed else ''}"


def _gains(item: Judgement, place: tuple[int, int]) -> str:
    """For which relations a head was chosen, where each part of a claim is about another one; otherwise empty."""
    names = (finding.part.name for finding in item.findings if place in finding.heads)
    texts = [name.removeprefix(GAIN) for name in names if name.startswith(GAIN)]
    return f" for {writing.listed(texts)}" if texts else ""


def own_handful(item: Judgement) -> bool:
    """Whether the few units that a verdict rests on are those of the number that decides it."""
    found = item.decides
    return bool(found and found.number and counted(found.number.n, found.part.over) == item.handful)


def _other(item: Judgement) -> str:
    """The number of a claim's other part of two, and how it compares with its threshold; "" where it does not count."""
    others = [finding for finding in item.findings if finding is not item.decides]
    if len(others) != 1 or others[0].number is None or others[0].verdict == "not testable":
        return ""
    (other,) = others
    return f"; {other.part.name} is {_written(other)}, {_end(other)}"


def _middle(ledger: Ledger, item: Judgement) -> str:
    """Which layers of the model a claim calls the middle ones; empty if it calls none so, or is not judged."""
    if item.claim.middle is None or item.verdict == "not testable":
        return ""
    layers = next(manifest.layers for manifest in ledger.manifests if manifest.model == item.model)
    middle = np.flatnonzero(in_depth(layers, *item.claim.middle)) + 1
    return f"Of {layers} layers, the middle ones are {in_layers(middle.tolist())}."


def _end(finding: Finding) -> str:
    if finding.number is None or math.isnan(finding.number.low):
        return "and there is no interval"
    return finding.end


def _among(item: Judgement, place: tuple[int, int], count: int) -> tuple[str | Part, ...]:
    """Of how many heads a verdict names this is one, or to what it is an exception; nothing if it is the only head."""
    if place not in heads_of(item):
        return " ", Count(f"one of {count} exceptions" if count > 1 else "the one exception")
    return (" ", Count(f"one of {count} heads")) if count > 1 else ()


def bearing(
    ledger: Ledger, model: str, layer: int, head: int, page: str, printed: Container[str] = ()
) -> Section | None:
    """The claims for which a paper prints a head, given by their ids, and those whose verdict for the model names it,
    fewest heads first; None where there are none.
    """
    of_paper = [item for item in ledger.of_model(model) if item.claim.id in printed]
    resting = sorted(ledger.bearing(model, layer, head), key=lambda pair: pair[1])
    found: list[tuple[Judgement, tuple[str | Part, ...]]] = [(item, (" ", Count(OF_PAPER))) for item in of_paper]
    found += [(item, _among(item, (layer, head), heads)) for item, heads in resting if item.claim.id not in printed]
    lines = tuple(
        (*(mark(item.verdict), " ", to_claim(item.claim.id, f"{item.claim.id}: {item.claim.title}", page)), *among)
        for item, among in found[:MOST]
    )
    if not lines:
        return None
    more = tuple(to_claim(item.claim.id, item.claim.id, page) for item, _ in found[MOST:])
    rest: tuple[Block, ...] = (("Also ", Joined(more), "."),) if more else ()
    return Section("claims", "Claims it bears on", (Items(lines, style=LINES), *rest))
