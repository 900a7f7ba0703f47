"""How many heads can go at once, and in which order: study "pruning", `facts` of layer 0 and `head_facts` (Michel et
al. 2019, section 4).

Ever more heads are zeroed, the least important first. Importance is the mean |dL/dxi| of a head (see
`sweep`), divided by the Euclidean norm of these means in its layer. It is measured once, with every head in place, on
other examples than those on which the curve is scored. The intervals of changes hold for all points of the curve at
once; from them follows how many heads can go (see `learning.derived.removable`).
"""

import numpy as np
import pandas as pd

from generator.attention.anatomy import Anatomy
from generator.attention.changed.disable import Disabled
from generator.numbers.number import all_alone
from generator.numbers.resampling import interval, sample_counts
from generator.studies.fact_rows import head_facts, stored_rows
from generator.topics.learning.derived.removable import removable
from generator.topics.tasks.records.tasks import CHANGE_WITHOUT, GONE_AS, PRUNING, SCORE_WITHOUT
from generator.topics.tasks.run.disable.examples import Examples
from generator.topics.tasks.run.disable.scores import changes
from generator.topics.tasks.run.disable.study import Tables
from generator.topics.tasks.run.disable.sweep import importance, run

STEPS = 20
"""How many points the curve has besides the whole model: one for every twentieth of all heads."""


def pruning(shown: Examples, scored: Examples, anatomy: Anatomy, model: str, seed: int, steps: int = STEPS) -> Tables:
    """The scores on the examples `scored`, in their unit, as heads are zeroed, the least important on `shown` first.

    `anatomy` is what `examine` returns for the encoder; `model` is the model on whose pages the curve is shown. Raises
    ModelError.
    """
    order = pruning_order(importance(shown, anatomy).mean(0))
    tried = numbers_tried(len(order), steps)
    found = run(scored, anatomy, [Disabled.of("zero", order[:count]) for count in tried[1:]])
    n = len(scored.names)
    values, draws = scored.scores(found, np.ones((1, n)))[0], scored.scores(found, sample_counts(n, seed))
    change = changes(draws - draws[:, :1], values - values[0])
    rows = [
        (SCORE_WITHOUT.called(count=count), value, *interval(column))
        for count, value, column in zip(tried, values, draws.T, strict=True)
    ]
    sure = change.value, change.family_low, change.family_high
    rows += [(CHANGE_WITHOUT.called(count=count), *ends) for count, *ends in zip(tried, *sure, strict=True)]
    rows.append(("removable", *removable(tried, *sure)))
    table = pd.DataFrame(rows, columns=["name", "value", "low", "high"]).assign(layer=0, n=n)
    places = np.empty((anatomy.layers, anatomy.heads))
    for at, (layer, head) in enumerate(order, 1):
        places[layer, head] = at
    return {
        "facts": [stored_rows(table, PRUNING, model, scored.corpus)],
        "head_facts": [head_facts({GONE_AS.name: all_alone(places, n)}, PRUNING, model, scored.corpus)],
    }


def tokens_read(shown: Examples, scored: Examples, anatomy: Anatomy) -> int:
    """How many tokens `pruning` reads, each as often as it is read."""
    points = len(numbers_tried(anatomy.layers * anatomy.heads, STEPS))
    return sum(map(len, shown.inputs)) + points * sum(map(len, scored.inputs))


def pruning_order(importances: np.ndarray) -> list[tuple[int, int]]:
    """0-based layers and heads, the least important first, from mean importances `[layer, head]`."""
    norms = np.linalg.norm(importances, axis=1, keepdims=True)
    relative = np.divide(importances, norms, out=np.zeros_like(importances), where=norms > 0)
    order = np.argsort(relative, axis=None, kind="stable")
    return [(int(at) // importances.shape[1], int(at) % importances.shape[1]) for at in order]


def numbers_tried(heads: int, steps: int) -> list[int]:
    """How many heads are zeroed at each point of the curve, from 0 to all."""
    return sorted({round(heads * step / steps) for step in range(steps + 1)})
