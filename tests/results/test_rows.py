"""The tables of a results folder, each number derived a second time from the maps and from the table below it."""

import numpy as np
import pandas as pd
import pytest

from generator.attention.stream import Options, observe
from generator.measures import COLUMNS
from generator.results.examples import example_table
from generator.results.rows import CorpusRows, input_table
from generator.results.tables import REQUIRED, TABLES
from tests.attention.observations import DOCUMENTS, inputs_of
from tests.slow import columns, text_of

MODEL, CORPUS, SEED = "some/model", "some corpus", 3
MAX_TOKENS = 40
KEY = ["document", "layer", "head"]


@pytest.fixture(scope="module")
def seen(encoder, anatomy):
    """Every input of the documents, with its maps."""
    found = list(
        observe(
            encoder("bert"),
            anatomy("bert"),
            inputs_of(encoder("bert"), DOCUMENTS, MAX_TOKENS),
            Options(keep_weights=True),
        )
    )
    assert max(one.input.part for one in found) > 1, "a document in several parts is what is hard"
    return found


@pytest.fixture(scope="module")
def tables(seen):
    """The tables of these inputs."""
    rows = CorpusRows(MODEL, CORPUS)
    for one in seen:
        rows.add(one)
    return rows.tables(SEED)


@pytest.fixture(scope="module")
def parts(encoder, seen):
    """Document -> the slow columns of its parts, in the order of the parts."""
    found = {}
    for one in sorted(seen, key=lambda one: one.input.part):
        text = text_of(encoder("bert").tokenizer, one.input.input_ids, begins=True)
        found.setdefault(one.input.document, []).append(_slow(one.weights, text))
    return found


def _slow(weights, text):
    """The columns that maps alone determine; the norms need more, and tests/attention derives them."""
    found = columns(weights, text)
    return {name: values for name, values in found.items() if not name.startswith("norm.")}


def test_a_document_s_value_is_the_mean_over_its_parts_of_the_slow_derivation(tables, parts):
    for row in tables["documents"].to_dict("records"):
        for name in parts[row["document"]][0]:
            each = [part[name][row["layer"] - 1, row["head"] - 1] for part in parts[row["document"]]]
            assert row[name] == pytest.approx(sum(each) / len(each), abs=1e-5), (row["document"], name)


def test_there_is_one_row_for_every_document_layer_and_head_in_order(tables, anatomy):
    table = tables["documents"]
    heads, layers = range(1, anatomy("bert").heads + 1), range(1, anatomy("bert").layers + 1)
    names = sorted(document.id for document in DOCUMENTS)
    expected = [(name, layer, head) for name in names for layer in layers for head in heads]
    assert list(table[KEY].itertuples(index=False, name=None)) == expected
    assert set(table["corpus"]) == {CORPUS}


def test_a_head_s_value_is_the_plain_mean_over_documents(tables):
    long = tables["documents"].melt([*KEY, "corpus"], list(COLUMNS), "measure")
    expected = long.groupby(["measure", "layer", "head"])["value"].agg(["mean", "count"])
    found = tables["heads"].set_index(["measure", "layer", "head"])
    assert len(found) == len(expected)
    np.testing.assert_allclose(found["value"], expected["mean"].loc[found.index], rtol=0, atol=1e-12)
    np.testing.assert_array_equal(found["n"], expected["count"].loc[found.index])


def test_a_layer_is_the_mean_of_its_heads_with_an_interval_over_documents(tables):
    by_document = tables["documents"].groupby(["document", "layer"])[list(COLUMNS)].mean()
    assert len(tables["layers"]) == len(COLUMNS) * tables["documents"]["layer"].nunique()
    for row in tables["layers"].to_dict("records"):
        rows = by_document.xs(row["layer"], level="layer")[row["measure"]].to_numpy()
        assert row["value"] == pytest.approx(rows.mean(), abs=1e-12)
        drawn = np.random.default_rng(SEED).multinomial(len(rows), np.full(len(rows), 1 / len(rows)), size=1000)
        expected = np.quantile(drawn @ rows / len(rows), [0.025, 0.975])
        np.testing.assert_allclose([row["low"], row["high"]], expected, rtol=0, atol=1e-12)
        assert row["n"] == len(rows)


def test_the_interval_is_over_documents_and_not_over_parts(tables):
    """A bootstrap over documents of one number, with the seed of the table."""
    documents = tables["documents"].query("layer == 2 and head == 3")["attention.sep"].to_numpy()
    rng = np.random.default_rng(SEED)
    drawn = rng.multinomial(len(documents), np.full(len(documents), 1 / len(documents)), size=1000)
    means = drawn @ documents / len(documents)
    row = tables["heads"].query("measure == 'attention.sep' and layer == 2 and head == 3").iloc[0]
    np.testing.assert_allclose([row["low"], row["high"]], np.quantile(means, [0.025, 0.975]), rtol=0, atol=1e-12)


def test_n_counts_the_documents_that_define_the_number(encoder, anatomy):
    """A model whose tokenizer has no begin token defines nothing about one."""
    rows = CorpusRows(MODEL, CORPUS)
    for one in observe(encoder("t5"), anatomy("t5"), inputs_of(encoder("t5"))):
        rows.add(one)
    heads = rows.tables(SEED)["heads"]
    undefined = heads[heads["measure"] == "attention.cls"]
    assert set(undefined["n"]) == {0}
    assert undefined[["value", "low", "high", "uniform"]].isna().all(axis=None)
    assert set(heads[heads["measure"] == "attention.self"]["n"]) == {len(DOCUMENTS)}


def test_the_uniform_column_is_the_mean_of_the_uniform_table(tables):
    heads = tables["heads"].groupby("measure")["uniform"]
    assert (heads.nunique() == 1).all()
    for name, found in heads.first().items():
        assert found == pytest.approx(tables["uniform"][name].mean(), abs=1e-12), name


def test_the_uniform_table_is_what_equal_weights_score(tables, seen, encoder):
    table = tables["uniform"].set_index("document")
    assert list(table.index) == sorted(document.id for document in DOCUMENTS)
    found = {}
    for one in seen:
        n = len(one.input)
        text = text_of(encoder("bert").tokenizer, one.input.input_ids, begins=True)
        found.setdefault(one.input.document, []).append((n, _slow(np.full((1, 1, n, n), 1 / n), text)))
    for document, each in found.items():
        assert table.loc[document, "tokens"] == sum(n for n, _ in each) / len(each)
        for name in each[0][1]:
            mean = sum(part[name].item() for _, part in each) / len(each)
            assert table.loc[document, name] == pytest.approx(mean, abs=1e-12), (document, name)


def test_the_sink_is_the_token_that_receives_most_in_the_part_where_it_receives_most(tables, seen):
    strongest = {}
    for one in seen:
        received = one.weights.astype(np.float64).mean(2)
        for layer, head in np.ndindex(received.shape[:2]):
            at = int(received[layer, head].argmax())
            key = (one.input.document, layer + 1, head + 1)
            candidate = (received[layer, head, at], one.input.input_ids[at])
            strongest[key] = max(strongest.get(key, candidate), candidate)
    found = tables["documents"].set_index(KEY)["sink.token"].to_dict()
    assert found == {key: token for key, (_, token) in strongest.items()}
    assert len(set(found.values())) > 1, "a constant would pass too"


def test_the_order_of_observations_does_not_matter(tables, seen):
    rows = CorpusRows(MODEL, CORPUS)
    for at in np.random.default_rng(0).permutation(len(seen)):
        rows.add(seen[at])
    for name, table in rows.tables(SEED).items():
        pd.testing.assert_frame_equal(table, tables[name])


def test_every_table_has_its_declared_columns(tables, seen, encoder):
    made = tables | {"inputs": input_table(CORPUS, [one.input for one in seen], segments=True)}
    made["examples"] = example_table(seen[:1], {seen[0].input.document: "text"}, {seen[0].input.document: ["a"]})
    assert {name: set(table.columns) for name, table in made.items()} == {
        name: set(TABLES[name].names) for name in made
    }
    assert set(REQUIRED) <= set(made)


def test_inputs_are_what_the_model_read_token_by_token(encoder):
    inputs = inputs_of(encoder("bert"), DOCUMENTS, MAX_TOKENS)
    table = input_table(CORPUS, inputs, segments=True)
    assert list(table["document"]) == [one.document for one in inputs]
    assert list(table["part"]) == [one.part for one in inputs]
    assert [tuple(row) for row in table["input_ids"]] == [one.input_ids for one in inputs]
    assert [tuple(row) for row in table["segment_ids"]] == [one.segment_ids for one in inputs]
    untold = input_table(CORPUS, inputs, segments=False)
    assert {segment for row in untold["segment_ids"] for segment in row} == {0}
    assert list(untold["parts"]) == list(table["parts"]) == list(table["segment_ids"])


def test_an_example_s_map_is_stored_row_by_row(seen):
    one = seen[0]
    name = one.input.document
    table = example_table([one], {name: "A text."}, {name: ["t"] * len(one.input)})
    assert len(table) == one.weights.shape[0] * one.weights.shape[1]
    for row in table.to_dict("records"):
        n = len(one.input)
        map_ = one.weights[row["layer"] - 1, row["head"] - 1]
        assert all(row["weights"][query * n + key] == map_[query, key] for query, key in np.ndindex(n, n))
        assert (row["sentence"], row["text"]) == (1, "A text.")
