"""Allowing for many claims: how many verdicts chance alone would give, and which verdicts remain if that is considered.

Each decided verdict gets a p-value from its intervals, by the normal approximation: how often an estimate would lie as
far beyond the bound if the true value lay on it. A claim holds only if all bounds of its parts are met, so its
p-value is the largest of theirs; it fails if one bound is missed, so its p-value is the smallest of theirs times their
number. The procedure of Benjamini and Hochberg (1995) then limits the share of false verdicts of a model.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from generator.claims.claim import Finding, Judgement
from generator.claims.verdict import Verdict
from generator.numbers.resampling import LEVEL, REACH
from generator.numbers.simultaneous import significant, two_sided


class Many(NamedTuple):
    """What follows from judging many claims of one model."""

    judged: int
    """Claims with an interval, and so with a p-value."""
    by_chance: float
    """How many of these claims would hold by chance if every true value lay exactly on its bound."""
    adjusted: Mapping[str, Verdict]
    """Claim -> its verdict, for claims whose verdict changes when the number of claims is allowed for."""


def allow_for_many(judgements: Sequence[Judgement]) -> Many:
    """What follows from judging all of these claims of one model."""
    sampled = {item.claim.id: found for item in judgements if (found := _sampled(item))}
    by_chance = sum(((1 - LEVEL) / 2) ** len(findings) for findings in sampled.values())
    decided = [
        item
        for item in judgements
        if item.verdict in ("holds", "fails")  # a claim that fails by a number without a width has no p-value
        and any(item.verdict in ("holds", finding.verdict) for finding in sampled.get(item.claim.id, ()))
    ]
    if not decided:
        return Many(len(sampled), by_chance, {})
    chances = {item.claim.id: _chance(item.verdict, sampled[item.claim.id]) for item in decided}
    stays = significant(np.array([*chances.values()]), len(sampled))
    lost = [name for name, kept in zip(chances, stays, strict=True) if not kept]
    return Many(len(sampled), by_chance, dict.fromkeys(lost, "inconclusive"))


def _sampled(judgement: Judgement) -> list[Finding]:
    """The parts of a judgement whose interval has a width; none if its verdict is "not testable"."""
    if judgement.verdict == "not testable":
        return []
    parts = [finding for finding in judgement.findings if finding.counts and not finding.opposed]
    return [
        part for part in parts if part.number and part.verdict != "not testable" and part.number.high > part.number.low
    ]


def _chance(verdict: Verdict, findings: Sequence[Finding]) -> float:
    """The p-value of a verdict, from the distances of its numbers to their bounds; two-sided, as the intervals are."""
    numbers = ((bound, finding.number) for finding in findings for bound in finding.part.bounds)
    # Half an interval is REACH standard errors.
    beyond = [bound.distance(number) * REACH for bound, number in numbers if number is not None]
    if verdict == "holds":
        return two_sided(min(beyond))
    return min(two_sided(-min(beyond)) * len(beyond), 1.0)
