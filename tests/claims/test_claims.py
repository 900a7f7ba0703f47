"""Every claim on results made by hand: where it must hold, fail, stay open, and where it cannot be tested."""

from fnmatch import fnmatchcase

import numpy as np
import pytest

from generator.claims import CLAIMS
from generator.claims.claim import find, judge
from generator.claims.evidence.evidence import Evidence
from generator.claims.evidence.reading import Reader
from generator.numbers.number import Number
from tests.claims.cases import clark as clark_cases
from tests.claims.cases import disabled as disabled_cases
from tests.claims.cases import learning as learning_cases
from tests.claims.cases import other as other_cases
from tests.claims.cases import roles as role_cases
from tests.claims.cases import structure as structure_cases
from tests.claims.cases import tasks as task_cases
from tests.claims.cases import texts as text_cases
from tests.claims.made import evidence, text

PARTS = (clark_cases, structure_cases, other_cases, task_cases, disabled_cases, text_cases, role_cases, learning_cases)
CASES = {name: cases for part in PARTS for name, cases in part.CASES.items()}
BY_ID = {claim.id: claim for claim in CLAIMS}
CONSTRUCTED = {"Q01"}
"""What could not be otherwise is never tested."""
COUNTED = {"Q02", "Q05"} | role_cases.COUNTED
"""Exact numbers have no interval and are never inconclusive."""
POSSIBLE = {"Q06"}
"""That something may happen is never refuted by cases in which it does not."""


@pytest.mark.parametrize(("name", "case"), [(name, case) for name, cases in CASES.items() for case in cases])
def test_a_claim_is_judged_by_its_results(name, case):
    found = judge(BY_ID[name], evidence(*CASES[name][case]))
    assert found.verdict == case.partition(",")[0], found.reason


def test_every_claim_with_a_judge_meets_every_verdict():
    assert {claim.id for claim in CLAIMS} == set(CASES)
    verdicts = {"holds", "fails", "inconclusive", "not testable"}
    missing = {name: verdicts - {case.partition(",")[0] for case in cases} for name, cases in CASES.items()}
    assert {name for name, left in missing.items() if left} == COUNTED | POSSIBLE | CONSTRUCTED
    assert all(missing[name] == verdicts - {"not testable"} for name in CONSTRUCTED)
    assert all(missing[name] == {"inconclusive"} for name in COUNTED)
    assert all(missing[name] == {"fails"} for name in POSSIBLE)


@pytest.mark.parametrize("claim", CLAIMS, ids=BY_ID)
def test_a_claim_names_the_numbers_that_it_reads(claim, monkeypatch):
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
    for case in CASES[claim.id].values():
        judge(claim, evidence(*case))
    assert all(claim.rests_on(number) for number in asked)
    assert all(any(fnmatchcase(number, one) for number in read) for one in claim.numbers)


DRAWN_ELSEWHERE = {"K18.3"}
"""Its study draws random heads beside documents."""


def test_a_part_says_whether_its_interval_draws_heads_beside_what_it_counts(monkeypatch):
    """Otherwise its page would ask for documents that decide nothing."""
    drawn: list[bool] = []

    def estimate(self, columns, statistic, seed=0, *, heads=False):
        drawn.append(heads)
        return Number(0.5, 0.4, 0.6, 70)

    monkeypatch.setattr(Evidence, "estimate", estimate)
    wrong = []
    for name, cases in CASES.items():
        made = evidence(*next(cases[case] for case in cases if case.startswith("holds") or len(cases) == 1))
        for part in BY_ID[name].parts:
            drawn.clear()
            find(part, made)
            draws = part.over != "heads" and (any(drawn) or part.key in DRAWN_ELSEWHERE)
            wrong += [part.key] if draws != part.heads else []
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
