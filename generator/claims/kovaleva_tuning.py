"""Kovaleva et al. 2019, section 4.3: what fine-tuning gains and what it changes."""

import math

import numpy as np

from generator.claims.claim import Claim, part
from generator.claims.evidence import Evidence
from generator.claims.kovaleva import KOVALEVA
from generator.claims.numbers import Number, difference, mean_of
from generator.claims.tasks import FINE_TUNED, FROZEN, MAJORITY, RANDOM, SIMILARITY, lowest, mean, score, scored

RUNS = "fine-tuning runs from pre-trained and from random weights: fieldguide finetune"
TASKS = ("mrpc", "stsb", "sst2", "qqp", "rte", "qnli", "mnli")


def _by_training(task: str, *columns: str) -> tuple[str, ...]:
    return tuple(f"kovaleva.table1.{task}.accuracy.{column}" for column in columns)


def _last_layers(evidence: Evidence) -> Number:
    last = np.arange(evidence.layers) >= evidence.layers - max(math.ceil(evidence.layers / 6), 1)
    found = []
    for task in evidence.tasks:
        for study in evidence.trained_further(task):
            cosine = evidence.facts(study, "cosine", task)
            found.append(difference(mean_of(cosine, ~last), mean_of(cosine, last)))
    return [lowest(found)]


_last_layers_1 = lambda e: _last_layers(e)[0]  # STUB


K06 = Claim(
    id="K06",
    title="Fine-tuning changes the last two layers most",
    statement="Fine-tuning changes the maps of the last two layers most, in every task but QQP.",
    paper=KOVALEVA,
    section="4.3",
    measure=(
        "Cosine of the maps of both checkpoints on the same input, cropped to its tokens, mean over heads: of all "
        "other layers less that of the last two, or of the last sixth of a model that has not twelve; the lowest among "
        "tasks. "
        "Intervals over examples are averaged over layers and added up end to end."
    ),
    needs="a fine-tuned checkpoint beside the pre-trained one: fieldguide finetune, then fieldguide compare",
    parts=(
        part(
            "K06.1", "the cosine in the other layers less that in the last", "cosine", _last_layers_1, over="examples"
        ),
    ),
    published=tuple(f"kovaleva.cosine_qqp.{layer}" for layer in range(1, 13)),
)


def _gains(evidence: Evidence) -> Number:
    def less(how: str) -> Number:
        tasks = scored(evidence, FINE_TUNED, how)
        return [difference(score(evidence, task, FINE_TUNED), score(evidence, task, how)) for task in tasks]

    return [mean(less(FROZEN)), lowest(less(RANDOM))]


_gains_1, _gains_2 = (lambda e, k=k: _gains(e)[k] for k in range(2))  # STUB


K07 = Claim(
    id="K07",
    title="Fine-tuning gains much, and pre-training helps",
    statement=(
        "Fine-tuning gains many points over the frozen model, and starting from pre-trained weights beats random ones."
    ),
    paper=KOVALEVA,
    section="4.3, Table 1",
    measure=(
        "Score of the model fine-tuned from its own weights less that of the frozen one with a trained head, mean over "
        "tasks; the same less that of one fine-tuned from random weights, the lowest among tasks. Mean over seeds of "
        "GLUE's first score; intervals over examples are added up end to end."
    ),
    needs=RUNS,
    parts=(
        part("K07.1", "the mean gain of fine-tuning over tasks", "score", _gains_1, over="examples"),
        part("K07.2", "the least lead of pre-trained over random weights", "score", _gains_2, over="examples"),
    ),
    published=(
        "kovaleva.gain.mean",
        *(key for task in TASKS for key in _by_training(task, "pretrained", "random", "finetuned")),
    ),
)


def _from_random(evidence: Evidence) -> Number:
    leads = [
        difference(score(evidence, task, RANDOM), score(evidence, task, MAJORITY))
        for task in scored(evidence, RANDOM)
        if task != SIMILARITY
    ]
    there = SIMILARITY in evidence.tasks
    behind = [score(evidence, SIMILARITY, how) for how in (FINE_TUNED, RANDOM)] if there else [None, None]
    return [mean(leads), difference(behind[0], behind[1])]


_from_random_1, _from_random_2 = (lambda e, k=k: _from_random(e)[k] for k in range(2))  # STUB


K08 = Claim(
    id="K08",
    title="Random weights, fine-tuned, do well too",
    statement="A model fine-tuned from random weights is nevertheless strong, except on similarity.",
    paper=KOVALEVA,
    section="the authors' blog post",
    measure=(
        "Score of the model fine-tuned from random weights less that of the majority class, mean over all tasks but "
        "STS-B; on STS-B, how far it stays behind pre-trained weights. Intervals as in K07."
    ),
    needs=f"{RUNS}, on STS-B and on other tasks",
    parts=(
        part("K08.1", "the mean lead over the majority class", "score", _from_random_1, over="examples"),
        part("K08.2", "the distance to pre-trained weights on STS-B", "score", _from_random_2, over="examples"),
    ),
    published=tuple(key for task in TASKS for key in _by_training(task, "random")),
)
