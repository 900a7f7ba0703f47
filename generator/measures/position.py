"""Attention by relative position and by segment (Clark et al. 2019, section 3.1)."""

from collections.abc import Callable

import numpy as np

from generator.attention.sums.primitives import REACH, Primitives
from generator.measures.measure import Counts, Measure, ratio

CLARK_31 = "Clark et al. 2019, section 3.1; formulas as in the released notebook General_Analysis, cell 5"
MISSING = "The query that has no such key counts as 0, so a head that always looks there scores (n - 1)/n."
OFFSET_COLUMNS = ("offset.before", *(f"offset.{o}" for o in range(-REACH, REACH + 1)), "offset.after")
"""The columns of the offset profile, in the order of the primitive `offsets`."""
FAR_COLUMNS = ("far.before", "far.after")
"""The columns of attention to distant words, in the order of the primitive `far`."""


def _at(offset: int) -> Callable[[Primitives, Counts], np.ndarray]:
    return lambda p, c: ratio(p.offsets[..., 1 + REACH + offset], c.tokens)


SELF = Measure(
    name="attention.self",
    title="Attention to the token itself",
    definition="Mean over query tokens of the attention to the same position.",
    formula="(1/n) sum_i A[i, i]",
    reference="1/n",
    source=CLARK_31,
    unit="share",
    range="0 to 1",
    compute=_at(0),
)
PREVIOUS = Measure(
    name="attention.previous",
    title="Attention to the previous token",
    definition="Mean over query tokens of the attention to the token just before.",
    formula="(1/n) sum_{i > 1} A[i, i - 1]",
    reference="(n - 1) / n²",
    source=CLARK_31,
    unit="share",
    range="0 to 1",
    compute=_at(-1),
    caveats=(MISSING, "The drawn legend of the paper's notebook swaps previous and next; the text is right."),
)
NEXT = Measure(
    name="attention.next",
    title="Attention to the next token",
    definition="Mean over query tokens of the attention to the token just after.",
    formula="(1/n) sum_{i < n} A[i, i + 1]",
    reference="(n - 1) / n²",
    source=CLARK_31,
    unit="share",
    range="0 to 1",
    compute=_at(1),
    caveats=(MISSING, "The drawn legend of the paper's notebook swaps previous and next; the text is right."),
)
OFFSET = Measure(
    name="offset",
    title="Offset profile",
    definition=(
        f"Mean over query tokens of the attention at each distance from the query, from {REACH} tokens before to "
        f"{REACH} after, and of all attention beyond on either side. The nineteen shares sum to one."
    ),
    formula="offset.k = (1/n) sum_i A[i, i + k]",
    reference="(n - |k|) / n²",
    source=CLARK_31 + ", which keeps offsets -1, 0 and 1; the wider profile is ours",
    unit="share",
    range="0 to 1",
    compute=lambda p, c: ratio(p.offsets, c.tokens),
    parts=OFFSET_COLUMNS,
    caveats=(
        "Queries that have no such key count as 0, so a head that always looks k tokens away scores (n - |k|)/n.",
        "Negative offsets are tokens before the query; offset.before and offset.after are sums over many positions.",
    ),
)
FAR = Measure(
    name="far",
    title="Attention to distant words",
    definition=(
        f"Mean over query tokens of the attention to tokens of the text more than {REACH} places before the query, and "
        f"more than {REACH} places after it."
    ),
    formula=f"(1/n) sum_i sum_{{|j - i| > {REACH}, j no special token}} A[i, j], for j before i and for j after i",
    reference=f"number of such pairs / n²; nearly (n - {REACH})² / 2n² on each side",
    source="Ours, to tell words far away from special tokens far away",
    unit="share",
    range="0 to 1",
    compute=lambda p, c: ratio(p.far, c.tokens),
    parts=FAR_COLUMNS,
    caveats=(
        "[CLS] and [SEP] are left out as keys; they have measures of their own.",
        f"The first {REACH} tokens of an input have nothing far before them, its last {REACH} nothing far after them.",
    ),
)
SAME_SEGMENT = Measure(
    name="attention.same_segment",
    title="Attention within the segment",
    definition=(
        "Mean over query tokens of the attention that stays in the query's own segment; the rest crosses to the other."
    ),
    formula="(1/n) sum_i sum_{j in segment of i} A[i, j]; cross-segment attention is one minus this",
    reference="(n_A² + n_B²) / n²",
    source="Ours, for the block pattern of Kovaleva et al. 2019, section 4.1",
    unit="share",
    range="0 to 1",
    compute=lambda p, c: ratio(p.same_segment, c.tokens),
    caveats=(
        "As in BERT's own segment ids, [CLS] and the first [SEP] belong to the first segment.",
        "A head that only looks at the last [SEP] therefore scores the share of the second segment.",
    ),
)
