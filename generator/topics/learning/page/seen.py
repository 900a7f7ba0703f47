"""Titles of figures of a course of training: one sentence on what the figure shows, made from its numbers.

"Surely" means that the 95 % interval of the change, paired by document, leaves out 0.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby

import numpy as np

from generator.numbers.writing import listed
from generator.topics.learning.page.data import Row, step_text


def rises_seen(model: str, steps: Sequence[tuple[str, float]]) -> str:
    """By which step each head had made half of its rise; `steps` holds names of heads and those steps.

    >>> rises_seen("medium-bert", [("1-4", 768.0), ("2-3", 768.0)])
    'In medium-bert, heads 1-4 and 2-3 made half of their rise by step 768'
    >>> rises_seen("medium-bert", [("1-4", 768.0), ("2-3", 1200.0)])
    'In medium-bert, head 1-4 made half of its rise by step 768, head 2-3 by step 1,200'
    """
    texts: list[str] = []
    for step, some in groupby(sorted(steps, key=lambda pair: pair[1]), key=lambda pair: pair[1]):
        heads = [head for head, _ in some]
        who, whose = ("heads", "their") if len(heads) > 1 else ("head", "its")
        texts.append(f"{who} {listed(heads)}{'' if texts else f' made half of {whose} rise'} by step {step_text(step)}")
    return f"In {model}, {', '.join(texts)}"


def signatures_seen(changes: Mapping[str, Row | None]) -> str:
    """For each target, whether attention to it surely grew or fell, and by which step half of the change was made.

    >>> fell, grew = ({"start": 0.1, "end": end, "step": 5319.0} for end in (0.05, 0.2))
    >>> signatures_seen({"[CLS]": fell, "[SEP]": grew})
    'Attention to [CLS] fell, half by step 5,319; to [SEP] it grew, half by step 5,319'
    >>> signatures_seen({"[CLS]": grew | {"step": float("nan")}, "[SEP]": None})
    'Attention to [CLS] did not surely change; to [SEP] it did not surely change'
    """
    texts = [f"to {name}{' it' * bool(at)} {_change(rise)}" for at, (name, rise) in enumerate(changes.items())]
    return f"Attention {'; '.join(texts)}"


def _change(rise: Row | None) -> str:
    if rise is None or np.isnan(rise["step"]):
        return "did not surely change"
    return f"{'grew' if rise['end'] > rise['start'] else 'fell'}, half by step {step_text(rise['step'])}"
