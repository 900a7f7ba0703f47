"""Maps one can read at a glance, and the way from a map to its columns."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import torch

from generator.attention.batches import token_table
from generator.attention.sums.formulas import primitives
from generator.attention.sums.primitives import Primitives
from generator.attention.sums.rows import RowSums
from generator.corpora.classes import TokenClass
from generator.corpora.pairs import Input
from generator.measures import COLUMNS, compute
from generator.measures.measure import Counts
from tests import slow

BEGIN, SEPARATOR, PUNCTUATION, OTHER = TokenClass


def uniform(n: int) -> np.ndarray:
    """Every token attends to every token equally. All maps are `[query, key]`."""
    return np.full((n, n), 1 / n)


def identity(n: int) -> np.ndarray:
    """Every token attends to itself."""
    return np.eye(n)


def previous_token(n: int) -> np.ndarray:
    """Every token attends to the one before; the first, which has none, to the last."""
    return np.roll(np.eye(n), -1, axis=1)


def next_token(n: int) -> np.ndarray:
    """Every token attends to the one after; the last, which has none, to the first."""
    return np.roll(np.eye(n), 1, axis=1)


def all_to(keys: Sequence[int], n: int) -> np.ndarray:
    """Every token attends to these tokens equally."""
    row = np.zeros(n)
    row[list(keys)] = 1 / len(keys)
    return np.tile(row, (n, 1))


def random_map(n: int, seed: int = 0) -> np.ndarray:
    """Rows that sum to one, a few weights large."""
    scores = np.exp(np.random.default_rng(seed).normal(0, 2, (n, n)))
    return np.asarray(scores / scores.sum(-1, keepdims=True))


def pair(n: int, begin: bool = True, separators: bool = True, marks: Sequence[int] = ()) -> Input:
    """An input of n tokens: [CLS] A [SEP] B [SEP], of which each kind can be left out; `marks` are punctuation."""
    middle = n // 2
    classes = [OTHER] * n
    for at in marks:
        classes[at] = PUNCTUATION
    if begin:
        classes[0] = BEGIN
    if separators:
        classes[middle] = classes[-1] = SEPARATOR
    return Input("made", 1, tuple(range(n)), tuple(int(at > middle) for at in range(n)), tuple(classes))


def text_of(item: Input) -> slow.Text:
    """The same input as the slow derivation takes it."""
    kinds = (frozenset(at for at, found in enumerate(item.classes) if found == kind) for kind in range(3))
    return slow.Text(len(item), *kinds, item.segment_ids)


def observed(maps: np.ndarray, item: Input, value: torch.Tensor | None = None) -> Primitives:
    """Maps `[layer, head, query, key]` through the code that sums rows; `value` is `[layer, head, key, dim]`."""
    layers, tokens = [], token_table(item, torch.device("cpu"))
    for layer, weights in enumerate(torch.from_numpy(maps).float()):
        sums = RowSums(tokens)
        empty = weights.new_empty(*weights.shape[:-1], 0)
        sums.add(weights[None], empty[None] if value is None else value[layer][None], 0)
        gram = None if value is None else torch.eye(value.shape[-1]).expand(len(weights), -1, -1)
        layers.append(sums.finish(gram))
    return primitives(layers, tokens).numpy()[0]


def columns(maps: np.ndarray, item: Input, value: torch.Tensor | None = None) -> dict[str, np.ndarray]:
    """Every column of maps `[layer, head, query, key]`."""
    return measured(observed(maps, item, value), item)


def of_one_head(weights: np.ndarray, item: Input) -> dict[str, float]:
    """Every column of a single map `[query, key]`."""
    return {name: array.item() for name, array in columns(weights[None, None], item).items()}


def measured(primitives: Primitives, item: Input) -> dict[str, np.ndarray]:
    """Every column of an input's primitives."""
    found = compute(primitives, Counts.of(item))
    return {name: found[..., at] for at, name in enumerate(COLUMNS)}


@cache
def with_entropies() -> Mapping[str, int]:
    """Column -> which way it goes when the entropies of all rows rise: 1, -1, or 0 if it is not made of them."""
    item = pair(20, marks=(3,))
    seen = observed(random_map(20)[None, None], item, torch.ones(1, 1, 20, 2))
    more = replace(seen, entropy=1.01 * seen.entropy, row_entropy=1.01 * seen.row_entropy)
    before, after = measured(seen, item), measured(more, item)
    return {name: int(np.sign(after[name] - before[name]).item()) for name in COLUMNS}
