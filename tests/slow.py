"""A second derivation of every column, by loops over one head's map, written from the papers and not from our code.

Nothing of `generator` is imported here. A map is `A[query][key]`, each row the attention one token gives. What the
tokens are is worked out from the tokenizer's special ids and from its pieces; a head's transformed values `f(x)` are
formed as the hidden-sized vectors they are. Everything is float64, and what is undefined is NaN.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Map = Sequence[Sequence[float]]
REACH = 8


@dataclass(frozen=True)
class Text:
    """Where the special tokens and the punctuation of one input stand, and the segment of every token."""

    tokens: int
    begin: frozenset[int]
    separators: frozenset[int]
    punctuation: frozenset[int]
    segment: tuple[int, ...]

    @property
    def others(self) -> frozenset[int]:
        """What is left."""
        return frozenset(range(self.tokens)) - self.begin - self.separators - self.punctuation


def text_of(tokenizer: Any, ids: Sequence[int], begins: bool) -> Text:
    """Read an input whose own text holds no special tokens; `begins` says whether a begin token is put first."""
    begin = {0} if begins else set()
    ends = {tokenizer.sep_token_id, tokenizer.eos_token_id} - {None}
    separators = {at for at, token in enumerate(ids) if token in ends and at not in begin}
    pieces = tokenizer.convert_ids_to_tokens(list(ids))
    marks = {at for at, piece in enumerate(pieces) if piece.lstrip("Ġ▁") in (".", ",")}
    first_end = min(separators, default=len(ids))
    return Text(
        tokens=len(ids),
        begin=frozenset(begin),
        separators=frozenset(separators),
        punctuation=frozenset(marks),
        segment=tuple(int(at > first_end) for at in range(len(ids))),
    )


def columns(maps: np.ndarray, text: Text, vectors: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """Every column, each `[layer, head]`, from maps `[layer, head, query, key]`.

    `vectors`, `[layer, head, key, hidden]`, are the transformed values; without them the norms are NaN.
    """
    layers, heads = maps.shape[:2]
    found: dict[str, np.ndarray] = {}
    for layer in range(layers):
        for head in range(heads):
            weights = maps[layer, head].astype(np.float64).tolist()
            values = of_head(weights, text) | norms(weights, text, None if vectors is None else vectors[layer, head])
            for name, value in values.items():
                found.setdefault(name, np.full((layers, heads), math.nan))[layer, head] = value
    return found


def derived() -> tuple[str, ...]:
    """The names of all columns that are derived here."""
    nothing = frozenset[int]()
    return tuple(columns(np.ones((1, 1, 1, 1)), Text(1, nothing, nothing, nothing, (0,))))


def of_head(a: Map, text: Text) -> dict[str, float]:
    """The columns that need only weights (Clark et al. 2019, sections 3.1 to 3.3; Xiao et al. 2023)."""
    n, everyone = text.tokens, range(text.tokens)
    sep, rest = sorted(text.separators), [i for i in everyone if i not in text.separators]
    begin = sorted(text.begin)

    def from_to(queries: Sequence[int], keys: Sequence[int]) -> float:
        return mean([sum(a[i][j] for j in keys) for i in queries])

    found = {
        "attention.cls": from_to(everyone, begin) if begin else math.nan,
        "attention.sep": from_to(everyone, sep) if sep else math.nan,
        "attention.punctuation": from_to(everyone, sorted(text.punctuation)),
        "attention.other": from_to(everyone, [j for j in everyone if j not in {*begin, *sep, *text.punctuation}]),
        "attention.self": at_offset(a, lambda distance: distance == 0),
        "attention.previous": at_offset(a, lambda distance: distance == -1),
        "attention.next": at_offset(a, lambda distance: distance == 1),
        "attention.sep_to_sep": from_to(sep, sep) if sep else math.nan,
        "attention.other_to_sep": from_to(rest, sep) if sep else math.nan,
        "attention.same_segment": mean(
            [sum(a[i][j] for j in everyone if text.segment[i] == text.segment[j]) for i in everyone]
        ),
        "attention.max": mean([max(row) for row in a]),
        "entropy.all": mean([entropy(row) for row in a]),
        "entropy.cls": mean([entropy(a[i]) for i in begin]),
        "sink.mass": max(sum(a[i][j] for i in everyone) / n for j in everyone),
        "offset.before": at_offset(a, lambda distance: distance < -REACH),
        "offset.after": at_offset(a, lambda distance: distance > REACH),
    }
    words = [j for j in everyone if j not in {*begin, *sep}]
    found["far.before"] = mean([sum(a[i][j] for j in words if j < i - REACH) for i in everyone])
    found["far.after"] = mean([sum(a[i][j] for j in words if j > i + REACH) for i in everyone])
    found |= patterns(a, text)
    for offset in range(-REACH, REACH + 1):
        found[f"offset.{offset}"] = at_offset(a, lambda distance, offset=offset: distance == offset)
    return found


def patterns(a: Map, text: Text) -> dict[str, float]:
    """The five patterns (Kovaleva et al. 2019, section 4.1) by the rule that stands in for the paper's network."""
    n, everyone = text.tokens, range(text.tokens)
    added = text.begin | text.separators
    special = mean([sum(a[i][j] for j in added) for i in everyone])
    near = mean([sum(a[i][j] for j in (i - 1, i, i + 1) if 0 <= j < n and j not in added) for i in everyone])
    within = mean([sum(a[i][j] for j in everyone if text.segment[i] == text.segment[j]) for i in everyone])
    widest = mean([math.log(text.segment.count(text.segment[i])) for i in everyone])
    breadth = min(mean([entropy(row) for row in a]) / widest, 1) if widest else math.nan
    found = {"attention.near": near, "attention.segment_breadth": breadth}
    special, near, within = (round(share, 6) for share in (special, near, within))
    if special >= 0.5 and near < 0.25:
        pattern = "vertical"
    elif near >= 0.5 and special < 0.25:
        pattern = "diagonal"
    elif special >= 0.25 and near >= 0.25 and round(special + near, 6) >= 0.6:
        pattern = "mixed"
    elif len(set(text.segment)) == 2 and within >= 0.8 and not math.isnan(breadth) and round(breadth, 6) >= 0.7:
        pattern = "block"
    else:
        pattern = "heterogeneous"
    classes = ("vertical", "diagonal", "mixed", "block", "heterogeneous")
    return found | {f"pattern.{name}": float(name == pattern) for name in classes}


def norms(a: Map, text: Text, vectors: np.ndarray | None) -> dict[str, float]:
    """Shares of `sum ||A[i, j] f(x_j)||` (Kobayashi et al. 2020), one vector for each query and key."""
    groups = {"cls": text.begin, "sep": text.separators, "punctuation": text.punctuation, "other": text.others}
    if vectors is None:
        return {f"norm.{name}": math.nan for name in groups}
    everyone = range(text.tokens)
    size = [[float(np.linalg.norm(a[i][j] * vectors[j])) for j in everyone] for i in everyone]
    whole = sum(map(sum, size))
    shares = {name: sum(size[i][j] for i in everyone for j in keys) / whole for name, keys in groups.items()}
    absent = [name for name in ("cls", "sep") if not groups[name]]
    return {f"norm.{name}": math.nan if name in absent else share for name, share in shares.items()}


def transformed(states: np.ndarray, value: np.ndarray, bias: np.ndarray, output: np.ndarray, heads: int) -> np.ndarray:
    """`f(x) = (x W_V + b_V) W_O` of every head, `[head, token, hidden]`.

    `states` is `[token, hidden]`; `value` and `output` are weights as a linear module keeps them, `[out, in]`.
    """
    dim = value.shape[0] // heads
    vectors = []
    for head in range(heads):
        own = slice(head * dim, (head + 1) * dim)
        vectors.append((states @ value[own].T + bias[own]) @ output[:, own].T)
    return np.stack(vectors)


def smoothed(maps: np.ndarray, share: float) -> np.ndarray:
    """`(1 - s) A + s / n`, as Clark et al.'s notebook has it before it takes entropies."""
    return (1 - share) * maps.astype(np.float64) + share / maps.shape[-1]


def at_offset(a: Map, wanted: Callable[[int], bool]) -> float:
    """Mean over all queries of the attention to keys at a wanted distance; a query without such a key counts as 0."""
    n = len(a)
    return sum(a[i][j] for i in range(n) for j in range(n) if wanted(j - i)) / n


def entropy(row: Sequence[float]) -> float:
    """In nats."""
    return -sum(weight * math.log(weight) for weight in row if weight > 0)


def mean(values: Sequence[float]) -> float:
    """NaN of nothing."""
    return sum(values) / len(values) if values else math.nan


def difference(found: Mapping[str, np.ndarray], expected: Mapping[str, np.ndarray]) -> dict[str, float]:
    """Largest difference per derived column; infinite where one is undefined and the other is not."""
    assert set(expected) <= set(found)
    far = {}
    for name, values in expected.items():
        undefined = np.isnan(values)
        same = found[name].shape == values.shape and bool((np.isnan(found[name]) == undefined).all())
        gap = np.abs(np.where(undefined, 0, found[name] - values)).max() if same else math.inf
        far[name] = float(gap)
    return far
