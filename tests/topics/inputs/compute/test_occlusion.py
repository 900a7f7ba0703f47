"""Tokens hidden one at a time: log-probabilities against whole logits, the summary against loops over made drops."""

import math
from functools import cache

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.stats import spearmanr

from generator.attention.anatomy import examine, forward
from generator.attention.batches import collate
from generator.corpora.classes import TokenClass
from generator.corpora.pairs import Document, Input
from generator.models.masked_lm import load_masked_lm
from generator.models.source import locate
from generator.results.tables import FACTS
from generator.topics.inputs.compute.changed import with_tokens
from generator.topics.inputs.compute.hidden_tokens import log_probabilities
from generator.topics.inputs.compute.occlusion import (
    BINS,
    DISTANCES,
    FAR,
    NEAR,
    NO_PART,
    WORDS,
    Drops,
    drop_facts,
    measure_drops,
    occlusion_facts,
    parts,
)
from tests.attention.masked_lm import CLASSES, write_masked_lm
from tests.attention.observations import inputs_of
from tests.encoders import SENTENCES

SEED, ROUNDING = 2, 1e-4
DOCUMENTS = (Document("long", SENTENCES), Document("other", SENTENCES[::-1]), Document("short", SENTENCES[4:6]))


@pytest.fixture(scope="module")
def masked_lm(tmp_path_factory):
    """Gives a tiny checkpoint with a head."""
    root = tmp_path_factory.mktemp("heads")
    return cache(
        lambda family: load_masked_lm(locate(str(write_masked_lm(family, root / family))), torch.device("cpu"))
    )


@pytest.fixture(scope="module")
def drops(masked_lm):
    """Of the tiny BERT."""
    found = masked_lm("bert")
    return measure_drops(found, inputs_of(found.encoder, DOCUMENTS, 64), SEED)


def whole_logits(found, item):
    found.encoder.model.set_attn_implementation("eager")
    return forward(found.encoder, collate([item], found.encoder.pad))[0].double()


@pytest.mark.parametrize("hook", [False, True])
@pytest.mark.parametrize("family", sorted(set(CLASSES) - {"bert with two heads"}))
def test_log_probabilities_are_those_of_whole_logits(masked_lm, family, hook):
    found = masked_lm(family)
    items = inputs_of(found.encoder, DOCUMENTS, 64)
    targets = [dict.fromkeys(range(at % 3, len(item), 5), 7 + at) for at, item in enumerate(items)]
    targets[1] = {}
    targets[-1] = dict.fromkeys(reversed(range(len(items[-1]))), 9)
    expected = []
    for item, wanted in zip(items, targets, strict=True):
        logits = whole_logits(found, item)
        expected.append([float(logits[at, token] - logits[at].logsumexp(0)) for at, token in wanted.items()])
    if hook:
        examine(found.encoder)
    for values, slow in zip(log_probabilities(found, items, targets), expected, strict=True):
        np.testing.assert_allclose(values, slow, rtol=ROUNDING, atol=ROUNDING)


def test_a_drop_is_what_hiding_one_more_token_costs(masked_lm, drops):
    found = masked_lm("bert")
    inputs = {item.document: item for item in inputs_of(found.encoder, DOCUMENTS, 64)[::-1]}
    texts = {token: found.encoder.tokenizer.decode([token]) for token in range(len(found.encoder.tokenizer))}
    assert {one.document for one in drops} == set(inputs)
    for one in drops[::2]:
        item, hidden = inputs[one.document], one.position
        target = item.input_ids[hidden]
        alone = with_tokens(item, {hidden: found.mask})
        value = whole_logits(found, alone)[hidden].log_softmax(0)[target].item()
        assert value == pytest.approx(one.log_probability, abs=ROUNDING)
        assert texts[target].isalpha()
        numbers = parts(item, texts)
        near = {abs(at) for at in one.offset.tolist() if abs(at) <= NEAR}
        assert len(near) <= DISTANCES
        assert (np.abs(one.offset) > NEAR).sum() <= FAR
        for distance in near:
            for at in (hidden - distance, hidden + distance):
                word = 0 <= at < len(item) and item.classes[at] is TokenClass.OTHER and texts[item.input_ids[at]] != "?"
                word = word and any(letter.isalnum() for letter in texts[item.input_ids[at]])
                assert (at - hidden in one.offset) == word
        for offset, same, drop in list(zip(one.offset.tolist(), one.same, one.drop, strict=True))[::4]:
            at = hidden + offset
            assert item.classes[at] is TokenClass.OTHER
            both = with_tokens(alone, {at: found.mask})
            slow = value - whole_logits(found, both)[hidden].log_softmax(0)[target].item()
            assert drop == pytest.approx(slow, abs=ROUNDING)
            between = numbers[min(at, hidden) : max(at, hidden) + 1]
            assert same == (NO_PART not in between)


def test_a_sample_is_bounded_and_does_not_depend_on_order(masked_lm, drops):
    found = masked_lm("bert")
    assert max(pd.Series([drop.document for drop in drops]).value_counts()) == WORDS
    again = measure_drops(found, inputs_of(found.encoder, DOCUMENTS, 64)[::-1], SEED)
    one, other = (drop_facts(each, "m", "c", SEED) for each in (drops, again))
    pd.testing.assert_frame_equal(one, other, rtol=1e-4, atol=1e-5)


def test_parts_lie_between_marks_and_special_tokens():
    texts = ["[CLS]", "old", ",", "well", "-", "made", "'", "s", "[SEP]", "...", "end", "!"]
    kinds = {"[CLS]": TokenClass.BEGIN, "[SEP]": TokenClass.SEPARATOR, ",": TokenClass.PUNCTUATION}
    item = Input("a", 1, tuple(range(12)), (0,) * 12, tuple(kinds.get(text, TokenClass.OTHER) for text in texts))
    found = parts(item, dict(enumerate(texts)))
    assert (found == NO_PART).tolist() == [True, False, True, *[False] * 5, True, True, False, True]
    assert len({found[1], found[3], found[10]}) == 3
    assert len(set(found[3:8])) == 1


def made(documents=12, effect=0.0, seed=0):
    """Drops that fall with distance; those of the same part are larger by `effect`."""
    draw, found = np.random.default_rng(seed), []
    for number in range(documents):
        for _ in range(2):
            offset = np.array([at for at in range(-40, 80) if at and draw.random() < 0.6])
            same = (offset > -draw.integers(1, 9)) & (offset < draw.integers(1, 9))
            drop = 1 / np.abs(offset) + effect * same + 0.01 * draw.normal(size=len(offset))
            found.append(Drops(f"d{number:02}", 50, float(-draw.random()), offset, same, drop))
    return found


def test_every_number_equals_a_loop_over_drops():
    drops = made(effect=0.3)
    table = drop_facts(drops, "m", "c", SEED)
    assert list(table.columns) == FACTS.names
    assert set(table["layer"]) == {0}
    value = table.set_index("name")["value"]
    for first, after in zip(BINS, (*BINS[1:], math.inf), strict=True):
        inside = [d for one in drops for o, d in zip(one.offset, one.drop, strict=True) if first <= abs(o) < after]
        assert value[f"drop.distance.{first}"] == pytest.approx(sum(inside) / len(inside))
    same, other = [], []
    for drop in drops:
        of = {int(o): (s, d) for o, s, d in zip(drop.offset, drop.same, drop.drop, strict=True)}
        for distance in range(1, NEAR + 1):
            pair = [of[at] for at in (distance, -distance) if at in of]
            if len(pair) == 2 and pair[0][0] != pair[1][0]:
                same.append(next(d for s, d in pair if s))
                other.append(next(d for s, d in pair if not s))
    assert len(same) > 20
    expected = [np.mean(same), np.mean(other), np.mean(np.subtract(same, other))]
    np.testing.assert_allclose(value[["same", "other", "span.gain"]], expected)
    slopes = {}
    for drop in drops:
        slopes.setdefault(drop.document, []).append(spearmanr(np.abs(drop.offset), drop.drop).statistic)
    assert value["slope"] == pytest.approx(np.mean([np.mean(each) for each in slopes.values()]))
    assert value["logprob"] == pytest.approx(np.mean([one.log_probability for one in drops]))


def test_nearness_alone_is_no_gain_of_the_part():
    table = drop_facts(made(60), "m", "c", SEED).set_index("name")
    near = table.loc["span.gain"]
    assert near["low"] < 0 < near["high"]
    assert abs(near["value"]) < 0.01
    assert table.loc["slope", "high"] < -0.85
    assert table.loc["drop.distance.1", "value"] > table.loc["drop.distance.8", "value"]


def test_an_effect_of_the_part_is_found_at_its_size():
    found = drop_facts(made(60, effect=0.3), "m", "c", SEED).set_index("name").loc["span.gain"]
    assert 0.29 < found["low"] < found["value"] < found["high"] < 0.31


def test_what_does_not_occur_is_undefined():
    lone = Drops("a", 3, -1.0, np.array([-2, 2]), np.array([True, True]), np.array([0.5, 0.5]))
    value = drop_facts([lone, Drops("b", 3, -3.0, np.array([], int), np.array([], bool), np.array([]))], "m", "c", SEED)
    value = value.set_index("name")["value"]
    assert value["drop.distance.2"] == 0.5
    assert "drop.distance.1" not in value
    assert value[["same", "other", "span.gain", "slope"]].isna().all()
    assert value["logprob"] == -2


def test_facts_of_a_model_and_none_without_words(masked_lm, drops):
    found = masked_lm("bert")
    inputs = inputs_of(found.encoder, DOCUMENTS, 64)
    (table,) = occlusion_facts(found, "c", inputs, SEED)
    pd.testing.assert_frame_equal(table, drop_facts(drops, found.encoder.id, "c", SEED), rtol=1e-4, atol=1e-5)
    bare = Input("bare", 1, inputs[0].input_ids[:1], (0,), (TokenClass.BEGIN,))
    assert occlusion_facts(found, "c", [bare], SEED) == []
