"""The figure of a claim's part: every model's number, the threshold, and what was published."""

import math
from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

from generator.charts import TOLD
from generator.claims.bounds import parse
from generator.claims.claim import Claim, Finding, Judgement, Part, Verdict
from generator.claims.published import Published
from generator.claims.said import briefly
from generator.numbers import writing
from generator.numbers.number import Number
from generator.pages.blocks import Figure, Table
from generator.pages.claims.tables import SHOWN, Ledger, comparable, place
from generator.pages.figures import embed

COLUMNS = (
    "name",
    "value",
    "low",
    "high",
    TOLD,
    "n",
    "outcome",
    "hollow",
    "judged",
    "bound",
    "second_bound",
    "published",
    "place",
)
"""Columns of the chart `evidence`."""
DRAWN = ("value", "low", "high", "bound", "second_bound", "published")
"""Columns of the chart that are drawn along its axis."""
UNJUDGED = "; the claim as a whole is not judged"
"""Ends the title of a figure of a part that is judged, where no other part can be."""
DIGITS = 6
"""Significant digits, because claims are about counts as well as shares."""

SAID_UNITS = ("nats", "doublings", "pieces")
"""Units that a sentence names; all others are left out. A hand-written page writes shares in percent."""
BETWEEN = "|"
"""Stands between value and interval where both are kept in one text."""
NUMBERLESS = "No model has this number."
"""The text shown instead of a figure without numbers."""


def claim_figure(ledger: Ledger, claim: Claim, order: int, anchor: str) -> Figure | None:
    """The figure of a claim's part, counted from 0, beside published ones; None without numbers."""
    having = [(model, item.findings[order]) for model, item in ledger.by_model(claim) if number_of(item, order)]
    findings = {model.model: finding for model, finding in having}
    judged = {model.model for model, item in ledger.by_model(claim) if item.verdict != "not testable"}
    part, slugs = claim.parts[order], {model.model: model.slug for model, _ in having}

    def kept(model: str, number: Number) -> tuple[str, str]:
        told = ledger.once(
            slugs[model], f"number {part.key}", lambda: BETWEEN.join(writing.pieces(number, against=part.against))
        )
        value, ends = str(told).split(BETWEEN)
        return value, ends

    return evidence_figure(claim, part, anchor, findings, comparable(claim, order), judged, kept)


def one_number(ledger: Ledger, claim: Claim, order: int) -> str:
    """The sentence instead of a figure with a single dot; empty if the part has more numbers than one, or none."""
    found = [(model.model, item) for model, item in ledger.by_model(claim) if number_of(item, order)]
    if len(found) != 1 or comparable(claim, order):
        return ""
    ((model, item),) = found
    part, finding = claim.parts[order], item.findings[order]
    assert finding.number, "it was chosen for that"
    told = writing.written(finding.number, part.unit if part.unit in SAID_UNITS else "", against=part.against)
    told = f"{told}, n = {finding.number.n:,} {part.over}"
    if item.verdict == "not testable":
        return f"In {model}, {part.name} is {told}. This is not judged: {briefly(item.reason, model)} ({claim.id})."
    return f"{part_seen(part.name, part.threshold, {model: finding.verdict})}: {told} ({claim.id})."


def number_of(item: Judgement, order: int) -> Number | None:
    """The number of a part of the claim, counted from 0; None if the part has no number."""
    number = item.findings[order].number if item.findings else None
    return None if number is None or math.isnan(number.value) else number


def evidence_figure(
    claim: Claim,
    part: Part,
    anchor: str,
    findings: Mapping[str, Finding],
    beside: Sequence[Published],
    judged: Set[str],
    tell: Callable[[str, Number], tuple[str, str]] | None = None,
) -> Figure | None:
    """A dot for each model and a tick for each published number; None where no model has the number. `judged` are the
    models in which the claim as a whole has a verdict. `tell` returns what `writing.pieces` does, from a model and its
    number.
    """
    numbers = {
        model: (finding.number, finding.verdict)
        for model, finding in findings.items()
        if finding.number is not None and not math.isnan(finding.number.value)
    }
    if not numbers:
        return None
    told = {
        model: tell(model, number) if tell else writing.pieces(number, against=part.against)
        for model, (number, _) in numbers.items()
    }
    bounds = [bound.at for bound in part.bounds]
    lines = {"bound": bounds[0], "second_bound": bounds[1] if len(bounds) > 1 else None}
    rows: list[dict[str, Any]] = [
        {
            "name": model,
            **_plain(number, told[model]),
            "outcome": findings[model].outcome,
            "hollow": int(verdict == "not testable"),
        }
        | {"judged": int(model in judged), **lines}
        for model, (number, verdict) in numbers.items()
    ]
    rows += [
        {"name": one.source, "published": _rounded(one.value), TOLD: writing.number(one.value), "place": place(one)}
        | lines
        for one in beside
    ]
    constants = {"claim": claim.id, "part": part.name, "unit": part.unit, "threshold": part.threshold}
    view: dict[str, Any] = {
        "columns": {column: [row.get(column) for row in rows] for column in COLUMNS},
        "signals": {**_ends(rows), "caption": f"{part.unit}; dashed: {part.threshold}"},
        "constants": constants,
    }
    verdicts = {model: verdict for model, (_, verdict) in numbers.items()}
    hollow = " A hollow dot is not judged." if "not testable" in verdicts.values() else ""
    alone = {*verdicts.values()} != {"not testable"} and judged.isdisjoint(verdicts)
    whole = UNJUDGED if alone else ""
    lines_are = "the dashed line is the threshold" if len(bounds) == 1 else "the dashed lines are the thresholds"
    intervals = ", lines their 95 % intervals" if any(one.high > one.low for one, _ in numbers.values()) else ""
    ticks = " Ticks are published numbers, from other text and partly from other models." if beside else ""
    ticks = ticks or ("" if claim.published else " We know of no published number for it.")
    return Figure(
        id=anchor,
        label=f"{part_seen(part.name, part.threshold, verdicts)}{whole} ({claim.id})",
        kinds=("evidence",),
        data=embed({"shared": {}, "views": [view]}),
        first=view,
        caption=f"Dots are our numbers{intervals}; {lines_are}, {part.threshold}.{hollow}{ticks}",
        table=Table(
            ("name", f"value ({part.unit})", "95 % interval", f"n ({part.over})", "this threshold", "published in"),
            (
                *(
                    (model, *told[model], f"{one.n:,}", findings[model].outcome, "-")
                    for model, (one, verdict) in numbers.items()
                ),
                *((item.source, writing.number(item.value), "-", "-", "-", place(item)) for item in beside),
            ),
        ),
    )


def part_seen(name: str, threshold: str, verdicts: Mapping[str, Verdict]) -> str:
    """A phrase that says in which models a number is on which side of its threshold; one or two models are named.

    If the name of the number has a comma, another one ends it.

    >>> part_seen("the share of heads", "above 0.5", {"a": "holds", "b": "fails", "c": "inconclusive"})
    'The share of heads is above 0.5 in a, but not in b, and may be in c'
    >>> part_seen("the share of heads", "above 0.5", {"a": "fails", "b": "fails", "c": "fails", "d": "not testable"})
    'The share of heads is above 0.5 in none of the 3 models that are judged'
    >>> part_seen("the share of heads", "above 0.5", {"a": "fails", "b": "fails", "c": "fails", "d": "inconclusive"})
    'The share of heads is not above 0.5 in 3 of 4 models, but may be in d'
    >>> part_seen("the share of heads", "above 0.5", {"a": "holds", "b": "fails", "c": "fails", "d": "fails"})
    'The share of heads is above 0.5 in a, but not in the other 3 models'
    >>> part_seen("the share of heads", "above 0.5", {"a": "inconclusive"})
    'Whether the share of heads is above 0.5 remains open in a'
    >>> part_seen("the share of heads", "at least 0.4", {"a": "fails", "b": "fails"})
    'The share of heads is below 0.4 in a and b'
    >>> part_seen("the distance, divided by another", "below 0.1", {"a": "holds"})
    'The distance, divided by another, is below 0.1 in a'
    >>> part_seen("the share of heads", "above 0.5", {"a": "not testable"})
    'The share of heads is judged in no model'
    """
    start = f"{name[0].upper()}{name[1:]}{',' if ', ' in name else ''}"
    found = {one: [model for model, said in verdicts.items() if said == one] for one in SHOWN[:3]}
    judged = sum(map(len, found.values()))
    everyone = f"{judged} models{' that are judged' if judged < len(verdicts) else ''}"
    if not judged:
        return f"{start} is judged in no model"
    if len(found["inconclusive"]) == judged:
        where = f"all {everyone}" if judged > 2 else writing.listed(found["inconclusive"])
        return f"Whether {name}{',' if ', ' in name else ''} is {threshold} remains open in {where}"
    if len(found["fails"]) == judged > 2:
        return f"{start} is {threshold} in none of the {everyone}"
    first: dict[Verdict, str] = {
        "holds": f"is {threshold}",
        "fails": f"is not both {threshold}" if " and " in threshold else f"is {parse(threshold)[0].missed}",
    }
    after: dict[Verdict, str] = {"fails": "but not", "inconclusive": f"{'and' if found['holds'] else 'but'} may be"}
    parts: list[str] = []
    left = len(verdicts)
    for one, models in found.items():
        said = after[one] if parts else first[one]
        if len(models) > 2:
            among = f"{len(models)} of {len(verdicts)} models"
            among = f"the other {left} models" if parts and len(models) == left else among
            where = f"in {f'all {everyone}' if len(models) == judged else among}"
        else:
            where = f"in {writing.listed(models, 'or' if ' not' in said else 'and')}"
        parts += [f"{said} {where}"] if models else []
        left -= len(models)
    return f"{start} {', '.join(parts)}"


def _ends(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The ends of an axis that shows 0 and everything drawn along it."""
    drawn = [row[name] for row in rows for name in DRAWN if row.get(name) is not None]
    return {"left": min(0.0, *drawn), "right": max(0.0, *drawn)}


def _plain(number: Number, told: tuple[str, str]) -> dict[str, float | int | str | None]:
    ends = {name: _rounded(getattr(number, name)) for name in ("value", "low", "high")}
    return {**ends, TOLD: writing.joined(*told), "n": number.n}


def _rounded(value: float) -> float | None:
    return None if math.isnan(value) else float(f"{value:.{DIGITS}g}")
