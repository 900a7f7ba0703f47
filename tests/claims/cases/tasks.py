"""The same as in `clark`, for claims about labelled tasks: fine-tuned copies and ways of training."""

import numpy as np

from tests.claims.cases.clark import NAN
from tests.claims.cases.texts import WORDS, features
from tests.claims.made import (
    LAYERS,
    MORE,
    TASKS,
    TREEBANK,
    as_stored,
    by_layer,
    fact,
    facts,
)

TUNED = "compare:tiny-tuned"


def learned(study, name, tasks=TASKS, lead=0.2, score=0.75, spread=0.01):
    """The score that a study stores of each task, and how far it lies above the majority class's."""
    return [
        fact(study, of, value, spread, corpus=task)
        for task in tasks
        for of, value in (
            (name, score),
            (f"{name}.lead", lead),
            (f"{name.partition('.')[0]}.majority", score - lead),
        )
    ]


def copied(corpus, copy=1.0):
    """Whether the other model is a copy that was trained further."""
    return fact(TUNED, "copy", copy, NAN, corpus=corpus)


def tuned(name, *values, tasks=TASKS, spread=0.01, copy=1.0, lead=0.2):
    """A number of the comparison with a fine-tuned copy, task by task, that learned all of them."""
    numbers = [fact(TUNED, name, value, spread, corpus=task) for task, value in zip(tasks, values, strict=False)]
    return [*numbers, *(copied(task, copy) for task in tasks), *learned(TUNED, "score", tasks, lead)]


def raised(value, layer=LAYERS, feature="noun", n=60, stripe=0.5, **options):
    """K12: the change of a feature's score in one layer; in all others, and of other features, it is lower. `n` is how
    many sentences have the feature, `stripe` what heads of the model give a separator.
    """
    low = min(value - 0.01, 0.0)
    scores = {name: by_layer({layer: low if name != feature else value}, low) for name in WORDS}
    made = [facts(TUNED, f"{name}.max", score, 0.002, corpus=TREEBANK) for name, score in scores.items()]
    at = WORDS.index(feature)
    made[at] = as_stored("facts", made[at]["facts"].to_pandas().assign(n=n))
    return [*made, *features(stripe, 0.0), *tuned("cosine", 0.9, 0.9, 0.9, **options)]


def heterogeneous(*shares, **options):
    """K02: shares after fine-tuning, task by task."""
    return tuned("other.pattern.heterogeneous", *shares, **options)


def least(*values, layers=(11, 12), earlier=10, tasks=TASKS, **options):
    """K06: by how much some layers change beyond an earlier one, task by task; all others change less."""
    made = tuned("copy", tasks=tasks, **options)
    for task, value in zip(tasks, values, strict=True):
        cosine = by_layer({(1, LAYERS): 0.9, (11, 12): 0.1, earlier: 0.5, **dict.fromkeys(layers, 0.5 - value)})
        made.append(facts(TUNED, "cosine", cosine, 0.005, corpus=task))
    return made


WAYS = {"frozen": "pretrained.frozen", "random": "random.fine-tuned", "tuned": "pretrained.fine-tuned"}


def scores(spread=0.01, tasks=TASKS, **numbers):
    """K07, K08: leads of ways of training over the majority class, and of fine-tuning over others, by task or for all.

    `tuned_frozen` is the score of fine-tuning minus that of the frozen model.
    """
    made = []
    for name, values in numbers.items():
        first, _, second = name.partition("_")
        of = f"{WAYS[first]}.minus.{WAYS[second]}" if second else f"{WAYS[first]}.lead"
        for task, value in zip(tasks, np.broadcast_to(values, len(tasks)), strict=True):
            metric = "spearman" if task == "stsb" else "accuracy"
            made.append(fact("scores", f"{metric}.{of}", float(value), spread, corpus=task))
            made += [fact("scores", f"{metric}.{WAYS[first]}", 0.75, spread, corpus=task)] if not second else []
    return made


def weights(moved, random, copy=1.0, lead=0.2, start=0.1, copies=20):
    """Q02: how far all weights of copies for the tasks in turn are from the pre-trained ones, and by how much these are
    the better start.
    """
    numbers = {"copy": copy, "weights.distance": moved, "weights.random": random}
    trained = [(f"{TUNED}-{at}", TASKS[at % len(TASKS)]) for at in range(copies)]
    return [
        *(fact(study, name, value, NAN, corpus=task) for study, task in trained for name, value in numbers.items()),
        *(one for study, task in trained for one in learned(study, "score", (task,), lead)),
        *scores(tuned_random=start),
    ]


CASES = {
    "K02": {
        "holds": heterogeneous(0.3, 0.4, 0.6),
        "holds, just": heterogeneous(0.48, 0.65, 0.65),
        "not testable, two tasks": heterogeneous(0.3, 0.4, tasks=TASKS[:2]),
        "fails, nearly all in one of two": heterogeneous(0.3, 0.9, tasks=TASKS[:2]),
        "fails, just too many in all": heterogeneous(0.52, 0.6, 0.6),
        "fails, just too many in one": heterogeneous(0.3, 0.4, 0.69),
        "fails, many in all": heterogeneous(0.7, 0.8, 0.9),
        "fails, nearly all in one": heterogeneous(0.3, 0.4, 0.9),
        "inconclusive": heterogeneous(0.5, 0.55, 0.6),
        "inconclusive, for three tasks are tried": heterogeneous(0.489, 0.6, 0.6),
        "not testable": tuned("pattern.heterogeneous", 0.3, 0.3, 0.3),
        "not testable, nothing was learned": heterogeneous(0.3, 0.4, 0.6, lead=0.005),
    },
    "K06": {
        "holds": least(0.4, 0.3, 0.5),
        "holds, just": least(0.4, 0.018, 0.5),
        "not testable, two tasks": least(0.4, 0.3, tasks=TASKS[:2]),
        "fails, in one of two": least(0.4, -0.05, tasks=TASKS[:2]),
        "fails, in one task": least(0.4, -0.05, 0.5),
        "fails, the last layer but one": least(0.4, -0.05, 0.5, layers=(11,)),
        "fails, just": least(0.4, -0.018, 0.5),
        "fails, just in the last layer but one": least(0.4, -0.018, 0.5, layers=(11,)),
        "fails, just beyond the first layer": least(0.4, -0.018, 0.5, earlier=1),
        "inconclusive": least(0.4, 0.01, 0.5),
        "inconclusive, for all layers of three tasks are tried": least(0.4, 0.016, 0.5),
        "not testable": tuned("other.pattern.heterogeneous", 0.9, 0.9, 0.9),
        "not testable, another model": least(0.4, 0.3, 0.5, copy=0.0),
        "not testable, nothing was learned": least(0.4, 0.3, 0.5, lead=-0.1),
    },
    "K07": {
        "holds": scores(tuned=0.3, tuned_frozen=0.3, tuned_random=0.2),
        "holds, just": scores(tuned=0.3, tuned_frozen=0.123, tuned_random=0.003, spread=0.002),
        "fails, gains just too little": scores(tuned=0.3, tuned_frozen=0.117, tuned_random=0.2, spread=0.002),
        "fails, gains little": scores(tuned=0.3, tuned_frozen=0.05, tuned_random=0.2),
        "fails, random leads in one": scores(tuned=0.3, tuned_frozen=0.4, tuned_random=(0.2, -0.05, 0.2)),
        "fails, random just leads in one": scores(
            tuned=0.3, tuned_frozen=0.4, tuned_random=(0.2, -0.003, 0.2), spread=0.002
        ),
        "inconclusive": scores(tuned=0.3, tuned_frozen=0.3, tuned_random=(0.2, 0.01, 0.2)),
        "not testable": scores(tuned=0.3, tuned_frozen=0.3),
        "not testable, nothing was learned": scores(tuned=0.005, tuned_frozen=0.3, tuned_random=0.2),
        "holds, leaving out what was not learned": scores(
            tasks=MORE,
            tuned=(0.3, 0.005, 0.3, 0.3),
            tuned_frozen=(0.3, 0.0, 0.3, 0.3),
            tuned_random=(0.2, -0.1, 0.2, 0.2),
        ),
        "not testable, two of three were learned": scores(
            tuned=(0.3, 0.005, 0.3), tuned_frozen=(0.3, 0.0, 0.3), tuned_random=(0.2, -0.1, 0.2)
        ),
        "fails, random leads in one of two": scores(
            tuned=(0.3, 0.005, 0.3), tuned_frozen=0.3, tuned_random=(0.2, 0.1, -0.2)
        ),
    },
    "K08": {
        "holds": scores(tasks=MORE, tuned=0.3, random=(0.2, 0.2, 0.0, 0.2), tuned_random=0.7),
        "holds, just": scores(
            tasks=MORE, tuned=0.3, random=(0.103, 0.103, 0.0, 0.103), tuned_random=0.28, spread=0.002
        ),
        "fails, just no better than the majority": scores(
            tasks=MORE, tuned=0.3, random=(0.097, 0.097, 0.9, 0.097), tuned_random=0.7, spread=0.002
        ),
        "fails, similarity just too": scores(
            tasks=MORE, tuned=0.3, random=(0.2, 0.2, 0.0, 0.2), tuned_random=0.26, spread=0.002
        ),
        "fails, no better than the majority": scores(
            tasks=MORE, tuned=0.3, random=(0.0, 0.0, 0.9, 0.0), tuned_random=0.7
        ),
        "fails, similarity too": scores(tasks=MORE, tuned=0.3, random=(0.2, 0.2, 0.0, 0.2), tuned_random=0.1),
        "inconclusive": scores(tasks=MORE, tuned=0.3, random=(0.1, 0.1, 0.0, 0.1), tuned_random=0.7),
        "not testable": scores(tuned=0.3, random=0.2, tuned_random=0.7, tasks=TASKS[:2]),
        "not testable, two tasks beside similarity": scores(tuned=0.3, random=(0.2, 0.2, 0.0), tuned_random=0.7),
        "fails, two tasks beside similarity": scores(tuned=0.3, random=(0.2, 0.2, 0.0), tuned_random=0.1),
        "not testable, similarity was not learned": scores(
            tasks=MORE, tuned=(0.3, 0.3, 0.0, 0.3), random=(0.2, 0.2, 0.0, 0.2), tuned_random=0.7
        ),
    },
    "K12": {
        "holds": raised(0.03),
        "holds, just above": raised(0.004),
        "holds, just below": raised(0.046),
        "not testable, two tasks": raised(0.03, tasks=TASKS[:2]),
        "fails, much in one of two tasks": raised(0.2, tasks=TASKS[:2]),
        "fails, just falls": raised(-0.004),
        "fails, just too much": raised(0.054),
        "fails, just too much in the first layer": raised(0.054, layer=1),
        "fails, much": raised(0.2),
        "fails, falls": raised(-0.1),
        "inconclusive": raised(0.002),
        "inconclusive, for all layers are tried": raised(0.0475),
        "holds, the least sentences with the feature that rises most": raised(0.03, feature="negation", n=20),
        "not testable, hardly a sentence has it": raised(0.03, feature="negation", n=19),
        "holds, just a stripe": raised(0.03, stripe=0.255),
        "not testable, just no stripe": raised(0.03, stripe=0.245),
        "not testable, much beside no stripe": raised(0.2, stripe=0.0),
        "not testable": tuned("cosine", 0.9, 0.9, 0.9),
        "not testable, another model": raised(0.03, copy=0.0),
        "not testable, nothing was learned": raised(0.03, lead=0.0),
    },
    "Q02": {
        "holds": weights(moved=0.02, random=1.3),
        "holds, just": weights(moved=0.127, random=1.3),
        "fails, just": weights(moved=0.133, random=1.3),
        "fails": weights(moved=0.9, random=1.3),
        "not testable, just too few copies": weights(moved=0.02, random=1.3, copies=19),
        "not testable": weights(moved=0.02, random=1.3, copy=0.0),
        "not testable, nothing was learned": weights(moved=0.02, random=1.3, lead=0.0),
        "not testable, random weights do as well": weights(moved=0.02, random=1.3, start=0.0),
    },
}
