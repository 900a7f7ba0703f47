"""Attention to and from special tokens and punctuation (Clark et al. 2019, section 3.2 and Figure 2)."""

from collections.abc import Callable

import numpy as np

from generator.attention.sums.primitives import Primitives
from generator.corpora.classes import TokenClass
from generator.measures.measure import Counts, Measure, ratio, where_added

CLARK_32 = "Clark et al. 2019, section 3.2; formulas as in the released notebook General_Analysis, cell 5"
ALL_ROWS = "Every token counts as a query, special tokens included; padding never does."
NO_BEGIN = "Undefined for models whose tokenizer puts no token such as [CLS] first."
NO_SEPARATOR = "Undefined for models whose tokenizer adds no token such as [SEP]."


def _to(kind: TokenClass) -> Callable[[Primitives, Counts], np.ndarray]:
    return lambda p, c: where_added(kind, ratio(p.mass[..., kind].sum(-1), c.tokens), c)


def _separators_to_separators(p: Primitives, c: Counts) -> np.ndarray:
    return ratio(p.mass[..., TokenClass.SEPARATOR, TokenClass.SEPARATOR], c.by_class[TokenClass.SEPARATOR])


def _others_to_separators(p: Primitives, c: Counts) -> np.ndarray:
    separators = c.by_class[TokenClass.SEPARATOR]
    to_separators = p.mass[..., TokenClass.SEPARATOR]
    others = to_separators.sum(-1) - to_separators[..., TokenClass.SEPARATOR]
    # Undefined, not 0, where there is no separator to look at.
    return ratio(others, (c.tokens - separators) if separators else 0)


TO_BEGIN = Measure(
    name="attention.cls",
    title="Attention to [CLS]",
    definition="Mean over query tokens of the attention to [CLS], or whatever the tokenizer puts first, such as <s>.",
    formula="(1/n) sum_i A[i, begin]",
    reference="1/n",
    source=CLARK_32,
    unit="share",
    range="0 to 1",
    compute=_to(TokenClass.BEGIN),
    caveats=(ALL_ROWS, NO_BEGIN),
)
TO_SEPARATOR = Measure(
    name="attention.sep",
    title="Attention to [SEP]",
    definition="Mean over query tokens of the attention to all [SEP], or all </s>, of an input together.",
    formula="(1/n) sum_i sum_{j in SEP} A[i, j]",
    reference="number of [SEP] / n",
    source=CLARK_32,
    unit="share",
    range="0 to 1",
    compute=_to(TokenClass.SEPARATOR),
    caveats=(
        ALL_ROWS,
        NO_SEPARATOR,
        "The weights on all [SEP] are added up; a measure that takes only the larger of two is lower.",
    ),
)
TO_PUNCTUATION = Measure(
    name="attention.punctuation",
    title="Attention to periods and commas",
    definition='Mean over query tokens of the attention to tokens that are exactly "." or ",".',
    formula='(1/n) sum_i sum_{j is "." or ","} A[i, j]',
    reference="number of periods and commas / n",
    source=CLARK_32,
    unit="share",
    range="0 to 1",
    compute=_to(TokenClass.PUNCTUATION),
    caveats=(ALL_ROWS, "Zero for a text without periods and commas. Other punctuation is not counted."),
)
TO_OTHER = Measure(
    name="attention.other",
    title="Attention to all other tokens",
    definition="Mean over query tokens of the attention to everything but [CLS], [SEP], periods and commas.",
    formula="(1/n) sum_i sum_{j other} A[i, j]",
    reference="number of other tokens / n",
    source="Ours: what the three measures above leave",
    unit="share",
    range="0 to 1",
    compute=_to(TokenClass.OTHER),
    caveats=(ALL_ROWS,),
)
SEPARATOR_TO_SEPARATOR = Measure(
    name="attention.sep_to_sep",
    title="[SEP] to [SEP]",
    definition="Attention that [SEP] gives to [SEP], itself included: mean over all [SEP] as queries.",
    formula="(1/|SEP|) sum_{i in SEP} sum_{j in SEP} A[i, j]",
    reference="number of [SEP] / n",
    source=CLARK_32,
    unit="share",
    range="0 to 1",
    compute=_separators_to_separators,
    caveats=(NO_SEPARATOR, "The released code divides by 2; we divide by the number of [SEP] that are there."),
)
OTHER_TO_SEPARATOR = Measure(
    name="attention.other_to_sep",
    title="Other tokens to [SEP]",
    definition="Attention that all tokens but [SEP] give to [SEP]: mean over those queries.",
    formula="(1/(n - |SEP|)) sum_{i not in SEP} sum_{j in SEP} A[i, j]",
    reference="number of [SEP] / n",
    source=CLARK_32,
    unit="share",
    range="0 to 1",
    compute=_others_to_separators,
    caveats=(NO_SEPARATOR, "[CLS] counts among the other tokens."),
)
