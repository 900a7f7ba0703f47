"""What claims read: the right rows, axes and corpus, and a bootstrap of whole statistics equal to a slow loop."""

import math
import time
from itertools import product

import numpy as np
import pytest

from generator.claims.evidence.evidence import UNIFORM, Evidence
from generator.claims.evidence.reading import Reader, Scope
from generator.claims.missing import NotTestable
from generator.numbers.quantity import Undeclared
from generator.numbers.resampling import DRAWS, bootstrap, proportion
from generator.results.store import Results, write
from tests.claims.made import (
    LINKED,
    TEXT,
    TREEBANK,
    Made,
    antecedents,
    divergence,
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

SEED = 5
SHAPE = (7, 3, 2)
"""Documents, layers, heads: no two alike, so that a wrong axis cannot go unnoticed."""
NAMES = [f"document {number}" for number in range(SHAPE[0])]


@pytest.fixture(scope="module")
def columns():
    """Two measures of seven documents; two documents define the first for every head, six the second."""
    rng = np.random.default_rng(1)
    first, second = rng.random(SHAPE), rng.random(SHAPE)
    first[1:6, 1, 0] = np.nan
    second[0] = np.nan
    return {"attention.self": first, "attention.max": second}


def make(columns, **options):
    return text(columns, documents=NAMES, layers=SHAPE[1], heads=SHAPE[2], **options)


def seen(*tables):
    return evidence(*tables, layers=SHAPE[1], heads=SHAPE[2])


def apart(first, second):
    """How much more often the first is above a half than the second, over heads, less the spread of layers."""
    layers = first.mean(-1)
    return (first > 0.5).mean((1, 2)) - (second > 0.5).mean((1, 2)) + layers.max(-1) - layers.min(-1)


def slowly_apart(first, second):
    """The same of nested lists, `[layer][head]`."""
    layers = [sum(row) / len(row) for row in first]
    size = len(first) * len(first[0])
    count = sum(a > 0.5 for row in first for a in row) - sum(b > 0.5 for row in second for b in row)
    return count / size + max(layers) - min(layers)


def slow_mean(rows, drawn):
    """Mean over drawn documents of what they define, `[layer][head]`, by loops."""
    _, layers, heads = rows.shape
    mean = [[math.nan] * heads for _ in range(layers)]
    for layer in range(layers):
        for head in range(heads):
            values = [rows[d, layer, head] for d, times in enumerate(drawn) for _ in range(times)]
            values = [float(value) for value in values if not math.isnan(value)]
            if values:
                mean[layer][head] = math.fsum(values) / len(values)
    return mean


def quantile(values, share):
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    return ordered[below] + (place - below) * (ordered[min(below + 1, len(ordered) - 1)] - ordered[below])


def test_an_estimate_is_the_bootstrap_of_the_whole_statistic(columns):
    found = seen(make(columns)).estimate(list(columns), apart, SEED)
    rows = list(columns.values())
    draws = np.random.default_rng(SEED).multinomial(SHAPE[0], [1 / SHAPE[0]] * SHAPE[0], size=DRAWS)
    slow = []
    for drawn in draws:
        means = [slow_mean(part, drawn) for part in rows]
        if not any(math.isnan(value) for mean in means for row in mean for value in row):
            slow.append(slowly_apart(*means))
    whole = [slow_mean(part, [1] * SHAPE[0]) for part in rows]
    expected = [slowly_apart(*whole), quantile(slow, 0.025), quantile(slow, 0.975)]
    np.testing.assert_allclose(found[:3], expected, rtol=0, atol=1e-12)
    assert len(slow) < DRAWS, "some draws leave a number undefined"
    assert found.n == 2


def test_a_plain_mean_has_the_interval_of_the_store():
    rows = np.random.default_rng(6).random(SHAPE)
    found = seen(make({"attention.self": rows})).estimate(["attention.self"], lambda mean: mean[:, 2, 1], SEED)
    np.testing.assert_allclose(found, [part.item() for part in bootstrap(rows[:, 2, 1], SEED)], rtol=0, atol=1e-12)


def test_rows_and_means_keep_their_axes(columns):
    made = seen(make(columns))
    for name, rows in columns.items():
        np.testing.assert_array_equal(made.rows(name), rows)
        np.testing.assert_allclose(made.mean(name), np.nanmean(rows, axis=0), rtol=0, atol=1e-15)


def test_the_order_of_rows_changes_nothing(columns):
    tables = joined(make(columns))
    mixed = {name: table.sample(frac=1, random_state=1) for name, table in tables.items()}
    found = [
        Evidence(Made(record(*SHAPE[1:]), several)).estimate(list(columns), apart, SEED) for several in (tables, mixed)
    ]
    assert found[0] == found[1]


def test_uniform_attention_is_resampled_with_its_documents(columns):
    tables = joined(make(columns))
    tables["uniform"]["attention.self"] = np.linspace(0.1, 0.7, SHAPE[0])
    tables["uniform"] = tables["uniform"].iloc[::-1]
    made = Evidence(Made(record(*SHAPE[1:]), tables))
    chance = made.rows(f"{UNIFORM}attention.self")
    np.testing.assert_array_equal(chance[:, 0, 0], np.linspace(0.1, 0.7, SHAPE[0]))
    found = made.estimate([f"{UNIFORM}attention.self"], lambda mean: mean[:, 0, 0], SEED)
    np.testing.assert_allclose(found, [part.item() for part in bootstrap(chance[:, 0, 0], SEED)], atol=1e-12)


@pytest.mark.parametrize(
    ("column", "statistic"),
    [
        ("attention.cls", lambda mean: mean.mean((1, 2))),
        ("attention.cls", lambda mean: (mean > 0.5).mean((1, 2))),
        ("attention.self", lambda mean: mean[:, 0, 0] * np.nan),
        ("attention.self", lambda mean: 1 / (0 * mean[:, 0, 0])),
    ],
    ids=["undefined measure", "comparison with an undefined measure", "undefined statistic", "division by zero"],
)
def test_what_is_undefined_is_not_testable(columns, column, statistic):
    made = seen(make(columns | {"attention.cls": np.nan}))
    with pytest.raises(NotTestable, match=f"no document that was read defines {column}"):
        made.estimate([column], statistic, SEED)


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
        layers=4,
    )
    np.testing.assert_array_equal(made.facts("manipulations", "base.attention.self").value, [0.1, 0.2, np.nan, np.nan])
    np.testing.assert_array_equal(made.facts("manipulations", "base.attention.self").n, [60, 60, 0, 0])
    np.testing.assert_allclose(made.fact("manipulations", "base.loss"), [0.4, 0.3, 0.5, 60])
    assert made.known_fact("begin", "base.loss") is None
    for read in (made.facts, made.fact, made.head_facts):
        with pytest.raises(NotTestable, match=r"does not define segments\.zero\.js"):
            read("manipulations", "segments.zero.js")


def test_head_facts_keep_their_axes():
    grid = np.arange(6.0).reshape(3, 2)
    found = seen(head_facts("words", "sep.outside", grid, spread=0.5)).head_facts("words", "sep.outside")
    np.testing.assert_array_equal(found.value, grid)
    np.testing.assert_array_equal(found.low, grid - 0.5)
    np.testing.assert_array_equal(found.high, grid + 0.5)


def test_relations_are_those_of_the_protocol():
    made = evidence(
        relation("obj", 0.8, 0.3, place=(4, 2), direction="head<-dep"),
        relation("obj", 0.9, 0.4, protocol="same data"),
        relation("det", 0.7, 0.1),
    )
    assert [item.relation for item in made.relations()] == ["det", "obj"]
    found = made.relation("dobj", "obj")
    assert (found.layer, found.head, found.direction) == (4, 2, "head<-dep")
    np.testing.assert_allclose(found.accuracy, [0.8, 0.79, 0.81, 200])
    np.testing.assert_allclose(found.gain, [0.3, 0.29, 0.31, 200])
    assert made.relation("obj", protocol="same data").accuracy.value == 0.9
    with pytest.raises(NotTestable, match="of the relation flat"):
        made.relation("flat")


def test_antecedents_are_chosen_by_every_name():
    made = evidence(
        antecedents(head=0.6, head_match=0.5),
        antecedents(head=0.7, candidates="words"),
        antecedents(head=0.8, protocol="same data"),
    )
    assert made.antecedents("head").value == 0.6
    assert made.antecedents("head match").value == 0.5
    assert made.antecedents("head", candidates="words").value == 0.7
    with pytest.raises(NotTestable, match="does not define rules"):
        made.antecedents("rules")


def test_divergence_is_a_mean_over_documents():
    found = evidence(divergence(np.array([0.25, 0.5]), np.array([0.75, 0.5]))).divergence()
    np.testing.assert_array_equal(found, [0.5, 0.5])


def test_results_on_disk_are_read_alike(tmp_path):
    """The store's own tables and types; what the folder lacks cannot be tested."""
    tables = joined(
        text({"attention.self": 0.3}),
        roles({"[SEP]": (1, 2.0, 2.0)}),
        fact("manipulations", "base.loss", 0.4),
        relation("obj", 0.8, 0.3),
    )
    made = Evidence(Results(write(tmp_path, record(), tables), record()))
    assert (made.model, made.layers, made.heads) == ("Tiny", 12, 2)
    np.testing.assert_allclose(made.mean("attention.self"), 0.3)
    assert made.fact("manipulations", "base.loss").value == 0.4
    assert made.relation("obj").gain.n == 200
    assert set(made.roles()["corpus"]) == {TEXT}
    for missing in (
        made.divergence,
        lambda: made.head_facts("words", "sep.outside"),
        lambda: made.antecedents("head"),
    ):
        with pytest.raises(NotTestable):
            missing()


def test_a_thousand_draws_of_a_large_model_take_less_than_a_second():
    documents = [f"{number:04}" for number in range(500)]
    rows = np.random.default_rng(0).random((500, 12, 12))
    made = evidence(text({"attention.self": rows}, documents=documents, heads=12), heads=12)
    made.mean("attention.self")  # reading and sorting the table is not what is timed
    start = time.perf_counter()
    made.estimate(["attention.self"], lambda mean: (mean > 0.5).mean((1, 2)), SEED)
    assert time.perf_counter() - start < 1


def test_a_share_of_heads_covers_documents_and_heads():
    """All heads pass in every document: the interval is Wilson's, not a point."""
    sure = seen(make({"attention.self": 0.8})).share_of_heads(["attention.self"], lambda mass: mass > 0.5, SEED)
    assert sure == proportion(6, 6)
    rows = np.full(SHAPE, 0.8)
    rows[:, 2, 1] = [0.1, 0.9, 0.2, 0.8, 0.9, 0.1, 0.9]  # on either side from draw to draw
    found = seen(make({"attention.self": rows})).share_of_heads(["attention.self"], lambda mass: mass > 0.5, SEED)
    assert (found.low, found.high) == (proportion(5, 6).low, proportion(6, 6).high)
    assert found.n == 6


def test_heads_are_resampled_within_their_layers():
    """Documents agree, so all spread is that of the two heads of a layer: their mean is one, the other, or both's."""
    grid = np.broadcast_to([[0.1, 0.5], [0.3, 0.3], [0.9, 0.9]], SHAPE)
    made = seen(make({"attention.self": grid}))
    first = made.estimate(["attention.self"], lambda mass: mass[:, 0].mean(1), SEED, heads=True)
    np.testing.assert_allclose(first[:3], [0.3, 0.1, 0.5], atol=1e-12)
    rest = made.estimate(["attention.self"], lambda mass: mass[:, 1:].mean((1, 2)), SEED, heads=True)
    np.testing.assert_allclose(rest[:3], [0.6, 0.6, 0.6], atol=1e-12)


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
