"""How much a model needs each head and each layer: study "disabling".

Every head, and every layer as a whole, is made uniform (Kovaleva et al. 2019, section 4.6) and is zeroed (Michel et al.
2019); in every layer, also all heads but one are zeroed. The model is not trained again. A change is the score without
the heads minus that of the whole model on the same examples: below 0 the heads were needed. The best head or layer is
chosen on one half of the examples, and its change is measured on the other half. The records in
`tasks.records` say what each number is.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from generator.attention.anatomy import Anatomy
from generator.attention.changed.disable import WAYS
from generator.numbers.resampling import DRAWS, bootstrap, interval, of_joined, sample_counts, with_all
from generator.numbers.simultaneous import lowest
from generator.studies.fact_rows import stored_rows
from generator.studies.halves import at_place, reported
from generator.topics.tasks.records.tasks import DISABLING
from generator.topics.tasks.run.disable.examples import Examples
from generator.topics.tasks.run.disable.scores import changes
from generator.topics.tasks.run.disable.sweep import Sweep, sweep
from generator.topics.tasks.run.finetune.leads import against_constant

BEST_HEAD = "uniform.best_head"
LEFT = "zero.best_left"
LEFT_LOWEST = f"{LEFT}.lowest"
Tables = dict[str, list[pd.DataFrame]]


def disabling(examples: Examples, anatomy: Anatomy, model: str, seed: int) -> Tables:
    """The tables `facts` and `head_facts` of an encoder on its examples, in the unit of their score.

    `anatomy` is what `examine` returns for the encoder; the rows carry the name `model`. Raises ModelError.
    """
    return tables(sweep(examples, anatomy), examples, model, seed)


def tables(found: Sweep, examples: Examples, model: str, seed: int) -> Tables:
    """`facts` and `head_facts` of study "disabling"; see the top of the file."""
    layers, heads = found.left.shape[:2]
    n = len(examples.names)
    counts = sample_counts(n, seed)
    whole = np.stack([found.base] if examples.constant is None else [found.base, examples.constant])
    scores = examples.scores(whole, with_all(counts))
    facts = [_row(name, 0, ends, n) for name, ends in against_constant("base", scores).items()]
    base, base_draws = scores[0, 0], scores[1:, 0]
    head_facts = []
    for way, outcomes in zip(WAYS, found.disabled, strict=True):
        flat = outcomes.reshape(-1, n)
        value = examples.scores(flat, np.ones((1, n)))[0] - base
        draws = examples.scores(flat, counts) - base_draws[:, None]
        change = changes(draws, value)
        intervals = {way: (change.low, change.high), f"{way}.family": (change.family_low, change.family_high)}
        for name, ends in intervals.items():
            # The last condition of a layer is the whole layer.
            estimate = np.stack([change.value, *ends]).reshape(3, layers, heads + 1)
            head_facts.append(_by_head(name, estimate[..., :heads], n))
            facts += [_row(name, layer + 1, estimate[:, layer, heads], n) for layer in range(layers)]
        means = [part.reshape(-1, layers, heads + 1)[..., :heads].mean((1, 2)) for part in (value, draws)]
        facts.append(_row(f"{way}.mean", 0, (means[0][0], *interval(means[1])), n))
    head_facts.append(_by_head("importance", bootstrap(found.importance, seed)[:3], n))
    facts += _best_rows(found, examples, seed)
    return {
        "facts": [stored_rows(pd.DataFrame(facts), DISABLING, model, examples.corpus)],
        "head_facts": [stored_rows(pd.concat(head_facts), DISABLING, model, examples.corpus)],
    }


def _best_rows(found: Sweep, examples: Examples, seed: int) -> list[dict[str, object]]:
    """Rows of `facts`: the best of several conditions, chosen on one half of the examples, reported on the other; and
    which head was chosen.
    """
    reports = reported(examples.names, seed)
    n = int(reports.sum())
    uniform = found.disabled[WAYS.index("uniform")]
    layers, heads = found.left.shape[:2]
    candidates = {
        (BEST_HEAD, 0): uniform[:, :heads].reshape(layers * heads, -1),
        ("uniform.best_layer", 0): uniform[:, heads],
        **{(LEFT, layer + 1): found.left[layer] for layer in range(layers)},
    }
    if min(n, len(reports) - n) < 2:
        return [_row(name, layer, (np.nan, np.nan, np.nan), n) for name, layer in (*candidates, (LEFT_LOWEST, 0))]
    samples = np.zeros((DRAWS + 1, len(reports)))
    samples[:, reports] = with_all(sample_counts(n, seed))
    changed, best = {}, {}
    for place, outcomes in candidates.items():
        # Chosen on the examples that are not reported, with equal weights.
        on_choosing = examples.scores(outcomes, 1.0 - samples[:1])[0]
        best[place] = int(np.nan_to_num(on_choosing, nan=-np.inf).argmax())
        scores = examples.scores(np.stack([outcomes[best[place]], found.base]), samples)
        changed[place] = scores[:, 0] - scores[:, 1]
    rows = [_row(*place, of_joined(change), n) for place, change in changed.items()]
    layer, head = divmod(best[BEST_HEAD, 0], heads)
    rows += [_row(name, 0, number[:3], n) for name, number in at_place(BEST_HEAD, layer, head, n).items()]
    left = np.stack([change for (name, _), change in changed.items() if name == LEFT], axis=1)
    least = lowest(left[0], left[1:], n)
    return [*rows, _row(LEFT_LOWEST, 0, tuple(map(float, least[:3])), n)]


def _row(name: str, layer: int, estimate: Sequence[float] | np.ndarray, n: int) -> dict[str, object]:
    return {"name": name, "layer": layer, **dict(zip(("value", "low", "high"), estimate, strict=True)), "n": n}


def _by_head(name: str, estimate: Sequence[np.ndarray] | np.ndarray, n: int) -> pd.DataFrame:
    """Rows for every head, from `[layer, head]` arrays."""
    layers, heads = estimate[0].shape
    figures = {field: part.ravel() for field, part in zip(("value", "low", "high"), estimate, strict=True)}
    place = {"layer": np.repeat(np.arange(1, layers + 1), heads), "head": np.tile(np.arange(1, heads + 1), layers)}
    return pd.DataFrame({"name": name} | place | figures | {"n": n})
