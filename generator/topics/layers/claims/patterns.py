"""Kovaleva et al. 2019, section 4.1: five classes of maps."""

import numpy as np

from generator.claims.claim import Claim, of_tasks, part
from generator.claims.cutoffs import SEED
from generator.claims.evidence.evidence import Evidence
from generator.claims.gate.premises import two_parts
from generator.claims.kovaleva.attention import KOVALEVA
from generator.claims.missing import Impossible
from generator.claims.nameless import NOT_TUNED, OF_ALL
from generator.measures.patterns import PATTERN
from generator.numbers.number import Number
from generator.numbers.simultaneous import greatest_of, least_of
from generator.topics.tasks.claims.learned import tuned_copies

CLASSES = PATTERN.parts
HETEROGENEOUS = "pattern.heterogeneous"


def _blocks_possible(evidence: Evidence) -> None:
    if not two_parts(evidence):
        raise Impossible("a block is attention within one of two parts, and single sentences were read")


def _rarest(evidence: Evidence) -> Number:
    def share(*classes: np.ndarray) -> np.ndarray:
        rarest: np.ndarray = np.stack([array.mean((1, 2)) for array in classes]).min(0)
        return rarest

    return evidence.estimate(CLASSES, share, SEED)


def in_commonest(evidence: Evidence, *, heads: bool = False) -> Number:
    """The share of a head's maps that belong to its commonest class, mean over heads.

    The interval resamples heads too if `heads`. Raises NotTestable if a class is undefined.
    """

    def share(*classes: np.ndarray) -> np.ndarray:
        own: np.ndarray = np.stack(classes).max(0).mean((1, 2))
        return own

    return evidence.estimate(CLASSES, share, SEED, heads=heads)


def _kept(evidence: Evidence) -> Number:
    return in_commonest(evidence, heads=True)


K01 = Claim(
    id="K01",
    title="Maps fall into five classes",
    statement="Attention maps fall into five recurring classes: vertical, diagonal, both, block and heterogeneous.",
    paper=KOVALEVA,
    section="4.1",
    measure=(
        "Share of the maps of all heads and inputs that fall into the rarest of the five classes, by a rule on each "
        "map; documents are resampled. The share of a head's maps that are of the head's commonest class, mean over "
        "heads; documents and heads are resampled. The paper labels maps by hand and trains a network."
    ),
    needs="text that the model can read as pairs",
    parts=(
        part(
            "K01.3",
            "the share of maps in the rarest of the five classes",
            "share",
            _rarest,
            premises=(_blocks_possible,),
        ),
        part("K01.4", "the share of a head's maps in its commonest class", "share", _kept, heads=True),
    ),
    published=("kovaleva.patterns.vertical", "kovaleva.patterns.f1"),
    measures=("pattern", "attention.same_segment"),
    nameless="it counts the maps of all heads",
)


def _shares(evidence: Evidence) -> list[Number]:
    """The share of heterogeneous maps, on its task, of every fine-tuned copy that learned its task."""
    return [evidence.fact(study, f"other.{HETEROGENEOUS}", task) for study, task in tuned_copies(evidence)]


def _lowest_share(evidence: Evidence) -> Number:
    return least_of(_shares(evidence))


def _highest_share(evidence: Evidence) -> Number:
    return greatest_of(_shares(evidence))


K02 = Claim(
    id="K02",
    title="Heterogeneous maps are at most a third to three fifths",
    statement="Maps without a distinct structure are at most 32 % (MRPC) to 61 % (QQP), depending on the task.",
    paper=KOVALEVA,
    section="4.1",
    measure=(
        "Share of the maps of a fine-tuned checkpoint on its task that the rule leaves heterogeneous, mean over heads, "
        "the lowest and the highest among the tasks that were learned. Examples are resampled; intervals allow for all "
        "tasks. The paper's 32 % (MRPC) and 61 % (QQP) are upper bounds."
    ),
    needs="fine-tuned checkpoints beside the pre-trained one: fieldguide finetune, then fieldguide compare",
    parts=(
        of_tasks(
            "least",
            part(
                "K02.3", "the lowest share of heterogeneous maps among tasks", "share", _lowest_share, over="examples"
            ),
        ),
        of_tasks(
            "greatest",
            part(
                "K02.4", "the highest share of heterogeneous maps among tasks", "share", _highest_share, over="examples"
            ),
        ),
    ),
    published=("kovaleva.patterns.heterogeneous_mrpc", "kovaleva.patterns.heterogeneous_qqp"),
    numbers=(
        "compare/copy",
        "compare/other.pattern.heterogeneous",
        "compare/score*",
    ),
    nameless=OF_ALL,
    unfollowed=NOT_TUNED,
)

CLAIMS = (K01, K02)
