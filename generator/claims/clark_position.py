"""Clark et al. 2019, section 3.1: attention by relative position."""

import numpy as np

from generator.claims.claim import Claim, part
from generator.claims.cutoffs import MAINLY, SEED
from generator.claims.evidence import Evidence
from generator.claims.numbers import Number

CLARK = "Clark et al. 2019"
LITTLE = 0.1
FEW = 0.25


def _little_to_itself(evidence: Evidence) -> Number:
    return [evidence.estimate(["attention.self"], lambda mass: (mass < LITTLE).mean((1, 2)), SEED)]


C01 = Claim(
    id="C01",
    title="Most heads attend little to the token itself",
    statement="Most heads give little of their attention to the token that attends.",
    paper=CLARK,
    section="3.1",
    measure=f"Share of heads whose mean attention to the token itself is below {LITTLE}; documents are resampled.",
    needs="text that the model can read",
    parts=(
        part("C01.1", f"the share of heads that give less than {LITTLE} to the token itself", "share", _little_to_itself),
    ),
    published=("clark.notebook.self.layer3", "clark.notebook.self.layer11", "clark.notebook.self.layer12"),
)


def _earliness(chosen: np.ndarray) -> np.ndarray:
    """Mean depth, layer / layers, of the chosen heads less that of all heads, `[draw]`; NaN where none is chosen."""
    layers = chosen.shape[1]
    depth = np.arange(1, layers + 1) / layers
    by_layer = chosen.sum(-1)
    earliness: np.ndarray = by_layer @ depth / by_layer.sum(-1) - depth.mean()
    return earliness


def _neighbour_heads(evidence: Evidence, column: str) -> Number:
    return [
        evidence.estimate([column], lambda mass: (mass > MAINLY).mean((1, 2)), SEED),
        evidence.estimate([column], lambda mass: _earliness(mass > MAINLY), SEED),
    ]


def _neighbour_claim(claim_id: str, which: str, count: str, published: tuple[str, ...]) -> Claim:
    """The two claims differ in the side only."""
    return Claim(
        id=claim_id,
        title=f"A few heads attend to the {which} token",
        statement=f"A few heads attend mainly to the {which} token, more of them in early layers.",
        paper=CLARK,
        section="3.1",
        measure=(
            f"Share of heads whose mean attention to the {which} token is above {MAINLY}; mean depth, layer / layers, "
            "of these heads less that of all heads; documents are resampled."
        ),
        needs=f"a head that attends mainly to the {which} token",
        parts=(
            part("None.1", f"the share of heads that attend mainly to the {which} token", "share", lambda evidence: _neighbour_heads(evidence, f"attention.{which}")_1),
            part("None.2", f"the depth of heads that attend mainly to the {which} token relative to all heads", "depth", lambda evidence: _neighbour_heads(evidence, f"attention.{which}")_2),
        ),
        published=published,
    )


C02 = _neighbour_claim("C02", "previous", "four", ("clark.previous.count", "clark.previous.mean_layer"))
C03 = _neighbour_claim(
    "C03", "next", "five", ("clark.next.count", "clark.next.mean_layer", "clark.notebook.next.count")
)
