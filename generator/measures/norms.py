"""What a head writes, not only where it looks (Kobayashi et al. 2020, section 2)."""

from collections.abc import Callable, Mapping

import numpy as np

from generator.attention.primitives import Primitives
from generator.corpora.classes import TokenClass
from generator.measures.measure import Counts, Measure

KOBAYASHI = "Kobayashi et al. 2020, sections 2 and 4"
CAVEATS = (
    "f(x) = (x W_V + b_V) W_O with this head's slice of W_O; the bias of W_O belongs to no head and is left out.",
    "A share: the sum for the class divided by the sum for all tokens, so the four classes sum to one.",
    "The uniform reference gives every token the same weight and the same norm.",
    "Undefined where the output projection of the model cannot be identified.",
)


def _share(kind: TokenClass, column: str) -> Callable[[Primitives, Counts], Mapping[str, np.ndarray]]:
    def compute(p: Primitives, c: Counts) -> Mapping[str, np.ndarray]:
        share = p.norm[..., kind] / p.norm.sum(-1)
        absent = kind in (TokenClass.BEGIN, TokenClass.SEPARATOR) and not c.by_class[kind]
        return {column: np.full_like(share, np.nan) if absent else share}

    return compute


def _norm(kind: TokenClass, column: str, whose: str) -> Measure:
    return Measure(
        name=column,
        title=f"Contribution of {whose}",
        definition=f"Share of what the head adds, counted as norms of weight times transformed vector, due to {whose}.",
        formula="sum_i sum_{j in class} ||A[i, j] f(x_j)|| / sum_i sum_j ||A[i, j] f(x_j)||",
        uniform="tokens of the class / n",
        source=KOBAYASHI,
        unit="share",
        compute=_share(kind, column),
        columns=(column,),
        caveats=CAVEATS,
    )


NORM_BEGIN = _norm(TokenClass.BEGIN, "norm.cls", "the begin token")
NORM_SEPARATOR = _norm(TokenClass.SEPARATOR, "norm.sep", "the separators")
NORM_PUNCTUATION = _norm(TokenClass.PUNCTUATION, "norm.punctuation", "periods and commas")
NORM_OTHER = _norm(TokenClass.OTHER, "norm.other", "all other tokens")
