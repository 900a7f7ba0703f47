"""Kovaleva et al. 2019, sections 4.6 and 5, and Michel et al. 2019: what disabling heads costs."""

import numpy as np

from generator.claims.bounds import in_force, parse
from generator.claims.claim import Claim, of_tasks, part
from generator.claims.cutoffs import SEED
from generator.claims.evidence.evidence import Evidence
from generator.claims.kovaleva.attention import KOVALEVA
from generator.claims.missing import NO_PAIRS, NotTestable, defined
from generator.claims.nameless import NOT_TUNED, ON_DOCUMENTS
from generator.numbers.number import Number
from generator.numbers.simultaneous import greatest_of, least_of, mean, widened
from generator.numbers.writing import written
from generator.studies.over_heads import explains_cost
from generator.topics.learning.derived.removable import removable
from generator.topics.tasks.claims.learned import check_learned, of_learned
from generator.topics.tokens.records.matching import MATCHING

SWEEP = "a sweep that disables every head of a fine-tuned checkpoint: fieldguide finetune, then fieldguide disable"
RANDOM_HELPS = ("mrpc", "rte")
"""The tasks in which the paper gains by disabling a random head, on average."""
PAIRED = ("stsb", "rte")
"""The tasks whose models the paper looked into for heads that match words."""
FRAME_HEADS = 2
"""How many of the heads that best link frame elements are looked at, as in the paper."""
LINKS = "paper.element_to_target"
"""How the names of the numbers on links from frame elements begin."""
STAND_OUT = parse(in_force("K04.1").text)
"""By how much the best head must lead to be a frame head, as K04 has it."""
SWEEPS = "disabling"
BEST_HEAD = "uniform.best_head"
MATCHES = "best.matched.gain"


def _links_frames(evidence: Evidence) -> None:
    """The premise that there are frame heads, as K04 asks."""
    best = evidence.fact("frames", f"{LINKS}.best.gain")
    if not all(bound.met(best.low) for bound in STAND_OUT):
        raise NotTestable(
            f"no head surely stands out in linking frame elements: the best one gives such links {written(best)} more "
            f"than other words at the same distance, where K04 asks for {' and '.join(map(str, STAND_OUT))}"
        )


def _without_frame_heads(evidence: Evidence) -> Number:
    links = evidence.head_facts("frames", f"{LINKS}.gain").value.ravel()
    if np.isnan(links).all():
        raise NotTestable("no frame that was read has an element at a distance that occurs elsewhere in its sentence")
    heads = np.argsort(-np.nan_to_num(links, nan=-1), kind="stable")[:FRAME_HEADS]
    places = [divmod(int(head), evidence.heads) for head in heads]
    evidence.named += [(layer + 1, head + 1) for layer, head in places]
    found = of_learned(evidence, SWEEPS, lambda task: evidence.head_facts(SWEEPS, "uniform", task))
    changes = [[change.at(*place) for place in places] for change in found.values()]
    examples = sum(min(number.n for number in of_task) for of_task in changes)
    return least_of((number for of_task in changes for number in of_task), examples)


K05 = Claim(
    id="K05",
    title="Tasks do not need the frame heads",
    statement="Disabling the heads that link frame elements costs no task any accuracy.",
    paper=KOVALEVA,
    section="5",
    measure=(
        "Change of the score when a head is made uniform: the lowest over all tasks that were learned and the two "
        "heads that best link frame elements to their target, beyond other words at the same distance, if the best one "
        "surely stands out by the bound of K04. Examples are resampled; the interval allows for all heads and tasks."
    ),
    needs=f"{SWEEP}, and text with frames: fieldguide analyze MODEL --corpus framenet-1.5",
    parts=(
        of_tasks(
            "least",
            part(
                "K05.2",
                "the lowest change of a score without a frame head",
                "score",
                _without_frame_heads,
                over="examples",
                premises=(_links_frames,),
            ),
        ),
    ),
    numbers=(
        f"frames/{LINKS}.gain",
        f"frames/{LINKS}.best.gain",
        "disabling/base*",
        "disabling/uniform",
    ),
    which="with the strongest links from frame elements to the target",
    unfollowed=NOT_TUNED,
)


def _changes(evidence: Evidence, name: str) -> list[Number]:
    """The stored change `name` of the whole model's score, one number for every task that was learned."""
    return list(of_learned(evidence, SWEEPS, lambda task: evidence.fact(SWEEPS, name, task)).values())


def _best_head(evidence: Evidence) -> Number:
    found = of_learned(evidence, SWEEPS, lambda task: evidence.of_chosen(SWEEPS, BEST_HEAD, BEST_HEAD, task))
    return least_of(found.values())


def _random_head(evidence: Evidence) -> Number:
    for task in RANDOM_HELPS:
        check_learned(evidence, SWEEPS, "base", task)
    return least_of(evidence.fact(SWEEPS, "uniform.mean", task) for task in RANDOM_HELPS)


K15 = Claim(
    id="K15",
    title="Some head can be disabled with a gain",
    statement="In every task some head can be disabled with a gain; in MRPC and RTE even a random one, on average.",
    paper=KOVALEVA,
    section="4.6",
    measure=(
        "Change of the score on one half of the examples when the head that is best to disable on the other half is "
        "made uniform, the lowest among the tasks that were learned; and the mean change over heads in MRPC and RTE, "
        "the lower of both. Examples are resampled; intervals allow for all tasks. The paper chooses and reports on "
        "the same examples."
    ),
    needs=f"{SWEEP}, on MRPC and RTE",
    parts=(
        of_tasks(
            "least",
            part(
                "K15.3",
                "the gain of disabling the best head, in the task where that gains least",
                "score",
                _best_head,
                over="examples",
            ),
        ),
        part(
            "K15.4",
            "the lower of the mean changes over heads in MRPC and RTE",
            "score",
            _random_head,
            over="examples",
        ),
    ),
    published=("kovaleva.disabling.head_stsb", "kovaleva.disabling.head_mrpc"),
    numbers=(
        "disabling/base*",
        "disabling/uniform.best_head*",
        "disabling/uniform.mean",
    ),
    which="best to disable on the other half of the examples of a task",
    unfollowed=NOT_TUNED,
)


def _best_layer(evidence: Evidence) -> Number:
    return greatest_of(_changes(evidence, "uniform.best_layer"))


K16 = Claim(
    id="K16",
    title="A whole layer can be disabled with a gain",
    statement="In some tasks a whole layer can be disabled with a gain.",
    paper=KOVALEVA,
    section="4.6",
    measure=(
        "Change of the score on one half of the examples when all heads of the layer that is best to disable on the "
        "other half are made uniform, the highest among the tasks that were learned. Examples are resampled; the "
        "interval allows for all tasks."
    ),
    needs=SWEEP,
    parts=(
        of_tasks(
            "greatest",
            part("K16.2", "the gain of the best layer in its best task", "score", _best_layer, over="examples"),
        ),
    ),
    published=("kovaleva.disabling.layer1_rte", "kovaleva.disabling.layer_qnli_mnli"),
    numbers=("disabling/base*", "disabling/uniform.best_layer"),
    nameless="whole layers are disabled",
    unfollowed=NOT_TUNED,
)


def _relied_on(evidence: Evidence) -> Number:
    gain = evidence.head_facts("matching", "matched.gain").value
    changes = of_learned(
        evidence,
        SWEEPS,
        lambda task: evidence.head_facts(SWEEPS, "uniform", task).value,
        among=PAIRED.__contains__,
    )
    related = [defined(explains_cost(gain, change, SEED), NO_PAIRS) for change in changes.values()]
    return mean(related, min(number.n for number in related))


K17 = Claim(
    id="K17",
    title="Heads for sentence pairs match identical words",
    statement="The heads that the STS-B and RTE models rely on attend to words that stand in both sentences.",
    paper=KOVALEVA,
    section="5",
    measure=(
        "Mean weight from a word piece to the same piece in the other paragraph minus that to other pieces that stand "
        "in both, on one half of the documents, for the head that is best on the other half; and Spearman's "
        "correlation over heads of this gain with what making the head uniform costs, mean over those of the two tasks "
        "that were learned; the same heads are resampled for both."
    ),
    needs=f"text in pairs of paragraphs; and {SWEEP}, on STS-B and RTE",
    parts=(
        part(
            "K17.1",
            "the weight that the best head gives to the same word of the other text minus that to other words",
            MATCHING.quantity(MATCHES).unit,
            lambda evidence: evidence.of_chosen(MATCHING.name, MATCHES, MATCHES),
        ),
        part(
            "K17.3",
            "the rank correlation of matching with what STS-B and RTE lose",
            "correlation",
            _relied_on,
            over="heads",
        ),
    ),
    numbers=(
        "matching/best.matched.gain*",
        "matching/matched.gain",
        "disabling/base*",
        "disabling/uniform",
    ),
    which=ON_DOCUMENTS,
    unfollowed=NOT_TUNED,
)


def _removable(evidence: Evidence) -> Number:
    curves = of_learned(evidence, SWEEPS, lambda task: _curve(evidence, task))
    found = {}
    for task, curve in curves.items():
        sure = zip(*(widened(number, len(curves))[:3] for number in curve.values()), strict=True)
        found[task] = (*removable(list(curve), *map(np.array, sure)), min(number.n for number in curve.values()))
    value, low, high = (min(number[at] for number in found.values()) for at in range(3))
    order = evidence.known_head_facts("pruning", "order", min(found, key=lambda task: found[task][0]))
    if order:
        evidence.name(order.value < value * order.value.size + 0.5)  # a whole number of heads, but for rounding
    return Number(value, low, high, sum(number[3] for number in found.values()))


def _curve(evidence: Evidence, task: str) -> dict[int, Number]:
    """How many heads are gone -> the change of the score, with intervals that hold for all these changes at once."""
    whole = evidence.fact("pruning", "change.0", task)
    counts = range(1, evidence.layers * evidence.heads + 1)
    rest = {count: evidence.known_fact("pruning", f"change.{count}", task) for count in counts}
    return {0: whole} | {count: change for count, change in rest.items() if change}


def _one_left(evidence: Evidence) -> Number:
    return least_of(_changes(evidence, "zero.best_left.lowest"))


R02 = Claim(
    id="R02",
    title="Many heads can be zeroed",
    statement="Many heads can be zeroed without loss, and one head in a layer is enough.",
    paper="Michel et al. 2019",
    section="ablation and pruning of BERT-base",
    measure=(
        "Share of heads that can be zeroed, the least important first, at a loss of at most a point: the lowest among "
        "the tasks that were learned. Up to the lower end of its interval the loss is surely no larger; beyond the "
        "upper end the score is surely lower, and heads beyond it do not count. Both ends allow for all numbers of "
        "heads tried and for all tasks. The page of tasks allows for one task alone, so its upper end may be lower, "
        "and its share too. The second number is the change of the score on one half of the examples when a layer "
        "keeps only the head that is best on the other half: the lowest over layers and tasks, with an interval that "
        "allows for all of them. Examples are resampled."
    ),
    needs=SWEEP,
    parts=(
        of_tasks(
            "least",
            part("R02.3", "the lowest share of heads that can go in a task", "share", _removable, over="examples"),
        ),
        of_tasks(
            "least",
            part(
                "R02.4",
                "the lowest change of a score with one head left in a layer",
                "score",
                _one_left,
                over="examples",
            ),
        ),
    ),
    published=tuple(
        f"michel.{name}"
        for name in ("pruned.mnli", "pruned.cola", "pruned.mrpc", "pruned.sst2", "best_head.worst_layer")
    ),
    numbers=(
        "disabling/base*",
        "disabling/zero.best_left.lowest",
        "pruning/change.*",
        "pruning/order",
    ),
    which="that go first in the task that can spare the fewest",
    unfollowed=NOT_TUNED,
)

CLAIMS = (K05, K15, K16, K17, R02)
