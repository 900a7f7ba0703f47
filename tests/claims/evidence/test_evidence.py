"""What claims read: the right rows, axes and corpus, of tables made by hand and of results on disk."""

from itertools import product

import numpy as np
import pytest

from generator.claims.evidence.evidence import Evidence
from generator.claims.evidence.reading import Reader, Scope
from generator.claims.missing import NotTestable
from generator.numbers.quantity import Undeclared
from generator.results.store import Results
from generator.results.writing import write
from tests.claims.evidence.columns import SEED, make, seen
from tests.claims.made import (
    LINKED,
    TEXT,
    TREEBANK,
    Made,
    evidence,
    fact,
    facts,
    head_facts,
    joined,
    record,
    relation,
    roles,
    text,
)


def test_rows_and_means_keep_their_axes(columns):
    made = seen(make(columns))
    for name, rows in columns.items():
        np.testing.assert_array_equal(made.rows(name), rows)
        np.testing.assert_allclose(made.mean(name), np.nanmean(rows, axis=0), rtol=0, atol=1e-15)


def test_the_first_corpus_of_the_manifest_counts():
    """Not the first in the table, nor all of them together."""
    made = evidence(
        text({"attention.self": 0.9}, corpus="other"),
        text({"attention.self": 0.3}),
        fact("words", "split", 0.1, corpus=TREEBANK),
        fact("words", "split", 0.2, corpus=LINKED),
    )
    np.testing.assert_allclose(made.mean("attention.self"), 0.3)
    assert made.fact("words", "split").value == 0.1


def test_a_corpus_that_a_table_lacks_is_passed_over():
    made = evidence(text({}), fact("model", "vocabulary", 7, corpus="other"))
    assert made.fact("model", "vocabulary").value == 7


def test_facts_are_found_by_study_name_and_layer():
    made = evidence(
        facts("manipulations", "base.attention.self", [0.5, 0.1, 0.2], layer=0),
        facts("compare:other", "base.attention.self", [9.0] * 3),
        fact("manipulations", "base.loss", 0.4, spread=0.1),
        fact("manipulations", "masks.15.js", 0.1),
        layers=4,
    )
    np.testing.assert_array_equal(made.facts("manipulations", "base.attention.self").value, [0.1, 0.2, np.nan, np.nan])
    np.testing.assert_array_equal(made.facts("manipulations", "base.attention.self").n, [60, 60, 0, 0])
    np.testing.assert_allclose(made.fact("manipulations", "base.loss"), [0.4, 0.3, 0.5, 60])
    assert made.known_fact("begin", "base.loss") is None
    for read in (made.facts, made.fact, made.head_facts):
        with pytest.raises(NotTestable, match=r"gives \".+\" \(segments\.zero\.js of the study manipulations\)"):
            read("manipulations", "segments.zero.js")


def test_head_facts_keep_their_axes():
    grid = np.arange(6.0).reshape(3, 2) / 6
    found = seen(head_facts("words", "sep.outside", grid, spread=0.5)).head_facts("words", "sep.outside")
    np.testing.assert_array_equal(found.value, grid)
    np.testing.assert_array_equal(found.low, grid - 0.5)
    np.testing.assert_array_equal(found.high, grid + 0.5)


def test_results_on_disk_are_read_alike(tmp_path):
    """The store's own tables and types; what the folder lacks cannot be tested."""
    tables = joined(
        text({"attention.self": 0.3}),
        roles({"[SEP]": (1, 2.0, 2.0)}),
        fact("manipulations", "base.loss", 0.4),
        relation("obj", 0.8, 0.3),
    )
    tables["roles"] = tables["roles"].fillna(0.25)  # only entropies may be undefined
    made = Evidence(Results(write(tmp_path, record(), tables), record()))
    assert (made.model, made.layers, made.heads) == ("Tiny", 12, 2)
    np.testing.assert_allclose(made.mean("attention.self"), 0.3)
    assert made.fact("manipulations", "base.loss").value == 0.4
    assert made.table("relation_heads", relation="obj")["n"].tolist() == [200]
    assert set(made.table("roles")["corpus"]) == {TEXT}
    assert not len(made.table("antecedents", predictor="head"))
    with pytest.raises(NotTestable):
        made.head_facts("words", "sep.outside")


def test_the_trail_holds_the_rows_that_were_read():
    made = evidence(text({"attention.self": 0.3}), fact("words", "split", 0.1, corpus=TREEBANK))
    made.fact("words", "split")
    made.estimate(["attention.self"], lambda mass: mass.mean((1, 2)), SEED)
    assert [(one.table, one.chosen) for one in made.trail] == [
        ("facts", "study = words, name = split"),
        ("documents", "column = attention.self"),
    ]
    assert len(made.trail[1].rows) == 24 * 24
    assert list(made.trail[1].rows) == ["corpus", "document", "layer", "head", "attention.self"]


def test_a_scope_reads_one_corpus_or_one_half_of_the_documents():
    tables = joined(
        text({"attention.self": 0.3}),
        fact("words", "split", 0.1, corpus=TREEBANK),
        fact("words", "split", 0.2, corpus=LINKED),
    )
    whole = Made(record(), tables)
    assert Evidence(whole, Scope(corpus=LINKED)).fact("words", "split").value == 0.2
    halves = [set(Reader(whole, Scope(half=half)).documents["document"]) for half in ("chosen", "reported")]
    assert halves[0].isdisjoint(halves[1])
    assert halves[0] | halves[1] == set(tables["documents"]["document"])
    assert all(halves)


def test_a_name_without_a_record_is_an_error_and_no_verdict():
    made = evidence(text({}), fact("model", "vocabulary", 7))
    reads = made.fact, made.known_fact, made.facts, made.head_facts
    for read, (study, name) in product(reads, (("model", "vocabluary"), ("modle", "vocabulary"))):
        with pytest.raises(Undeclared, match=f"found .({study}|{name})"):
            read(study, name)
