"""A claim and the record of a number agree by name: what only one of the two renames is an error, never a verdict."""

from dataclasses import replace

import pytest

from generator.claims.all import CLAIMS
from generator.claims.claim import judge, stored_part
from generator.claims.evidence.reading import NUMBERS
from generator.numbers.quantity import Study, Undeclared
from generator.studies.declared import quantity_of
from generator.topics.relations.records.trees import WORDS
from tests.claims.cases import CASES
from tests.claims.made import evidence
from tests.claims.test_claims import BY_ID

HOLDS = {
    name: next(rows for case, rows in cases.items() if case.startswith("holds"))
    for name, cases in CASES.items()
    if "holds" not in BY_ID[name].never
}


@pytest.fixture
def renamed(monkeypatch):
    """Renames a record: study and name, or nothing; gives the records that were asked for since."""
    asked, hidden = set(), []
    of_record = Study.quantity

    def quantity(study, name):
        asked.update((study.name, one.name) for one in study.quantities if one.values_in(name) is not None)
        left = tuple(one for one in study.quantities if (study.name.partition(":")[0], one.name) not in hidden)
        return of_record(replace(study, quantities=left), name)

    def rename(*record):
        quantity_of.cache_clear()
        asked.clear()
        hidden[:] = [record]
        return asked

    monkeypatch.setattr(Study, "quantity", quantity)
    yield rename
    quantity_of.cache_clear()


def read(name):
    """Evidence on which a claim holds; its tables are read, for that asks for the ranges of all numbers."""
    found = evidence(*HOLDS[name])
    for table in NUMBERS:
        found._store.whole(table)
    quantity_of.cache_clear()
    return found


@pytest.mark.parametrize("name", HOLDS)
def test_a_record_that_is_renamed_is_missed_by_every_claim_that_reads_it(name, renamed):
    found, asked = read(name), renamed()
    judge(BY_ID[name], found)
    assert bool(asked) == bool(BY_ID[name].numbers), "any other reads columns, which are missed at once"
    for study, record in sorted(asked):
        found = read(name)
        renamed(study.partition(":")[0], record)
        with pytest.raises(Undeclared):
            judge(BY_ID[name], found)


def test_a_name_without_a_record_cannot_be_imported():
    assert stored_part("C12.1", "the share", WORDS, "split").unit == WORDS.quantity("split").unit
    with pytest.raises(Undeclared, match='found "splitt"'):
        stored_part("C12.1", "the share", WORDS, "splitt")


def test_what_is_stored_has_the_unit_of_its_record():
    units = {part.key: part.unit for claim in CLAIMS for part in claim.parts}
    assert (units["R07.2"], units["R07.3"], units["C24.1"]) == ("correlation", "correlation", "ratio")
