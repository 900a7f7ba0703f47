"""How probes learn (Clark et al. 2019, section 5).

The paper shows each of 36,160 sentences once, one at a time, to Adam with a rate of 0.002. Here steps are taken for
batches of eight and are eight times as long, so that the same number of sentences moves a weight as far; a small
treebank is shown repeatedly until as many sentences have been seen. A fifth of the sentences to learn from, at most
200, is kept back: a task is learned when their loss no longer falls, and the weights with the least loss are kept.
"""

from collections.abc import Sequence

import torch
from torch.optim.adam import adam

from generator.progress import tell
from generator.topics.probes.compute.data import BATCH, Batch
from generator.topics.probes.compute.probe import Probe

RATE = 0.002
"""Learning rate of Adam for each sentence of a batch."""
SHOWN = 36_160
"""How many sentences are shown in total, unless learning ends earlier."""
PATIENCE = 5
"""Passes without a lower loss after which a task is learned."""
LOWER = 0.001
"""A loss counts as lower if it falls by more than this below the least so far, in nats per word."""


class _Learner:
    """A probe with what Adam keeps for each of its weights."""

    def __init__(self, probe: Probe) -> None:
        self.probe = probe
        self._means, self._squares = torch.zeros_like(probe.weights), torch.zeros_like(probe.weights)
        self._steps = torch.zeros((), device=probe.weights.device)

    def step(self, batch: Batch) -> None:
        """Learn from a batch. The class of torch takes longer for a step than a small probe for its slope."""
        adam(
            [self.probe.weights],
            [self.probe.slope(batch)],
            [self._means],
            [self._squares],
            [],
            [self._steps],
            fused=True,
            amsgrad=False,
            beta1=0.9,
            beta2=0.999,
            lr=RATE * BATCH,
            weight_decay=0,
            eps=1e-8,
            maximize=False,
        )

    def go_on_with(self, tasks: list[int]) -> None:
        """Forget all other tasks."""
        self.probe.weights = self.probe.weights[tasks]
        self._means, self._squares = self._means[tasks], self._squares[tasks]


def learn(probe: Probe, shown: Sequence[Batch], kept_back: Sequence[Batch], seed: int, most: int = SHOWN) -> None:
    """Train a probe in place; every pass shows the batches in a new random order, about `most` sentences in total.

    Tasks are learned side by side, each as if it were alone. Progress is told as if the words were read once, however
    many passes there are.
    """
    draw = torch.Generator().manual_seed(seed)
    passes = -(-most // sum(len(batch.words) for batch in shown))
    words, untold = _words(kept_back), _words(shown)
    of_pass = untold // passes
    best, tasks = probe.weights.clone(), [*range(len(probe.weights))]
    least, waited = [float("inf")] * len(tasks), [0] * len(tasks)
    learner = _Learner(probe.copied(probe.weights.device))
    for _ in range(passes):
        for at in torch.randperm(len(shown), generator=draw).tolist():
            learner.step(shown[at])
        losses = torch.stack([learner.probe.losses(batch) for batch in kept_back]).double().sum(0) / words
        for task, loss, weights in zip(tasks, losses.tolist(), learner.probe.weights, strict=True):
            waited[task] += 1
            if loss < least[task] - LOWER:
                # Into a row of `best`, which is a copy: the learner changes its own weights in place.
                least[task], waited[task], best[task] = loss, 0, weights
        tell(of_pass)
        untold -= of_pass
        going_on = [at for at, task in enumerate(tasks) if waited[task] < PATIENCE]
        if not going_on:
            break
        if len(going_on) < len(tasks):
            tasks = [tasks[at] for at in going_on]
            learner.go_on_with(going_on)
            shown, kept_back = ([batch.of(going_on) for batch in some] for some in (shown, kept_back))
    tell(untold)
    probe.weights = best


def _words(batches: Sequence[Batch]) -> int:
    return sum(int(batch.words.sum()) for batch in batches)
