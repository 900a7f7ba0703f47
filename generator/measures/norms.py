"""What a head writes, not only where it looks (Kobayashi et al. 2020, section 2)."""

from generator.corpora.classes import TokenClass
from generator.measures.measure import Measure, where_added

KOBAYASHI = "Kobayashi et al. 2020, sections 2 and 4; dividing by the total is ours"
PROJECTIONS = "the model's value and output projections"
"""What norms need besides maps."""
CAVEATS = (
    "f(x) = (x W_V + b_V) W_O with this head's slice of W_O; the bias of W_O belongs to no head and is left out.",
    "A share: the sum for the class divided by the sum for all tokens, so the four classes sum to one.",
    "The uniform reference gives every token the same weight and the same norm.",
    "Undefined where the output projection of the model cannot be identified.",
)


def _norm(kind: TokenClass, name: str, whose: str) -> Measure:
    return Measure(
        name=name,
        title=f"Contribution of {whose}",
        definition=(
            f"How much of what the head adds comes from {whose}: the norms of weight times transformed vector, as a "
            "share of their sum over all tokens."
        ),
        formula="sum_i sum_{j in class} ||A[i, j] f(x_j)|| / sum_i sum_j ||A[i, j] f(x_j)||",
        reference="tokens of the class / n",
        source=KOBAYASHI,
        unit="share",
        range="0 to 1",
        compute=lambda p, c: where_added(kind, p.norm[..., kind] / p.norm.sum(-1), c),
        caveats=CAVEATS,
    )


NORM_BEGIN = _norm(TokenClass.BEGIN, "norm.cls", "[CLS]")
NORM_SEPARATOR = _norm(TokenClass.SEPARATOR, "norm.sep", "[SEP]")
NORM_PUNCTUATION = _norm(TokenClass.PUNCTUATION, "norm.punctuation", "periods and commas")
NORM_OTHER = _norm(TokenClass.OTHER, "norm.other", "all other tokens")
NORMS = (NORM_BEGIN, NORM_SEPARATOR, NORM_PUNCTUATION, NORM_OTHER)
