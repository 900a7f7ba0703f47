"""Kovaleva et al. 2019, sections 4.2, 4.4 and 4.5: frames, and linguistic features of what is attended to."""

import numpy as np

from generator.claims.claim import Claim, part
from generator.claims.evidence import Evidence
from generator.claims.kovaleva import KOVALEVA
from generator.claims.numbers import Number, difference, proportion
from generator.claims.tasks import highest, tuned_copies
from generator.results.intervals import Estimate

FEATURES = ("noun", "verb", "pronoun", "subject", "object", "negation")
SPECIAL = ("begin", "separator")
STRIPE = 0.25
"""Mean attention to one token from which it is a stripe in the map."""
TREES = "a treebank: fieldguide analyze MODEL"


def _frames(evidence: Evidence) -> Number:
    return [evidence.fact("frames", "paper.element_to_target.best.gain")]


_frames_1 = lambda e: _frames(e)[0]  # STUB


K04 = Claim(
    id="K04",
    title="Two heads link frame elements to predicates",
    statement="Two heads stand out in linking the core elements of a frame to the predicate.",
    paper=KOVALEVA,
    section="4.2",
    measure=(
        "Mean over sentences of the largest weight from a token of a frame element to one of its target, less the same "
        "for other words at the same distance; the best head is chosen on one half of the sentences, and those of the "
        "other are resampled. Short sentences with short elements that are not next to the target, as in the paper."
    ),
    needs="text annotated with frames or semantic roles: fieldguide analyze MODEL --corpus framenet-1.5",
    parts=(
        part(
            "K04.1",
            "the weight of the best head on frame links, beyond words at the same distance",
            "share",
            _frames_1,
            over="sentences",
        ),
    ),
    published=("kovaleva.frames.first", "kovaleva.frames.second", "kovaleva.frames.sentences"),
)


def _largest(evidence: Evidence, names: tuple[str, ...]) -> np.ndarray | None:
    """`[layer, head]`: the largest of these features' scores."""
    found = [evidence.head_facts("features", f"{name}.max") for name in names]
    there = [one.value for one in found if one is not None]
    return np.fmax.reduce(there) if there else None


def _stripes(evidence: Evidence) -> Number:
    words, special = _largest(evidence, FEATURES), _largest(evidence, SPECIAL)
    if words is None or special is None:
        return [None]
    striped = np.fmax(words, special) >= STRIPE
    return [proportion(int((special > words)[striped].sum()), int(striped.sum()))]


_stripes_1 = lambda e: _stripes(e)[0]  # STUB


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
        "Among heads in which some token receives a quarter of all attention or more, in the mean over sentences, the "
        "share in which a special token receives more than any token of a linguistic feature; Wilson's interval over "
        "heads."
    ),
    needs=TREES,
    parts=(
        part(
            "K09.1", "the share of striped heads whose stripe is a special token's", "share", _stripes_1, over="heads"
        ),
    ),
    published=("kovaleva.features.sep", "kovaleva.features.noun", "kovaleva.features.cls_head2-7"),
)


def _raised(evidence: Evidence) -> Number:
    """All copies read the same treebank."""
    studies = dict.fromkeys(study for study, _ in tuned_copies(evidence))
    rises = [evidence.fact(study, "rise.highest") for study in studies]
    return highest(rises, min(one.n for one in rises))


K12 = Claim(
    id="K12",
    title="Fine-tuning hardly raises attention to linguistic features",
    statement="Fine-tuning raises attention to nouns, objects or negation in some tasks, but negligibly.",
    paper=KOVALEVA,
    section="4.4",
    measure=(
        "Mean attention to the token of a feature that receives most, of the fine-tuned checkpoint minus that of the "
        "pre-trained one, mean over heads; the highest among features and among checkpoints that learned their task. "
        "Sentences are resampled; the interval allows for all features and checkpoints."
    ),
    needs="a fine-tuned checkpoint beside the pre-trained one, both on a treebank: fieldguide compare MODEL CHECKPOINT",
    parts=(part("K12.2", "the highest rise of a feature's score", "share", _raised, over="sentences"),),
)


def _begin_row(evidence: Evidence) -> Number:
    rows = {
        name: _last(evidence.head_facts("features", f"{name}.begin_row"))
        for name in ("separator", "punctuation", *FEATURES)
    }
    return [difference(rows.pop("separator"), highest(row for row in rows.values() if row))]


def _last(estimate: Estimate | None) -> Number | None:
    """Mean over the heads of the last layer; None where one is undefined."""
    if estimate is None or np.isnan(estimate.value[-1]).any():
        return None
    value, low, high = (float(part[-1].mean()) for part in estimate[:3])
    return Number(value, low, high, int(estimate.n[-1].min()))


_begin_row_1 = lambda e: _begin_row(e)[0]  # STUB


K14 = Claim(
    id="K14",
    title="In the last layer the begin token attends to separators",
    statement="In the final layer [CLS] attends most to [SEP]; in STS-B, RTE and QNLI to punctuation.",
    paper=KOVALEVA,
    section="4.5",
    measure=(
        "The begin token's row in the last layer, mean over heads: weight of the separator less that of the word that "
        "gets most among punctuation and words of linguistic features; intervals over sentences are averaged over "
        "heads and added up end to end. Judged on the model as it is; the paper's are fine-tuned."
    ),
    needs=TREES,
    parts=(
        part(
            "K14.1",
            "attention of the begin token to the separator less that to the next kind of token",
            "share",
            _begin_row_1,
            over="sentences",
        ),
    ),
)
