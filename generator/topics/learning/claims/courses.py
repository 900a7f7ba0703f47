"""The hypothesis of 2021 about learning itself: claims that need the checkpoints of a training, not only its end."""

import math
from functools import partial
from itertools import pairwise

from generator.claims.claim import Claim, part
from generator.claims.evidence.evidence import Evidence
from generator.claims.evidence.rows import plain
from generator.claims.missing import NotTestable
from generator.claims.nameless import OF_COURSES, OF_LAYERS, OF_TOKENS
from generator.numbers.number import Number
from generator.numbers.quantity import Named, Study
from generator.numbers.writing import listed
from generator.topics.layers.claims.phases import HYPOTHESIS
from generator.topics.layers.derived.profiles import SIGNATURES
from generator.topics.learning.claims.history import history
from generator.topics.learning.records.curves import ORDER, SIGNATURE, TYPES
from generator.topics.learning.records.curves import SIGNATURES as NAMES
from generator.topics.learning.records.runs import LEAD, WITHOUT

NO_CURVE = "no training curve is stored; make one with: fieldguide curve RUN_OR_LIST"
NO_OTHER = (
    "no second training without next-sentence prediction is stored; make one with: "
    "fieldguide curve RUN --without OTHER_RUN"
)
CHECKPOINTS = "checkpoints from the course of pre-training: fieldguide curve RUN_OR_LIST"


SEPARATORS_AFTER, PUNCTUATION_AFTER = (f"{first}.{second}" for first, second in pairwise(SIGNATURES))


def _doublings(evidence: Evidence, name: str) -> Number:
    signatures, between = (history(evidence, "rises", study) for study in (SIGNATURE, ORDER))
    if not len(signatures):
        raise NotTestable(NO_CURVE)
    fallen = signatures[~(signatures["end"] > signatures["start"])]
    if len(fallen):
        names = listed([NAMES[name] for name in sorted(fallen["name"])])
        raise NotTestable(f"attention to {names} does not grow in this training, so there is no order")
    steps = Named(ORDER, {row["name"]: row for row in between.to_dict("records")})
    if name not in steps or math.isnan(steps[name]["step"]):
        raise NotTestable("the step at which a phase has made half of its change is undefined")
    return plain(steps[name], "step")


H05 = Claim(
    id="H05",
    title="The phases appear in order during pre-training",
    statement="Attention to [CLS], to [SEP] and to punctuation is learned in this order.",
    paper=HYPOTHESIS,
    section="title",
    measure=(
        "Attention to [CLS] in the lowest third of layers, to [SEP] in layers of relative depth 0.5 to 0.83, and to "
        "periods and commas in deeper ones: the first checkpoint at which each has made half of its change in "
        "pre-training, and the base-2 logarithm of the ratio of two such steps. Documents are resampled."
    ),
    needs=f"{CHECKPOINTS}; and all three signatures must grow in training",
    parts=(
        part(
            "H05.1",
            "the delay of [SEP] after [CLS] in doublings of the step",
            "doublings",
            partial(_doublings, name=SEPARATORS_AFTER),
        ),
        part(
            "H05.2",
            "the delay of punctuation after [SEP] in doublings of the step",
            "doublings",
            partial(_doublings, name=PUNCTUATION_AFTER),
        ),
    ),
    numbers=("signature/*", "order/*"),
    nameless=OF_LAYERS,
    unfollowed=OF_COURSES,
)


def _at_end(evidence: Evidence, study: Study, name: str) -> Number:
    study.quantity(name)
    rows = history(evidence, "curves", study).sort_values("step")
    rows = rows[rows["name"] == name] if len(rows) else rows
    if not len(rows):
        raise NotTestable(NO_CURVE if study is not WITHOUT else NO_OTHER)
    return plain(rows.iloc[-1])


H09 = Claim(
    id="H09",
    title="Attention to frequent tokens is learned earlier",
    statement="High frequency makes learning easier and earlier: attention to a token comes earlier if it is frequent.",
    paper=HYPOTHESIS,
    section="special part of speech",
    measure=(
        "For every token type that is common in the text: the first checkpoint at which the attention it receives has "
        "made 90 % of its change in pre-training; Spearman's correlation of that step with the type's count. Types "
        "whose change was made and undone are left out. Types are resampled."
    ),
    needs=CHECKPOINTS,
    parts=(
        part(
            "H09.1",
            "the rank correlation of frequency and the step at which attention to a type is learned",
            "correlation",
            partial(_at_end, study=TYPES, name="attention.spearman"),
            over="token types",
        ),
    ),
    numbers=("types/*",),
    nameless=OF_TOKENS,
    unfollowed=OF_COURSES,
)


H12 = Claim(
    id="H12",
    title="Frequent tokens are predicted earlier",
    statement="High frequency makes learning easier and earlier: a token is predicted earlier if it is frequent.",
    paper=HYPOTHESIS,
    section="special part of speech",
    measure=(
        "For every token type that is common in the text: the first checkpoint at which its masked-LM loss has made "
        "90 % of its change in pre-training; Spearman's correlation of that step with the type's count. Types whose "
        "loss does not fall, or fell and rose again, are left out. Types are resampled."
    ),
    needs=f"{CHECKPOINTS} of a model with a masked-LM head",
    parts=(
        part(
            "H12.1",
            "the rank correlation of frequency and the step at which a type is predicted",
            "correlation",
            partial(_at_end, study=TYPES, name="loss.spearman"),
            over="token types",
        ),
    ),
    numbers=("types/*",),
    nameless=OF_TOKENS,
    unfollowed=OF_COURSES,
)


H10 = Claim(
    id="H10",
    title="Next-sentence prediction makes [CLS] look around",
    statement="[CLS] attends broadly because next-sentence prediction pushes it to.",
    paper=HYPOTHESIS,
    section="special part of speech",
    measure=(
        "Entropy of the row of [CLS] minus that of all rows, in the last layer, minus the same in a model that differs "
        "from this one in having been trained without next-sentence prediction, at the last step that both have. "
        "Documents are resampled, in both models the same. There is one training of each: an interval says nothing "
        "about other seeds."
    ),
    needs="a second training that differs in next-sentence prediction alone: fieldguide curve RUN --without OTHER_RUN",
    parts=(
        part(
            "H10.1",
            "the lead of [CLS] in breadth with next-sentence prediction minus that without it",
            "nats",
            partial(_at_end, study=WITHOUT, name=LEAD),
        ),
    ),
    numbers=("without next sentence/*",),
    nameless=OF_LAYERS,
    unfollowed=OF_COURSES,
)

CLAIMS = (H05, H09, H10, H12)
