"""The bootstrap of what claims read resamples whole statistics, as a slow loop over documents does."""

import math
import time

import numpy as np
import pytest

from generator.claims.evidence.evidence import UNIFORM, Evidence
from generator.claims.missing import NotTestable
from generator.numbers.resampling import DRAWS, bootstrap, proportion
from tests.claims.evidence.columns import SEED, SHAPE, make, seen
from tests.claims.made import Made, evidence, joined, record, text
from tests.numbers.slow import quantile


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


def test_a_thousand_draws_of_a_large_model_take_less_than_a_second():
    documents = [f"{number:04}" for number in range(500)]
    rows = np.random.default_rng(0).random((500, 12, 12))
    made = evidence(text({"attention.self": rows}, documents=documents, heads=12), heads=12)
    made.mean("attention.self")  # reading and sorting the table is not what is timed
    start = time.process_time()
    made.estimate(["attention.self"], lambda mean: (mean > 0.5).mean((1, 2)), SEED)
    assert time.process_time() - start < 1


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
