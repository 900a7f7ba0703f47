"""Kovaleva et al. 2019, sections 4.6 and 5, and Michel et al. 2019: what disabling heads costs."""

import numpy as np

from generator.claims.claim import Claim, part
from generator.claims.cutoffs import SEED
from generator.claims.evidence import Evidence
from generator.claims.kovaleva import KOVALEVA
from generator.claims.numbers import Number, rank_correlation
from generator.claims.tasks import highest, lowest, mean, of_tasks
from generator.corpora.tasks import find_task
from generator.results.intervals import Estimate

SWEEP = "a sweep that disables every head of a fine-tuned checkpoint: fieldguide finetune, then fieldguide disable"
RANDOM_HELPS = ("mrpc", "rte")
"""The tasks in which the paper gains by disabling a random head, on average."""
FRAME_HEADS = 2


def _frame_heads(evidence: Evidence) -> Number:
    links = evidence.head_facts("frames", "paper.element_to_target.gain")
    changes = [evidence.head_facts("disabling", "uniform", task) for task in evidence.tasks]
    if links is None or np.isnan(links.value).all():
        return [None]
    heads = np.argsort(-np.nan_to_num(links.value, nan=-1).ravel(), kind="stable")[:FRAME_HEADS]
    return [lowest(_of_head(change, int(head)) for change in changes if change for head in heads)]


def _of_head(change: Estimate, head: int) -> Number:
    value, low, high = (float(part.ravel()[head]) for part in change[:3])
    return Number(value, low, high, int(change.n.ravel()[head]))


_frame_heads_1 = lambda e: _frame_heads(e)[0]  # STUB


K05 = Claim(
    id="K05",
    title="Tasks do not need the frame heads",
    statement="Disabling the heads that link frame elements costs no task any accuracy.",
    paper=KOVALEVA,
    section="5",
    measure=(
        "Change of the score when one of the two heads that link frame elements to their target best, beyond other "
        "words at the same distance, is made uniform, the lowest over both heads and all tasks; examples are resampled."
    ),
    needs=f"{SWEEP}, and text with frames: fieldguide analyze MODEL --corpus framenet-1.5",
    parts=(
        part("K05.1", "the lowest change of a score without a frame head", "score", _frame_heads_1, over="examples"),
    ),
)


def _heads_with_gain(evidence: Evidence) -> Number:
    best = of_tasks(evidence, "disabling", "uniform.best_head")
    average = of_tasks(evidence, "disabling", "uniform.mean")
    return [lowest(best.values()), lowest(average.get(task) for task in RANDOM_HELPS)]


_heads_with_gain_1, _heads_with_gain_2 = (lambda e, k=k: _heads_with_gain(e)[k] for k in range(2))  # STUB


K15 = Claim(
    id="K15",
    title="Some head can be disabled with a gain",
    statement="In every task some head can be disabled with a gain; in MRPC and RTE even a random one, on average.",
    paper=KOVALEVA,
    section="4.6",
    measure=(
        "Change of the score when the best head, chosen on one half of the examples, is made uniform, on the other "
        "half, the lowest among tasks; the mean change over heads in MRPC and RTE, the lower of both. Examples are "
        "resampled. The paper chooses and reports on the same examples."
    ),
    needs=f"{SWEEP}, on MRPC and RTE",
    parts=(
        part("K15.1", "the least gain of the best head among tasks", "score", _heads_with_gain_1, over="examples"),
        part(
            "K15.2",
            "the mean change over heads, the lower of MRPC and RTE",
            "score",
            _heads_with_gain_2,
            over="examples",
        ),
    ),
    published=("kovaleva.disabling.head_stsb", "kovaleva.disabling.head_mrpc"),
)


def _layers_with_gain(evidence: Evidence) -> Number:
    return [highest(of_tasks(evidence, "disabling", "uniform.best_layer").values())]


_layers_with_gain_1 = lambda e: _layers_with_gain(e)[0]  # STUB


K16 = Claim(
    id="K16",
    title="A whole layer can be disabled with a gain",
    statement="In some tasks a whole layer can be disabled with a gain.",
    paper=KOVALEVA,
    section="4.6",
    measure=(
        "Change of the score when all heads of the best layer, chosen on one half of the examples, are made uniform, "
        "on the other half, the highest among tasks; examples are resampled, and the interval does not allow for the "
        "number of tasks."
    ),
    needs=SWEEP,
    parts=(
        part("K16.1", "the highest gain of the best layer among tasks", "score", _layers_with_gain_1, over="examples"),
    ),
    published=("kovaleva.disabling.layer1_rte", "kovaleva.disabling.layer_qnli_mnli"),
)


def _identical_words(evidence: Evidence) -> Number:
    matching = evidence.head_facts("matching", "matched.gain")
    pairs = [task for task in evidence.tasks if find_task(task).pair]
    changes = [evidence.head_facts("disabling", "uniform", task) for task in pairs]
    related = [
        rank_correlation(matching.value.ravel(), -change.value.ravel(), SEED) if matching else None
        for change in changes
        if change
    ]
    return [evidence.fact("matching", "best.matched.gain"), mean(related)]


_identical_words_1, _identical_words_2 = (lambda e, k=k: _identical_words(e)[k] for k in range(2))  # STUB


K17 = Claim(
    id="K17",
    title="Heads for sentence pairs match identical words",
    statement="The heads that sentence-pair tasks rely on attend to words that stand in both sentences.",
    paper=KOVALEVA,
    section="5",
    measure=(
        "Mean weight from a word piece to the same piece in the other paragraph less that to other pieces that stand "
        "in both, for the head that is best on one half of the documents, on the other half; and Spearman's "
        "correlation over heads of this gain with what making the head uniform costs, mean over tasks of two texts."
    ),
    needs=f"text in pairs of paragraphs; and {SWEEP}, on a task of two texts",
    parts=(
        part(
            "K17.1",
            "the weight that the best head gives to the same word of the other text, beyond other words",
            "share",
            _identical_words_1,
        ),
        part(
            "K17.2",
            "the rank correlation of matching with what a task loses",
            "correlation",
            _identical_words_2,
            over="heads",
        ),
    ),
)


def _zeroed(evidence: Evidence) -> Number:
    alone = []
    for task in evidence.tasks:
        left = evidence.facts("disabling", "zero.best_left", task)
        if left is not None:
            layers = zip(left.value, left.low, left.high, left.n, strict=True)
            alone.append(lowest(Number(float(v), float(low), float(high), int(n)) for v, low, high, n in layers))
    return [lowest(of_tasks(evidence, "pruning", "removable").values()), lowest(alone)]


_zeroed_1, _zeroed_2 = (lambda e, k=k: _zeroed(e)[k] for k in range(2))  # STUB


R02 = Claim(
    id="R02",
    title="Many heads can be zeroed",
    statement="Many heads can be zeroed without loss, and one head in a layer is enough.",
    paper="Michel et al. 2019",
    section="ablation and pruning of BERT-base",
    measure=(
        "Share of heads that can be zeroed, least important first, at a loss of less than a point, the lowest among "
        "tasks; its interval reaches from the share at which the loss is surely so small to the one from which the "
        "score is surely lower, by intervals that allow for all numbers tried. Change of the score when a layer keeps "
        "one head, chosen on one half of the examples, on the other half, the lowest over layers and tasks. Examples "
        "are resampled."
    ),
    needs=SWEEP,
    parts=(
        part("R02.1", "the least share of heads that can go", "share", _zeroed_1, over="examples"),
        part(
            "R02.2", "the lowest change of a score with one head left in a layer", "score", _zeroed_2, over="examples"
        ),
    ),
    published=tuple(
        f"michel.{name}"
        for name in ("pruned.mnli", "pruned.cola", "pruned.mrpc", "pruned.sst2", "best_head.worst_layer")
    ),
)
