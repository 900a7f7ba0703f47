"""Clark et al. 2019, section 3.1: attention by relative position."""

from functools import partial

import numpy as np

from generator.claims.bounds import cutoff, fewest
from generator.claims.claim import Claim, part
from generator.claims.cutoffs import MAINLY, SEED
from generator.claims.evidence.evidence import UNIFORM, Evidence
from generator.claims.gate.premises import Null
from generator.claims.missing import NotTestable
from generator.numbers.number import Number
from generator.numbers.resampling import mean_over

CLARK = "Clark et al. 2019"
LITTLE = cutoff("little")
FEW_HEADS = int(cutoff("few-heads"))
"""How many heads that attend to a neighbour "a few heads" means, at least."""


def _little_to_itself(evidence: Evidence) -> Number:
    return evidence.share_of_heads(["attention.self"], lambda mass: mass < LITTLE, SEED)


def _little_by_chance(evidence: Evidence) -> Number:
    """The share of heads that would give little to the token itself if all attention were uniform: all, or none."""
    return evidence.estimate([f"{UNIFORM}attention.self"], lambda mass: (mass < LITTLE).mean((1, 2)), SEED)


C01 = Claim(
    id="C01",
    title="Most heads attend little to the token itself",
    statement="Most heads give little of their attention to the token that attends.",
    paper=CLARK,
    section="3.1",
    measure=(
        f"Share of heads whose mean attention to the token itself is below {LITTLE}; documents are resampled, and "
        "Wilson's interval over heads is added. Where uniform attention gives as little, nothing is judged."
    ),
    needs="text that the model can read, short enough for uniform attention to give a token a tenth of itself",
    parts=(
        part(
            "C01.2",
            f"the share of heads that give less than {LITTLE} to the token itself",
            "share",
            _little_to_itself,
            over="heads",
            null=Null("uniform attention", _little_by_chance),
        ),
    ),
    published=("clark.notebook.self.layer3", "clark.notebook.self.layer11", "clark.notebook.self.layer12"),
    measures=("attention.self",),
    which="with little attention to the token itself",
)


def _depths(layers: int) -> np.ndarray:
    """The depth of each layer, layer / layers, minus the mean depth."""
    depth = np.arange(1, layers + 1) / layers
    return depth - depth.mean()


def _earliness(chosen: np.ndarray) -> np.ndarray:
    """Mean depth of the chosen heads minus that of all heads, `[draw]`; NaN where none is chosen."""
    by_layer = chosen.sum(-1)
    with np.errstate(invalid="ignore"):
        earliness: np.ndarray = by_layer @ _depths(chosen.shape[1]) / by_layer.sum(-1)
    return earliness


def _second_strongest(evidence: Evidence, column: str) -> Number:
    def strongest(mass: np.ndarray) -> np.ndarray:
        ordered: np.ndarray = np.sort(mass.reshape(len(mass), -1), axis=1)[:, -FEW_HEADS]
        return ordered

    if evidence.layers * evidence.heads < FEW_HEADS:
        raise NotTestable(f"the model has fewer than {FEW_HEADS} heads")
    mean = evidence.mean(column)
    # What takes draws gets the mean as a single one.
    evidence.name(mean >= strongest(mean[None]))
    return evidence.estimate([column], strongest, SEED)


def _share(evidence: Evidence, column: str) -> Number:
    return evidence.share_of_heads([column], lambda mass: mass > MAINLY, SEED)


def _depth(evidence: Evidence, column: str) -> Number:
    chosen = evidence.mean(column) > MAINLY
    evidence.name(chosen)
    if not chosen.any():
        raise NotTestable("no head attends mainly there, so none has a depth")
    found = evidence.estimate([column], lambda mass: _earliness(mass > MAINLY), SEED, heads=True)
    depths = _depths(evidence.layers)
    few = mean_over(np.repeat(depths, chosen.sum(-1)), depths.min(), depths.max())
    return Number(found.value, float(np.fmin(found.low, few.low)), float(np.fmax(found.high, few.high)), few.n)


def _neighbour_claim(claim_id: str, which: str, second: str, published: tuple[str, ...]) -> Claim:
    """A claim about attention to one neighbour; the two claims differ only in the side.

    `second` is the key of the published attention of the second strongest head.
    """
    column = f"attention.{which}"
    return Claim(
        id=claim_id,
        title=f"A few heads attend to the {which} token",
        statement=f"A few heads attend mainly to the {which} token, more of them in early layers.",
        paper=CLARK,
        section="3.1",
        measure=(
            f"The second highest mean attention that a head gives to the {which} token; the share of heads that give "
            f"it more than {MAINLY}; and the mean depth, layer / layers, of these heads minus that of all heads. "
            "Documents are resampled; for the share Wilson's interval over heads is added, for the depth the heads of "
            "every layer are resampled as well, and Student's interval over the few that count is added."
        ),
        needs=f"heads that attend mainly to the {which} token, at least {fewest('heads')} to speak of their depth",
        parts=(
            part(
                f"{claim_id}.3",
                f"the attention of the second strongest head to the {which} token",
                "share",
                partial(_second_strongest, column=column),
            ),
            part(
                f"{claim_id}.4",
                f"the share of heads that attend mainly to the {which} token",
                "share",
                partial(_share, column=column),
                over="heads",
            ),
            part(
                f"{claim_id}.5",
                f"the mean depth of heads that attend mainly to the {which} token minus that of all heads",
                "depth",
                partial(_depth, column=column),
                over="heads",
            ),
        ),
        published=(second, *published),
        comparable=(second,),
        measures=(column,),
        which=f"with the most attention to the {which} token",
    )


C02 = _neighbour_claim(
    "C02", "previous", "clark.notebook.previous.layer7", ("clark.previous.count", "clark.previous.mean_layer")
)
C03 = _neighbour_claim(
    "C03",
    "next",
    "clark.notebook.next.layer6",
    ("clark.next.count", "clark.next.mean_layer", "clark.notebook.next.count"),
)

CLAIMS = (C01, C02, C03)
