"""A claim is a record; its parts turn stored results into numbers, and registered bounds turn numbers into a verdict.

A claim has one part, or several that must all hold: it fails if any part fails, is otherwise not testable if any part
cannot be measured, inconclusive if any part is, and holds if all do. A part does not count if it could not be
otherwise, whatever the model does, or if it would hold of a model that learned nothing; while that is not known of a
part, the claim does not hold. A part is inconclusive where another text that was read contradicts it: where its
threshold is surely met in one and surely missed in the other.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fnmatch import filter as matching
from functools import cached_property
from typing import Literal, NamedTuple

from generator.claims.bounds import Bound, fewest, handful, in_force, parse
from generator.claims.evidence.evidence import Evidence
from generator.claims.gate.premises import NO_TWIN, Among, Null, Premise, may_turn, met_too, says_more
from generator.claims.missing import NotTestable, Unasked, Uncounted
from generator.claims.power import needed
from generator.claims.published import Published, published
from generator.claims.said import ending, said, too_few, untestable
from generator.claims.verdict import OPPOSED, OPPOSITE, OUTCOMES, UNCOUNTED, Verdict, combine
from generator.corpora.languages import ENGLISH, language_name
from generator.numbers.number import UNDEFINED, Number
from generator.numbers.quantity import Study
from generator.numbers.writing import listed, written

TASKS = "tasks"
Elsewhere = Callable[[Evidence, "Finding"], Iterable[str]]
"""A function from what one text says surely to clauses on what contradicts it."""


@dataclass(frozen=True)
class Part:
    """One number of a claim and the threshold it must pass."""

    key: str
    """Its entry in the register of bounds. A number that is made in another way gets another key."""
    name: str
    """What is measured, as a phrase that begins a sentence in lower case."""
    unit: str
    number: Callable[[Evidence], Number]
    """Raises NotTestable with the reason."""
    over: str
    """What `n` counts: distinct units. Intervals that are made here resample them."""
    bounds: tuple[Bound, ...]
    """The bounds, all of which must be met."""
    why: str
    """Why this threshold, in one sentence."""
    since: date
    """When the bounds were registered."""
    heads: bool = False
    """Whether the interval resamples heads, too; more of what `n` counts would then not narrow it much."""
    premises: tuple[Premise, ...] = ()
    """What must be true of the model, or there is nothing to judge."""
    null: Null | None = None
    """What could meet the threshold although nothing was learned; then the part counts only where it says more."""
    among: Among | None = None
    """Which of the numbers of all tasks that were learned it is; a verdict that one more task could turn asks for a few
    of them (`of_tasks`).
    """
    elsewhere: Elsewhere | None = None
    """What contradicts it beside the same number of other texts, such as texts that name other heads."""

    @cached_property
    def threshold(self) -> str:
        """As text: "above 0 and below 0.25"."""
        return " and ".join(map(str, self.bounds))

    @cached_property
    def against(self) -> tuple[float, ...]:
        """The values of the bounds; a number is written so that rounding does not move it to the other side of one."""
        return tuple(bound.at for bound in self.bounds)

    def verdict(self, number: Number | None) -> Verdict:
        """Holds if the whole interval meets every bound, fails if the whole interval misses one.

        Not testable on fewer units than `generator.claims.bounds.fewest` asks for.
        """
        if number is None or math.isnan(number.value) or number.n < fewest(self.over):
            return "not testable"
        ends = (number.low, number.high)
        if all(bound.met(end) for bound in self.bounds for end in ends):
            return "holds"
        missed = not any(map(math.isnan, ends)) and any(not any(map(bound.met, ends)) for bound in self.bounds)
        return "fails" if missed else "inconclusive"


def part(
    key: str,
    name: str,
    unit: str,
    number: Callable[[Evidence], Number],
    *,
    over: str = "documents",
    heads: bool = False,
    premises: tuple[Premise, ...] = (),
    null: Null | None = None,
) -> Part:
    """A part whose bounds are those registered under its key."""
    line = in_force(key)
    return Part(
        key,
        name=name,
        unit=unit,
        number=number,
        over=over,
        bounds=parse(line.text),
        why=line.why,
        since=line.since,
        heads=heads,
        premises=premises,
        null=null,
    )


def of_tasks(which: Among, base: Part) -> Part:
    """The same part, said to be the least, the greatest or the mean of the numbers of all tasks that were learned."""
    return replace(base, among=which)


def stored_part(
    key: str,
    name: str,
    study: Study,
    of: str,
    *,
    over: str = "documents",
    premises: tuple[Premise, ...] = (),
    null: Null | None = None,
) -> Part:
    """A part whose number is one that a study stores for the whole model, with the unit and the draws of its record.

    Raises Undeclared, when the claim is imported, for a number of which the study has no record.
    """
    record = study.quantity(of)
    return part(
        key,
        name,
        record.unit,
        lambda found: found.fact(study.name, of),
        over=over,
        heads=bool(record.drawn),
        premises=premises,
        null=null,
    )


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
    """What a model or its results must have; follows the word "needs"."""
    parts: tuple[Part, ...] = ()
    """The first is the number that pages show beside the published one; a claim without parts cannot be decided yet."""
    published: tuple[str, ...] = ()
    """Keys of `generator.claims.published`."""
    comparable: tuple[str, ...] = ()
    """Those of `published` that measure the same as the first part, so that both fit on one axis; not one that is the
    bound of the part, which is drawn as the threshold.
    """
    measures: tuple[str, ...] = ()
    """The measures that it is computed from."""
    home: Literal["", "found", "famous"] = ""
    """What the home page may show: how well the best heads do (found), or that a well-known claim fails (famous)."""
    middle: tuple[int, int] | None = None
    """The first and the last of BERT's layers that it calls middle; in another model, those of the same depth count."""
    numbers: tuple[str, ...] = ()
    """The numbers of studies that it is computed from, as "study/name"; `*` stands for any text."""
    which: str = ""
    """Which heads it names, in words that fit one head as well as several, such as "that have a double"."""
    nameless: str = ""
    """Why it names no heads; follows the words "It names no heads, for". Every claim has either this or `which`."""
    unfollowed: str = ""
    """Why no learning curve has a verdict on it, in words that follow "for"; empty where an analysis of a checkpoint
    gives all of its numbers.
    """
    never: Mapping[Verdict, str] = field(default_factory=dict)
    """Verdicts that no results can give it, each with the reason; every other verdict must be met by some."""

    def rests_on(self, *stored: str) -> bool:
        """Whether it is computed from any of these numbers, each given as "study/name"."""
        return any(matching(stored, number) for number in self.numbers)

    @cached_property
    def threshold(self) -> str:
        """The thresholds of all parts as one text."""
        return "; ".join(f"{part.name}: {part.threshold}" for part in self.parts)


class Finding(NamedTuple):
    """A part with its number; None where it cannot be measured."""

    part: Part
    number: Number | None
    verdict: Verdict
    missing: NotTestable | None = None
    """Why it is not testable."""
    heads: tuple[tuple[int, int], ...] = ()
    """Layer and head, from 1, of the heads that the number is about; empty if it is about no particular heads."""
    null: Number | None = None
    """What the null of its part gives, where it was asked for."""
    opposed: tuple[str, ...] = ()
    """What other texts say against it, in clauses; then it is inconclusive, however sure its own text is."""

    @property
    def counts(self) -> bool:
        """Whether the verdict on the claim rests on it, if any part counts."""
        return not isinstance(self.missing, Uncounted)

    @property
    def outcome(self) -> str:
        """What is said of the threshold alone: a word or two."""
        if self.opposed:
            return OPPOSED
        return OUTCOMES[self.verdict] if self.counts else UNCOUNTED

    @property
    def end(self) -> str:
        """How its number compares with its threshold, and what contradicts it; only for what was judged."""
        assert self.number is not None, "what is not testable has no number"
        own = self.part.verdict(self.number) if self.opposed else self.verdict
        return ", but ".join([ending(own, self.part.bounds, self.number), *filter(None, [listed(self.opposed)])])

    def clause(self) -> str:
        """A clause that tells the number and how it compares with its threshold; only for what was judged."""
        assert self.number is not None, "what is not testable has no number to tell"
        text = said(self.part.name, self.number, self.part.over, self.part.against, self.end)
        if self.null is None or self.part.null is None:
            return text
        return f"{text}, where {self.part.null.name} gives {written(self.null, against=self.part.against)}"


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
    decides: Finding | None
    """The first part with this verdict; for a claim that holds, the part whose number lies nearest to its bounds."""
    handful: str
    """The units that a part with this verdict rests on, such as "3 heads", if they are few; empty otherwise."""
    power: str
    """How much more data would decide it; empty unless it is inconclusive."""
    language: str
    """The language that was read; empty for English, on which the claims were made, and where it is not known."""


def judge(claim: Claim, evidence: Evidence) -> Judgement:
    """Judge one claim for one model."""
    evidence.trail.clear()
    findings = tuple(find(part, evidence) for part in claim.parts)
    evidence.judged[claim.id] = [*evidence.trail]
    counting = [finding for finding in findings if finding.counts] or findings
    if all(finding.verdict == "holds" for finding in counting):
        counting = [finding for finding in findings if finding.counts or isinstance(finding.missing, Unasked)]
    verdict = combine([finding.verdict for finding in counting])
    decisive = [finding for finding in counting if finding.verdict == verdict]
    value, low, high, n = (findings[0].number if findings else None) or UNDEFINED
    return Judgement(
        claim=claim,
        model=evidence.model,
        verdict=verdict,
        reason=_reason(claim, counting, verdict),
        value=value,
        low=low,
        high=high,
        n=n,
        unit=claim.parts[0].unit if claim.parts else "",
        threshold=claim.threshold,
        published=tuple(map(published, claim.published)),
        findings=findings,
        decides=min(decisive, key=_room, default=None) if verdict == "holds" else next(iter(decisive), None),
        handful=next(filter(None, (handful(finding.number, finding.part.over) for finding in decisive)), ""),
        power=_power(counting) if verdict == "inconclusive" else "",
        language="" if evidence.language in ("", ENGLISH) else language_name(evidence.language),
    )


def find(part: Part, evidence: Evidence) -> Finding:
    """One part's number and verdict for one model."""
    begun = len(evidence.trail)
    found = _in_one(part, evidence)
    if evidence.is_whole and found.verdict in OPPOSITE:
        more = [*part.elsewhere(evidence, found)] if part.elsewhere else ()
        opposed = (*_contradicting(found, evidence, evidence.others(evidence.trail[begun:])), *more)
        if opposed:
            return found._replace(verdict="inconclusive", opposed=opposed)
    return _beyond_null(found, evidence)


def _contradicting(found: Finding, evidence: Evidence, others: Mapping[str, Evidence]) -> Iterator[str]:
    """A clause for each other text in which the threshold is surely missed where it is met here, or the reverse; what
    was read of it goes into the trail.
    """
    for corpus, text in others.items():
        text.trail.clear()
        other = _beyond_null(_in_one(found.part, text), text)
        if other.number and other.verdict == OPPOSITE[found.verdict]:
            evidence.trail.extend(text.trail)
            yield f"in {corpus} it is {written(other.number, against=found.part.against)}, {other.end}"


def _in_one(part: Part, evidence: Evidence) -> Finding:
    """What the text that is preferred says by itself, whatever the null of the part gives."""
    evidence.named.clear()
    evidence.learned.clear()
    number, missing = UNDEFINED, None
    try:
        number = part.number(evidence)
    except NotTestable as reason:
        missing = reason
    heads = tuple(dict.fromkeys(evidence.named))
    for premise in part.premises:
        try:
            premise(evidence)
        except NotTestable as reason:
            missing = missing or reason
    if missing:
        return Finding(part, None, "not testable", missing)
    if math.isnan(number.value):
        return Finding(part, None, "not testable", NotTestable(f"{part.name} is undefined on what was read"))
    if number.n < (least := fewest(part.over)):
        return Finding(part, number, "not testable", NotTestable(too_few(number.n, least, part.over, part.name)), heads)
    found = Finding(part, number, part.verdict(number), None, heads)
    tasks, several = len(evidence.learned), fewest(TASKS)
    if tasks < several and found.verdict in OPPOSITE and part.among and may_turn(part.bounds, number.value, part.among):
        missing = NotTestable(too_few(tasks, several, TASKS, part.name))
        return found._replace(verdict="not testable", missing=missing)
    return found


def _beyond_null(found: Finding, evidence: Evidence) -> Finding:
    """The same finding; it does not count where its threshold is met and its null is not known or meets it as well."""
    if found.part.null is None or found.verdict != "holds":
        return found
    try:
        null = found.part.null.number(evidence)
    except NotTestable:
        return found._replace(verdict="not testable", missing=Unasked(NO_TWIN))
    assert found.number, "its threshold is met"
    if says_more(found.part.bounds, found.number, null):
        return found._replace(null=null)
    why = met_too(found.part.null, null, found.number, found.part.against)
    return found._replace(verdict="not testable", missing=Uncounted(why), null=null)


def _reason(claim: Claim, findings: Sequence[Finding], verdict: Verdict) -> str:
    if verdict == "not testable":
        return untestable(
            len(findings), [str(finding.missing) for finding in findings if finding.missing], needs=claim.needs
        )
    texts = (finding.clause() for finding in findings if finding.verdict == verdict)
    return " ".join(f"{clause[0].upper()}{clause[1:]}." for clause in texts)


def _room(finding: Finding) -> float:
    return min(bound.distance(finding.number or UNDEFINED) for bound in finding.part.bounds)


def _power(findings: Sequence[Finding]) -> str:
    """One sentence for each part that is inconclusive."""
    texts = (
        needed(finding.part.name, finding.part.bounds, finding.number, finding.part.over, heads=finding.part.heads)
        for finding in findings
        if finding.verdict == "inconclusive" and finding.number and not finding.opposed
    )
    return " ".join(filter(None, texts))
