"""The ledger: every claim judged for every model, and its lines as plain data."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from generator.claims.all import CLAIMS
from generator.claims.claim import Claim, Judgement, judge
from generator.claims.evidence.evidence import Evidence
from generator.claims.multiplicity import Many, allow_for_many
from generator.claims.verdict import Verdict
from generator.numbers.number import UNDEFINED, Number

NO_NUMBER = "A number of a claim that is made in another way gets another key."


def judge_all(evidences: Iterable[Evidence], claims: Sequence[Claim] = CLAIMS) -> list[Judgement]:
    """Every claim judged for every model: claim by claim, and for each claim model by model."""
    models = list(evidences)
    return [judge(claim, evidence) for claim in claims for evidence in models]


def by_model(judgements: Iterable[Judgement]) -> dict[str, list[Judgement]]:
    """Model -> its judgements, in their order."""
    found: dict[str, list[Judgement]] = {}
    for item in judgements:
        found.setdefault(item.model, []).append(item)
    return found


def many_of(judgements: Iterable[Judgement]) -> dict[str, Many]:
    """Model -> what follows from the number of claims that are judged for it."""
    return {model: allow_for_many(items) for model, items in by_model(judgements).items()}


def adjusted(many: Mapping[str, Many]) -> dict[tuple[str, str], Verdict]:
    """(claim, model) -> the verdict that allows for the number of claims; only where it differs from the plain one.
    `many` is what `many_of` returns.
    """
    return {(claim, model): verdict for model, of_model in many.items() for claim, verdict in of_model.adjusted.items()}


def records(judgements: Sequence[Judgement]) -> list[dict[str, Any]]:
    """Judgements as they are written to JSON: plain types, None if undefined; `parts` holds all numbers
    of a claim, each with the verdict that its own threshold would give.
    """
    changed = adjusted(many_of(judgements))
    return [
        {
            "id": item.claim.id,
            "model": item.model,
            "verdict": item.verdict,
            "adjusted": changed.get((item.claim.id, item.model), item.verdict),
            "reason": item.reason,
            **_plain(Number(item.value, item.low, item.high, item.n)),
            "unit": item.unit,
            "threshold": item.threshold,
            "power": item.power,
            "language": item.language,
            "published": [asdict(published) for published in item.published],
            "parts": [
                {
                    "key": part.key,
                    "name": part.name,
                    "verdict": verdict,
                    **_plain(number or UNDEFINED),
                    "over": part.over,
                    "unit": part.unit,
                    "threshold": part.threshold,
                    "since": part.since.isoformat(),
                    "missing": str(missing or ""),
                }
                for part, number, verdict, missing, *_ in item.findings
            ],
        }
        for item in judgements
    ]


def _plain(number: Number) -> dict[str, float | int | None]:
    return {name: None if math.isnan(value) else value for name, value in number._asdict().items()}
