"""The hypothesis of 2021 about learning itself: claims that need the checkpoints of a training, not only its end."""

import math
from dataclasses import replace
from functools import partial
from itertools import pairwise

from generator.claims.claim import Claim, Finding, part
from generator.claims.evidence.evidence import Evidence
from generator.claims.evidence.rows import plain
from generator.claims.gate.premises import Null
from generator.claims.missing import NotTestable
from generator.claims.nameless import OF_COURSES, OF_LAYERS, OF_TOKENS
from generator.numbers.number import Number
from generator.numbers.quantity import Named, Study
from generator.numbers.writing import listed, written
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
LOSS_AT_END, SHARE_AT_END = "end.loss", "end.share"
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


UNCOUNTED = "how often each piece of the vocabulary stands in the training text is not known to the stored curve"


def _known(evidence: Evidence, name: str) -> Number:
    TYPES.quantity(name)
    if not len(history(evidence, "curves", TYPES)):
        raise NotTestable(NO_CURVE)
    if not len(history(evidence, "curves", TYPES, name)):
        raise NotTestable(UNCOUNTED)
    return _at_end(evidence, TYPES, name)


def _by_counting(evidence: Evidence) -> Number:
    """A unigram model's loss is -ln p, so that its correlation with p is -1 whatever else is held fixed."""
    return Number(-1.0, -1.0, -1.0, _known(evidence, LOSS_AT_END).n)


def _by_share(evidence: Evidence, found: Finding) -> list[str]:
    """What the share of the unigram model's loss says against the gain in nats. Rare types have more nats to gain, and
    a model that gains as many on every type saves a larger share of frequent ones; so neither refutes by itself.
    """
    share = _known(evidence, SHARE_AT_END)
    rises, falls = share.low > 0, share.high < 0
    if not (rises if found.verdict == "fails" else falls):
        return []
    return [f"as a share of the unigram model's loss it is {written(share, against=found.part.against)}"]


H16 = Claim(
    id="H16",
    title="Frequent tokens are known better in the end",
    statement="High frequency makes learning easier: at the end of training a frequent token is known better.",
    paper=HYPOTHESIS,
    section="special part of speech",
    measure=(
        "For every token type that is common in the text: its masked-LM loss at the last checkpoint, and what this "
        "gains over a unigram model, which knows nothing but how often each type stands in the training text. "
        "Spearman's partial correlation of each with that frequency, with the type's length in characters and whether "
        "it continues a word held fixed. Types are resampled. The gain is in nats, of which rare types have more to "
        "gain; where the share of the unigram model's loss that is saved surely says the opposite, nothing is decided."
    ),
    needs=f"{CHECKPOINTS} of a model with a masked-LM head, and the counts of its training text, which its run keeps",
    parts=(
        part(
            "H16.1",
            "the rank correlation of frequency in training and the loss of a type at the end",
            "correlation",
            partial(_known, name=LOSS_AT_END),
            over="token types",
            null=Null("a unigram model", _by_counting),
        ),
        replace(
            part(
                "H16.3",
                "the rank correlation of frequency in training and the gain over a unigram model",
                "correlation",
                partial(_known, name="end.gain"),
                over="token types",
            ),
            elsewhere=_by_share,
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

CLAIMS = (H05, H09, H10, H12, H16)
