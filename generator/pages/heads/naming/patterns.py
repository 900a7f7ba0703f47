"""What pattern the maps of a head have, in words (Kovaleva et al. 2019)."""

from collections.abc import Mapping

import numpy as np

from generator.claims.cutoffs import MAINLY
from generator.claims.gate.maps import PATTERN, Measured
from generator.claims.gate.statement import Statement
from generator.measures.patterns import CUTOFFS
from generator.numbers.number import alone
from generator.numbers.writing import listed, percent
from generator.pages.heads.naming.trait import SUPPORTED, Trait

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


def pattern_told(one: Statement, of: Measured, names: Mapping[str, str] | None = None) -> Trait:
    """What names a head that is said to have a pattern; `names` are those of special tokens by kind."""
    title, meaning = NAMED[one.about.removeprefix("pattern.")]
    words = [(names or {}).get(kind, word) for kind, word, name in SPECIAL if not np.isnan(of.values[name].value)]
    told = {"special": listed(words), "both": ", ".join(words)}
    share, uniform = of.values[one.about], of.uniform[one.about]
    others = percent(alone(uniform)) if uniform else "none"
    return Trait(
        PATTERN,
        title.format(**told),
        f"{percent(share, against=(MAINLY,))} of its maps are {meaning.format(**told)}; with uniform attention, "
        f"{others} would be.",
        f"{SUPPORTED}: counted on {share.n} documents, none held out; an interval that allows for all {of.heads} heads "
        "lies above one half and above uniform attention.",
        share.value,
        f"{share.n} documents",
    )
