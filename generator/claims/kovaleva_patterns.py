"""Kovaleva et al. 2019, section 4.1: five classes of maps."""

import numpy as np

from generator.claims.claim import Claim, part
from generator.claims.cutoffs import SEED
from generator.claims.evidence import Evidence
from generator.claims.kovaleva import KOVALEVA
from generator.claims.numbers import Number, mean_of, total
from generator.claims.tasks import highest, lowest
from generator.measures.patterns import PATTERN

CLASSES = PATTERN.parts
HETEROGENEOUS = "pattern.heterogeneous"
RECURS = 0.01
"""Share of all maps from which a class counts as recurring."""


def _five_classes(evidence: Evidence) -> Number:
    def recurring(*shares: np.ndarray) -> np.ndarray:
        return np.stack([share.mean((1, 2)) >= RECURS for share in shares]).sum(0)

    def kept(*shares: np.ndarray) -> np.ndarray:
        own: np.ndarray = np.stack(shares).max(0).mean((1, 2))
        return own

    return [evidence.estimate(CLASSES, recurring, SEED), evidence.estimate(CLASSES, kept, SEED)]


_five_classes_1, _five_classes_2 = (lambda e, k=k: _five_classes(e)[k] for k in range(2))  # STUB


K01 = Claim(
    id="K01",
    title="Maps fall into five classes",
    statement="Attention maps fall into five recurring classes: vertical, diagonal, both, block and heterogeneous.",
    paper=KOVALEVA,
    section="4.1",
    measure=(
        f"Classes that at least a share of {RECURS} of the maps of all heads and inputs fall into, by a rule on each "
        "map, and the share of a head's maps that are of the head's commonest class, mean over heads; documents are "
        "resampled. The paper labels maps by hand and trains a network."
    ),
    needs="text that the model can read as pairs",
    parts=(
        part("K01.1", "the number of classes that recur", "classes", _five_classes_1),
        part("K01.2", "the share of a head's maps in its commonest class", "share", _five_classes_2),
    ),
    published=("kovaleva.patterns.vertical", "kovaleva.patterns.f1"),
)


def _heterogeneous(evidence: Evidence) -> Number:
    shares = []
    for task in evidence.tasks:
        for study in evidence.trained_further(task):
            before, change = (
                mean_of(evidence.facts(study, name, task), np.ones(evidence.layers, bool))
                for name in (f"base.{HETEROGENEOUS}", HETEROGENEOUS)
            )
            shares.append(total(before, change))
    return [lowest(shares), highest(shares)]


_heterogeneous_1, _heterogeneous_2 = (lambda e, k=k: _heterogeneous(e)[k] for k in range(2))  # STUB


K02 = Claim(
    id="K02",
    title="Heterogeneous maps are a third to three fifths",
    statement="Maps without a distinct structure are a minority to a modest majority, depending on the task.",
    paper=KOVALEVA,
    section="4.1",
    measure=(
        "Share of the maps of a fine-tuned checkpoint on its task that the rule leaves heterogeneous, the lowest and "
        "the highest among tasks. It is the share of the pre-trained model plus the change; intervals over examples "
        "are averaged over layers and added up end to end."
    ),
    needs="fine-tuned checkpoints beside the pre-trained one: fieldguide finetune, then fieldguide compare",
    parts=(
        part("K02.1", "the lowest share of heterogeneous maps among tasks", "share", _heterogeneous_1, over="examples"),
        part(
            "K02.2", "the highest share of heterogeneous maps among tasks", "share", _heterogeneous_2, over="examples"
        ),
    ),
    published=("kovaleva.patterns.heterogeneous_mrpc", "kovaleva.patterns.heterogeneous_qqp"),
)
