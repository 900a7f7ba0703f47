"""Heads drawn by hand select what their drawing says; counts equal a slow derivation; baselines are worked out."""

import hashlib

import numpy as np
import pandas as pd
import pytest

from generator.corpora.formats.entities import read_entities
from generator.corpora.mentions import CorefDocument, Features, Mention, truncate
from generator.errors import CorpusError
from generator.numbers.resampling import bootstrap_ratio
from generator.results.tables import HEAD_FACTS
from generator.studies.mentions.antecedents import (
    BASELINES,
    BEST,
    CANDIDATES,
    COLUMNS,
    GAIN,
    KINDS,
    DocumentScores,
    score,
    tables,
)

TEXT = "Ann saw the old dog . Bo and Cy called The dog , but it ran to ann . She smiled at it . They thanked him"
ONE = Features("Sing", None, "3")
STORY = CorefDocument(
    "story",
    tuple(TEXT.split()),
    (
        Mention(0, 1, 0, "ann", "proper", ONE),
        Mention(2, 5, 4, "dog", "nominal", ONE),
        Mention(6, 9, 6, "pair", "proper", Features("Plur", None, "3")),
        Mention(6, 7, 6, "bo", "proper", ONE),
        Mention(8, 9, 8, "cy", "proper", ONE),
        Mention(10, 12, 11, "dog", "nominal", ONE),
        Mention(14, 15, 14, "dog", "pronoun", Features("Sing", "Neut", "3")),
        Mention(17, 18, 17, "ann", "proper", ONE),
        Mention(19, 20, 19, "ann", "pronoun", Features("Sing", "Fem", "3")),
        Mention(22, 23, 22, "dog", "pronoun", Features("Sing", "Neut", "3")),
        Mention(24, 25, 24, "pair", "pronoun", Features("Plur", None, "3")),
        Mention(26, 27, 26, "bo", "pronoun", Features("Sing", "Masc", "3")),
    ),
)
N = len(STORY.words)
LINKS = {11: 4, 14: 11, 17: 0, 19: 17, 22: 14, 24: 6, 26: 6}
"""Head word of every scored mention -> that of its nearest antecedent."""
TOTAL = [7, 5, 1, 1]


def pointing(links, n=N, rest=0.0):
    """A map in which each of `links` has all weight but `rest`, which its other columns share."""
    weights = np.full((n, n), rest / (n - 1))
    for query, key in links.items():
        weights[query, key] = 1 - rest
    return weights


def of_one_head(weights, document=STORY):
    """`[candidates, kind]`."""
    return score(document, weights[None, None]).correct[:, 0, 0]


def random_maps(n, seed, layers=2, heads=3):
    weights = np.random.default_rng(seed).random((layers, heads, n, n))
    return (weights / weights.sum(-1, keepdims=True)).astype("float32")


def random_document(seed, words=30, mentions=14):
    """Mentions that nest and cross, of few entities, few words and few features."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(mentions):
        start = int(rng.integers(words))
        end = int(rng.integers(start, min(words, start + 5))) + 1
        features = Features(*(rng.choice([None, "x", "y"]) for _ in range(3)))
        kind = KINDS[1 + int(rng.integers(3))]
        found.append(Mention(start, end, int(rng.integers(start, end)), str(rng.integers(4)), kind, features))
    return CorefDocument(str(seed), tuple(rng.choice(["a", "b", "A", "c"], words)), tuple(found))


def slow_pick(candidates, row):
    """The nearest of the candidates with the largest weight, None where all weights are 0."""
    best, weight = None, 0.0
    for position in sorted(candidates):
        if float(row[position]) > 0 and float(row[position]) >= weight:
            best, weight = position, float(row[position])
    return best


def slow_baseline(name, document, mention, earlier):
    def said(other, whole):
        words = document.words[other.start : other.end] if whole else [document.words[other.head]]
        return " ".join(words).lower()

    def passes(rule, other):
        if rule in (1, 2):
            return said(mention, rule == 1) == said(other, rule == 1)
        if rule == 3:
            known = [(a, b) for a, b in zip(mention.features, other.features, strict=True) if a and b]
            return [a for a, _ in known] == [b for _, b in known]
        return True

    for rule in {"nearest": [4], "nearest agreeing": [3, 4], "head match": [2], "rules": [1, 2, 3, 4]}[name]:
        fitting = [other.head for other in earlier if passes(rule, other)]
        if fitting:
            return max(fitting)
    return None


RULE_NAMES = ("nearest", "nearest agreeing", "head match", "rules")


def slow_scores(document, weights):
    """`correct`, `baselines`, `able`, `total` as nested loops."""
    layers, heads = weights.shape[:2]
    correct = np.zeros((2, layers, heads, 4))
    baselines, able, total = np.zeros((2, 5, 4)), np.zeros((5, 4)), np.zeros(4)
    for mention in document.mentions:
        earlier = [other for other in document.mentions if other.head < mention.start]
        right = [other.head for other in earlier if other.entity == mention.entity]
        if not right:
            continue
        for kind in ("all", mention.kind):
            column = ("all", "pronoun", "proper", "nominal").index(kind)
            total[column] += 1
            for row, name in enumerate(RULE_NAMES):
                picked = slow_baseline(name, document, mention, earlier)
                baselines[:, row, column] += picked in right
                able[row, column] += picked is not None
            able[4, column] += 1
            for which, candidates in enumerate((range(mention.start), {other.head for other in earlier})):
                baselines[which, 4, column] += sum(place in right for place in candidates) / len(candidates)
                for layer in range(layers):
                    for head in range(heads):
                        attended = weights[layer, head, mention.head]
                        correct[which, layer, head, column] += slow_pick(candidates, attended) in right
    return correct, baselines, able, total


def assert_equals_slow(document, weights):
    found = score(document, weights)
    arrays = (found.correct, found.baselines, found.able, found.total)
    for array, expected in zip(arrays, slow_scores(document, weights), strict=True):
        np.testing.assert_allclose(array, expected, rtol=0, atol=1e-9)
    return found


def test_a_head_that_attends_to_antecedents_is_always_right():
    np.testing.assert_array_equal(of_one_head(pointing(LINKS)), [TOTAL, TOTAL])
    np.testing.assert_array_equal(of_one_head(pointing(LINKS, rest=0.4)), [TOTAL, TOTAL])


def test_any_antecedent_will_do():
    np.testing.assert_array_equal(of_one_head(pointing(LINKS | {14: 4, 19: 0, 22: 4})), [TOTAL, TOTAL])


def test_a_head_that_attends_forwards_is_never_right():
    """The same map turned: antecedents attend to the mentions that follow them."""
    assert of_one_head(pointing(LINKS).T).sum() == 0
    assert of_one_head(pointing(dict.fromkeys(LINKS, N - 1))).sum() == 0


def test_only_the_row_of_the_head_word_counts():
    moved = {query - 1: key for query, key in LINKS.items()}
    assert of_one_head(pointing(moved)).sum() == 0


def test_weight_on_the_mention_itself_and_on_what_follows_does_not_count():
    weights = pointing(LINKS) * 0.1
    for query in LINKS:
        weights[query, query] = 0.6
        weights[query, (query + 1) % N] = 0.3 if query < N - 1 else 0
    weights[11, 10] = 0.5
    np.testing.assert_array_equal(of_one_head(weights), [TOTAL, TOTAL])


def test_words_outside_mentions_compete_only_among_all_words():
    weights = pointing(LINKS, rest=0.6)
    weights[list(LINKS), 1] = 0.5
    np.testing.assert_array_equal(of_one_head(weights), [[0] * 4, TOTAL])


def test_another_word_of_the_antecedent_is_not_its_head_word():
    found = of_one_head(pointing(LINKS | {11: 3}))
    np.testing.assert_array_equal(found[0], [6, 5, 1, 0])


def test_uniform_attention_selects_the_nearest_candidate():
    found = of_one_head(np.full((N, N), 1 / N))
    nearest = score(STORY, np.zeros((1, 1, N, N))).baselines[CANDIDATES.index("mentions"), 0]
    np.testing.assert_array_equal(found[1], nearest)
    assert found[0].sum() == 0


def test_layers_and_heads_are_told_apart():
    weights = np.zeros((2, 3, N, N))
    weights[1, 0] = pointing(LINKS)
    found = score(STORY, weights).correct[..., 0]
    assert found.shape == (2, 2, 3)
    assert [tuple(place) for place in np.argwhere(found[0])] == [(1, 0)]


def test_the_baselines_of_a_small_story_are_those_worked_out_by_hand():
    """The rules fail for "him" alone: "ann", whose gender is not known, is the nearest that agrees.

    For "ann" and the second "it", too, a mention whose gender is not known stands in between, and for "The dog" another
    of its number. Of the ten words before "The dog" one is an antecedent, of the head words of mentions one in four.
    """
    found = score(STORY, np.zeros((1, 1, N, N)))
    assert found.total.tolist() == TOTAL
    chance = BASELINES.index("chance")
    for of_candidates in found.baselines:
        assert dict(zip(BASELINES[:chance], of_candidates[:chance].tolist(), strict=True)) == {
            "nearest": [2, 2, 0, 0],
            "nearest agreeing": [3, 3, 0, 0],
            "head match": [3, 1, 1, 1],
            "rules": [6, 4, 1, 1],
        }
    nominal = found.baselines[:, chance, KINDS.index("nominal")]
    np.testing.assert_allclose(nominal, [1 / 10, 1 / 4])
    assert dict(zip(BASELINES, found.able.tolist(), strict=True)) == {
        "nearest": TOTAL,
        "nearest agreeing": TOTAL,
        "head match": [3, 1, 1, 1],
        "rules": TOTAL,
        "chance": TOTAL,
    }
    assert_equals_slow(STORY, random_maps(N, 0))


@pytest.mark.parametrize("seed", range(20))
def test_random_documents_equal_the_slow_derivation(seed):
    found = assert_equals_slow(random_document(seed), random_maps(30, seed))
    np.testing.assert_array_equal(found.correct[..., 0], found.correct[..., 1:].sum(-1))


def test_documents_of_gum_equal_the_slow_derivation(shared):
    corpus = read_entities("gum", [shared("data/ud-english-gum/en_gum-ud-dev.conllu.gz")])
    documents = [truncate(document, 100) for document in corpus.items]
    for seed, document in enumerate(documents):
        assert_equals_slow(document, random_maps(len(document.words), seed, heads=1))
    scores = [score(document, random_maps(len(document.words), 0)) for document in documents]
    table, _ = tables(scores, "m", "gum", seed=0)
    value = table[(table.kind == "all") & (table.protocol == "same data")].groupby("predictor").value.first()
    assert value["rules"] > value["head match"] > value["nearest"]


def test_weights_of_other_words_are_refused():
    with pytest.raises(ValueError, match="expected weights of 27 x 27 words for 'story'"):
        score(STORY, np.zeros((1, 1, N, N + 1)))


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
