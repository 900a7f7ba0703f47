"""Where a model's own attention rests is chosen on one half of the documents, and numbers come from the other."""

import numpy as np
import pytest

from generator.claims.all import CLAIMS
from generator.claims.claim import judge
from generator.claims.evidence.evidence import CHOSEN
from generator.studies.halves import order
from generator.topics.tokens.claims.sinks import sink
from tests.claims.cases.sinks import FINDING, KINDS, NAMES, outside
from tests.claims.made import HEADS, LAYERS, evidence, text

BY_ID = {claim.id: claim for claim in CLAIMS}
EARLY = set(order(sorted(NAMES), CHOSEN)[: len(NAMES) // 2])
CHOOSES = np.array([name in EARLY for name in NAMES])


def test_the_halves_of_documents_are_of_one_size_and_share_none():
    made = evidence(text({"attention.cls": np.arange(len(NAMES))[:, None, None] / 100}, documents=NAMES))
    halves = [made.half(["attention.cls"], later=later).rows["attention.cls"][:, 0, 0] for later in (False, True)]
    np.testing.assert_allclose(halves[0], np.flatnonzero(CHOOSES) / 100)
    np.testing.assert_allclose(halves[1], np.flatnonzero(~CHOOSES) / 100)
    assert abs(len(halves[0]) - len(halves[1])) <= 1


@pytest.mark.parametrize("seed", range(5))
def test_sinks_and_their_numbers_equal_loops(seed):
    rng = np.random.default_rng(seed)
    shares = {
        f"{what}.{kind}": rng.random((len(NAMES), LAYERS, HEADS)) for what in ("attention", "norm") for kind in KINDS
    }
    chance = {f"attention.{kind}": float(rng.random() / 4) for kind in KINDS}
    made = evidence(text(shares, uniform=chance, documents=NAMES))

    def mean(column, layer, half):
        return np.mean([shares[column][at, layer, head] for at in np.flatnonzero(half) for head in range(HEADS)])

    def beyond(kind, layer):
        return mean(f"attention.{kind}", layer, CHOOSES) - chance[f"attention.{kind}"]

    most, layer = max(((kind, layer) for kind in KINDS for layer in range(LAYERS)), key=lambda place: beyond(*place))
    fixed = max(KINDS[:2], key=lambda kind: beyond(kind, layer))
    found = sink(made)
    assert found == (f"attention.{most}", layer, f"attention.{fixed}")
    lead, norm = (BY_ID[name].parts[0].number(made) for name in ("H13", "H14"))
    rest = ~CHOOSES
    assert lead.value == pytest.approx(mean(found.fixed, layer, rest) - mean("attention.punctuation", layer, rest))
    assert norm.value == pytest.approx(mean(f"norm.{most}", layer, rest) / mean(found.column, layer, rest))
    assert (lead.n, norm.n) == (24, 24)


def test_what_the_reporting_half_does_chooses_nothing():
    begins = np.where(CHOOSES, 0.4, 0.0)[:, None, None] * np.eye(LAYERS)[3][:, None]
    marks = np.where(CHOOSES, 0.0, 0.9)[:, None, None] * np.eye(LAYERS)[7][:, None]
    columns = {"attention.cls": begins, "attention.sep": 0.0, "attention.punctuation": marks}
    assert sink(evidence(text(columns, documents=NAMES)))[:2] == ("attention.cls", 3)


def test_the_heads_that_it_names_are_those_that_find_a_relation_in_layers_that_rest():
    found = judge(BY_ID["H15"], evidence(*outside(0.2)))
    assert [finding.heads for finding in found.findings] == [FINDING] * 3


def test_without_a_twin_its_part_does_not_count():
    tables = [one for one in outside(0.2) if "head_facts" not in one or "twin" not in str(one["head_facts"]["name"][0])]
    found = judge(BY_ID["H15"], evidence(*tables))
    assert [finding.counts for finding in found.findings] == [True, True, False]


def test_its_numbers_are_of_the_treebank_in_which_heads_find_relations():
    found = judge(BY_ID["H15"], evidence(*outside(0.2, corpus="other")))
    assert found.verdict == "not testable"
    both = judge(BY_ID["H15"], evidence(*outside(0.2), *outside(-0.2, corpus="other")[4:]))
    assert both.verdict == "holds"
