"""Whether types that are frequent in the training text are known better, against fits and loops of its own."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import pearsonr, rankdata

from generator.topics.learning.compute.easier import easier_when_frequent

COUNTS = {
    "the": 900,
    "##ing": 300,
    "of": 500,
    "house": 40,
    "##ness": 12,
    "a": 700,
    "walked": 25,
    "frogs": 3,
    "[UNK]": 0,
}


def table(losses, corpus="text"):
    rows = [{"corpus": corpus, "token": token, "count": 10, "loss": loss} for token, loss in losses.items()]
    return pd.DataFrame(rows).assign(model="Tiny", received=1.0)


def slow(losses, counts):
    """By lists: the partial correlations of the loss, of the gain over a unigram model, and of the share it saves."""
    whole = sum(count + 1 for count in counts.values())
    tokens = [token for token, loss in losses.items() if not math.isnan(loss)]
    letters = [len(token[2:] if token.startswith("##") else token) for token in tokens]
    inside = [1 if token.startswith("##") else 0 for token in tokens]
    fit = np.column_stack([np.ones(len(tokens)), rankdata(letters), rankdata(inside)])

    def left(values):
        ranks = rankdata(values)
        return ranks - fit @ np.linalg.lstsq(fit, ranks, rcond=None)[0]

    before = [math.log(whole / (counts[token] + 1)) for token in tokens]
    often = left([counts[token] for token in tokens])
    values = {
        "end.loss": [losses[token] for token in tokens],
        "end.gain": [first - losses[token] for first, token in zip(before, tokens, strict=True)],
        "end.share": [1 - losses[token] / first for first, token in zip(before, tokens, strict=True)],
    }
    return {name: pearsonr(often, left(found)).statistic for name, found in values.items()}


@pytest.fixture(scope="module")
def many():
    """Losses of 80 types of the vocabulary, every ninth of which has none, and the counts of all."""
    rng = np.random.default_rng(3)
    counts = {f"{'##' * (at % 3 == 0)}{'x' * (1 + at % 7)}{at}": int(rng.pareto(1) * 30) for at in range(120)}
    losses = {token: 8 - 0.7 * math.log(counts[token] + 1) + rng.normal() for token in list(counts)[:80]}
    return losses | dict.fromkeys(list(losses)[::9], math.nan), counts


def test_every_correlation_equals_that_of_what_a_fit_leaves(many):
    losses, counts = many
    found = easier_when_frequent(table(losses), counts, seed=0).set_index("name")
    assert found["value"].to_dict() == pytest.approx(slow(losses, counts), abs=1e-9)
    assert (found["low"] < found["value"]).all()
    assert (found["value"] < found["high"]).all()
    assert set(found["n"]) == {80 - 9}
    assert (set(found["corpus"]), set(found["study"]), str(found["n"].dtype)) == ({"text"}, {"types"}, "int32")


def test_a_unigram_model_knows_frequent_types_better_and_gains_nothing():
    """The null of H16.1: whatever is held fixed, its loss falls as the frequency rises."""
    whole = sum(count + 1 for count in COUNTS.values())
    losses = {token: math.log(whole / (count + 1)) for token, count in COUNTS.items()}
    found = easier_when_frequent(table(losses), COUNTS, seed=0).set_index("name")
    assert tuple(found.loc["end.loss", ["value", "low", "high"]]) == pytest.approx((-1, -1, -1))
    assert math.isnan(found["value"]["end.gain"])
    assert math.isnan(found["value"]["end.share"])
    half = easier_when_frequent(table({token: loss / 2 for token, loss in losses.items()}), COUNTS, 0).set_index("name")
    assert half["value"]["end.loss"] == half["value"]["end.gain"] == pytest.approx(-1)
    assert math.isnan(half["value"]["end.share"])


def test_a_model_that_saves_more_of_what_is_frequent_has_a_share_that_rises():
    whole = sum(count + 1 for count in COUNTS.values())
    losses = {token: math.log(whole / (count + 1)) * (1 - count / 1000) for token, count in COUNTS.items()}
    found = easier_when_frequent(table(losses), COUNTS, seed=0).set_index("name")
    assert found["value"]["end.share"] == pytest.approx(1)
    assert found["value"].to_dict() == pytest.approx(slow(losses, COUNTS))


def test_the_order_of_rows_other_corpora_and_types_without_a_count_change_nothing(many):
    losses, counts = many
    alone = easier_when_frequent(table(losses), counts, seed=0)
    strange = table({"strange": 1.0, **dict.fromkeys(list(counts)[:20], 1.0)}, corpus="other")
    mixed = pd.concat([strange, table(losses), table({"never seen": 4.0})]).sample(frac=1, random_state=1)
    found = easier_when_frequent(mixed, counts, seed=0)
    pd.testing.assert_frame_equal(found[found["corpus"] == "text"].reset_index(drop=True), alone)


def test_without_losses_there_are_no_rows():
    found = easier_when_frequent(table(dict.fromkeys(COUNTS, math.nan)), COUNTS, seed=0)
    assert list(found.columns) == ["corpus", "study", "name", "value", "low", "high", "n"]
    assert not len(found)
