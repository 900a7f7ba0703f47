"""Titles of figures with a number for each layer, step or cut-off: where it is highest, or how it changes.

Each is one sentence made from the numbers that are drawn.
"""

from collections.abc import Mapping, Sequence

from generator.numbers.number import Grid, Number, alone, apart
from generator.numbers.writing import number, percent, written
from generator.pages.titles.heads import alone_there, defined, said


def layers_seen(what: str, layers: Mapping[int, Number]) -> str:
    """The layers in which a number is highest and lowest, if it surely differs between them.

    >>> low, high = Number(0.2, 0.1, 0.3, 9), Number(0.5, 0.4, 0.6, 9)
    >>> layers_seen("Self-similarity", {0: high, 1: low})
    'Self-similarity is highest in layer 0, at 0.50 (0.40 to 0.60), and lowest in layer 1, at 0.20 (0.10 to 0.30)'
    >>> layers_seen("Self-similarity", {0: high, 1: low, 2: Number(0.45, 0.35, 0.55, 9)})
    'Self-similarity lies between 0.20 (0.10 to 0.30) in layer 1 and 0.50 (0.40 to 0.60) in layer 0'
    >>> layers_seen("Self-similarity", {0: Number(0.2, 0.1, 0.4, 9), 1: Number(0.3, 0.2, 0.4, 9)})
    'Self-similarity does not surely differ between layers: it lies between 0.2 and 0.3'
    >>> layers_seen("Self-similarity", {1: low}), layers_seen("Self-similarity", {})
    ('Self-similarity is 0.20 (0.10 to 0.30) in layer 1', 'Self-similarity is defined in no layer')
    """
    known = defined(layers)
    if not known:
        return f"{what} is defined in no layer"
    low, high = (pick(known.items(), key=lambda item: item[1].value) for pick in (min, max))
    if len(known) == 1:
        return f"{what} is {written(low[1])} in layer {low[0]}"
    if not apart(low[1], high[1]):
        ends = f"it lies between {number(low[1].value)} and {number(high[1].value)}"
        return f"{what} does not surely differ between layers: {ends}"
    if not all(alone_there(layer, known) for layer, _ in (low, high)):
        bottom, top = (f"{written(end)} in layer {layer}" for layer, end in (low, high))
        return f"{what} lies between {bottom} and {top}"
    top, bottom = (f"in layer {layer}, at {written(end)}" for layer, end in (high, low))
    return f"{what} is highest {top}, and lowest {bottom}"


def course_seen(
    what: str, curves: Mapping[str, Sequence[tuple[str, Number]]], baselines: Mapping[str, Number], unit: str
) -> str:
    """From what to what each curve went; it has numbers by step, or none. Baselines follow.

    >>> first, last = ("0", Number(0.68, 0.6, 0.7, 9)), ("1,200", Number(0.9, 0.88, 0.92, 9))
    >>> course_seen("Accuracy", {"model": [first, last]}, {"majority class": alone(0.7)}, "score")
    'Accuracy went from 0.68 (0.60 to 0.70) at step 0 to 0.900 (0.880 to 0.920) at step 1,200; majority class: 0.7'
    >>> course_seen("Accuracy", {"seed0": [first, last], "seed1": [last]}, {}, "share")
    'Accuracy went from 68 % (60 to 70) to 90 % (88 to 92) in seed0, was 90 % (88 to 92) in seed1'
    >>> course_seen("Loss", {"model": [first, ("9", first[1])]}, {}, "nats")
    'Loss was 0.68 nats (0.60 to 0.70) at the first and the last step'
    """
    some = {name: curve for name, curve in curves.items() if curve}
    texts: list[str] = []
    for name, curve in some.items():
        (first, start), (last, end) = curve[0], curve[-1]
        only, steps = len(some) == 1, [f" at step {step}" if len(some) == 1 else "" for step in (first, last)]
        if len(curve) == 1:
            went = f"was {said(end, unit)}{steps[1]}"
        elif start.value == end.value:
            went = f"was {said(end, unit)} at the first and the last step"
        else:
            went = f"went from {said(start, unit)}{steps[0]} to {said(end, unit)}{steps[1]}"
        texts.append(went if only else f"{went.removeprefix('went ' * bool(texts))} in {name}")
    beside = [f"{name}: {said(baseline, unit)}" for name, baseline in baselines.items()]
    return "; ".join([f"{what} {', '.join(texts)}", *beside])


def strips_seen(among: str, ends: Mapping[str, tuple[Number, Number]], *, share: bool) -> str:
    """Of several strips with several curves the one that changed most in training, from first and last numbers.

    It surely changed if the intervals of its first and last number do not overlap, and surely most if these lie farther
    apart than any number in the intervals of others can have gone.

    >>> start, end, same = Number(0.02, 0.01, 0.03, 9), Number(0.2, 0.1, 0.3, 9), Number(0.02, 0.01, 0.04, 9)
    >>> none = {"attention to [CLS] in layer 2": (start, same)}
    >>> curves = {"attention to the next token in layer 1": (start, end), **none}
    >>> strips_seen("all layers and targets", curves, share=True)
    'Of all layers and targets, attention to the next token in layer 1 changed most: from 2 % to 20 %'
    >>> strips_seen("all", curves | {"attention to [SEP] in layer 2": (same, Number(0.12, 0.1, 0.14, 9))}, share=True)
    'Of all, attention to the next token in layer 1 surely changed: from 2 % to 20 %'
    >>> strips_seen("all layers and targets", none, share=True)
    'Of all layers and targets, none surely changed'
    """
    sure = {string: pair for string, pair in ends.items() if apart(*pair)}
    if not sure:
        return f"Of {among}, none surely changed"
    name, pair = max(sure.items(), key=lambda item: abs(item[1][1].value - item[1][0].value))
    first, last = (percent(alone(end.value)) if share else number(end.value) for end in pair)
    gap = max(end.low for end in pair) - min(end.high for end in pair)
    reach = (max(a.high, b.high) - min(a.low, b.low) for other, (a, b) in ends.items() if other != name)
    changed = "changed most" if all(gap > far for far in reach) else "surely changed"
    return f"Of {among}, {name} {changed}: from {first} to {last}"


def moved_seen(cutoff: str, ends: tuple[str, str], shares: Grid, patterns: Sequence[str]) -> str:
    """Which pattern's share surely changes most as a cut-off is moved from one end to the other; of equals the first.

    `shares` is `[step, pattern]`; "surely" means that the intervals at both ends do not overlap.

    >>> import numpy as np
    >>> low, high = np.array([[0.1, 0.8], [0.25, 0.3]]), np.array([[0.2, 0.9], [0.35, 0.4]])
    >>> shares = Number((low + high) / 2, low, high, np.full((2, 2), 70))
    >>> moved_seen("attention to neighbours", ("0.3", "0.7"), shares, ("block", "vertical"))
    'With a cut-off of 0.3 on attention to neighbours, 85 % (80 to 90) of the maps are vertical; with 0.7, 35 % \
(30 to 40) are'
    >>> moved_seen("attention to neighbours", ("0.3", "0.7"), shares.part([0, 0]), ("block", "vertical"))
    'Between cut-offs of 0.3 and 0.7 on attention to neighbours, the share of no pattern surely differs'
    """
    pairs = {name: (shares.at(0, at), shares.at(-1, at)) for at, name in enumerate(patterns)}
    sure = {name: pair for name, pair in pairs.items() if apart(*pair)}
    if not sure:
        return f"Between cut-offs of {ends[0]} and {ends[1]} on {cutoff}, the share of no pattern surely differs"
    name, (first, last) = max(sure.items(), key=lambda item: round(abs(item[1][1].value - item[1][0].value), 9))
    seen = f"{percent(first)} of the maps are {name}; with {ends[1]}, {percent(last)} are"
    return f"With a cut-off of {ends[0]} on {cutoff}, {seen}"
