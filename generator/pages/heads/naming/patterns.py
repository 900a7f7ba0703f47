"""Heads that are named for the pattern of their maps (Kovaleva et al. 2019).

A pattern names a head if the interval of its share of the maps, widened so that the intervals of all heads of the model
hold together, lies above one half and above the share that maps of uniform attention have on the same text. At least as
many documents must have been read as a claim asks for. Heterogeneous is no pattern: it is what the others leave.
"""

from collections.abc import Mapping

import numpy as np

from generator.claims.bounds import fewest
from generator.claims.cutoffs import MAINLY
from generator.measures.patterns import CUTOFFS
from generator.numbers.number import UNDEFINED, Number, alone
from generator.numbers.resampling import with_width
from generator.numbers.simultaneous import widened
from generator.numbers.writing import listed, percent
from generator.pages.heads.naming.trait import SUPPORTED, Trait

KIND = "pattern"
FEWEST = fewest("documents")
SPECIAL = (("begin", "[CLS]", "attention.cls"), ("separator", "[SEP]", "attention.sep"))
"""Kind of a special token, what it is called, and the measure that is undefined where there is none."""
NEIGHBOURS = "neighbouring tokens"
HALF, NEAR, EACH, WITHIN = (
    percent(alone(one)) for one in (CUTOFFS.special, CUTOFFS.near, CUTOFFS.second, CUTOFFS.within)
)
NAMED = {
    "vertical": ("looks at {special}", f"vertical: at least {HALF} of the attention goes to {{special}}"),
    "diagonal": (
        f"looks at {NEIGHBOURS}",
        f"diagonal: at least {NEAR} of the attention goes to the token itself and those beside it",
    ),
    "mixed": (
        f"looks at {{both}} and {NEIGHBOURS}",
        f"mixed: at least {EACH} of the attention goes to {{special}}, and as much to {NEIGHBOURS}",
    ),
    "block": (
        "looks all around its own segment",
        f"blocks: at least {WITHIN} of the attention stays within the segment, spread widely",
    ),
}
"""Pattern -> the words after the name of the head, and what its maps are."""


def pattern_of(
    values: Mapping[str, Number], uniform: Mapping[str, float], heads: int, names: Mapping[str, str] | None = None
) -> Trait | None:
    """The pattern that surely most maps of a head have, of a model with so many heads; None if there is none.

    `values` and `uniform` are by column, `names` are those of special tokens by kind.
    """
    for pattern, (title, meaning) in NAMED.items():
        column = f"pattern.{pattern}"
        share = values.get(column, UNDEFINED)
        if share.n >= FEWEST and share.value > MAINLY and _sure(share, heads) > max(MAINLY, uniform[column]):
            words = [(names or {}).get(kind, word) for kind, word, of in SPECIAL if not np.isnan(values[of].value)]
            told = {"special": listed(words), "both": ", ".join(words)}
            others = percent(alone(uniform[column])) if uniform[column] else "none"
            return Trait(
                KIND,
                title.format(**told),
                f"{percent(share, against=(MAINLY,))} of its maps are {meaning.format(**told)}; with uniform "
                f"attention, {others} would be.",
                f"{SUPPORTED}: counted on {share.n} documents, none held out; an interval that allows for all {heads} "
                "heads lies above one half and above uniform attention.",
                share.value,
                f"{share.n} documents",
            )
    return None


def _sure(share: Number, heads: int) -> float:
    """The lower end of an interval that holds for all heads at once; it has a width even if all maps are alike."""
    spread = with_width(Number(*(np.array([part]) for part in share)), [0.0]).at(0)
    return widened(spread, heads).low
