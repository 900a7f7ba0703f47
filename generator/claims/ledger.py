"""The ledger: every claim judged for every model, and its lines as plain data."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from generator.claims import CLAIMS
from generator.claims.claim import Claim, Judgement, judge
from generator.claims.evidence import Evidence
from generator.claims.numbers import Number

NOTHING = Number(math.nan, math.nan, math.nan, 0)


def judge_all(evidences: Iterable[Evidence], claims: Sequence[Claim] = CLAIMS) -> list[Judgement]:
    """Every claim for every model: claims in their order, for each the models in theirs."""
    models = list(evidences)
    return [judge(claim, evidence) for claim in claims for evidence in models]


def records(judgements: Iterable[Judgement]) -> list[dict[str, Any]]:
    """As they are written to JSON: plain types, None for what is undefined. `parts` holds every number of a claim."""
    return [
        {
            "id": item.claim.id,
            "model": item.model,
            "verdict": item.verdict,
            "reason": item.reason,
            **_plain(Number(item.value, item.low, item.high, item.n)),
            "unit": item.unit,
            "threshold": item.threshold,
            "published": [asdict(number) for number in item.published],
            "parts": [
                {
                    "name": part.name,
                    "verdict": verdict,
                    **_plain(number or NOTHING),
                    "over": part.over,
                    "unit": part.unit,
                    "threshold": part.threshold,
                }
                for part, number, verdict in item.findings
            ],
        }
        for item in judgements
    ]


def _plain(number: Number) -> dict[str, float | int | None]:
    return {name: None if math.isnan(value) else value for name, value in number._asdict().items()}
