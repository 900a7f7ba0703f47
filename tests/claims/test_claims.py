"""Every claim on results made by hand: where it must hold, fail, stay open, and where it cannot be tested."""

from fnmatch import fnmatchcase

import numpy as np
import pytest

from generator.claims.all import CLAIMS
from generator.claims.claim import find, judge
from generator.claims.evidence.evidence import Evidence
from generator.claims.evidence.reading import Reader
from generator.claims.missing import ByConstruction, Impossible
from generator.numbers.number import Number
from generator.studies.declared import quantity_of
from tests.claims.cases import CASES
from tests.claims.made import evidence, fact, text

BY_ID = {claim.id: claim for claim in CLAIMS}
VERDICTS = {"holds", "fails", "inconclusive", "not testable"}
REACHED = {"Q05": [[fact("model", "vocabulary", pieces)] for pieces in range(32_400, 33_600, 100)]}
"""Results that would meet the thresholds of a claim that can fail and cannot hold, if they counted."""


@pytest.mark.parametrize(("name", "case"), [(name, case) for name, cases in CASES.items() for case in cases])
def test_a_claim_is_judged_by_its_results(name, case):
    found = judge(BY_ID[name], evidence(*CASES[name][case]))
    assert found.verdict == case.partition(",")[0], found.reason


@pytest.mark.parametrize("name", CASES)
def test_a_claim_meets_every_verdict_but_those_that_it_never_has(name):
    never = BY_ID[name].never
    assert {case.partition(",")[0] for case in CASES[name]} == VERDICTS - never.keys()
    assert all(why[0].islower() and not why.endswith(".") for why in never.values())


@pytest.mark.parametrize("claim", [claim for claim in CLAIMS if claim.never], ids=lambda claim: claim.id)
def test_a_verdict_that_a_claim_never_has_is_out_of_reach_of_its_numbers(claim):
    """They are decided by construction, or have no interval, or miss a bound nowhere but at an end of their range."""
    findings = [finding for case in CASES[claim.id].values() for finding in judge(claim, evidence(*case)).findings]
    if "fails" in claim.never and "holds" in claim.never:
        assert {type(finding.missing) for finding in findings} == {ByConstruction}
        return
    if "holds" in claim.never:
        within = [finding for case in REACHED[claim.id] for finding in judge(claim, evidence(*case)).findings]
        assert {type(one.missing) for one in within} == {Impossible}
    if "fails" in claim.never:
        ranges = [quantity_of(*name.split("/")).limits for name in claim.numbers]
        inside = {np.nextafter(one, other) for least, most in ranges for one, other in ((least, most), (most, least))}
        assert all(bound.met(value) for part in claim.parts for bound in part.bounds for value in inside)
    if "inconclusive" in claim.never:
        assert {
            len({finding.number.value, finding.number.low, finding.number.high})
            for finding in findings
            if finding.number
        } == {1}


@pytest.mark.parametrize("name", CASES)
def test_a_claim_names_the_numbers_that_it_reads(name, monkeypatch):
    """Also those that it looks for in vain: results that have them give them a page, which links to the claim."""
    asked, read = set(), set()

    def table(reader, kind, /, **chosen):
        found = of_store(reader, kind, **chosen)
        if "study" in chosen:
            number = f"{chosen['study'].partition(':')[0]}/{chosen.get('name', '')}"
            asked.add(number)
            read.update({number} if len(found) else ())
        return found

    of_store = Reader.table
    monkeypatch.setattr(Reader, "table", table)
    claim = BY_ID[name]
    for case in CASES[name].values():
        judge(claim, evidence(*case))
    assert all(claim.rests_on(number) for number in asked)
    assert all(any(fnmatchcase(number, estimate) for number in read) for estimate in claim.numbers)


def test_a_part_says_whether_its_interval_draws_heads_beside_what_it_counts(monkeypatch):
    """Otherwise its page would ask for documents that decide nothing."""
    drawn: list[bool] = []

    def estimate(self, columns, statistic, seed=0, *, heads=False):
        drawn.append(heads)
        return Number(0.5, 0.4, 0.6, 70)

    def fact(self, study, name, corpus=""):
        drawn.append(bool(quantity_of(study, name).drawn))
        return of_store(self, study, name, corpus)

    of_store = Evidence.fact
    monkeypatch.setattr(Evidence, "estimate", estimate)
    monkeypatch.setattr(Evidence, "fact", fact)
    wrong = []
    for name, cases in CASES.items():
        made = evidence(*cases[next((case for case in cases if case.startswith("holds")), next(iter(cases)))])
        for part in BY_ID[name].parts:
            drawn.clear()
            find(part, made)
            wrong += [part.key] if part.heads != (any(drawn) and part.over != "heads") else []
    assert wrong == []


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_without_results_nothing_can_be_tested(claim):
    found = judge(claim, evidence())
    assert found.verdict == "not testable"
    assert found.reason.startswith("Not testable: ")


def test_one_document_decides_nothing():
    found = judge(BY_ID["C06"], evidence(text({"attention.punctuation": 0.9}, documents=["a"])))
    assert found.verdict == "not testable"
    assert (found.value, found.n) == (pytest.approx(0.9), 1)
    assert np.isnan([found.low, found.high]).all()
    assert "only 1 document, where at least 20 are needed" in found.reason
