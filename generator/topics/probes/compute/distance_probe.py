"""The probe that sees no attention (Clark et al. 2019, section 5)."""

import math

import torch
from torch import Tensor, nn

from generator.topics.probes.compute.data import DISTANCES, Batch
from generator.topics.probes.compute.probe import Probe, candidates, error

UNITS = 256
"""Hidden units."""


class DistanceProbe(Probe):
    """Scores a candidate by the two words' vectors and their distance, with a hidden layer and without attention.

    ROOT has only an indicator, without vectors and distance, and so the same score for every dependent.
    """

    def __init__(self, dim: int, seed: int) -> None:
        draw = torch.Generator().manual_seed(seed)
        hidden = nn.init.xavier_uniform_(torch.empty(2 * dim + DISTANCES + 1, UNITS), generator=draw)
        of_candidate, of_dependent, of_distance, of_root = torch.split(hidden, [dim, dim, DISTANCES, 1])
        output = nn.init.xavier_uniform_(torch.empty(UNITS, 1), generator=draw).squeeze(1)
        super().__init__(
            {
                "of_candidate": of_candidate,
                "of_dependent": of_dependent,
                "of_distance": of_distance,
                "of_root": of_root,
                "bias": torch.zeros(UNITS),
                "output": output,
            }
        )
        self._space = torch.empty(0)

    def scores(self, batch: Batch) -> Tensor:
        """`[task, sentence, dependent, 1 + candidate]`, with ROOT first."""
        return self._seen(batch)[0]

    def slope(self, batch: Batch) -> Tensor:
        """The gradient of the loss of each task in its weights, `[task, weight]`."""
        output = self.parts(self.weights)["output"][:, None]
        scores, hidden, of_root = self._seen(batch)
        wrong = error(scores, batch)
        root, words = wrong[..., 0].sum((1, 2))[:, None], wrong[..., 1:]
        of_output = (words.flatten(1)[:, None] @ hidden.flatten(1, 3))[:, 0] + root * of_root
        # The slope of tanh times the error, in place: the hidden units of all pairs are by far the largest array.
        bent = torch.addcmul(hidden.new_ones(()), hidden, hidden, value=-1, out=hidden).mul_(words[..., None])
        candidate, dependent = ((bent.sum(axis).flatten(1, 2) * output) for axis in (2, 3))
        of_root = root * output[:, 0] * (1 - of_root.square())
        vectors = batch.vectors.flatten(0, 1).mT
        return self._row(
            {
                "of_candidate": vectors @ candidate,
                "of_dependent": vectors @ dependent,
                "of_distance": (batch.distances.flatten(0, 2).mT @ bent.flatten(1, 3)) * output,
                "of_root": of_root[:, None],
                "bias": dependent.sum(1) + of_root,
                "output": of_output,
            }
        )

    def _seen(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """The scores, and the hidden units for words, `[task, sentence, dependent, candidate, unit]`, and for ROOT."""
        parts = self.parts(self.weights)
        vectors, bias = batch.vectors.flatten(0, 1), parts["bias"]
        hidden = self._room(batch)
        tasks, sentences, longest, *_ = hidden.shape
        of_candidate = (vectors @ parts["of_candidate"]).view(tasks, sentences, 1, longest, UNITS)
        of_dependent = (vectors @ parts["of_dependent"] + bias[:, None]).view(tasks, sentences, longest, 1, UNITS)
        torch.add(of_candidate, of_dependent, out=hidden)
        distances = batch.distances.flatten(0, 2).expand(tasks, -1, -1)
        hidden.flatten(1, 3).baddbmm_(distances, parts["of_distance"]).tanh_()
        of_root = (parts["of_root"][:, 0] + bias).tanh()
        root = (of_root * parts["output"]).sum(1)[:, None, None].expand(tasks, sentences, longest)
        words = (hidden.flatten(1, 3) @ parts["output"][..., None]).view(hidden.shape[:-1])
        return candidates(root, words, batch), hidden, of_root

    def _room(self, batch: Batch) -> Tensor:
        """Room for the hidden units of a batch: to ask for so much memory every time takes longer than to fill it."""
        shape = (len(batch.gold), *batch.distances.shape[:3], UNITS)
        if self._space.numel() < math.prod(shape):
            self._space = self.weights.new_empty(math.prod(shape))
        return self._space[: math.prod(shape)].view(shape)
