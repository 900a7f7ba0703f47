"""From rows of inputs to numbers of variants: their means, what sets them apart, and whether that counts."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from generator.numbers.number import Number, alone
from generator.numbers.resampling import Resampled, resample_ratio
from generator.studies.halves import reported
from generator.topics.variants.run.groups import Variant
from generator.topics.variants.run.inputs import names


def estimates(
    name: str, part: np.ndarray, whole: np.ndarray, variants: Sequence[Variant], seed: int
) -> dict[str, Number]:
    """The numbers of the family `name`, from `part [unit, training]` and `whole [unit]`: sums of the one divided by
    sums of the other. NaN marks a training that has no such number. Intervals resample units.
    """
    return of_trainings(name, resample_ratio(part, whole, seed), variants)


def of_trainings(name: str, found: Resampled, variants: Sequence[Variant]) -> dict[str, Number]:
    """The numbers of the family `name`, from one number of each training, which have the same resamplings."""
    of_each = [_mean(found, variant) for variant in variants]
    pairs = [pair for variant in variants for pair in combinations(found.value[[*variant.trainings]], 2)]
    gaps = [abs(a - b) for a, b in pairs if not np.isnan(a - b)]
    numbers: dict[str, Number] = {f"{name}.apart": alone(max(gaps), len(gaps))} if gaps else {}
    each = found.estimate()
    for at, (variant, mean) in enumerate(zip(variants, of_each, strict=True), start=1):
        numbers[f"{name}.{at}"] = mean.estimate().at()
        numbers |= {f"{name}.{at}.{number}": each.at(place) for number, place in enumerate(variant.trainings, start=1)}
        if at > 1:
            change = mean.minus(of_each[0]).estimate().at()
            numbers[f"{name}.{at}.minus"] = change
            if gaps and not np.isnan(change.value):
                numbers[f"{name}.{at}.counts"] = alone(float(counts(change, max(gaps))), len(gaps))
    return {key: number for key, number in numbers.items() if not np.isnan(number.value)}


def counts(change: Number, apart: float) -> bool:
    """Whether a difference is sure over units and greater, up or down, than the greatest between trainings of one kind.

    >>> [counts(Number(change, change - 0.1, change + 0.1, 9), apart) for change, apart in ((-0.3, 0.2), (0.3, 0.3))]
    [True, False]
    """
    return abs(change.value) > apart and (change.low > 0 or change.high < 0)


def of_most(part: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The head of each training with the largest sum on one half of the inputs, `part [input, training, head]`: its
    rows `[input, training]` on the other half, and `[input]`, which inputs these are.
    """
    left = reported(names(len(part)), seed)
    heads = part[~left].sum(0).argmax(-1)
    return part[left][:, np.arange(len(heads)), heads], left


def _mean(found: Resampled, variant: Variant) -> Resampled:
    return found.mean(np.array(variant.trainings))
