"""How often verdicts agree on two treebanks, and on two halves of the text."""

from dataclasses import replace

import numpy as np

from generator.claims.agreement import agreements
from generator.claims.all import CLAIMS
from generator.claims.evidence.evidence import Evidence
from generator.claims.ledger import judge_all, records
from generator.claims.remembered import Remembered
from generator.corpora.files import TEXT
from generator.corpora.treebank import TREEBANK
from generator.results.store import Results
from generator.studies.halves import reported
from tests.claims.made import Made, as_stored, fact, joined, record, relation, text
from tests.results.samples import corpus_of

BY_ID = {claim.id: claim for claim in CLAIMS}
FIRST, SECOND, OTHER = "trees", "more trees", "andere"


def stored(*tables, languages=None):
    spoken = dict.fromkeys((FIRST, SECOND, OTHER), "") | (languages or {FIRST: "en", SECOND: "en", OTHER: "de"})
    manifest = replace(
        record(),
        corpora=(
            *record().of(TEXT).values(),
            *(corpus_of(TREEBANK, name, language=code) for name, code in spoken.items()),
        ),
    )
    return Made(manifest, joined(*tables))


def of_treebank(name, corpus, value, gain):
    made = relation(name, value, gain)["relation_heads"].to_pandas()
    return as_stored("relation_heads", made.assign(corpus=corpus))


def test_two_treebanks_of_one_language_are_compared_claim_by_claim():
    tables = [of_treebank("obj", FIRST, 0.8, 0.4), of_treebank("obj", SECOND, 0.7, 0.3)]
    tables += [of_treebank("det", FIRST, 0.8, 0.4), of_treebank("det", SECOND, 0.3, 0.2)]
    tables += [of_treebank("aux:pass", FIRST, 0.8, 0.4), of_treebank("obj", OTHER, 0.1, 0.0)]
    (found,) = agreements(stored(*tables), [BY_ID["C14"], BY_ID["C15"], BY_ID["C18"], BY_ID["C01"]])
    assert (found.first, found.second) == (FIRST, SECOND)
    assert (found.same, found.judged) == (1, 2)
    assert found.opposite == ("C15",)
    assert found.changed == (("C15", "holds", "fails"),)


def test_two_halves_of_the_text_are_compared_by_their_documents():
    names = [f"document {number:03}" for number in range(60)]
    later = reported(names, 0)
    assert 20 < later.sum() < 40, "both halves have enough documents to be judged"
    rows = np.where(later, 0.6, 0.4)[:, None, None]
    table = text({"attention.punctuation": rows, "attention.sep_to_sep": 0.95}, documents=names)
    found = agreements(stored(table), [BY_ID["C06"], BY_ID["C07"]])[-1]
    assert (found.first, found.same, found.judged) == ("one half of the documents", 1, 2)
    assert found.changed == (("C06", "fails", "holds"),)


def test_a_claim_that_reads_the_same_on_both_sides_is_not_counted():
    table = text({}, documents=[f"document {number:03}" for number in range(60)])
    numbers = [fact("manipulations", "masks.15.js", 0.5)]
    assert agreements(stored(table, *numbers), [BY_ID["Q04"]]) == []


def test_what_was_found_once_is_read_until_the_results_are_others(tmp_path, plain, monkeypatch):
    results = Results.open(plain)
    first = Remembered(tmp_path / "build" / "judged")
    found = first.agreements(results)
    assert found == agreements(results)
    assert found, "there are two halves to compare"
    first.save()
    judged = []
    monkeypatch.setattr("generator.claims.remembered.agreements", lambda one: judged.append(1) or agreements(one))
    again = Remembered(tmp_path / "build" / "judged")
    assert (again.agreements(Results.open(plain)), len(judged)) == (found, 0)
    other = replace(results, manifest=replace(results.manifest, tables={}))
    assert (again.agreements(other), len(judged)) == (found, 1), "other results are judged"
    (kept,) = (tmp_path / "build" / "judged").iterdir()
    kept.write_text(kept.read_text().replace("one half of the documents", "marked"))
    assert Remembered(tmp_path / "build" / "judged").agreements(results) == found, "what was changed is not believed"
    monkeypatch.setattr("generator.claims.remembered.bounds", lambda: "others")
    assert (again.agreements(results), len(judged)) == (found, 3), "by other bounds they are judged again"


def test_judgements_are_read_as_they_were_until_the_code_is_another(tmp_path, plain, monkeypatch):
    results, place = Results.open(plain), tmp_path / "build" / "judged"
    judgements = judge_all([Evidence(results)])
    assert {"not testable"} < {item.verdict for item in judgements}, "numbers and reasons are both there"
    first = Remembered(place)
    assert first.judgements(results) is None
    first.tell(results, judgements)
    first.save()
    read = Remembered(place).judgements(results)
    assert records(read) == records(judgements)
    for one, was in zip(read, judgements, strict=True):
        assert [(type(item.missing), item.heads) for item in one.findings] == [
            (type(item.missing), item.heads) for item in was.findings
        ]
        assert one.findings.index(one.decides) == was.findings.index(was.decides) if one.decides else not was.decides
    monkeypatch.setattr("generator.claims.remembered._code", lambda: "other")
    assert Remembered(place).judgements(results) is None


def test_what_pages_say_of_a_model_is_kept_and_what_nobody_asks_for_is_not(tmp_path, plain):
    results, place = Results.open(plain), tmp_path / "judged"
    other = replace(results, manifest=replace(results.manifest, tables={}))
    first = Remembered(place)
    first.sentences(results)["verdict C01"] = "holds"
    first.sentences(other)["verdict C01"] = "fails"
    first.save()
    again = Remembered(place)
    assert again.sentences(results) == {"verdict C01": "holds"}
    again.sentences(results)["verdict C02"] = "fails"
    again.save()
    last = Remembered(place)
    assert last.sentences(results) == {"verdict C01": "holds", "verdict C02": "fails"}
    assert last.sentences(other) == {}
