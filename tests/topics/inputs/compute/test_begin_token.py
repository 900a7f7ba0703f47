"""The begin token cut off and swapped: every loss against BERT by loops in float64, the correlation against scipy."""

import math

import numpy as np
import pandas as pd
import pytest
import torch
import transformers
from scipy.stats import spearmanr

from generator.attention.anatomy import examine
from generator.corpora.classes import TokenClass
from generator.models.masked_lm import load_masked_lm
from generator.models.source import locate
from generator.numbers.resampling import DRAWS
from generator.results.tables import FACTS
from generator.topics.inputs.compute.begin_token import places
from generator.topics.inputs.compute.changed import with_segments
from generator.topics.inputs.compute.manipulations import SHARES, masked
from tests.attention.masked_lm import write_masked_lm
from tests.attention.observations import inputs_of
from tests.topics.inputs.compute.asked import begin_facts, manipulation_facts

SEED, LAYERS, LOWER = 3, 6, (0, 1)
"""The lower layers of six."""
NAMES = {
    *("base.loss", "cut.begin.loss", "cut.separator.loss", "swap.begin.loss", "swap.separator.loss"),
    *("swap.lead", "breadth.next"),
}


def loaded(folder):
    return load_masked_lm(locate(str(folder)), torch.device("cpu"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A BERT of six layers with its head."""
    return write_masked_lm("bert", tmp_path_factory.mktemp("begin") / "bert", num_hidden_layers=LAYERS)


@pytest.fixture(scope="module")
def masked_lm(folder):
    return loaded(folder)


@pytest.fixture(scope="module")
def inputs(masked_lm):
    """Five documents of different length, one of them in parts."""
    return inputs_of(masked_lm.encoder)[1:]


@pytest.fixture(scope="module")
def found(masked_lm, inputs):
    (table,) = begin_facts(masked_lm, examine(masked_lm.encoder), "c", inputs, SEED)
    return table


class SlowBert:
    """The same checkpoint, read by transformers and run in float64, row by row."""

    def __init__(self, folder):
        self.model = transformers.BertForMaskedLM.from_pretrained(folder, dtype=torch.float64).eval()
        self.heads = self.model.config.num_attention_heads

    @torch.no_grad()
    def run(self, item, cut=(), layers=LOWER, place=None, carried=None):
        """Log-probabilities `[token, vocabulary]`; by layer values `[token, head, dim]` and maps `[head, query, key]`.

        `cut` are keys that these layers do not read; `carried` is layer -> `[head, dim]` of the token at `place`.
        """
        states = self.model.bert.embeddings(
            torch.tensor([item.input_ids]), token_type_ids=torch.tensor([item.segment_ids])
        )
        size = states.shape[-1] // self.heads
        all_values, maps = [], []
        for number, layer in enumerate(self.model.bert.encoder.layer):
            attention = layer.attention.self
            query, key, value = (one(states)[0] for one in (attention.query, attention.key, attention.value))
            queries, keys, values = (one.numpy().reshape(len(item), self.heads, size) for one in (query, key, value))
            all_values.append(values.copy())
            if carried is not None and number in layers:
                values[place] = carried[number]
            read = [j for j in range(len(item)) if not (j in cut and number in layers)]
            made = np.zeros_like(values)
            maps.append(np.zeros((self.heads, len(item), len(item))))
            for head, i in np.ndindex(self.heads, len(item)):
                logits = keys[read, head] @ queries[i, head] / math.sqrt(size)
                weights = np.exp(logits - logits.max())
                maps[-1][head, i, read] = weights / weights.sum()
                made[i, head] = maps[-1][head, i, read] @ values[read, head]
            made = torch.from_numpy(made.reshape(len(item), -1))
            after = layer.attention.output(made[None], states)
            states = layer.output(layer.intermediate(after), after)
        return self.model.cls(states)[0].log_softmax(-1), all_values, maps


@pytest.fixture(scope="module")
def slow(folder, masked_lm, inputs):
    """Condition -> losses of the documents, in the order of their names; and some that are wrong on purpose."""
    bert = SlowBert(folder)
    documents = sorted((item for item in inputs if item.part == 1), key=lambda item: item.document)
    hidden = [masked(item, masked_lm.mask, SHARES["masks.15"], SEED) for item in documents]

    def loss(item, read, logs):
        targets = [at for at in range(len(item)) if item.input_ids[at] != read.input_ids[at]]
        return -sum(logs[at, item.input_ids[at]].item() for at in targets) / len(targets)

    clean = [bert.run(read) for read in hidden]
    rows = []
    for at, (item, read) in enumerate(zip(documents, hidden, strict=True)):
        other = (at + 1) % len(documents)

        def changed(item=item, read=read, **changes):
            return loss(item, read, bert.run(read, **changes)[0])

        row = {"base": loss(item, read, clean[at][0])}
        for name in ("begin", "separator"):
            here, there = (0 if name == "begin" else len(documents[one]) - 1 for one in (at, other))
            carried = [values[there] for values in clean[other][1]]
            row[f"cut.{name}"] = changed(cut=[here])
            row[f"swap.{name}"] = changed(place=here, carried=carried)
        begin = [values[0] for values in clean[other][1]]
        row["swap.begin, other heads"] = changed(place=0, carried=[values[::-1] for values in begin])
        row["swap.begin, other layers"] = changed(place=0, carried=begin[1::-1])
        row["swap.begin, the text before"] = changed(place=0, carried=[values[0] for values in clean[at - 1][1]])
        rows.append(row)
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def test_every_loss_equals_that_of_a_model_run_by_loops(found, slow):
    value = found.set_index("name")["value"]
    assert set(value.index) == NAMES
    assert set(found["layer"]) == {0}
    expected = {"base.loss": slow["base"].mean()}
    for name in ("cut.begin", "cut.separator", "swap.begin", "swap.separator"):
        expected[f"{name}.loss"] = (slow[name] - slow["base"]).mean()
    expected["swap.lead"] = expected["swap.begin.loss"] - expected["swap.separator.loss"]
    for name, number in expected.items():
        assert value[name] == pytest.approx(number, rel=1e-3, abs=1e-5), name
        assert abs(number) > 1e-3, "a number that says something"


def test_values_of_another_head_layer_or_text_would_be_noticed(slow):
    for wrong in (name for name in slow if "," in name):
        right = slow[wrong.partition(",")[0]].mean()
        assert abs(slow[wrong].mean() - right) > 1e-3, wrong


def test_intervals_resample_documents_in_pairs(found, slow):
    drawn = np.random.default_rng(SEED).multinomial(len(slow["base"]), np.full(5, 1 / 5), size=DRAWS)
    row = found.set_index("name").loc["swap.lead"]
    lead = slow["swap.begin"] - slow["swap.separator"]
    low, high = np.quantile([np.repeat(lead, counts).mean() for counts in drawn], [0.025, 0.975])
    assert (row["low"], row["high"]) == (pytest.approx(low, abs=1e-3), pytest.approx(high, abs=1e-3))
    assert set(found["n"]) == {5}


def test_breadth_next_correlates_a_layer_s_row_with_what_the_next_layer_reads(folder, inputs, found):
    bert = SlowBert(folder)
    breadth, received = [], []
    for item in sorted((item for item in inputs if item.part == 1), key=lambda item: item.document):
        maps = bert.run(item)[2]
        entropy = [[-sum(p * math.log(p) for p in head[0] if p) for head in layer] for layer in maps]
        breadth.append(np.mean(entropy, axis=1) / math.log(len(item)))
        received.append([np.mean([head[i, 0] for head in layer for i in range(len(item))]) for layer in maps])
    breadth, received = np.array(breadth), np.array(received)
    row = found.set_index("name").loc["breadth.next"]
    expected = spearmanr(breadth.mean(0)[:-1], received.mean(0)[1:]).statistic
    assert row["value"] == pytest.approx(expected)
    assert spearmanr(breadth.mean(0)[1:], received.mean(0)[:-1]).statistic != pytest.approx(expected)
    drawn = np.random.default_rng(SEED).multinomial(5, np.full(5, 1 / 5), size=DRAWS)
    draws = []
    for counts in drawn:
        first, second = (np.repeat(rows, counts, axis=0).mean(0) for rows in (breadth, received))
        draws.append(spearmanr(first[:-1], second[1:]).statistic)
    assert (row["low"], row["high"]) == tuple(pytest.approx(q) for q in np.quantile(draws, [0.025, 0.975]))


def test_the_base_is_that_of_the_manipulations(masked_lm, inputs, found, encoder, anatomy):
    tables = manipulation_facts(encoder("bert"), anatomy("bert"), "c", inputs, SEED, masked_lm)
    theirs = pd.concat(tables["facts"]).query("name == 'base.loss'")[["value", "low", "high", "n"]].to_numpy()
    np.testing.assert_allclose(found.query("name == 'base.loss'")[["value", "low", "high", "n"]], theirs, rtol=1e-5)


def test_lower_layers_that_carry_the_same_for_every_token_lose_nothing(folder, inputs):
    masked_lm = loaded(folder)
    with torch.no_grad():
        for layer in LOWER:
            masked_lm.encoder.model.bert.encoder.layer[layer].attention.self.value.weight.zero_()
    value = begin_facts(masked_lm, examine(masked_lm.encoder), "c", inputs, SEED)[0].set_index("name")["value"]
    changes = [name for name in NAMES if name.startswith(("cut", "swap"))]
    np.testing.assert_allclose(value[changes], 0, atol=1e-5)
    assert abs(value["base.loss"]) > 1


def test_a_begin_token_that_has_gathered_nothing_can_be_swapped_freely(folder, inputs):
    """The first layer's heads reach no state: the second layer's begin tokens are alike, its separators are not."""
    masked_lm = loaded(folder)
    with torch.no_grad():
        masked_lm.encoder.model.bert.encoder.layer[0].attention.output.dense.weight.zero_()
    value = begin_facts(masked_lm, examine(masked_lm.encoder), "c", inputs, SEED)[0].set_index("name")["value"]
    assert value["swap.begin.loss"] == pytest.approx(0, abs=1e-5)
    assert abs(value["swap.separator.loss"]) > 1e-4
    assert abs(value["cut.begin.loss"]) > 1e-3
    assert value["swap.lead"] == pytest.approx(-value["swap.separator.loss"], abs=1e-5)


def test_models_without_a_second_lower_layer_have_no_swaps(tmp_path, inputs):
    shallow = loaded(write_masked_lm("bert", tmp_path / "bert", num_hidden_layers=1))
    assert set(begin_facts(shallow, examine(shallow.encoder), "c", inputs, SEED)[0]["name"]) == {
        "base.loss",
        "cut.begin.loss",
        "cut.separator.loss",
    }


@pytest.mark.parametrize(("family", "measured"), [("roberta", True), ("modernbert", True), ("mpnet", False)])
def test_families(tmp_path, family, measured):
    other = loaded(write_masked_lm(family, tmp_path / family))
    tables = begin_facts(other, examine(other.encoder), "c", inputs_of(other.encoder)[:4], SEED)
    assert [table["value"].notna().all() for table in tables] == [True] * measured


def test_one_document_has_no_other(masked_lm, inputs):
    assert begin_facts(masked_lm, examine(masked_lm.encoder), "c", inputs[:1], SEED) == []
    assert begin_facts(masked_lm, examine(masked_lm.encoder), "c", [], SEED) == []


def test_places_are_the_first_token_and_the_last_separator(inputs):
    for item in inputs:
        assert places(item) == (0, len(item) - 1)
        assert places(with_segments(item, [0] * len(item))) == places(item)
        assert item.classes.count(TokenClass.SEPARATOR) == 2


def test_the_order_of_inputs_changes_nothing_and_columns_fit_the_store(masked_lm, inputs, found):
    assert list(found.columns) == FACTS.names
    assert set(found["study"]) == {"begin"}
    (turned,) = begin_facts(masked_lm, examine(masked_lm.encoder), "c", inputs[::-1], SEED)
    pd.testing.assert_frame_equal(found, turned, check_exact=True)
