"""Maps of a known pattern are classed as what they are, at every length; every map has exactly one class."""

import json
from collections.abc import Callable

import numpy as np
import pytest

from generator.corpora.pairs import Input
from generator.measures.patterns import CUTOFFS, PATTERN_COLUMNS, PATTERNS, Cutoffs, classify
from tests import slow
from tests.measures.maps import (
    BEGIN,
    OTHER,
    SEPARATOR,
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

LENGTHS = (*range(16, 41), *range(41, 512, 94), 512)
"""All lengths in between passed, too; special tokens weigh most in the shortest inputs."""
VERTICAL, DIAGONAL, MIXED, BLOCK, HETEROGENEOUS = PATTERNS
MAPS = "attention-bert-base-sst2-dodrio"
ROUNDING = 1e-6
Draw = Callable[[Input], np.ndarray]


def single(n: int) -> Input:
    """[CLS] A [SEP]."""
    return Input("made", 1, tuple(range(n)), (0,) * n, (BEGIN, *(OTHER,) * (n - 2), SEPARATOR))


def divided(n: int, first: int) -> Input:
    """[CLS] A [SEP] B [SEP] with so many tokens in the first segment."""
    classes = [OTHER] * n
    classes[0], classes[first - 1], classes[-1] = BEGIN, SEPARATOR, SEPARATOR
    return Input("made", 1, tuple(range(n)), tuple(int(at >= first) for at in range(n)), tuple(classes))


def special(item: Input) -> list[int]:
    """Where the tokens stand that the tokenizer adds."""
    return [at for at, kind in enumerate(item.classes) if kind in (BEGIN, SEPARATOR)]


def block(item: Input) -> np.ndarray:
    """Uniform attention within each segment."""
    segment = np.array(item.segment_ids)
    same = segment[:, None] == segment
    return np.asarray(same / same.sum(-1, keepdims=True))


def offsets(n: int) -> np.ndarray:
    """Equal attention to the token before, the token itself and the one after, of those that are there."""
    near = np.abs(np.subtract.outer(np.arange(n), np.arange(n))) <= 1
    return np.asarray(near / near.sum(-1, keepdims=True))


PURE: dict[str, tuple[str, Draw]] = {
    "begin token": (VERTICAL, lambda item: all_to([0], len(item))),
    "last separator": (VERTICAL, lambda item: all_to([len(item) - 1], len(item))),
    "all special tokens": (VERTICAL, lambda item: all_to(special(item), len(item))),
    "self": (DIAGONAL, lambda item: identity(len(item))),
    "previous": (DIAGONAL, lambda item: previous_token(len(item))),
    "next": (DIAGONAL, lambda item: next_token(len(item))),
    "all three": (DIAGONAL, lambda item: offsets(len(item))),
    "half previous, half separator": (
        MIXED,
        lambda item: (previous_token(len(item)) + all_to([len(item) - 1], len(item))) / 2,
    ),
    "half three, half special": (MIXED, lambda item: (offsets(len(item)) + all_to(special(item), len(item))) / 2),
    "random": (HETEROGENEOUS, lambda item: random_map(len(item), seed=len(item))),
}


def shares(weights: np.ndarray, item: Input) -> dict[str, float]:
    """Pattern -> 0 or 1, for one map."""
    found = of_one_head(weights, item)
    return {name: found[column] for name, column in zip(PATTERNS, PATTERN_COLUMNS, strict=True)}


def pattern(weights: np.ndarray, item: Input) -> str:
    """The one pattern of a map."""
    found = shares(weights, item)
    assert sorted(found.values()) == [0, 0, 0, 0, 1]
    return max(found, key=lambda name: found[name])


@pytest.mark.parametrize("name", PURE)
def test_a_pure_pattern_is_classed_right_at_every_length(name):
    expected, draw = PURE[name]
    wrong = {}
    for n in LENGTHS:
        for item in (single(n), pair(n)):
            if (found := pattern(draw(item), item)) != expected:
                wrong[n, len(special(item))] = found
    assert wrong == {}


def test_attention_within_segments_is_a_block_at_every_length_and_division():
    for n in LENGTHS:
        for first in {n // 4, n // 2, 3 * n // 4}:
            assert pattern(block(divided(n, first)), divided(n, first)) == BLOCK, (n, first)


def test_uniform_attention_is_a_block_only_where_one_segment_holds_nearly_all():
    assert [pattern(uniform(100), divided(100, first)) for first in (50, 88, 89)] == [HETEROGENEOUS] * 2 + [BLOCK]


def test_a_single_segment_has_no_block():
    assert pattern(uniform(40), single(40)) == HETEROGENEOUS


def test_a_text_without_special_tokens_has_none_of_their_attention():
    item = pair(40, begin=False, separators=False)
    assert pattern(all_to([0], 40), item) == HETEROGENEOUS
    assert pattern(offsets(40), item) == DIAGONAL
    assert pattern(block(item), item) == BLOCK


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n", [16, 23, 40])
def test_mixtures_equal_the_slow_derivation(n, seed):
    """Random blends of pure patterns lie on all sides of the cut-offs."""
    rng = np.random.default_rng(seed)
    item = pair(n)
    pure = np.stack([draw(item) for _, draw in PURE.values()] + [block(item)])
    maps = np.tensordot(rng.dirichlet(np.full(len(pure), 0.15), (6, 6)), pure, axes=1)
    found, expected = columns(maps, item), slow.columns(maps, text_of(item))
    names = (*PATTERN_COLUMNS, "attention.near", "attention.segment_breadth")
    for name in names:
        np.testing.assert_allclose(found[name], expected[name], rtol=0, atol=ROUNDING, err_msg=name)
    several = sum(found[name].any() for name in PATTERN_COLUMNS)
    assert several >= 3, "blends of one kind would prove little"


# The rule


def named(found: np.ndarray) -> list[str]:
    """The pattern of each map of `[pattern, map]`."""
    assert (found.sum(0) == 1).all()
    return [PATTERNS[at] for at in found.argmax(0)]


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ((0.5, 0.24, 0.5, 0.1), VERTICAL),
        ((0.49, 0.24, 0.5, 0.1), HETEROGENEOUS),
        ((0.24, 0.5, 0.5, 0.1), DIAGONAL),
        ((0.24, 0.49, 0.5, 0.1), HETEROGENEOUS),
        ((0.25, 0.35, 0.5, 0.1), MIXED),
        ((0.25, 0.34, 0.5, 0.1), HETEROGENEOUS),
        ((0.25, 0.75, 0.5, 0.1), MIXED),
        ((0.75, 0.25, 0.5, 0.1), MIXED),
        ((0.1, 0.1, 0.8, 0.7), BLOCK),
        ((0.1, 0.1, 0.79, 0.7), HETEROGENEOUS),
        ((0.1, 0.1, 0.8, 0.69), HETEROGENEOUS),
        ((0.6, 0.1, 0.9, 0.9), VERTICAL),
        ((0.1, 0.6, 0.9, 0.9), DIAGONAL),
        ((0.3, 0.3, 0.9, 0.9), MIXED),
        ((0.1, 0.1, 0.9, np.nan), HETEROGENEOUS),
    ],
)
def test_the_rule_is_as_it_is_written(numbers, expected):
    assert named(classify(*(np.array([number]) for number in numbers), True)) == [expected]


def test_a_tie_does_not_depend_on_the_last_bits():
    just = np.array([0.5 - 1e-8, 0.5, 0.5 + 1e-8])
    assert named(classify(just, np.zeros(3), np.zeros(3), np.zeros(3), False)) == [VERTICAL] * 3


def test_every_point_has_exactly_one_pattern_for_any_cutoffs():
    grid = np.meshgrid(*[np.linspace(0, 1, 9)] * 4, [0, 1])
    for cutoffs in (CUTOFFS, Cutoffs(0.3, 0.3), Cutoffs(0.7, 0.7), Cutoffs(0.2, 0.2, 0.4, 0.3), Cutoffs(*[0] * 6)):
        found = classify(*grid[:4], grid[4].astype(bool), cutoffs)
        assert found.shape == (len(PATTERNS), *grid[0].shape)
        assert (found.sum(0) == 1).all()


def test_a_higher_cutoff_never_gives_more_maps_of_its_pattern():
    rng = np.random.default_rng(0)
    maps = rng.dirichlet(np.ones(3), 2000).T
    numbers = (maps[0], maps[1], rng.random(2000), rng.random(2000), True)
    for name, pattern_of in (("special", VERTICAL), ("near", DIAGONAL)):
        at = PATTERNS.index(pattern_of)
        counts = [classify(*numbers, Cutoffs(**{name: cutoff}))[at].sum() for cutoff in (0.3, 0.5, 0.7)]
        assert counts[0] > counts[1] > counts[2] > 0


# Real maps


def test_shares_of_real_maps_sum_to_one_and_equal_the_slow_derivation(public):
    folder = public(MAPS)
    sentences = json.loads((folder / "sentences.json").read_text(encoding="utf-8"))
    with np.load(folder / "attention.npz") as stored:
        maps = {name: stored[name] / 10_000 for name in stored.files}
    assert len(maps) == 40
    total = np.zeros(len(PATTERNS))
    for name, weights in maps.items():
        tokens = sentences[name]["tokens"]
        assert (tokens[0], tokens[-1]) == ("[CLS]", "[SEP]")
        found = columns(weights, single(len(tokens)))
        each = np.array([found[column] for column in PATTERN_COLUMNS])
        np.testing.assert_array_equal(each.sum(0), 1)
        total += each.sum((1, 2))
    assert total[PATTERNS.index(BLOCK)] == 0
    assert (np.delete(total, PATTERNS.index(BLOCK)) > 0).all()

    last = len(tokens) - 1
    text = slow.Text(len(tokens), frozenset({0}), frozenset({last}), frozenset(), (0,) * len(tokens))
    expected = slow.columns(weights, text)
    for column in PATTERN_COLUMNS:
        np.testing.assert_array_equal(found[column], expected[column], err_msg=column)
