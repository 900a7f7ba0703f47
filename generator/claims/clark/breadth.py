"""Clark et al. 2019, section 3.3: broad attention of the lower layers, and of [CLS] in the last."""

import numpy as np

from generator.claims.bounds import cutoff
from generator.claims.claim import Claim, part
from generator.claims.clark.position import CLARK
from generator.claims.cutoffs import SEED
from generator.claims.evidence.evidence import UNIFORM, Evidence
from generator.claims.missing import NotTestable, Uncounted
from generator.claims.nameless import OF_LAYERS
from generator.claims.published import of_layers
from generator.numbers.depth import lowest_third
from generator.numbers.number import Number, mean_in
from generator.numbers.writing import number

BROAD_HEADS = int(cutoff("some-heads"))
"""How many nearly uniform heads "some heads" means, at least."""
SHORT = cutoff("short-inputs")
"""The weight that even attention gives a token of inputs that are too short for the paper's share."""


def _broader_early(evidence: Evidence) -> Number:
    early = lowest_third(evidence.layers)
    return evidence.estimate(
        ["entropy.all"], lambda nats: mean_in(nats, early) - mean_in(nats, ~early), SEED, heads=True
    )


def _second_broadest(evidence: Evidence) -> Number:
    early = lowest_third(evidence.layers)

    def second(most: np.ndarray) -> np.ndarray:
        ordered: np.ndarray = np.sort(most[:, early].reshape(len(most), -1), axis=1)[:, BROAD_HEADS - 1]
        return ordered

    if early.sum() * evidence.heads < BROAD_HEADS:
        raise NotTestable(f"the lowest third of layers has fewer than {BROAD_HEADS} heads")
    mean = evidence.mean("attention.max")
    # What takes draws gets the mean as a single one.
    evidence.name((mean <= second(mean[None])) & early[:, None])
    return evidence.estimate(["attention.max"], second, SEED)


def _in_long_inputs(evidence: Evidence) -> None:
    """Raises Uncounted where even attention gives a token much of what the paper's broad heads give at most."""
    chance = float(evidence.mean(f"{UNIFORM}attention.max").mean())
    if chance > SHORT:
        raise Uncounted(
            f"inputs of about {1 / chance:.0f} tokens were read, in which even attention gives each {number(chance)}, "
            "and the paper's share is of inputs of up to 128"
        )


C10 = Claim(
    id="C10",
    title="Lower layers attend broadly",
    statement="On average lower layers are broader than the others, and some of their heads are nearly uniform.",
    paper=CLARK,
    section="3.3; also the hypothesis of 2021, phase one",
    measure=(
        "Mean entropy of the heads of the lowest third of layers minus that of the others, documents and the heads of "
        "every layer resampled, in nats, of which longer inputs have more; and the mean largest weight of the head "
        "that is second in breadth in the lowest third, documents resampled. That weight counts only for inputs of 40 "
        "tokens or more on average, for the paper's 10 % is of inputs of up to 128."
    ),
    needs="a model of more than one layer",
    parts=(
        part(
            "C10.1",
            "mean entropy of the lowest third of layers minus that of the others",
            "nats",
            _broader_early,
            heads=True,
        ),
        part(
            "C10.3",
            "the mean largest weight of the second broadest head in the lowest third of layers",
            "share",
            _second_broadest,
            premises=(_in_long_inputs,),
        ),
    ),
    published=("clark.entropy.early_lead", "clark.largest.broad", *of_layers("clark.layers.entropy")),
    comparable=("clark.entropy.early_lead",),
    measures=("entropy.all", "attention.max"),
    which="with the broadest attention in the lowest third of the layers",
)


def _excess(begin: np.ndarray, every: np.ndarray) -> np.ndarray:
    """Entropy of the begin token's row minus that of all rows, mean over heads, `[draw, layer]`."""
    excess: np.ndarray = (begin - every).mean(-1)
    return excess


def _stands_out(begin: np.ndarray, every: np.ndarray) -> np.ndarray:
    """The last layer's excess minus the largest of any other layer, up or down, `[draw]`; NaN for a single layer."""
    excess = _excess(begin, every)
    others: np.ndarray = np.abs(excess[:, :-1]).max(-1, initial=-np.inf)
    return np.where(np.isfinite(others), excess[:, -1] - others, np.nan)


def _last_excess(evidence: Evidence) -> Number:
    columns = ["entropy.cls", "entropy.all"]
    return evidence.estimate(columns, lambda begin, every: _excess(begin, every)[:, -1], SEED)


def _last_stands_out(evidence: Evidence) -> Number:
    return evidence.estimate(["entropy.cls", "entropy.all"], _stands_out, SEED)


C11 = Claim(
    id="C11",
    title="[CLS] attends broadly in the last layer",
    statement=(
        "In the last layer [CLS] attends more broadly than the average token; in most other layers it is close to the "
        "average."
    ),
    paper=CLARK,
    section="3.3; also the hypothesis of 2021, phase three",
    measure=(
        "Entropy of the row of [CLS] minus that of all rows, mean over heads: in the last layer, and that minus "
        "the largest difference, up or down, of any other layer; documents are resampled. Differences in nats are "
        "larger in longer inputs, and the paper's have up to 128 tokens."
    ),
    needs="a [CLS] token, and more than one layer",
    parts=(
        part(
            "C11.1",
            "the entropy of the row of [CLS] minus that of all rows in the last layer",
            "nats",
            _last_excess,
        ),
        part(
            "C11.2",
            "the lead of [CLS] in entropy in the last layer minus its largest lead or lag in any other layer",
            "nats",
            _last_stands_out,
        ),
    ),
    published=(
        "clark.entropy.cls_lead",
        "clark.entropy_cls.last",
        *of_layers("clark.layers.entropy_cls"),
        *of_layers("clark.layers.entropy"),
    ),
    comparable=("clark.entropy.cls_lead",),
    measures=("entropy.cls", "entropy.all"),
    nameless=OF_LAYERS,
)


CLAIMS = (C10, C11)
