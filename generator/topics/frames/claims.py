"""Kovaleva et al. 2019, sections 4.2, 4.4 and 4.5: frames, and linguistic features of what is attended to."""

import math
from contextlib import suppress

import numpy as np

from generator.claims.bounds import counted, cutoff, fewest
from generator.claims.claim import Claim, of_tasks, part
from generator.claims.evidence.evidence import Evidence
from generator.claims.kovaleva.attention import KOVALEVA
from generator.claims.missing import NO_SHARE, NotTestable, defined
from generator.claims.nameless import NOT_TUNED, OF_ALL, OF_LAYERS, ON_SENTENCES
from generator.numbers.number import Grid, Number, difference, mean_of
from generator.numbers.resampling import proportion
from generator.numbers.simultaneous import greatest_of
from generator.topics.frames.records import FRAME
from generator.topics.tasks.claims.learned import tuned_copies

FEATURES = ("noun", "verb", "pronoun", "subject", "object", "negation")
SPECIAL = ("begin", "separator")
RIVALS = ("begin", "punctuation", *FEATURES)
"""What the row of [CLS] might give more weight to than to [SEP]."""
STRIPE = cutoff("stripe")
FEWEST = fewest("sentences")
TREES = "a treebank: fieldguide analyze MODEL"


def _best_frame_head(evidence: Evidence) -> Number:
    best = "paper.element_to_target.best"
    return evidence.of_chosen(FRAME.name, f"{best}.gain", best)


K04 = Claim(
    id="K04",
    title="Two heads link frame elements to predicates",
    statement="Two heads stand out in linking the core elements of a frame to the predicate.",
    paper=KOVALEVA,
    section="4.2",
    measure=(
        "Mean over sentences of the largest weight from a token of a frame element to one of its target, minus the "
        "same for other words at the same distance; the best head is chosen on one half of the sentences, and those of "
        "the other half are resampled. Only short sentences count, with short elements at least two tokens from the "
        "target, as in the paper, which reads FrameNet 1.7 with the pre-trained BERT."
    ),
    needs="text annotated with frames or semantic roles: fieldguide analyze MODEL --corpus framenet-1.5",
    parts=(
        part(
            "K04.1",
            "the weight of the best head on frame links minus that on words at the same distance",
            "share",
            _best_frame_head,
            over="sentences",
        ),
    ),
    published=("kovaleva.frames.first", "kovaleva.frames.second", "kovaleva.frames.sentences"),
    numbers=("frames/paper.element_to_target.best.*",),
    which=ON_SENTENCES,
)


def _largest(evidence: Evidence, names: tuple[str, ...]) -> np.ndarray:
    """The largest of these features' scores for every head, `[layer, head]`; one that FEWEST sentences do not have is
    left out. Raises NotTestable if none was seen in as many.
    """
    there, missing = [], NotTestable("no feature was looked for")
    for name in names:
        try:
            found = evidence.head_facts("features", f"{name}.max")
        except NotTestable as reason:
            missing = reason
        else:
            if (n := int(np.max(found.n))) >= FEWEST:
                there.append(found.value)
            else:
                has = "has" if n == 1 else "have"
                missing = NotTestable(f"only {counted(n, 'sentences')} {has} the feature {name} (at least {FEWEST})")
    if not there:
        raise missing
    largest: np.ndarray = np.fmax.reduce(there)
    return largest


def _stripes(evidence: Evidence) -> Number:
    words, special = _largest(evidence, FEATURES), _largest(evidence, SPECIAL)
    striped = np.fmax(words, special) >= STRIPE
    if not striped.any():
        raise NotTestable(f"no single place of an input gets {STRIPE:g} of a head's attention, so there is no stripe")
    evidence.name(striped & (special > words))
    return defined(proportion(int((special > words)[striped].sum()), int(striped.sum())), NO_SHARE)


K09 = Claim(
    id="K09",
    title="Vertical stripes belong to special tokens",
    statement=(
        "Vertical stripes in maps belong to special tokens, not to nouns, verbs, pronouns, subjects, objects or "
        "negation."
    ),
    paper=KOVALEVA,
    section="4.4",
    measure=(
        "A head has a stripe if, in the mean over sentences, a single [CLS] or [SEP], or a single token of a "
        "linguistic feature, gets a quarter or more of the attention of all tokens; periods and commas are neither. A "
        f"feature counts if {FEWEST} sentences have it. Among such heads: the share in which a special token gets more "
        "than any token of a feature, with Wilson's interval over heads."
    ),
    needs=TREES,
    parts=(
        part("K09.1", "the share of striped heads whose stripe is a special token's", "share", _stripes, over="heads"),
    ),
    published=("kovaleva.features.sep", "kovaleva.features.noun", "kovaleva.features.cls_head2-7"),
    numbers=tuple(f"features/{name}.max" for name in (*FEATURES, *SPECIAL)),
    which="with a stripe at a special token",
)


def special_stripe(evidence: Evidence) -> None:
    """The premise that some head has a stripe at a special token, beside which a rise may be large or negligible."""
    if not (_largest(evidence, SPECIAL) >= STRIPE).any():
        raise NotTestable(
            f"no head of {evidence.model} gives a single [CLS] or [SEP] {STRIPE:g} of its attention, so there is no "
            "stripe beside which a rise could be negligible"
        )


def _raised(evidence: Evidence) -> Number:
    """The highest rise of any feature in any layer of any copy; `n` counts the sentences that have this feature."""
    rises: list[Number] = []
    missing = NotTestable("no feature was looked for")
    for study in dict.fromkeys(study for study, _ in tuned_copies(evidence)):
        for name in FEATURES:
            try:
                found = evidence.facts(study, f"{name}.max")
            except NotTestable as reason:
                missing = reason
            else:
                rises += [found.at(layer) for layer in range(evidence.layers)]
    known = [rise for rise in rises if not math.isnan(rise.value)]
    if not known:
        raise missing
    return greatest_of(known, max(known, key=lambda rise: rise.value).n)


K12 = Claim(
    id="K12",
    title="Fine-tuning hardly raises attention to linguistic features",
    statement="Fine-tuning raises attention to nouns, objects or negation in some tasks, but negligibly.",
    paper=KOVALEVA,
    section="4.4",
    measure=(
        "Mean attention to the token of a feature that receives most, of the fine-tuned checkpoint minus that of the "
        "pre-trained one, mean over the heads of a layer; the highest among features, layers, and checkpoints that "
        "learned their task. Sentences are resampled; the interval allows for all of these, and n counts the sentences "
        "with the feature that rises most. Only of a model that has stripes at [CLS] or [SEP], as K09 counts them."
    ),
    needs=(
        "stripes at [CLS] or [SEP], and a fine-tuned checkpoint beside the pre-trained one, both on a treebank: "
        "fieldguide compare MODEL CHECKPOINT"
    ),
    parts=(
        of_tasks(
            "greatest",
            part(
                "K12.3",
                "the highest rise of a feature's score in any layer",
                "share",
                _raised,
                over="sentences",
                premises=(special_stripe,),
            ),
        ),
    ),
    numbers=(
        "compare/copy",
        *(f"compare/{name}.max" for name in FEATURES),
        "compare/score*",
        *(f"features/{name}.max" for name in SPECIAL),
    ),
    nameless=OF_ALL,
    unfollowed=NOT_TUNED,
)


def _begin_row(evidence: Evidence) -> Number:
    separator = _last(evidence.head_facts("features", "separator.begin_row"))
    others = []
    for name in RIVALS:
        with suppress(NotTestable):  # a feature that the text lacks is no rival
            others.append(_last(evidence.head_facts("features", f"{name}.begin_row")))
    if not others:
        raise NotTestable("the text has neither punctuation nor words of any feature")
    return difference(separator, greatest_of(others))


def _last(estimate: Grid) -> Number:
    """The mean over the heads of the last layer. Raises NotTestable if a head of it is undefined."""
    last = np.zeros(estimate.value.shape, bool)
    last[-1] = True
    return defined(mean_of(estimate, last), "a head of the last layer has no such number")


K14 = Claim(
    id="K14",
    title="In the last layer [CLS] attends to [SEP]",
    statement=(
        "For most tasks [CLS] in the final layer attends most to [SEP]; for STS-B, RTE and QNLI, inspection by eye "
        "points to punctuation."
    ),
    paper=KOVALEVA,
    section="4.5",
    measure=(
        "The row of [CLS] in the last layer, mean over heads: weight of [SEP] minus that of [CLS] itself or of the "
        "word that gets most among punctuation and words of linguistic features, whichever is larger; intervals over "
        "sentences are averaged over heads and combined as if all erred in the worst direction. Judged on the model "
        "as it is; the paper's are fine-tuned."
    ),
    needs=TREES,
    parts=(
        part(
            "K14.2",
            "attention of [CLS] to [SEP] minus the most that it gives to another kind of token",
            "share",
            _begin_row,
            over="sentences",
        ),
    ),
    numbers=tuple(f"features/{name}.begin_row" for name in ("separator", *RIVALS)),
    nameless=OF_LAYERS,
)

CLAIMS = (K04, K09, K12, K14)
