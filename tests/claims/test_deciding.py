"""Which number decides a verdict, which heads it is about, whether few units carry it, and why there is none."""

from dataclasses import replace

import numpy as np
import pytest

from generator.claims.claim import judge
from generator.claims.evidence.evidence import Evidence
from generator.corpora.files import TEXT
from generator.corpora.treebank import TREEBANK
from generator.numbers.number import Number, exact
from tests.claims.cases import CASES
from tests.claims.cases.disabled import heads_with_gain, matching
from tests.claims.cases.other import diagonal, doubles, trees
from tests.claims.made import (
    HEADS,
    LAYERS,
    TASKS,
    Made,
    apart,
    chosen,
    evidence,
    fact,
    heads_at,
    joined,
    record,
    relation,
    text,
)
from tests.claims.made import TEXT as TEXT_READ
from tests.claims.made import TREEBANK as TREEBANK_READ
from tests.claims.test_claims import BY_ID
from tests.claims.test_verdicts import ABOVE, BAD, BETWEEN, GOOD, MISSING, OPEN, claim, part

NEAR = Number(0.55, 0.51, 0.59, 29)


@pytest.mark.parametrize(
    ("numbers", "which"),
    [
        ([GOOD, BAD, BAD], 1),
        ([OPEN, BAD], 1),
        ([GOOD, OPEN, OPEN], 1),
        ([MISSING, OPEN], 0),
        ([GOOD, NEAR], 1),
        ([NEAR, GOOD], 0),
        ([exact(0.51, 29), GOOD], 1),  # what is counted cannot lie closer than its interval reaches
    ],
)
def test_the_first_part_that_has_the_verdict_decides_or_the_one_nearest_to_its_bound(numbers, which):
    parts = [part(ABOVE, name=str(at), number=number) for at, number in enumerate(numbers)]
    found = judge(claim(*parts), evidence()).decides
    assert found.part.name == str(which)


def test_both_bounds_count_for_what_is_nearest():
    parts = part(ABOVE, number=GOOD, name="far"), part(*BETWEEN, number=Number(0.75, 0.71, 0.79, 29), name="near")
    assert judge(claim(*parts), evidence()).decides.part.name == "near"
    assert judge(claim(), evidence()).decides is None


@pytest.mark.parametrize(
    ("over", "n", "told"),
    [("heads", 3, "3 heads"), ("heads", 6, ""), ("words", 99, "99 words"), ("words", 100, ""), ("model", 1, "")],
)
def test_a_verdict_on_a_handful_says_so(over, n, told):
    assert judge(claim(part(ABOVE, over=over, number=GOOD._replace(n=n))), evidence()).handful == told


@pytest.mark.parametrize(
    ("name", "rows", "heads"),
    [
        ("C14", [relation("obj", 0.8, 0.3, place=(4, 2))], [((4, 2),), ((4, 2),)]),
        ("K03", [text({"attention.cls": heads_at((3, 1), (5, 2), value=0.8)})], [((3, 1), (5, 2))]),
        ("C02", [text({"attention.previous": heads_at((3, 1), (5, 2), value=0.8)})], [((3, 1), (5, 2))] * 3),
        ("C06", [text({"attention.punctuation": 0.8})], [()]),
        (
            "R04",
            [
                *trees(0.01, 0.02),
                *chosen("trees", "uuas.to_dependents.best", 3, 1, TREEBANK_READ),
                *chosen("trees", "uuas.best", 5, 2, TREEBANK_READ),
            ],
            [((3, 1),), ((5, 2),)],
        ),
        ("R04", [*trees(0.01, 0.02), *chosen("trees", "uuas.best", 5, 2, "other")], [(), ()]),
        (
            "K15",
            [
                *heads_with_gain((0.03, 0.05, 0.04), (0.02, 0.03, -0.1)),
                *chosen("disabling", "uniform.best_head", 3, 1, TASKS[0]),
                *chosen("disabling", "uniform.best_head", 5, 2, TASKS[2]),
            ],
            [((3, 1), (5, 2)), ()],
        ),
        (
            "K17",
            [*matching(0.3, lambda grid: -grid), *chosen("matching", "best.matched.gain", 3, 1, TEXT_READ)],
            [((3, 1),), ()],
        ),
        ("K13", diagonal(lambda grid: grid, lambda grid: 1 - grid), [((LAYERS, HEADS),), ((1, 1),)]),
        ("K18", [*doubles(0.1, 0.3), apart((0, 3), (3, 2))], [((1, 1), (2, 1), (2, 2)), ()]),
        ("K18", [*doubles(0.1, 0.3), apart((0, 3), corpus="other")], [(), ()]),
    ],
)
def test_a_number_knows_the_heads_it_is_about(name, rows, heads):
    assert [finding.heads for finding in judge(BY_ID[name], evidence(*rows)).findings] == heads


SAVED = replace(
    record(), observed="saved maps", corpora=tuple(corpus for corpus in record().corpora if corpus.kind == TEXT)
)


@pytest.mark.parametrize(
    ("manifest", "name", "reason"),
    [
        (SAVED, "C08", "of Tiny only saved maps are at hand, and this takes a masked-LM head"),
        (SAVED, "K07", "of Tiny only saved maps are at hand, and this takes the model itself"),
        (SAVED, "C21", "of Tiny only saved maps are at hand, and this takes text whose mentions are linked"),
        (SAVED, "C14", f"{TREEBANK.noun} was not read with Tiny; give it with --corpus"),
        (record(), "C08", "the checkpoint of Tiny has no masked-LM head"),
        (record(), "Q03", "the checkpoint of Tiny has no masked-LM head"),
        (record(), "K17", "it takes pairs of paragraphs; neither Tiny nor its text offers that"),
        (
            replace(record(), settings={"studies": False}),
            "C08",
            "Tiny was analysed without studies; analyse it again with them, and this takes a masked-LM head",
        ),
    ],
)
def test_what_is_not_testable_says_why_for_this_model(manifest, name, reason):
    rows = joined(text({}), fact("model", "vocabulary", 7))
    assert f"Not testable: {reason}" in judge(BY_ID[name], Evidence(Made(manifest, rows))).reason


@pytest.mark.parametrize(
    ("name", "case"),
    [("K01", "not testable, single sentences have no blocks"), ("Q05", "not testable, small")],
)
def test_what_no_such_model_can_do_is_called_impossible_and_not_missing(name, case):
    assert "impossible by construction" in judge(BY_ID[name], evidence(*CASES[name][case])).reason


def test_saved_maps_without_norms_are_told_from_text_that_defines_none():
    rows = text({"norm.cls": np.nan, "norm.sep": np.nan})
    reasons = [judge(BY_ID["R01"], Evidence(Made(one, joined(rows)))).findings[1].missing for one in (SAVED, record())]
    assert "value and output projections" in str(reasons[0])
    assert "no document that was read defines norm.cls" in str(reasons[1])
