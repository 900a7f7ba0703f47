"""Kovaleva et al. 2019, section 4.3: what fine-tuning gains and what it changes."""

from collections.abc import Callable

from generator.claims.claim import Claim, of_tasks, part
from generator.claims.evidence.evidence import Evidence
from generator.claims.kovaleva.attention import KOVALEVA
from generator.claims.missing import NotTestable
from generator.claims.nameless import NOT_TUNED, OF_LAYERS, OF_THE_MODEL
from generator.claims.published import of_layers
from generator.numbers.number import Number, difference
from generator.numbers.simultaneous import least_of, mean
from generator.topics.tasks.claims.learned import (
    FINE_TUNED,
    FROZEN,
    MAJORITY,
    RANDOM,
    SIMILARITY,
    ahead,
    of_learned,
    score_name,
    tuned_copies,
)

RUNS = "fine-tuning runs from pre-trained and from random weights: fieldguide finetune"
EXCEPTION = "qqp"
"""The one task in which the paper does not claim that the last layers change most."""
TASKS = ("mrpc", "stsb", "sst2", "qqp", "rte", "qnli", "mnli")


def _by_training(task: str, *columns: str) -> tuple[str, ...]:
    return tuple(f"kovaleva.table1.{task}.accuracy.{column}" for column in columns)


LAST = 2
"""How many layers are the last ones, in a model of any depth: the paper says that these change most."""


def _last_layers(evidence: Evidence) -> Number:
    if evidence.layers <= LAST:
        raise NotTestable(f"the model has no layer before its last {LAST}")
    last = range(evidence.layers - LAST, evidence.layers)
    leads, examples = [], 0
    for study, task in tuned_copies(evidence, lambda task: task != EXCEPTION):
        cosine = evidence.facts(study, "cosine", task)
        leads += [difference(cosine.at(earlier), cosine.at(late)) for earlier in range(last.start) for late in last]
        examples += int(cosine.n.min())
    return least_of(leads, examples)


K06 = Claim(
    id="K06",
    title="Fine-tuning changes the last two layers most",
    statement="Fine-tuning changes the maps of the last two layers most, in every task but QQP.",
    paper=KOVALEVA,
    section="4.3",
    measure=(
        "Cosine of the maps of both checkpoints on the same input, cropped to its tokens, mean over heads: that of an "
        "earlier layer minus that of one of the last two; the lowest such difference in all tasks but QQP that a "
        "checkpoint learned. Examples are resampled; the interval allows for all pairs of layers and tasks, as if both "
        "layers erred in the worst direction."
    ),
    needs=(
        "three layers or more, and a fine-tuned checkpoint beside the pre-trained one: fieldguide finetune, then "
        "fieldguide compare"
    ),
    parts=(
        of_tasks(
            "least",
            part(
                "K06.3",
                "by how much less the maps of an earlier layer change than those of the last two, at the least",
                "cosine",
                _last_layers,
                over="examples",
            ),
        ),
    ),
    published=of_layers("kovaleva.cosine_qqp"),
    numbers=(
        "compare/copy",
        "compare/cosine",
        "compare/score*",
    ),
    nameless=OF_LAYERS,
    unfollowed=NOT_TUNED,
)


def _of_learned(
    evidence: Evidence, way: str, other: str, among: Callable[[str], bool] = lambda _: True
) -> dict[str, Number]:
    """Task -> the lead of one way of training over another, for tasks learned from the model's own weights."""
    return of_learned(
        evidence,
        "scores",
        lambda task: ahead(evidence, task, way, other),
        score=lambda task: score_name(task, FINE_TUNED),
        among=among,
    )


def _over_frozen(evidence: Evidence) -> Number:
    return mean(_of_learned(evidence, FINE_TUNED, FROZEN).values())


def _over_random(evidence: Evidence) -> Number:
    return least_of(_of_learned(evidence, FINE_TUNED, RANDOM).values())


K07 = Claim(
    id="K07",
    title="Fine-tuning gains much, and pre-training helps",
    statement=(
        "Fine-tuning gains many points over the frozen model, and starting from pre-trained weights beats random ones."
    ),
    paper=KOVALEVA,
    section="4.3, Table 1",
    measure=(
        "Score of the model fine-tuned from its own weights minus that of the frozen one with a trained head, mean "
        "over the tasks that it learned; and the first score minus that of the model fine-tuned from random weights, "
        "the lowest among tasks. A score is the first that GLUE names for the task, mean over seeds. Examples, which "
        "are the same for all, and seeds are resampled; the lowest has an interval that allows for all tasks."
    ),
    needs=RUNS,
    parts=(
        of_tasks(
            "mean", part("K07.3", "the mean gain of fine-tuning over tasks", "score", _over_frozen, over="examples")
        ),
        of_tasks(
            "least",
            part("K07.4", "the least lead of pre-trained over random weights", "score", _over_random, over="examples"),
        ),
    ),
    published=(
        "kovaleva.gain.mean",
        *(key for task in TASKS for key in _by_training(task, "pretrained", "random", "finetuned")),
    ),
    numbers=("scores/*",),
    nameless=OF_THE_MODEL,
    unfollowed=NOT_TUNED,
)


def _random_leads(evidence: Evidence) -> Number:
    return mean(_of_learned(evidence, RANDOM, MAJORITY, lambda task: task != SIMILARITY).values())


def _behind_on_similarity(evidence: Evidence) -> Number:
    return _of_learned(evidence, FINE_TUNED, RANDOM, lambda task: task == SIMILARITY)[SIMILARITY]


K08 = Claim(
    id="K08",
    title="Random weights, fine-tuned, do well too",
    statement="A model fine-tuned from random weights is nevertheless strong, except on similarity.",
    paper=KOVALEVA,
    section="the authors' blog post",
    measure=(
        "Score of the model fine-tuned from random weights minus that of the majority class, mean over all tasks but "
        "STS-B that the model learned from its own weights; on STS-B, how far it stays behind the model fine-tuned "
        "from its own weights. Intervals as in K07."
    ),
    needs=f"{RUNS}, on STS-B and on other tasks",
    parts=(
        of_tasks(
            "mean", part("K08.3", "the mean lead over the majority class", "score", _random_leads, over="examples")
        ),
        part("K08.4", "the gap to pre-trained weights on STS-B", "score", _behind_on_similarity, over="examples"),
    ),
    published=tuple(key for task in TASKS for key in _by_training(task, "random")),
    numbers=("scores/*",),
    nameless=OF_THE_MODEL,
    unfollowed=NOT_TUNED,
)

CLAIMS = (K06, K07, K08)
