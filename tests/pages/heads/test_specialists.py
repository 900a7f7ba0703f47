"""Which heads find something: the rule turns at each of its bounds, and evidence is called as strong as it is."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from generator.claims.cutoffs import CLEAR_GAIN, FEWEST_WORDS, is_clear
from generator.pages.heads.naming.names import found as statements
from generator.pages.heads.naming.names import specialists
from generator.pages.heads.naming.specialty import LEVELS
from generator.results.tables import TABLES
from generator.studies.halves import HELD_OUT, SAME_DATA
from generator.topics.mentions.records import BEST, GAIN
from generator.topics.relations.records.relations import ARROWS, FEW_WORDS

EPSILON = 1e-6
OBJ = {
    "model": "m",
    "corpus": "bank",
    "relation": "obj",
    "protocol": HELD_OUT,
    "direction": "dep->head",
    "layer": 3,
    "head": 1,
    "value": 0.7,
    "low": 0.65,
    "high": 0.75,
    "n": FEWEST_WORDS,
    "offset": -2,
    "baseline": 0.4,
    "baseline_low": 0.35,
    "baseline_high": 0.45,
    "gain": 0.3,
    "gain_low": 0.2,
    "gain_high": 0.4,
    "rank": 1,
    "twin": 0.1,
    "twin_low": 0.08,
    "twin_high": 0.12,
}


def found(*relations, antecedents=(), strong=()):
    """By head, from rows of `relation_heads` that differ from OBJ, of `antecedents` and about strong arrows."""
    rows = {"relation_heads": [OBJ | row for row in relations], "antecedents": list(antecedents)}
    tables = {
        name: pd.DataFrame(rows.get(name, []), columns=TABLES[name].names)
        for name in ("relation_heads", "relations", "relation_baselines", "antecedents")
    }
    facts = pd.DataFrame(list(strong), columns=TABLES["head_facts"].names)
    manifest = SimpleNamespace(corpora=())
    results = SimpleNamespace(table=tables.__getitem__, of_study=lambda *_: facts, manifest=manifest)
    results.once = lambda make: make(results)
    return specialists(statements(results))


def mentions(head=0.6, gain=0.2, low=0.1, n=FEWEST_WORDS, layer=3):
    """Rows of `antecedents` for a head, and what it must beat."""
    base = {"model": "m", "corpus": "linked", "candidates": "mentions", "kind": "all", "protocol": HELD_OUT, "n": n}
    base |= {"layer": layer, "head": 2}
    return [
        base | {"predictor": "head", "value": head, "low": head - 0.1, "high": head + 0.1},
        base | {"predictor": BEST, "value": head - gain, "low": 0.0, "high": 1.0, "layer": 0, "head": 0},
        base | {"predictor": GAIN + BEST, "value": gain, "low": low, "high": 0.3},
    ]


@pytest.mark.parametrize(
    ("gain", "low", "clear"),
    [(0.1, 0.001, True), (0.3, 0.0, False), (0.3, -0.1, False), (0.0999, 0.05, False), (0.3, np.nan, False)],
)
def test_gain_is_clear_where_it_is_large_and_its_interval_above_zero(gain, low, clear):
    assert is_clear(gain, low) is clear


def test_a_head_that_clearly_beats_its_baselines_is_named_for_the_relation():
    ((place, (one,)),) = found({}).items()
    assert place == (3, 1)
    assert (one.kind, one.title, one.found, one.right.value) == (
        "relation",
        "finds direct objects",
        "direct objects (obj)",
        0.7,
    )
    assert one.text == (
        "70 % (65 to 75) of the direct objects look most at the word that they depend on; always picking the word two "
        "before would be right for 40 % (35 to 45)."
    )
    assert "counted on 50 words of the other half of bank." in one.trust
    ((_, (back,)),) = found({"direction": "head<-dep"}).items()
    assert back.text.startswith(
        "70 % (65 to 75) of the direct objects are what the word that they depend on looks at most"
    )


@pytest.mark.parametrize(
    ("low", "title"), [(0.5 + EPSILON, "finds direct objects"), (0.5, "finds some direct objects")]
)
def test_a_head_that_is_not_surely_right_more_often_than_wrong_finds_a_part(low, title):
    ((_, (one,)),) = found({"low": low}).items()
    assert one.title == title


@pytest.mark.parametrize(
    ("head", "title"), [(0.61, "finds what a mention refers to"), (0.59, "finds some antecedents")]
)
def test_so_does_one_that_picks_antecedents(head, title):
    ((_, (one,)),) = found(antecedents=mentions(head=head)).items()
    assert (one.title, one.whole) == (title, "finds what a mention refers to")


def arrows(right=0.06, offset=0.02, n=FEWEST_WORDS, relation="obj", **where):
    """Rows about the strong arrows of the head of OBJ."""
    of = {"model": "m", "corpus": "bank", "study": ARROWS.name, "layer": 3, "head": 1, "n": n} | where
    numbers = {"right": right, "offset": offset, "gain": right - offset}
    return [
        of | {"name": f"{name}.{relation}", "value": value, "low": value - 0.01, "high": value + 0.01}
        for name, value in numbers.items()
    ]


def test_a_head_that_is_named_has_the_numbers_of_its_strong_arrows():
    ((_, (one,)),) = found({}, strong=arrows()).items()
    assert [number.value for number in one.arrows] == [0.06, 0.02, pytest.approx(0.04)]
    assert {number.n for number in one.arrows} == {FEWEST_WORDS}
    for others in ((), arrows(corpus="second"), arrows(relation="nsubj"), arrows(head=2), arrows()[:2]):
        ((_, (bare,)),) = found({}, strong=others).items()
        assert bare == one._replace(arrows=())


@pytest.mark.parametrize(
    ("inside", "outside"),
    [
        ({"gain": CLEAR_GAIN}, {"gain": CLEAR_GAIN - EPSILON}),
        ({"gain_low": EPSILON}, {"gain_low": 0.0}),
        ({"twin_high": 0.7 - EPSILON}, {"twin_high": 0.7}),
        ({"n": FEWEST_WORDS}, {"n": FEWEST_WORDS - 1}),
        ({"protocol": HELD_OUT}, {"protocol": SAME_DATA}),
        ({"relation": "nsubj"}, {"relation": "punct"}),
        ({"relation": "nsubj"}, {"relation": "all"}),
    ],
)
def test_the_rule_turns_at_each_bound(inside, outside):
    assert found(inside)
    assert not found(outside)


@pytest.mark.parametrize(
    ("rows", "level"),
    [
        ([{}], 1),
        ([{"twin": np.nan, "twin_high": np.nan}], 0),
        ([{}, {"corpus": "second", "n": FEW_WORDS}], 2),
        ([{}, {"corpus": "second", "n": FEW_WORDS - 1, "head": 2}], 1),
        ([{}, {"corpus": "second", "n": FEW_WORDS - 1, "gain": 0.0}], 1),
        ([{}, {"corpus": "second"}, {"corpus": "third", "gain": 0.05}, {"corpus": "fourth", "head": 2}], 2),
    ],
)
def test_evidence_is_called_as_strong_as_it_is(rows, level):
    ((_, (one,)),) = found(*rows).items()
    assert one.trust.startswith(f"{LEVELS[level]}: ")
    assert one.strength == (level, 0.3)


@pytest.mark.parametrize("other", [{"gain": 0.0}, {"head": 2}, {"twin_high": 0.7}, {"direction": "head<-dep"}])
def test_no_head_is_named_where_all_other_treebanks_that_are_heard_disagree(other):
    row = {"n": 2 * FEWEST_WORDS}
    assert not found(row, other | {"corpus": "second", "n": FEW_WORDS})
    assert found(row, other | {"corpus": "second", "n": FEW_WORDS - 1})


def test_the_treebank_with_most_words_tells_and_others_are_told_of():
    rows = (
        {},
        {"corpus": "large", "n": 400, "value": 0.6},
        {"corpus": "other", "head": 2},
        {"corpus": "no", "gain": 0.05},
        {"corpus": "nor", "gain": 0.05},
    )
    ((_, (one,)),) = found(*rows).items()
    assert one.text.startswith("60 %")
    assert one.trust.endswith(
        "the same head is best in bank; in other head 3-2 is best; in no and nor no head is clearly better than the "
        "offset."
    )


def test_stronger_evidence_stands_before_a_larger_gain():
    rows = {}, {"relation": "det", "gain": 0.5, "twin": np.nan, "twin_high": np.nan}, {"relation": "case", "gain": 0.4}
    assert [one.found.rpartition(" ")[2] for one in found(*rows)[3, 1]] == ["(case)", "(obj)", "(det)"]


@pytest.mark.parametrize(
    ("made", "named"),
    [
        ({}, True),
        ({"gain": CLEAR_GAIN}, True),
        ({"gain": CLEAR_GAIN - EPSILON}, False),
        ({"low": 0.0}, False),
        ({"n": FEWEST_WORDS - 1}, False),
    ],
)
def test_antecedents_name_a_head_by_the_same_rule(made, named):
    assert bool(found(antecedents=mentions(**made))) is named


def test_an_antecedent_head_stands_beside_rules_that_it_does_not_beat():
    """Those of its own text."""
    rules = mentions()[1] | {"predictor": "rules", "value": 0.7, "low": 0.63, "high": 0.76}
    ((_, (one,)),) = found(antecedents=[*mentions(), rules, rules | {"corpus": "other", "value": 0.9}]).items()
    assert one.text.endswith("right for 40 % (0 to 100), but all rules in turn for 70 % (63 to 76).")
    assert one.short.endswith("right for 40 %, but all rules in turn for 70 %.")
    assert [(name, number.value) for name, number in one.beside] == [
        ("best simple rule", pytest.approx(0.4)),
        ("all rules in turn", 0.7),
    ]


def test_an_antecedent_head_says_what_it_beats():
    ((place, (one,)),) = found(antecedents=mentions()).items()
    assert place == (3, 2)
    assert "For 60 % (50 to 70) of the mentions" in one.text
    assert "the best simple rule is right for 40 %" in one.text
    assert one.sure == "Supported: beats the best simple rule in 1 text", "all rules in turn may be right more often"
    assert one.trust == (
        "Supported: chosen on half of the documents, counted on 50 mentions of the other half of linked."
    )
