"""A judgement as plain values for JSON, and back again; what follows from the claim itself is left out."""

from typing import Any

from generator.claims import CLAIMS
from generator.claims.claim import Finding, Judgement
from generator.claims.missing import ByConstruction, NotTestable, Uncounted
from generator.claims.published import published
from generator.numbers.number import Number

BY_ID = {claim.id: claim for claim in CLAIMS}
REASONS = {kind.__name__: kind for kind in (NotTestable, Uncounted, ByConstruction)}
TOLD = ("verdict", "reason", "handful", "power", "language")
"""Fields of a judgement that are written unchanged."""


def plain(item: Judgement) -> dict[str, Any]:
    """A judgement as plain values, ready for JSON."""
    decides = next((at for at, one in enumerate(item.findings) if one is item.decides), None)
    first = Number(item.value, item.low, item.high, item.n)
    told = {name: getattr(item, name) for name in TOLD}
    return {"id": item.claim.id, "first": _numbers(first), "decides": decides, **told} | {
        "findings": [
            (
                None if one.number is None else _numbers(one.number),
                one.verdict,
                None if one.missing is None else (type(one.missing).__name__, str(one.missing)),
                [(int(layer), int(head)) for layer, head in one.heads],
            )
            for one in item.findings
        ]
    }


def judgement_of(kept: dict[str, Any], model: str) -> Judgement:
    """The judgement that `plain` wrote as these values."""
    claim, (value, low, high, n) = BY_ID[kept["id"]], kept["first"]
    findings = tuple(
        Finding(
            part,
            None if number is None else Number(*number),
            verdict,
            None if missing is None else _reason(*missing),
            tuple(map(tuple, heads)),
        )
        for part, (number, verdict, missing, heads) in zip(claim.parts, kept["findings"], strict=True)
    )
    return Judgement(
        claim=claim,
        model=model,
        value=value,
        low=low,
        high=high,
        n=n,
        unit=claim.parts[0].unit if claim.parts else "",
        threshold=claim.threshold,
        published=tuple(map(published, claim.published)),
        findings=findings,
        decides=None if kept["decides"] is None else findings[kept["decides"]],
        **{name: kept[name] for name in TOLD},
    )


def _numbers(number: Number) -> list[float | int]:
    return [float(number.value), float(number.low), float(number.high), int(number.n)]


def _reason(kind: str, text: str) -> NotTestable:
    return NotTestable.__new__(REASONS[kind], text)  # past __init__: the text has what a kind puts first
