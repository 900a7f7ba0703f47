"""A claim is a record and a pure function from stored results to numbers; thresholds turn numbers into a verdict.

A claim has one part, or several that must all hold: it fails if any part fails, is otherwise not testable if any part
cannot be measured, inconclusive if any part is, and holds if all do. Thresholds were written before results were read.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import ge, gt, le, lt
from typing import Literal, NamedTuple

from generator.claims.evidence import Evidence
from generator.claims.numbers import Number
from generator.claims.published import Published, published

Verdict = Literal["holds", "fails", "inconclusive", "not testable"]
VERDICTS: tuple[Verdict, ...] = ("fails", "not testable", "inconclusive", "holds")
"""Of several parts the first that occurs is the claim's."""
Side = Literal["above", "at least", "below", "at most"]
_MEETS: dict[str, Callable[[float, float], bool]] = {"above": gt, "at least": ge, "below": lt, "at most": le}


class Bound(NamedTuple):
    """A number, and the side of it that is asked for."""

    side: Side
    at: float

    def met(self, value: float) -> bool:
        """Whether a value lies there."""
        return _MEETS[self.side](value, self.at)

    def __str__(self) -> str:
        return f"{self.side} {readable(self.at)}"


@dataclass(frozen=True)
class Part:
    """One number of a claim and the threshold it must pass."""

    name: str
    """What is measured, as a phrase that begins a sentence in lower case."""
    unit: str
    bounds: tuple[Bound, ...]
    """All of them must be met."""
    why: str
    """Why this threshold, in one sentence."""
    over: str = "documents"
    """What `n` counts, and the interval resamples where it is ours."""

    @property
    def threshold(self) -> str:
        """As text: "above 0 and below 0.25"."""
        return " and ".join(map(str, self.bounds))

    def verdict(self, number: Number | None) -> Verdict:
        """Holds if the whole interval meets every bound, fails if the whole interval misses one."""
        if number is None or math.isnan(number.value):
            return "not testable"
        ends = (number.low, number.high)
        if any(map(math.isnan, ends)):
            return "inconclusive"
        if all(bound.met(end) for bound in self.bounds for end in ends):
            return "holds"
        return "fails" if any(not any(map(bound.met, ends)) for bound in self.bounds) else "inconclusive"


@dataclass(frozen=True)
class Claim:
    """What a paper says, in our words, and how it is judged."""

    id: str
    """Also the last part of its page's address, in lower case."""
    title: str
    statement: str
    paper: str
    section: str
    measure: str
    """What is computed from the results, and what its interval covers."""
    needs: str
    """What a model or its results must have; after the word "needs"."""
    parts: tuple[Part, ...] = ()
    """The first is the number that pages show beside the published one."""
    judge: Callable[[Evidence], Sequence[Number | None]] | None = None
    """One number per part; None for a claim that no results can decide yet."""
    published: tuple[str, ...] = ()
    """Keys of `generator.claims.published`."""

    @property
    def threshold(self) -> str:
        """All parts as one text."""
        return "; ".join(f"{part.name}: {part.threshold}" for part in self.parts)

    @property
    def why(self) -> str:
        """The reasons of all thresholds."""
        return " ".join(part.why for part in self.parts)


class Finding(NamedTuple):
    """A part with its number; None where it cannot be measured."""

    part: Part
    number: Number | None
    verdict: Verdict


@dataclass(frozen=True)
class Judgement:
    """A claim's verdict for one model. Numbers are those of the claim's first part; NaN where there is none."""

    claim: Claim
    model: str
    verdict: Verdict
    reason: str
    """Full sentences: the numbers that decide, or what is needed."""
    value: float
    low: float
    high: float
    n: int
    unit: str
    threshold: str
    published: tuple[Published, ...]
    findings: tuple[Finding, ...]


def judge(claim: Claim, evidence: Evidence) -> Judgement:
    """Judge one claim for one model."""
    numbers = claim.judge(evidence) if claim.judge else ()
    findings = tuple(
        Finding(part, number, part.verdict(number)) for part, number in zip(claim.parts, numbers, strict=True)
    )
    verdict = combine([finding.verdict for finding in findings])
    first = findings[0].number if findings else None
    value, low, high, n = first or Number(math.nan, math.nan, math.nan, 0)
    return Judgement(
        claim=claim,
        model=evidence.model,
        verdict=verdict,
        reason=_reason(claim, findings, verdict),
        value=value,
        low=low,
        high=high,
        n=n,
        unit=claim.parts[0].unit if claim.parts else "",
        threshold=claim.threshold,
        published=tuple(map(published, claim.published)),
        findings=findings,
    )


def combine(verdicts: Sequence[Verdict]) -> Verdict:
    """The verdict of a claim whose parts must all hold; not testable without parts."""
    return next((verdict for verdict in VERDICTS if verdict in verdicts), "not testable")


def readable(value: float) -> str:
    """Three digits, whole numbers whole.

    >>> readable(0.12345), readable(30522.0), readable(-0.96), readable(4.0)
    ('0.123', '30,522', '-0.96', '4')
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _reason(claim: Claim, findings: Sequence[Finding], verdict: Verdict) -> str:
    if verdict == "not testable":
        return f"Needs {claim.needs}."
    return " ".join(_sentence(finding) for finding in findings if finding.verdict == verdict)


def _sentence(finding: Finding) -> str:
    part, number, verdict = finding
    assert number is not None, "what is not testable has no number to tell"
    name, value, count = part.name[0].upper() + part.name[1:], readable(number.value), f"{number.n:,} {part.over}"
    if math.isnan(number.low):
        return f"{name} is {value}, but {count} give no interval."
    spread = "" if number.low == number.high else f"{readable(number.low)} to {readable(number.high)}, "
    ending = {
        "holds": f"{part.threshold} as stated",
        "fails": f"not {part.threshold}",
        "inconclusive": f"which leaves open whether it is {part.threshold}",
    }[verdict]
    return f"{name} is {value} ({spread}{count}), {ending}."
