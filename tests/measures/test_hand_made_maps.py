"""Heads one can draw by hand score what one can work out by hand."""

import math

import numpy as np
import pytest
import torch

from generator.measures import COLUMNS, MEASURES, OF_COLUMN
from generator.measures.position import OFFSET_COLUMNS
from tests import slow
from tests.measures.maps import (
    all_to,
    columns,
    identity,
    next_token,
    of_one_head,
    pair,
    previous_token,
    random_map,
    text_of,
    uniform,
)

N = 20
MARKS = (3, 7, 14)
ITEM = pair(N, marks=MARKS)
SEPARATORS = (N // 2, N - 1)
ROUNDING = 1e-6

POSITIONAL = [
    ("attention.self", identity, 1),
    ("attention.self", next_token, 0),
    ("attention.previous", previous_token, (N - 1) / N),
    ("attention.previous", next_token, 0),
    ("attention.previous", uniform, (N - 1) / N**2),
    ("attention.next", next_token, (N - 1) / N),
    ("attention.next", previous_token, 0),
    ("attention.next", uniform, (N - 1) / N**2),
    ("offset.after", previous_token, 1 / N),
    ("offset.before", next_token, 1 / N),
    ("offset.-8", uniform, (N - 8) / N**2),
    ("offset.8", uniform, (N - 8) / N**2),
    ("offset.after", uniform, sum(N - k for k in range(9, N)) / N**2),
    ("offset.before", uniform, sum(N - k for k in range(9, N)) / N**2),
]
BROAD = [
    ("entropy.all", uniform, math.log(N)),
    ("entropy.cls", uniform, math.log(N)),
    ("entropy.all", identity, 0),
    ("attention.max", uniform, 1 / N),
    ("attention.max", next_token, 1),
    ("sink.mass", uniform, 1 / N),
    ("sink.mass", identity, 1 / N),
    ("sink.mass", lambda n: all_to([5], n), 1),
    ("entropy.all", lambda n: all_to([5, 6], n), math.log(2)),
    ("attention.max", lambda n: all_to([5, 6], n), 1 / 2),
]
SPECIAL = [
    ("attention.cls", lambda n: all_to([0], n), 1),
    ("attention.cls", uniform, 1 / N),
    ("attention.sep", lambda n: all_to(SEPARATORS, n), 1),
    ("attention.sep", lambda n: all_to([n - 1], n), 1),
    ("attention.sep", uniform, 2 / N),
    ("attention.sep_to_sep", uniform, 2 / N),
    ("attention.sep_to_sep", identity, 1),
    ("attention.other_to_sep", identity, 0),
    ("attention.other_to_sep", next_token, 2 / (N - 2)),
    ("attention.punctuation", lambda n: all_to(MARKS, n), 1),
    ("attention.punctuation", uniform, len(MARKS) / N),
    ("attention.same_segment", identity, 1),
    ("attention.same_segment", lambda n: all_to([0], n), (N // 2 + 1) / N),
    ("attention.same_segment", uniform, ((N // 2 + 1) ** 2 + (N // 2 - 1) ** 2) / N**2),
]


@pytest.mark.parametrize(("column", "shape", "expected"), POSITIONAL + BROAD + SPECIAL)
def test_a_drawn_head_scores_what_its_drawing_says(column, shape, expected):
    assert of_one_head(shape(N), ITEM)[column] == pytest.approx(expected, abs=ROUNDING)


def test_separators_that_attend_to_each_other_are_told_apart_from_others_that_attend_to_them():
    weights = all_to([4], N)
    weights[list(SEPARATORS)] = all_to(SEPARATORS, N)[:2]
    found = of_one_head(weights, ITEM)
    assert found["attention.sep_to_sep"] == pytest.approx(1)
    assert found["attention.other_to_sep"] == 0
    assert found["attention.sep"] == pytest.approx(2 / N)


def test_only_the_row_of_the_begin_token_enters_its_entropy():
    weights = identity(N)
    weights[0] = uniform(N)[0]
    found = of_one_head(weights, ITEM)
    assert found["entropy.cls"] == pytest.approx(math.log(N))
    assert found["entropy.all"] == pytest.approx(math.log(N) / N)


@pytest.mark.parametrize("n", [2, 3, 5, 8, 9, 10, 17, 40])
@pytest.mark.parametrize("seed", range(3))
def test_every_column_of_a_random_map_equals_the_slow_derivation(n, seed):
    item = pair(n, separators=n > 4, marks=(1,) if n > 2 else ())
    maps = np.stack([[random_map(n, 10 * seed + head) for head in range(2)], [uniform(n), next_token(n)]])
    gaps = slow.difference(columns(maps, item), slow.columns(maps, text_of(item)))
    assert max(gaps.values()) < ROUNDING


@pytest.mark.parametrize("n", [4, 9, 40])
def test_the_nineteen_offsets_sum_to_one(n):
    found = of_one_head(random_map(n), pair(n))
    assert sum(found[name] for name in OFFSET_COLUMNS) == pytest.approx(1)
    assert [found[name] for name in ("offset.-1", "offset.0", "offset.1")] == [
        found[name] for name in ("attention.previous", "attention.self", "attention.next")
    ]


@pytest.mark.parametrize(
    ("item", "least"),
    [(pair(N, begin=False), 3), (pair(N, separators=False), 4), (pair(N), 0)],
    ids=["no begin token", "no separators", "no punctuation"],
)
def test_what_an_input_cannot_define_is_nan_and_nothing_else_is(item, least):
    maps = random_map(N)[None, None]
    found = columns(maps, item, torch.ones(1, 1, N, 2))
    expected = slow.columns(maps, text_of(item), np.ones((1, 1, N, 2)))
    undefined = {name for name, array in expected.items() if np.isnan(array).any()}
    assert {name for name in expected if np.isnan(found[name]).any()} == undefined
    assert len(undefined) >= least
    assert least or not undefined


def test_a_text_without_punctuation_gives_zero_attention_to_it():
    found = columns(random_map(N)[None, None], pair(N), torch.ones(1, 1, N, 2))
    assert found["attention.punctuation"].item() == found["norm.punctuation"].item() == 0


def test_norms_of_equal_length_weigh_as_attention_does():
    maps = np.stack([[random_map(N, seed)] for seed in range(2)])
    value = torch.nn.functional.normalize(torch.randn(2, 1, N, 5, generator=torch.manual_seed(0)), dim=-1) * 3
    found = columns(maps, ITEM, value)
    for kind in ("cls", "sep", "punctuation"):
        np.testing.assert_allclose(found[f"norm.{kind}"], found[f"attention.{kind}"], atol=ROUNDING)
    shares = sum(found[f"norm.{kind}"] for kind in ("cls", "sep", "punctuation", "other"))
    np.testing.assert_allclose(shares, 1, atol=ROUNDING)


def test_a_head_that_looks_at_separators_whose_values_are_zero_contributes_nothing_from_them():
    value = torch.ones(1, 1, N, 2)
    value[:, :, list(SEPARATORS)] = 0
    weights = 0.9 * all_to(SEPARATORS, N) + 0.1 * uniform(N)
    found = columns(weights[None, None], ITEM, value)
    assert found["attention.sep"].item() > 0.9
    assert found["norm.sep"].item() == 0
    assert found["norm.cls"].item() == pytest.approx(1 / (N - 2))


@pytest.mark.parametrize("shape", [uniform, identity, previous_token, next_token, random_map])
def test_every_column_stays_in_its_declared_range(shape):
    top = {"share": 1, "nats": math.log(N)}
    for name, value in of_one_head(shape(N), ITEM).items():
        if not math.isnan(value):
            assert -ROUNDING <= value <= top[OF_COLUMN[name].unit] + ROUNDING, name


def test_every_column_belongs_to_one_measure():
    assert len(set(COLUMNS)) == len(COLUMNS) == sum(len(measure.columns) for measure in MEASURES)
    assert len({measure.name for measure in MEASURES}) == len(MEASURES)
