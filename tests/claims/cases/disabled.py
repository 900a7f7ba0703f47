"""The same as in `clark`, for claims about models whose heads were disabled."""

import numpy as np

from tests.claims.cases.tasks import learned
from tests.claims.made import (
    FRAMES,
    HEADS,
    LAYERS,
    TASKS,
    TEXT,
    chosen,
    fact,
    head_facts,
    heads_at,
)

RISING = np.linspace(0, 1, LAYERS * HEADS).reshape(LAYERS, HEADS)
PLACES = np.arange(1, LAYERS * HEADS + 1).reshape(LAYERS, HEADS)


def swept(tasks=TASKS, lead=0.2):
    """That the checkpoints whose heads were disabled learned their tasks."""
    return learned("disabling", "base", tasks, lead)


def disabled(name, *values, spread=0.01, tasks=TASKS):
    """A number of every task."""
    return [fact("disabling", name, value, spread, corpus=task) for task, value in zip(tasks, values, strict=False)]


def heads_with_gain(best, mean, lead=0.2):
    """K15: gains by the best head and by a random one, task by task."""
    return [*disabled("uniform.best_head", *best), *disabled("uniform.mean", *mean), *swept(lead=lead)]


def layers_with_gain(*best, spread=0.01, lead=0.2):
    """K16: gains by the best layer, task by task."""
    return [*disabled("uniform.best_layer", *best, spread=spread), *swept(lead=lead)]


def frame_heads(first, second, spread=0.002, lead=0.2, best=0.3):
    """K05: what the two heads with the highest links cost, in every task; all other heads cost much. The best one gives
    links so much more than chance.
    """
    change = heads_at((3, 1), value=first, other=-0.3)
    change[7, 1] = second
    links = heads_at((3, 1), (8, 2), value=0.4, other=0.01)
    return [
        head_facts("frames", "paper.element_to_target.gain", links, corpus=FRAMES),
        fact("frames", "paper.element_to_target.best.gain", best, 0.01, corpus=FRAMES),
        *(head_facts("disabling", "uniform", change, spread, corpus=task) for task in TASKS),
        *swept(lead=lead),
    ]


def matching(gain, related, spread=0.01, lead=0.2, tasks=TASKS):
    """K17: the best head's gain, and the change of every head as a function of its gain."""
    return [
        fact("matching", "best.matched.gain", gain, spread),
        head_facts("matching", "matched.gain", RISING, corpus=TEXT),
        *(head_facts("disabling", "uniform", related(RISING), corpus=task) for task in tasks),
        *swept(tasks, lead),
    ]


def noisy(share):
    """K17: changes that fall with the gain but for noise, of this share."""
    noise = np.random.default_rng(0).permutation(RISING.size).reshape(RISING.shape) / RISING.size
    return lambda grid: -(1 - share) * grid + share * noise


def left(*worst, loss=(0.0, 0.0, 0.0), gone=12, spread=0.002, lead=0.2, tasks=TASKS):
    """R02: the worst layer's change with one head, and the loss without so many heads of 24 or more, task by task.

    Heads go layer by layer, in the last task from the last one on.
    """
    curves = [
        fact("pruning", f"change.{count}", -one if count >= gone else 0.0, spread if count else 0.0, corpus=task)
        for task, one in zip(tasks, loss, strict=False)
        for count in (0, 4, 8, 9, 10, 11, 12, 16, 20, 24)
    ]
    lowest = disabled("zero.best_left.lowest", *worst, spread=spread, tasks=tasks)
    orders = [PLACES if task != TASKS[-1] else PLACES[::-1, ::-1] for task in tasks]
    order = [head_facts("pruning", "order", one, 0, task) for task, one in zip(tasks, orders, strict=True)]
    return [*lowest, *curves, *order, *swept(tasks, lead)]


CASES = {
    "K05": {
        "holds": frame_heads(0.0, 0.005),
        "holds, just": frame_heads(0.0, -0.0098, spread=0.0001),
        "holds, a head just stands out": frame_heads(0.0, 0.005, best=0.0601),
        "not testable, no head surely stands out": frame_heads(0.0, -0.05, best=0.0599),
        "fails, just": frame_heads(0.0, -0.0102, spread=0.0001),
        "fails": frame_heads(0.0, -0.05),
        "inconclusive": frame_heads(-0.01, 0.0),
        "inconclusive, for two heads and three tasks are tried": frame_heads(-0.0079, 0.0),
        "not testable": [
            head_facts("frames", "paper.element_to_target.gain", heads_at(value=0, other=0.1), corpus=FRAMES),
            fact("frames", "paper.element_to_target.best.gain", 0.3, corpus=FRAMES),
        ],
        "not testable, no frames": frame_heads(0.0, 0.0)[2:],
        "not testable, nothing was learned": frame_heads(0.0, 0.005, lead=0.0),
    },
    "K15": {
        "holds": [
            *heads_with_gain((0.03, 0.05, 0.04), (0.02, 0.03, -0.1)),
            *chosen("disabling", "uniform.best_head", 3, 1, TASKS[0]),
        ],
        "holds, just": heads_with_gain((0.03, 0.013, 0.04), (0.02, 0.012, -0.1)),
        "fails, just not in one task": heads_with_gain((0.03, -0.013, 0.04), (0.02, 0.03, 0.0)),
        "fails, a random one just costs": heads_with_gain((0.03, 0.05, 0.04), (-0.012, 0.03, 0.0)),
        "fails, not in one task": heads_with_gain((0.03, -0.05, 0.04), (0.02, 0.03, 0.0)),
        "fails, a random one costs": heads_with_gain((0.03, 0.05, 0.04), (-0.02, 0.03, 0.1)),
        "inconclusive": heads_with_gain((0.03, 0.005, 0.04), (0.02, 0.03, 0.0)),
        "inconclusive, for three tasks are tried": heads_with_gain((0.03, 0.0105, 0.04), (0.02, 0.03, 0.0)),
        "not testable": heads_with_gain((0.03, 0.05), (0.02,)),
        "not testable, nothing was learned": heads_with_gain((0.03, 0.05, 0.04), (0.02, 0.03, -0.1), lead=0.0),
        "not testable, one of the two was not learned": [
            *heads_with_gain((0.03, 0.05, 0.04), (0.02, 0.03, -0.1))[: -3 * len(TASKS)],
            *swept(("mrpc", "stsb")),
            *swept(("rte",), lead=0.0),
        ],
    },
    "K16": {
        "holds": layers_with_gain(-0.1, 0.05, 0.0),
        "holds, just": layers_with_gain(-0.1, 0.0105, 0.0, spread=0.0002),
        "fails, just": layers_with_gain(-0.1, 0.0095, 0.0, spread=0.0002),
        "fails": layers_with_gain(-0.1, -0.05, -0.2),
        "holds, in one of two tasks": [*disabled("uniform.best_layer", -0.1, 0.05), *swept(TASKS[:2])],
        "not testable, in neither of two": [*disabled("uniform.best_layer", -0.1, -0.05), *swept(TASKS[:2])],
        "inconclusive": layers_with_gain(-0.1, 0.015, -0.2),
        "inconclusive, for three tasks are tried": layers_with_gain(-0.1, 0.0205, -0.2),
        "not testable": [*disabled("uniform.best_head", 0.1), *swept()],
        "not testable, nothing was learned": layers_with_gain(-0.1, 0.05, 0.0, lead=0.0),
    },
    "K17": {
        "holds": [*matching(0.3, lambda grid: -grid), *chosen("matching", "best.matched.gain", 3, 1, TEXT)],
        "holds, just matches": matching(0.104, lambda grid: -grid, spread=0.002),
        "fails, just does not match": matching(0.096, lambda grid: -grid, spread=0.002),
        "fails, no matching": matching(0.02, lambda grid: -grid),
        "fails, not needed": matching(0.3, lambda grid: grid),
        "inconclusive": matching(0.1, lambda grid: -grid),
        "inconclusive, hardly related": matching(0.3, noisy(1.0)),
        "not testable": matching(0.3, lambda grid: grid)[:2],
        "not testable, nothing was learned": matching(0.3, lambda grid: -grid, lead=0.0),
    },
    "R02": {
        "holds": left(0.0, -0.005, 0.01),
        "holds, just": left(0.0, -0.0098, 0.01, loss=(0.05, 0.0, 0.0), gone=11, spread=0.0001),
        "fails, just too few can go": left(0.0, 0.0, 0.0, loss=(0.05, 0.0, 0.0), gone=10, spread=0.0001),
        "fails, one head is just not enough": left(0.0, -0.0102, 0.0, spread=0.0001),
        "fails, few can go": left(0.0, 0.0, 0.0, loss=(0.0, 0.1, 0.0), gone=8),
        "fails, one head is not enough": left(0.0, -0.1, 0.0),
        "inconclusive": left(0.0, -0.01, 0.0),
        "inconclusive, for three tasks are tried": left(0.0, -0.0079, 0.0),
        "not testable, two tasks": left(0.0, 0.0, tasks=TASKS[:2]),
        "fails, one head is not enough in one of two tasks": left(0.0, -0.1, tasks=TASKS[:2]),
        "not testable": [*left(0.0, 0.0, 0.0, tasks=TASKS)[3:]],
        "not testable, nothing was learned": left(0.0, -0.005, 0.01, lead=0.0),
    },
}
