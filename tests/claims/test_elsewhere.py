"""What another text says: a verdict that it contradicts is not given, nor one on a head that it does not confirm."""

import io
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from generator.claims.all import CLAIMS
from generator.claims.claim import judge
from generator.claims.evidence.evidence import Evidence
from generator.claims.evidence.reading import Scope
from generator.claims.explain import evidence_csv, explain
from generator.claims.multiplicity import allow_for_many
from generator.claims.remembered import Remembered
from generator.claims.verdict import OPPOSED
from generator.corpora.catalogue import TREEBANK as OURS
from generator.studies.halves import HELD_OUT, SAME_DATA
from generator.topics.relations.claims.syntax import surely_found
from tests.claims.cases.structure import mentions
from tests.claims.made import HEADS, LAYERS, TEXT, Made, antecedents, evidence, fact, joined, record, relation
from tests.claims.made import TREEBANK as BANK

BY_ID = {claim.id: claim for claim in CLAIMS}
OTHER = "other"
"""A second text of the manifest, whose language is not known either."""
LEAD = "attention.minus.right-branching"


def parsers(first, second, n=60, other=OTHER):
    """C22 in two texts: how many words the probe finds; it leads everywhere."""
    tables = [fact("probe", LEAD, 0.3, corpus=corpus) for corpus in (TEXT, other)]
    last = fact("probe", "attention", second, corpus=other)
    last = {
        name: table.set_column(table.column_names.index("n"), table.schema.field("n"), pa.array([n], "int32"))
        for name, table in last.items()
    }
    return [*tables, fact("probe", "attention", first, corpus=TEXT), last]


@pytest.mark.parametrize(
    ("first", "second", "verdict", "clause"),
    [
        (0.6, 0.3, "inconclusive", "above 0.5 as stated, but in other it is 0.300 (0.290 to 0.310), not above 0.5."),
        (0.3, 0.6, "inconclusive", "not above 0.5, but in other it is 0.600 (0.590 to 0.610), above 0.5 as stated."),
        (0.6, 0.505, "holds", ""),
        (0.6, 0.7, "holds", ""),
        (0.3, 0.2, "fails", ""),
    ],
)
def test_a_verdict_that_another_text_surely_contradicts_is_left_open(first, second, verdict, clause):
    found = judge(BY_ID["C22"], evidence(*parsers(first, second)))
    assert found.verdict == verdict
    assert (OPPOSED in [finding.outcome for finding in found.findings]) is bool(clause)
    if clause:
        assert found.reason.endswith(clause)
        assert found.power == "", "more of the same text would not decide it"


@pytest.mark.parametrize(("second", "texts"), [(0.3, [TEXT, OTHER]), (0.505, [TEXT])])
def test_the_rows_of_a_text_that_contradicts_stand_beside_those_that_it_contradicts(second, texts):
    made = evidence(*parsers(0.6, second))
    rows = pd.read_csv(io.StringIO(evidence_csv(BY_ID["C22"], made)))
    chosen = rows[rows["name"] == "attention"]
    assert chosen["corpus"].to_list() == texts
    assert chosen["value"].to_list() == [0.6, second][: len(texts)]
    told = explain(BY_ID["C22"], made)
    assert told.count("read from facts.parquet, study = probe, name = attention: 1 row") == len(texts)


@pytest.mark.parametrize(("second", "verdict"), [(0.111, "inconclusive"), (0.109, "not testable")])
def test_what_another_text_contradicts_is_open_also_where_nothing_is_known_from_before_training(second, verdict):
    gains = [
        fact("trees", f"uuas{way}.best.gain", gain, corpus=corpus)
        for corpus, gain in ((TEXT, 0.05), (OTHER, second))
        for way in (".to_dependents", "")
    ]
    assert judge(BY_ID["R04"], evidence(*gains)).verdict == verdict


def test_a_text_with_too_few_units_contradicts_nothing():
    assert judge(BY_ID["C22"], evidence(*parsers(0.6, 0.3, n=19))).verdict == "holds"


def test_nor_does_one_in_another_language():
    found = [judge(BY_ID["C22"], evidence(*parsers(0.6, 0.3, other=other))).verdict for other in (OTHER, BANK)]
    assert found == ["inconclusive", "holds"]


@pytest.mark.parametrize(("sha256", "verdict"), [(OURS.checksum, "holds"), ("another", "inconclusive")])
def test_our_own_treebank_disputes_no_other_text(sha256, verdict):
    manifest = record()
    renamed = tuple(
        replace(corpus, name=OURS.name, sha256=sha256) if corpus.name == OTHER else corpus
        for corpus in manifest.corpora
    )
    made = Made(replace(manifest, corpora=renamed), joined(*parsers(0.6, 0.3, other=OURS.name)))
    assert judge(BY_ID["C22"], Evidence(made)).verdict == verdict


def test_a_part_of_the_results_is_judged_by_itself():
    made = Made(record(), joined(*parsers(0.6, 0.3)))
    found = [judge(BY_ID["C22"], Evidence(made, Scope(corpus=corpus))).verdict for corpus in (TEXT, OTHER)]
    assert found == ["holds", "fails"]


def test_what_contradicts_is_explained_and_remembered(tmp_path):
    made = evidence(*parsers(0.6, 0.3))
    found = judge(BY_ID["C22"], made)
    told = explain(BY_ID["C22"], made)
    assert "this threshold: disputed, because both ends of the interval meet every bound, but in other it is" in told
    assert allow_for_many([found]).judged == 1, "the other part"
    stored = SimpleNamespace(manifest=record(), checksum="that of the results")
    kept = Remembered(tmp_path)
    kept.tell(stored, [found])
    assert kept.judgements(stored) == [found]


@pytest.fixture(name="texts")
def _texts():
    """Gives a function that makes two texts with mentions: the head that each chooses, and how often the head of the
    first is right in the other, where the best simple rule is right for 0.45.
    """

    def made(place, here):
        rules = [antecedents(protocol=protocol, best_simple=0.45) for protocol in (HELD_OUT, SAME_DATA)]
        first = joined(*mentions(simple=0.2), *rules)["antecedents"]
        second = first.assign(corpus="more", n=55, layer=place[0], head=place[1])
        grid = np.full((LAYERS, HEADS), 0.1)
        grid[5, 0] = here
        stored = pd.DataFrame(
            [
                {"study": "antecedents", "name": "mentions.all", "layer": layer + 1, "head": head + 1, "value": value}
                for (layer, head), value in np.ndenumerate(grid)
            ]
        ).assign(model="Tiny", corpus="more", low=0.0, high=1.0, n=110)
        tables = {"antecedents": pd.concat([first, second]), "head_facts": stored}
        return judge(BY_ID["C21"], Evidence(Made(record(), tables)))

    return made


def test_a_head_that_no_other_text_names_is_not_the_one_that_finds_antecedents(texts):
    found = texts((7, 2), 0.5)
    assert found.verdict == "inconclusive"
    assert found.reason == (
        "The accuracy of the best head for antecedents is 0.650 (0.640 to 0.660, 60 mentions), above 0.5 as stated, "
        "but in more head 7-2 is best, and 6-1 is right for 50 % of 110 mentions, and the best simple rule for 45 %."
    )


def test_nor_is_one_that_is_right_no_more_often_there_than_the_best_rule(texts):
    assert [texts((6, 1), here).verdict for here in (0.46, 0.45)] == ["holds", "inconclusive"]


def of_treebanks(right, base, n=100):
    """Relations of two heads, and how often head 6-1 and the best offset are right at the first in another treebank."""
    tables = joined(relation("det", 0.8, 0.3, n=200), relation("obj", 0.8, 0.3, place=(2, 1)))
    counts = {"model": "Tiny", "corpus": OTHER, "relation": "det", "n": n}
    here = counts | {"corpus": BANK}
    heads = [one | {"direction": "dep->head", "layer": 6, "head": 1, "correct": right} for one in (counts, here)]
    offsets = [one | {"offset": 1, "correct": base} for one in (counts, here)]
    return Made(record(), tables | {"relations": pd.DataFrame(heads), "relation_baselines": pd.DataFrame(offsets)})


@pytest.mark.parametrize(("right", "base", "n", "kept"), [(51, 50, 100, 2), (50, 50, 100, 1), (5, 9, 19, 2)])
def test_a_relation_in_which_another_treebank_contradicts_does_not_count(right, base, n, kept):
    assert len(surely_found(Evidence(of_treebanks(right, base, n)))) == kept


def test_but_each_treebank_is_judged_by_itself():
    assert len(surely_found(Evidence(of_treebanks(10, 50), Scope(corpus=BANK)))) == 2


def test_mentions_of_one_text_have_nothing_to_contradict_them():
    assert judge(BY_ID["C21"], evidence(*mentions())).verdict == "holds"
