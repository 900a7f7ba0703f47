"""The hypothesis of 2021 about learning itself: what needs the checkpoints of a training, and not its end alone."""

from itertools import pairwise
from typing import Any

from generator.claims.claim import Claim, part
from generator.claims.evidence import Evidence
from generator.claims.hypothesis import HYPOTHESIS
from generator.claims.numbers import Number
from generator.studies.layer_profiles import SIGNATURES

BY_NOISE = 0.3
"""What the correlation reaches either way in simulated curves that do not depend on frequency: the curve of a rare type
is noisier, and the first step at which a noisy curve has made its change is not that of a smooth one."""
WITHOUT, LEAD = "without next sentence", "begin.lead"
"""The study of a second training without this task, and its number."""
CHECKPOINTS = "checkpoints from the course of pre-training: fieldguide curve RUN_OR_LIST"


ORDERS = tuple(f"{first}.{second}" for first, second in pairwise(SIGNATURES))


def _in_order(evidence: Evidence) -> Number:
    signatures, between = (evidence.history("rises", study) for study in ("signature", "order"))
    if not len(signatures) or not (signatures["end"] > signatures["start"]).all():
        return [None, None]
    steps = {row["name"]: row for row in between.to_dict("records")}
    return [_number(steps[name], "step") if name in steps else None for name in ORDERS]


H05 = Claim(
    id="H05",
    title="The phases appear in order during pre-training",
    statement="Attention to [CLS], to [SEP] and to punctuation is learned in this order.",
    paper=HYPOTHESIS,
    section="title",
    measure=(
        "Attention to [CLS] in the lowest third of layers, to separators in layers of relative depth 0.5 to 0.83, and "
        "to periods and commas in deeper ones: the first checkpoint at which each has made half of its change in "
        "pre-training, and the logarithm to the base 2 of one's step divided by the other's. Documents are resampled."
    ),
    needs=f"{CHECKPOINTS}; and all three signatures must grow in training",
    parts=(
        part("H05.1", "by how many doublings of the step separators come after [CLS]", "doublings", _in_order_1),
        part("H05.2", "by how many doublings of the step punctuation comes after separators", "doublings", _in_order_2),
    ),
    published=("multiberts.models.intermediate", "multiberts.models.per_seed"),
)


def _at_end(evidence: Evidence, study: str, *names: str) -> Number:
    last = {row["name"]: row for row in evidence.history("curves", study).sort_values("step").to_dict("records")}
    return [_number(last[name], "value") if name in last else None for name in names]


def _number(row: Any, value: str) -> Number:
    return Number(float(row[value]), float(row["low"]), float(row["high"]), int(row["n"]))


def _frequent(evidence: Evidence) -> Number:
    return _at_end(evidence, "types", "attention.spearman", "loss.spearman")


H09 = Claim(
    id="H09",
    title="Frequent tokens are learned earlier",
    statement="High frequency makes learning easier and earlier.",
    paper=HYPOTHESIS,
    section="special part of speech",
    measure=(
        "For every token type that is common in the text: the first checkpoint at which the attention it receives, or "
        "its masked-LM loss, has made 90 % of its change in pre-training; Spearman's correlation of that step with the "
        "type's count. Types whose change was made and undone are left out. Types are resampled."
    ),
    needs=f"{CHECKPOINTS}; for losses also a masked-LM head",
    parts=(
        part(
            "H09.1",
            "the rank correlation of frequency and the step at which attention to a type is learned",
            "correlation",
            _frequent_1,
            over="token types",
        ),
        part(
            "H09.2",
            "the rank correlation of frequency and the step at which a type is predicted",
            "correlation",
            _frequent_2,
            over="token types",
        ),
    ),
)


def _hunting(evidence: Evidence) -> Number:
    return _at_end(evidence, WITHOUT, LEAD)


H10 = Claim(
    id="H10",
    title="Next-sentence prediction makes the begin token look around",
    statement="[CLS] attends broadly because next-sentence prediction pushes it to.",
    paper=HYPOTHESIS,
    section="special part of speech",
    measure=(
        "Entropy of the begin token's row less that of all rows, in the last layer, less the same in a model that "
        "differs from this one in having been trained without next-sentence prediction, at the last step that both "
        "have. Documents are resampled, in both models the same. There is one training of each: an interval says "
        "nothing of other seeds."
    ),
    needs="a second training that differs in next-sentence prediction alone: fieldguide curve RUN --without OTHER_RUN",
    parts=(
        part(
            "H10.1",
            "the lead of the begin token's breadth, less its lead in the model without next-sentence prediction",
            "nats",
            _hunting,
        ),
    ),
)
