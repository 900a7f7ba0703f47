"""Tables of antecedents: shares of pooled mentions, the head that is chosen, and its gains over baselines."""

import hashlib

import numpy as np
import pandas as pd
import pytest

from generator.errors import CorpusError
from generator.numbers.resampling import bootstrap_ratio
from generator.results.tables import HEAD_FACTS
from generator.topics.mentions.compute.antecedents import (
    BASELINES,
    CANDIDATES,
    COLUMNS,
    KINDS,
    DocumentScores,
    score,
    tables,
)
from generator.topics.mentions.corpus.coreference import CorefDocument, Features, Mention
from generator.topics.mentions.records import BEST, GAIN
from tests.topics.mentions.compute.drawn import ONE, random_document, random_maps


def scores_of(rights, name="d", total=10):
    """Scores of `rights[head]` right pronouns among `total` in a model of one layer; the baselines know none."""
    correct = np.zeros((len(CANDIDATES), 1, len(rights), len(KINDS)), int)
    correct[..., :2] = np.array(rights)[:, None]
    totals = np.array([total, total, 0, 0])
    return DocumentScores(name, correct, *no_baselines(totals), totals)


def no_baselines(totals):
    """Baselines that select something for every mention and are never right."""
    return np.zeros((len(CANDIDATES), len(BASELINES), len(KINDS))), np.tile(totals, (len(BASELINES), 1))


@pytest.fixture
def random_scores():
    return [score(random_document(seed), random_maps(30, seed)) for seed in range(8)]


def test_tables_have_the_declared_columns_and_one_row_for_everything(random_scores):
    table, heads = tables(random_scores, "m", "c", seed=1)
    assert list(table) == COLUMNS
    assert list(heads) == HEAD_FACTS.names
    key = ["candidates", "kind", "predictor", "protocol"]
    assert len(table) == len(table[key].drop_duplicates()) == 2 * 4 * (1 + 6 + 6) * 2
    assert len(heads) == len(heads[["name", "layer", "head"]].drop_duplicates()) == 2 * 2 * 6
    assert set(heads.name) == {"words.all", "words.pronoun", "mentions.all", "mentions.pronoun"}
    assert ((table.layer == 0) == table.predictor.isin([*BASELINES, BEST])).all()
    assert [str(table[name].dtype) for name in ("layer", "head", "value", "n")] == [
        "int16",
        "int16",
        "float64",
        "int32",
    ]


def test_the_order_of_documents_does_not_matter(random_scores):
    for one, other in zip(tables(random_scores, "m", "c", 1), tables(random_scores[::-1], "m", "c", 1), strict=True):
        pd.testing.assert_frame_equal(one, other)


def test_head_facts_are_shares_of_pooled_mentions(random_scores):
    _, heads = tables(random_scores, "m", "c", seed=1)
    for row in heads.itertuples():
        which, kind = row.name.split(".")
        place = (CANDIDATES.index(which), row.layer - 1, row.head - 1, KINDS.index(kind))
        right = np.array([item.correct[place] for item in random_scores], float)
        scored = np.array([item.total[KINDS.index(kind)] for item in random_scores])
        assert row.n == scored.sum()
        assert row.value == pytest.approx(right.sum() / scored.sum())
        low, high = bootstrap_ratio(right, scored, seed=1)[1:3]
        assert (row.low, row.high) == (pytest.approx(low), pytest.approx(high))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_held_out_head_is_chosen_on_one_half_and_reported_on_the_other(seed):
    """Head 1 is best on the half that chooses, head 2 on the other half and on the whole."""
    names = [f"d{number}" for number in range(9)]
    drawn = sorted(names, key=lambda name: hashlib.sha256(f"{seed}:{name}".encode()).digest())
    choosing = set(drawn[:4])
    scores = [scores_of([5, 4] if name in choosing else [1, 8], name) for name in names]
    table, _ = tables(scores, "m", "c", seed)
    found = table[(table.predictor == "head") & (table.kind == "pronoun")].set_index(["candidates", "protocol"])
    for candidates in CANDIDATES:
        held, same = found.loc[(candidates, "held-out")], found.loc[(candidates, "same data")]
        assert (held.layer, held["head"], held.n) == (1, 1, 50)
        assert held.value == held.low == held.high == pytest.approx(0.1)
        assert (same.layer, same["head"], same.n) == (1, 2, 90)
        assert same.value == pytest.approx((4 * 4 + 5 * 8) / 90)


def test_the_head_is_chosen_for_all_kinds_together_and_for_each_set_of_candidates():
    items = []
    for name in "ab":
        correct = np.zeros((2, 1, 3, 4), int)
        correct[0, 0, :, 0], correct[0, 0, :, 1] = [1, 3, 2], [1, 0, 2]
        correct[1, 0, :, 0] = [1, 2, 3]
        totals = np.array([4, 2, 2, 0])
        items.append(DocumentScores(name, correct, *no_baselines(totals), totals))
    table, _ = tables(items, "m", "c", 0)
    chosen = table[(table.predictor == "head") & (table.protocol == "same data")]
    assert set(chosen[chosen.candidates == "words"]["head"]) == {2}
    assert set(chosen[chosen.candidates == "mentions"]["head"]) == {3}
    assert chosen[(chosen.candidates == "words") & (chosen.kind == "pronoun")].value.item() == 0
    assert chosen[chosen.kind == "nominal"][["value", "low", "high"]].isna().all(axis=None)
    assert (chosen[chosen.kind == "nominal"].n == 0).all()


def test_documents_without_scored_mentions_change_nothing_and_one_document_is_too_few(random_scores):
    nothing = np.zeros(4, int)
    empty = DocumentScores("empty", np.zeros((2, 2, 3, 4), int), *no_baselines(nothing), nothing)
    for one, other in zip(
        tables(random_scores, "m", "c", 1), tables([empty, *random_scores], "m", "c", 1), strict=True
    ):
        pd.testing.assert_frame_equal(one, other)
    with pytest.raises(CorpusError, match="two documents or more of c that hold a mention and its antecedent, found 1"):
        tables([empty, random_scores[0]], "m", "c", 1)


def of_table(table, **chosen):
    for column, text in chosen.items():
        table = table[table[column] == text]
    (row,) = table.to_dict("records")
    return row


def test_gains_are_paired_on_the_same_mentions(random_scores):
    table, _ = tables(random_scores, "m", "c", seed=1)
    for at, candidates in enumerate(CANDIDATES):
        for k, kind in enumerate(KINDS):
            of = {"candidates": candidates, "kind": kind, "protocol": "same data"}
            head = of_table(table, predictor="head", **of)
            place = at, head["layer"] - 1, head["head"] - 1, k
            totals = np.array([item.total[k] for item in random_scores])
            for row, name in enumerate(BASELINES):
                base, gain = (of_table(table, predictor=prefix + name, **of) for prefix in ("", GAIN))
                assert gain["value"] == pytest.approx(head["value"] - base["value"])
                assert (gain["layer"], gain["head"]) == (head["layer"], head["head"])
                lead = np.array([item.correct[place] - item.baselines[at, row, k] for item in random_scores])
                low, high = bootstrap_ratio(lead, totals, seed=1)[1:3]
                assert (gain["low"], gain["high"]) == (pytest.approx(low), pytest.approx(high))


def test_a_head_that_does_what_a_baseline_does_has_no_gain_over_it_and_no_doubt_about_that():
    """Uniform attention is the nearest mention: end to end the two intervals would leave it open."""
    documents = [random_document(seed) for seed in range(8)]
    uniform = np.full((1, 1, 30, 30), 1 / 30)
    table, _ = tables([score(document, uniform) for document in documents], "m", "c", seed=0)
    of = {"candidates": "mentions", "kind": "all", "protocol": "same data"}
    gain = of_table(table, predictor=GAIN + "nearest", **of)
    assert gain["value"] == gain["low"] == gain["high"] == 0
    head = of_table(table, predictor="head", **of)
    assert head["low"] < head["high"]


def pronouns_and_names(seed):
    """As in the format of GAP: two names and a pronoun, which means one of them, and a name said again."""
    rng = np.random.default_rng(seed)
    words = ("Ann", "met", "Bo", "and", "she", "left", "Ann", "there")
    meant = ("a", "b")[int(rng.integers(2))]
    mentions = [
        Mention(0, 1, 0, "a", "proper", ONE),
        Mention(2, 3, 2, "b", "proper", ONE),
        Mention(4, 5, 4, meant, "pronoun", Features("Sing", "Fem", "3")),
        Mention(6, 7, 6, "a", "proper", ONE),
    ]
    return CorefDocument(str(seed), words, tuple(mentions))


def test_a_rule_that_no_mention_of_a_kind_can_satisfy_is_undefined_there_and_not_zero():
    """A pronoun is never the same word as a name; of three mentions before the second "Ann" one or two are hers."""
    scores = [score(pronouns_and_names(seed), random_maps(8, seed)) for seed in range(12)]
    table, _ = tables(scores, "m", "c", seed=0)
    of = {"candidates": "mentions", "protocol": "held-out"}
    for prefix in ("", GAIN):
        impossible = of_table(table, predictor=f"{prefix}head match", kind="pronoun", **of)
        assert np.isnan([impossible["value"], impossible["low"], impossible["high"]]).all()
        assert impossible["n"] == 6
        for kind in ("all", "proper"):
            assert not np.isnan(of_table(table, predictor=f"{prefix}head match", kind=kind, **of)["value"])
    assert of_table(table, predictor="head match", kind="proper", **of)["value"] == 1
    assert of_table(table, predictor="chance", kind="pronoun", **of)["value"] == pytest.approx(1 / 2)
    assert 1 / 3 <= of_table(table, predictor="chance", kind="proper", **of)["value"] <= 2 / 3


def test_the_best_simple_baseline_is_chosen_for_each_kind_on_the_half_that_chooses():
    """Of pronouns the nearest is right on one half and chance on the other; the rule system does not count."""
    names = [f"d{number}" for number in range(12)]
    drawn = sorted(names, key=lambda name: hashlib.sha256(f"0:{name}".encode()).digest())
    scores = []
    for name in names:
        chooses = name in drawn[:6]
        item = scores_of([6], name)
        item.baselines[:, BASELINES.index("rules")] = 9
        item.baselines[:, BASELINES.index("nearest"), :2] = 5 if chooses else 1
        item.baselines[:, BASELINES.index("chance"), :2] = 2 if chooses else 4
        scores.append(item)
    table, _ = tables(scores, "m", "c", seed=0)
    of = {"candidates": "mentions", "kind": "pronoun", "protocol": "held-out"}
    assert of_table(table, predictor=BEST, **of)["value"] == pytest.approx(0.1)
    assert of_table(table, predictor=GAIN + BEST, **of)["value"] == pytest.approx(0.6 - 0.1)
