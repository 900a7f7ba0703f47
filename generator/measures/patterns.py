"""The five patterns of attention maps (Kovaleva et al. 2019, section 4.1), told apart by a rule.

The paper labelled about 400 maps by hand and trained a network on their pictures; neither labels nor network were
released. The rule below replaces them: it needs four numbers of a map, so that the maps of any encoder can be classed;
its cut-offs are ours. A map gets the first class whose condition it meets; if it meets none it is heterogeneous.
"""

from dataclasses import dataclass

import numpy as np

from generator.attention.sums.primitives import Primitives
from generator.corpora.classes import ADDED
from generator.measures.measure import Counts, Measure, ratio

KOVALEVA_41 = "Kovaleva et al. 2019, section 4.1"
PATTERNS = ("vertical", "diagonal", "mixed", "block", "heterogeneous")
"""The patterns in the order in which the rule tries them; mixed is the paper's vertical + diagonal."""
PATTERN_COLUMNS = tuple(f"pattern.{name}" for name in PATTERNS)
DECIMALS = 6
"""Decimals to which numbers are rounded before they are compared, so that float32 noise decides no tie; a number that
equals a cut-off meets it.
"""


@dataclass(frozen=True)
class Cutoffs:
    """The cut-offs of the rule; all except the last are shares of attention."""

    special: float = 0.5
    """Attention to special tokens from which a map is vertical."""
    near: float = 0.5
    """Attention to neighbours from which a map is diagonal."""
    second: float = 0.25
    """A vertical or diagonal map stays below this with the other of the two; a mixed map reaches it with both."""
    together: float = 0.6
    """Sum of the two from which a map is mixed."""
    within: float = 0.8
    """Attention within the segment from which a map may be a block."""
    breadth: float = 0.7
    """Entropy from which such a map is a block, as a share of the entropy of uniform attention within the segments."""


CUTOFFS = Cutoffs()


def classify(
    special: np.ndarray,
    near: np.ndarray,
    within: np.ndarray,
    breadth: np.ndarray,
    two_segments: np.ndarray | bool,
    cutoffs: Cutoffs = CUTOFFS,
) -> np.ndarray:
    """Which pattern each map has: `[pattern, ...]`, true for exactly one of PATTERNS.

    All arguments broadcast to `[...]`. They are the shares of attention to special tokens, to neighbours that are no
    special tokens, and within the segment; the entropy as a share of that of uniform attention within segments; and
    whether the input has two segments. An undefined number meets no cut-off.

    >>> classify(np.array(0.7), np.array(0.1), np.array(0.5), np.array(0.2), True).tolist()
    [True, False, False, False, False]
    """
    special, near, within, breadth = (np.round(array, DECIMALS) for array in (special, near, within, breadth))
    conditions = np.broadcast_arrays(
        (special >= cutoffs.special) & (near < cutoffs.second),
        (near >= cutoffs.near) & (special < cutoffs.second),
        (special >= cutoffs.second)
        & (near >= cutoffs.second)
        & (np.round(special + near, DECIMALS) >= cutoffs.together),
        (within >= cutoffs.within) & (breadth >= cutoffs.breadth) & two_segments,
        True,
    )
    # The first condition that is met; the last one always is.
    first = np.argmax(np.stack(conditions), axis=0)
    chosen: np.ndarray = first == np.arange(len(PATTERNS)).reshape(-1, *(1,) * first.ndim)
    return chosen


def _special(p: Primitives, c: Counts) -> np.ndarray:
    return ratio(p.mass[..., list(ADDED)].sum((-1, -2)), c.tokens)


def _breadth(p: Primitives, c: Counts) -> np.ndarray:
    """Entropy as a share of that of uniform attention within segments, at most 1; NaN if all segments are one token."""
    sizes = c.by_segment[c.by_segment > 0]
    # Each of the n queries of a segment would have an entropy of ln n.
    return np.minimum(ratio(p.entropy.sum(-1), float(sizes @ np.log(sizes))), 1)


def _pattern(p: Primitives, c: Counts) -> np.ndarray:
    two = bool((c.by_segment > 0).sum() > 1)
    found = classify(_special(p, c), ratio(p.near, c.tokens), ratio(p.same_segment, c.tokens), _breadth(p, c), two)
    return np.moveaxis(found, 0, -1).astype(float)


NEAR = Measure(
    name="attention.near",
    title="Attention to the neighbours",
    definition=(
        "Mean over query tokens of the attention to the token itself, the one before and the one after, where these "
        "are tokens of the text."
    ),
    formula="(1/n) sum_i sum_{|j - i| <= 1, j no special token} A[i, j]",
    reference="about 3/n",
    source=f"Ours, for the diagonal pattern of {KOVALEVA_41}",
    unit="share",
    range="0 to 1",
    compute=lambda p, c: ratio(p.near, c.tokens),
    caveats=(
        "[CLS] and [SEP] are left out as keys, so that no attention counts as both special and near.",
        "A head that always looks at the previous token therefore scores (n - s)/n with s special tokens.",
    ),
)
SEGMENT_BREADTH = Measure(
    name="attention.segment_breadth",
    title="Breadth within the segment",
    definition=(
        "Mean entropy of the rows, divided by what it would be if each query attended uniformly within its own "
        "segment; at most 1."
    ),
    formula="min(1, sum_i H(A[i]) / (n_A ln n_A + n_B ln n_B))",
    reference="1",
    source=f"Ours, for the block pattern of {KOVALEVA_41}",
    unit="share",
    range="0 to 1",
    compute=_breadth,
    caveats=(
        "H is the entropy of a row; n_A and n_B are the numbers of tokens in the two segments.",
        "Attention that crosses to the other segment widens a row, too: read it beside attention within the segment.",
        "Undefined where every segment is a single token.",
    ),
)
PATTERN = Measure(
    name="pattern",
    title="Pattern of the map",
    definition=(
        "Share of inputs whose map has each of five patterns: vertical (special tokens), diagonal (neighbours), mixed "
        "(vertical and diagonal), block (broad within the segment), or heterogeneous, which is all others."
    ),
    formula=(
        f"S = special tokens, D = attention.near. vertical: S >= {CUTOFFS.special}, D < {CUTOFFS.second}; "
        f"diagonal: D >= {CUTOFFS.near}, S < {CUTOFFS.second}; "
        f"mixed: both >= {CUTOFFS.second}, S + D >= {CUTOFFS.together}; "
        f"block: two segments, within the segment >= {CUTOFFS.within}, breadth there >= {CUTOFFS.breadth}; "
        "else heterogeneous"
    ),
    reference="heterogeneous; block where one segment holds about nine tokens in ten",
    source=f"Classes: {KOVALEVA_41}; the rule and its cut-offs are ours, because the paper's labels are not released",
    unit="share",
    range="0 to 1",
    compute=_pattern,
    parts=PATTERN_COLUMNS,
    caveats=(
        "Every input's map has one pattern, so the five shares sum to one; the first condition that is met decides.",
        "The shares depend on the cut-offs: a model's page on patterns shows how they move.",
        "An input of one segment has no block. A model whose tokenizer adds no special tokens has S = 0.",
        "A purely diagonal head also attends to special tokens beside the query: with four in 16 tokens it is mixed.",
    ),
)
