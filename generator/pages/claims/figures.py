"""The figure of a claim's part: every model's number, the threshold, and what was published."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import partial
from typing import Any

from generator.charts import TOLD
from generator.claims.claim import Claim, Finding, Judgement, Part
from generator.claims.published import Published
from generator.claims.said import briefly
from generator.claims.verdict import AS_VERDICT
from generator.numbers import writing
from generator.numbers.number import Number, alone
from generator.pages.blocks import Figure, Table
from generator.pages.claims.tables import Ledger, comparable, place
from generator.pages.figures import embed

SAID = "said"
"""The column with a number as titles have it: a share in per cent."""
COLUMNS = (
    "name",
    "value",
    "low",
    "high",
    TOLD,
    SAID,
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
ASIDE = ", hollow dots aside"
"""Ends one that leaves out the numbers of models in which the part is not judged."""
MARKS = {
    "holds": "a square surely meets the threshold",
    "fails": "a dot surely misses it",
    "inconclusive": "a triangle leaves it open",
    "not testable": "a hollow dot is not judged",
}
"""Verdict on a number -> the mark that shows it, and what that says."""
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
        text = ledger.once(
            slugs[model], f"number {part.key}", lambda: BETWEEN.join(writing.pieces(number, against=part.against))
        )
        value, ends = str(text).split(BETWEEN)
        return value, ends

    return evidence_figure(
        claim, part=part, anchor=anchor, findings=findings, beside=comparable(claim, order), judged=judged, tell=kept
    )


def one_number(ledger: Ledger, claim: Claim, order: int) -> str:
    """The sentence instead of a figure with a single dot; empty if the part has more numbers than one, or none."""
    found = [(model.model, item) for model, item in ledger.by_model(claim) if number_of(item, order)]
    if len(found) != 1 or comparable(claim, order):
        return ""
    ((model, item),) = found
    part, finding = claim.parts[order], item.findings[order]
    assert finding.number, "it was chosen for that"
    unit = part.unit if part.unit in SAID_UNITS else ""
    in_percent = are_shares(part.unit, [finding.number])
    write = writing.percent if in_percent else partial(writing.written, unit=unit)
    text = write(finding.number, against=part.against)
    text = f"In {model}, {part.name} is {text}, n = {finding.number.n:,} {part.over}"
    if item.verdict == "not testable":
        return f"{text}. This is not judged: {briefly(item.reason, model)} ({claim.id})."
    return f"{text}; this threshold, {part.threshold}: {finding.outcome} ({claim.id})."


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
    found = {
        model: tell(model, number) if tell else writing.pieces(number, against=part.against)
        for model, (number, _) in numbers.items()
    }
    as_shares = are_shares(part.unit, [number for number, _ in numbers.values()])
    bounds = [bound.at for bound in part.bounds]
    lines = {"bound": bounds[0], "second_bound": bounds[1] if len(bounds) > 1 else None}
    rows: list[dict[str, Any]] = [
        {
            "name": model,
            **_plain(number, found[model]),
            SAID: writing.percent(alone(number.value), against=part.against) if as_shares else found[model][0],
            "outcome": findings[model].outcome,
            "hollow": int(verdict == "not testable"),
        }
        | {"judged": int(model in judged), **lines}
        for model, (number, verdict) in numbers.items()
    ]
    rows += [
        {
            "name": published.source,
            "published": _rounded(published.value),
            TOLD: writing.number(published.value),
            "place": place(published),
        }
        | lines
        for published in beside
    ]
    constants = {"claim": claim.id, "part": part.name, "unit": part.unit, "threshold": part.threshold}
    view: dict[str, Any] = {
        "columns": {column: [row.get(column) for row in rows] for column in COLUMNS},
        "signals": {**_ends(rows), "caption": f"{part.unit}; dashed: {part.threshold}"},
        "constants": constants,
    }
    having = rows[: len(numbers)]
    counting = [row for row in having if not row["hollow"]] or having
    seen = {row["name"]: row[SAID] for row in sorted(counting, key=lambda row: float(row["value"]))}
    verdicts = {model: verdict for model, (_, verdict) in numbers.items()}
    shown = {AS_VERDICT[findings[model].outcome] for model in numbers}
    told = ", ".join(text for verdict, text in MARKS.items() if verdict in shown)
    part_alone = {*verdicts.values()} != {"not testable"} and judged.isdisjoint(verdicts)
    whole = UNJUDGED if part_alone else ASIDE if len(counting) < len(having) else ""
    lines_are = "the dashed line is the threshold" if len(bounds) == 1 else "the dashed lines are the thresholds"
    intervals = "lines are 95 % intervals; " * any(number.high > number.low for number, _ in numbers.values())
    ticks = " Ticks are published numbers, from other text and partly from other models." if beside else ""
    ticks = ticks or ("" if claim.published else " We know of no published number for it.")
    parts = len(claim.parts)
    one_of = f" This is one of {parts} thresholds of {claim.id}, which must all be met." if parts > 1 else ""
    return Figure(
        id=anchor,
        label=f"{part_seen(part.name, seen, part.unit)}{whole} ({claim.id})",
        kinds=("evidence",),
        data=embed({"shared": {}, "views": [view]}),
        first=view,
        caption=f"{told[0].upper()}{told[1:]}; {intervals}{lines_are}, {part.threshold}.{one_of}{ticks}",
        table=Table(
            ("name", f"value ({part.unit})", "95 % interval", f"n ({part.over})", "this threshold", "published in"),
            (
                *(
                    (model, *found[model], f"{number.n:,}", findings[model].outcome, "-")
                    for model, (number, verdict) in numbers.items()
                ),
                *((item.source, writing.number(item.value), "-", "-", "-", place(item)) for item in beside),
            ),
        ),
    )


def are_shares(unit: str, numbers: Iterable[Number]) -> bool:
    """Whether they may be told in per cent, all alike; a difference of shares may lie, or reach, beyond what a share
    can be.
    """
    return unit == "share" and not any(end < 0 or end > 1 for number in numbers for end in number[:3])


def part_seen(name: str, values: Mapping[str, str], unit: str = "") -> str:
    """A phrase that says what a number is: in the only model, or in those with the least and the most.

    `values` has the number of each model as it is written, from the least to the most.

    >>> part_seen("the share of heads", {"a": "20 %", "b": "30 %", "c": "45 %"})
    'The share of heads: 20 % in a, up to 45 % in c'
    >>> part_seen("the entropy", {"a": "1.2"}, "nats"), part_seen("the share of heads", {"a": "100 %", "b": "100 %"})
    ('The entropy: 1.2 nats in a', 'The share of heads: 100 % in all 2 models')
    """
    (low, least), *_, (high, most) = [*values.items()] * 2
    ends = f" {unit}" if unit in SAID_UNITS else ""
    if len(values) == 1:
        where = f"{least}{ends} in {low}"
    elif least == most:
        where = f"{least}{ends} in all {len(values)} models"
    else:
        where = f"{least} in {low}, up to {most}{ends} in {high}"
    return f"{name[0].upper()}{name[1:]}: {where}"


def _ends(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The ends of an axis that shows 0 and everything drawn along it."""
    drawn = [row[name] for row in rows for name in DRAWN if row.get(name) is not None]
    return {"left": min(0.0, *drawn), "right": max(0.0, *drawn)}


def _plain(number: Number, row: tuple[str, str]) -> dict[str, float | int | str | None]:
    ends = {name: _rounded(getattr(number, name)) for name in ("value", "low", "high")}
    return {**ends, TOLD: writing.joined(*row), "n": number.n}


def _rounded(value: float) -> float | None:
    return None if math.isnan(value) else float(f"{value:.{DIGITS}g}")
