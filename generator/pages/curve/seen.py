"""Titles of figures of a course of training: one sentence on what the figure shows, made from its numbers.

"Surely" means that the 95 % interval of the change, paired by document, leaves out 0. `layers_seen` has no such
interval; there it means that the intervals of the first and the last number do not overlap.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby

import numpy as np

from generator.numbers.number import Number, alone, apart
from generator.numbers.writing import listed, number, percent
from generator.pages.curve.data import Row, step_text


def layers_seen(ends: Mapping[tuple[str, str], tuple[Number, Number]]) -> str:
    """The layer and the target whose share of attention surely changed most in training, from first and last numbers.

    >>> start, end, same = Number(0.02, 0.01, 0.03, 9), Number(0.2, 0.1, 0.3, 9), Number(0.02, 0.01, 0.04, 9)
    >>> layers_seen({("Layer 1", "next token"): (start, end), ("Layer 2", "[CLS]"): (start, same)})
    'Of all layers and targets, attention to the next token in layer 1 changed most: from 2 % to 20 %'
    >>> layers_seen({("Layer 2", "[CLS]"): (start, same)})
    'Layer by layer, attention to no target surely changed'
    """
    sure = {key: pair for key, pair in ends.items() if apart(*pair)}
    if not sure:
        return "Layer by layer, attention to no target surely changed"
    (layer, target), (first, last) = max(sure.items(), key=lambda item: abs(item[1][1].value - item[1][0].value))
    what = f"the {target}" if target.endswith(" token") else target
    went = f"from {percent(alone(first.value))} to {percent(alone(last.value))}"
    return f"Of all layers and targets, attention to {what} in {layer.lower()} changed most: {went}"


def rises_seen(model: str, steps: Sequence[tuple[str, float]]) -> str:
    """By which step each head had made half of its rise; `steps` holds names of heads and those steps.

    >>> rises_seen("medium-bert", [("1-4", 768.0), ("2-3", 768.0)])
    'In medium-bert, heads 1-4 and 2-3 made half of their rise by step 768'
    >>> rises_seen("medium-bert", [("1-4", 768.0), ("2-3", 1200.0)])
    'In medium-bert, head 1-4 made half of its rise by step 768, head 2-3 by step 1,200'
    """
    told: list[str] = []
    for step, some in groupby(sorted(steps, key=lambda one: one[1]), key=lambda one: one[1]):
        heads = [head for head, _ in some]
        who, whose = ("heads", "their") if len(heads) > 1 else ("head", "its")
        told.append(f"{who} {listed(heads)}{'' if told else f' made half of {whose} rise'} by step {step_text(step)}")
    return f"In {model}, {', '.join(told)}"


def signatures_seen(changes: Mapping[str, Row | None]) -> str:
    """For each target, whether attention to it surely grew or fell, and by which step half of the change was made.

    >>> fell, grew = ({"start": 0.1, "end": end, "step": 5319.0} for end in (0.05, 0.2))
    >>> signatures_seen({"[CLS]": fell, "[SEP]": grew})
    'Attention to [CLS] fell, half by step 5,319; to [SEP] it grew, half by step 5,319'
    >>> signatures_seen({"[CLS]": grew | {"step": float("nan")}, "[SEP]": None})
    'Attention to [CLS] did not surely change; to [SEP] it did not surely change'
    """
    told = [f"to {name}{' it' * bool(at)} {_change(rise)}" for at, (name, rise) in enumerate(changes.items())]
    return f"Attention {'; '.join(told)}"


def lead_seen(lead: Number, step: float) -> str:
    """How much more or less broadly [CLS] attends with next-sentence prediction, from its lead in entropy at a step.

    >>> lead_seen(Number(-0.14, -0.19, -0.09, 70), 16000)
    'With next-sentence prediction [CLS] attends 0.14 nats less broadly than without it, at step 16,000'
    >>> lead_seen(Number(0.02, -0.01, 0.05, 70), 400)
    'With next-sentence prediction [CLS] attends about as broadly as without it, at step 400'
    """
    how = "more" if lead.value > 0 else "less"
    sure = f"{number(abs(lead.value))} nats {how} broadly than" if lead.low > 0 or lead.high < 0 else ""
    return (
        f"With next-sentence prediction [CLS] attends {sure or 'about as broadly as'} without it, at step "
        f"{step_text(step)}"
    )


def _change(rise: Row | None) -> str:
    if rise is None or np.isnan(rise["step"]):
        return "did not surely change"
    return f"{'grew' if rise['end'] > rise['start'] else 'fell'}, half by step {step_text(rise['step'])}"
