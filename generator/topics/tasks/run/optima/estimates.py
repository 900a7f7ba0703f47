"""From losses and answers of trainings to numbers of groups: where they end, how alike they answer, what lies between.

Intervals resample examples. The point of a line at which its barrier is measured is chosen on one half of the examples,
and the barrier is that of the other half.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from generator.numbers.number import Number, alone
from generator.numbers.resampling import Resampled, bootstrap, resample
from generator.topics.tasks.run.optima.lines import STEPS
from generator.topics.tasks.run.optima.trainings import GROUPS, WEIGHTS, Training, members, pairs


@dataclass(frozen=True)
class Split:
    """Examples, and what was read on them."""

    name: str
    """"train" or "dev"."""
    halves: np.ndarray
    """`[example]`: whether barriers are reported on it."""
    losses: np.ndarray
    """`[example, training]`, in nats."""
    between: Mapping[tuple[int, int], np.ndarray]
    """The places of two trainings -> `[example, point]`: losses between them, without both ends."""
    constant: np.ndarray
    """`[example]`: loss of answering as often as examples of training have each label."""

    def line(self, pair: tuple[int, int]) -> np.ndarray:
        """`[example, point]`: losses along a line, both ends among them."""
        first, second = (self.losses[:, at, None] for at in pair)
        return np.concatenate([first, self.between[pair], second], axis=1)

    def excess(self, pair: tuple[int, int]) -> np.ndarray:
        """`[example]` of the reported half: loss above the straight line between the losses of both ends, at the point
        between them where this is highest on the other half.
        """
        line, share = self.line(pair), np.arange(STEPS + 1) / STEPS
        above = (line - (1 - share) * line[:, :1] - share * line[:, -1:])[:, 1:-1]
        return above[self.halves, above[~self.halves].mean(0).argmax()]


def of_split(split: Split, trainings: Sequence[Training], seed: int) -> dict[str, Number]:
    """Losses, lines and barriers of all groups on a split."""
    numbers = {f"loss.{split.name}.constant": bootstrap(split.constant, seed).at()}
    barriers: dict[str, Resampled] = {}
    for group in GROUPS:
        name, lines = f"{split.name}.{group}", pairs(group, trainings)
        numbers |= _mean(f"loss.{name}", resample(split.losses[:, members(group, trainings)], seed))
        for number, pair in enumerate(lines, start=1):
            line = bootstrap(split.line(pair), seed)
            numbers |= {f"line.{name}.{number}.{point}": line.at(point) for point in range(STEPS + 1)}
        barriers[group] = resample(np.stack([split.excess(pair) for pair in lines], axis=1), seed)
        numbers |= _mean(f"barrier.{name}", barriers[group])
    for weights in WEIGHTS:
        same, other = (barriers[f"{weights}.{start}"] for start in ("same", "other"))
        change = _over(other).minus(_over(same)).estimate().at()
        name = f"barrier.{split.name}.{weights}"
        numbers |= {f"{name}.minus": change, f"{name}.counts": _counts(change, same, other)}
    return numbers


def of_answers(
    said: np.ndarray, gold: np.ndarray, majority: np.ndarray, trainings: Sequence[Training], labels: int, seed: int
) -> dict[str, Number]:
    """Accuracies of all trainings, and how alike those of a group answer.

    `said` is `[example, training]`, `gold` `[example]`, and `majority` `[example]` the constant answer; `labels` says
    how many labels there are.
    """
    right = (said == gold[:, None]).astype(float)
    accuracy = resample(right, seed)
    leads = bootstrap(right - (majority == gold)[:, None], seed)
    numbers = {"accuracy.majority": bootstrap((majority == gold).astype(float), seed).at()}
    for group in GROUPS:
        own = members(group, trainings)
        numbers |= _mean(f"accuracy.{group}", resample(right[:, own], seed))
        numbers |= {f"lead.{group}.{number}": leads.at(at) for number, at in enumerate(own, start=1)}
        alike = np.stack([said[:, a] == said[:, b] for a, b in pairs(group, trainings)], axis=1).astype(float)
        found, implied = resample(alike, seed), _implied(accuracy, pairs(group, trainings), labels)
        numbers |= _mean(f"agree.{group}", found)
        numbers[f"agree.{group}.implied"] = _over(implied).estimate().at()
        numbers[f"agree.{group}.minus"] = _over(found).minus(_over(implied)).estimate().at()
    return numbers


def _implied(accuracy: Resampled, lines: Sequence[tuple[int, int]], labels: int) -> Resampled:
    """`[pair]`: how often two answer alike that are right independently, and wrong with each other label equally."""

    def alike(right: np.ndarray) -> np.ndarray:
        first, second = (right[..., [pair[at] for pair in lines]] for at in (0, 1))
        return first * second + (1 - first) * (1 - second) / (labels - 1)

    return Resampled(alike(accuracy.value), alike(accuracy.draws), accuracy.n[[pair[0] for pair in lines]])


def _over(found: Resampled) -> Resampled:
    return found.mean(np.arange(len(found.value)))


def _mean(name: str, found: Resampled) -> dict[str, Number]:
    """The mean over trainings or pairs, each of them, and the greatest difference between two of them."""
    each = found.estimate()
    gaps = [abs(a - b) for a, b in combinations(found.value.tolist(), 2)]
    numbers = {name: _over(found).estimate().at()}
    numbers |= {f"{name}.{number}": each.at(number - 1) for number in range(1, len(found.value) + 1)}
    return numbers | ({f"{name}.apart": alone(max(gaps), len(gaps))} if gaps else {})


def _counts(change: Number, same: Resampled, other: Resampled) -> Number:
    """1 if a difference is sure over examples, and every pair of one group is above every pair of the other."""
    sure = change.low > 0 or change.high < 0
    parted = same.value.max() < other.value.min() or other.value.max() < same.value.min()
    return alone(float(sure and parted), len(same.value) + len(other.value))
