"""The studies of running text together: whole tables, documents in several parts, and facts of the model itself."""

from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from generator.attention.stream import Options, observe
from generator.corpora.files import TEXT
from generator.results.rows import CorpusRows
from generator.results.tables import TABLES
from generator.studies.all import PROCEDURES
from generator.studies.procedure import Subject
from generator.survey.engine import made_of
from generator.survey.maps import GIVEN
from generator.survey.passes import Pass, Readings
from generator.survey.task import Task, can_be_made, carry_out
from generator.topics.distances.compute.divergence import pairwise
from generator.topics.tokens.compute.model_facts import model_facts
from tests.attention.observations import inputs_of, shown
from tests.encoders import HEADS, HIDDEN, LAYERS, POSITIONS
from tests.reports import Telling
from tests.studies.surveyed import contextuality, fits_the_store, frequency_facts

SEED = 3
CORPUS = "some text"
SHORT = 32
"""Tokens: some documents are read in several parts."""


@pytest.fixture(scope="module")
def inputs(encoder):
    return inputs_of(encoder("bert"), max_tokens=SHORT)


@pytest.fixture(scope="module")
def seen(encoder, anatomy, inputs):
    return list(observe(encoder("bert"), anatomy("bert"), inputs, Options(keep_weights=True)))


def tables_of(encoder, inputs, seen, heads=HEADS, layers=LAYERS):
    """Study -> its tables, of the first heads of the first layers; the measures are those of all heads."""
    rows = {}

    def show(watchers):
        for one in seen:
            for watcher in watchers:
                watcher.add(shown(one.input, one.weights[:layers, :heads]))

    subject = Subject(
        model="m",
        corpus=CORPUS,
        shape=(layers, heads),
        inputs=inputs,
        seed=SEED,
        pieces=encoder("bert").tokenizer.convert_ids_to_tokens,
        table=lambda name: made_of(rows, CORPUS, name),
        examples=pd.DataFrame,
        told_segments=True,
    )
    measured = CorpusRows("m", CORPUS)
    for one in seen:
        measured.add(one)
    rows["measures", CORPUS] = measured.tables(SEED)
    studies = [procedure for procedure in PROCEDURES if procedure.reads == TEXT and procedure.study != "measures"]
    reading = Pass(lambda _: len(seen), lambda watchers: Readings([partial(show, watchers)]))
    made = [study for study in studies if can_be_made(study, GIVEN)]
    carry_out([Task(made, subject, GIVEN, reading)], rows, Telling())
    del rows["measures", CORPUS]
    return {study: tables for (study, _), tables in rows.items()}


@pytest.fixture(scope="module")
def found(encoder, inputs, seen):
    return tables_of(encoder, inputs, seen)


def test_tables_have_the_columns_of_the_store(found):
    assert {name for tables in found.values() for name in tables} == {
        *("divergence", "roles", "types", "facts", "head_facts")
    }
    for tables in found.values():
        fits_the_store(tables)


def test_the_order_of_inputs_changes_nothing(encoder, inputs, seen, found):
    turned = tables_of(encoder, inputs[::-1], seen[::-1])
    for study, tables in found.items():
        for name, table in tables.items():
            pd.testing.assert_frame_equal(table, turned[study][name], check_exact=True)


def test_a_document_in_several_parts_counts_once_as_their_mean(inputs, seen, found):
    table = found["landscape"]["divergence"].set_index("document")
    parts = {}
    for one in seen:
        parts.setdefault(one.input.document, []).append(one)
    assert sorted(parts) == list(table.index)
    assert max(map(len, parts.values())) > 1, "no document has two parts"
    for name, group in parts.items():
        lengths = [len(one.input) for one in group]
        assert table.loc[name, "tokens"] == sum(lengths) / len(lengths)
        expected = sum(pairwise(one.weights) for one in group) / len(group)
        np.testing.assert_allclose(table.loc[name, "divergence"], expected, atol=1e-6)
        assert len(expected) == LAYERS * HEADS * (LAYERS * HEADS - 1) // 2


def test_distances_within_layers_are_those_of_heads_of_one_layer(found):
    """The mean over documents of the pairs whose two heads, counted through, fall into one layer."""
    facts = found["landscape"]["facts"].set_index("name")
    within, between = [], []
    for row in found["landscape"]["divergence"]["divergence"]:
        pair = iter(row.tolist())
        kinds = {True: [], False: []}
        for a in range(LAYERS * HEADS):
            for b in range(a + 1, LAYERS * HEADS):
                kinds[a // HEADS == b // HEADS].append(next(pair))
        within.append(sum(kinds[True]) / len(kinds[True]))
        between.append(sum(kinds[False]) / len(kinds[False]))
    assert facts.loc["within", "value"] == pytest.approx(sum(within) / len(within))
    assert facts.loc["between", "value"] == pytest.approx(sum(between) / len(between))


def test_too_few_heads_have_no_place_on_a_map(encoder, inputs, seen):
    found = tables_of(encoder, inputs, seen, heads=2, layers=1)
    studies = {study for study, tables in found.items() if {"facts", "head_facts"} & set(tables)}
    assert studies == {"matching", "maxima", "separators", "sinks"}
    assert found["landscape"]["divergence"]["divergence"].map(len).eq(1).all()
    assert set(found["roles"]["roles"]["layer"]) == {1}


@pytest.mark.parametrize(("family", "width"), [("bert", HIDDEN), ("albert", 16), ("t5", HIDDEN)])
def test_facts_of_a_model_count_its_pieces_and_the_parameters_of_each(encoder, family, width):
    table = model_facts(encoder(family), "m", CORPUS)
    assert list(table.columns) == TABLES["facts"].names
    pa.Table.from_pandas(table, schema=TABLES["facts"], preserve_index=False)
    pieces = len(encoder(family).tokenizer.get_vocab())
    assert dict(zip(table["name"], table["value"], strict=True)) == {
        "vocabulary": pieces,
        "embedding.types": pieces,
        "embedding.width": width,
    }
    assert POSITIONS not in set(table["value"])
    assert table[["low", "high"]].isna().all(axis=None)
    assert (table["n"] == 1).all()
    assert (table["layer"] == 0).all()


def facts_of_the_model(encoder, anatomy, inputs):
    """Those of the model itself, its vocabulary and its vectors."""
    of_model = encoder("bert"), anatomy("bert")
    return [
        model_facts(of_model[0], "m", CORPUS),
        contextuality(of_model[0], inputs, "m", CORPUS, SEED),
        frequency_facts(*of_model, inputs, "m", CORPUS, SEED),
    ]


def test_facts_of_the_model_itself_come_from_three_studies_and_fit_the_store(encoder, anatomy, inputs):
    parts = facts_of_the_model(encoder, anatomy, inputs)
    assert [set(part["study"]) for part in parts] == [{"model"}, {"contextuality"}, {"norms"}]
    for part in parts:
        assert set(part.columns) == set(TABLES["facts"].names)
        assert set(part["corpus"]) == {CORPUS}
        assert not part.duplicated(["study", "name", "layer"]).any()
        pa.Table.from_pandas(part, schema=TABLES["facts"], preserve_index=False)
    assert set(parts[1]["layer"]) == set(range(LAYERS + 1))
    assert set(parts[2]["layer"]) == set(range(LAYERS + 1))
    turned = facts_of_the_model(encoder, anatomy, inputs[::-1])
    for part, other in zip(parts, turned, strict=True):
        pd.testing.assert_frame_equal(part, other, rtol=1e-6)
