"""The probe of all maps, with or without vectors of words (Clark et al. 2019, section 5).

In the paper's released code the zero vector for ROOT is put behind the words, although ROOT is the first candidate, so
every candidate is scored with the vector of the word after it. Here each is scored with its own vector.
"""

import torch
from torch import Tensor

from generator.topics.probes.compute.data import Batch
from generator.topics.probes.compute.probe import Probe, candidates, error


class AttentionProbe(Probe):
    """Scores a candidate by a weighted sum over all maps of the weights between dependent and candidate, both ways.

    With `dim` 0 a map's weight is one number, `bias`; otherwise it is an affine function of the candidate's and the
    dependent's vectors. For ROOT the attention to begin token and separators is used, mixed by two numbers that all
    heads share, `root`, with zeros as the pair of vectors. Only attention from the dependent counts there, because rows
    of special tokens are not stored. The scores are linear in all other weights, so these can start at 0.

    `of_words` are weights for the vectors of the dependent and of the candidate, `[dim, 2, map]`; for the candidate the
    two directions of the maps are exchanged.
    """

    def __init__(self, heads: int, dim: int) -> None:
        super().__init__(
            {"bias": torch.zeros(2 * heads), "root": torch.ones(2), "of_words": torch.zeros(dim, 2, 2 * heads)}
        )
        self._dim = dim

    def scores(self, batch: Batch) -> Tensor:
        """`[task, sentence, dependent, 1 + candidate]`, with ROOT first."""
        parts = self.parts(self.weights)
        bias = parts["bias"]
        tasks, maps = bias.shape
        if self._dim:
            # A pair's weight is a term of one word plus one of the other: no array of pairs by maps is ever formed.
            of_words = batch.vectors.flatten(0, 1) @ parts["of_words"].flatten(2)
            of_words[..., :maps] += bias[:, None]
            rows = of_words.transpose(0, 1).reshape(*batch.words.shape, 2 * tasks, maps)
            terms = rows @ batch.maps.mT
            words = (terms[:, :, ::2] + terms[:, :, 1::2].transpose(1, 3)).movedim(2, 0)
        else:
            words = (batch.maps @ bias.mT).movedim(-1, 0)
        mixed = parts["root"][..., None] * bias[:, None, : maps // 2]
        return candidates((batch.special.flatten(2) @ mixed.flatten(1).mT).movedim(-1, 0), words, batch)

    def slope(self, batch: Batch) -> Tensor:
        """The gradient of the loss of each task in its weights, `[task, weight]`."""
        parts = self.parts(self.weights)
        tasks, maps = parts["bias"].shape
        wrong = error(self.scores(batch), batch)
        root, words = wrong[..., 0], wrong[..., 1:]
        if self._dim:
            pairs = torch.stack([words, words.mT], dim=3).permute(1, 2, 0, 3, 4)
            both = (pairs.flatten(2, 3) @ batch.maps).view(-1, tasks, 2 * maps).transpose(0, 1)
            of_words = batch.vectors.flatten(0, 1).mT @ both
            bias = both[..., :maps].sum(1)
        else:
            of_words = parts["of_words"]
            bias = words.flatten(1) @ batch.maps.flatten(0, 2)
        special = (root.flatten(1) @ batch.special.flatten(0, 1).flatten(1)).view(tasks, 2, maps // 2)
        bias[:, : maps // 2] += (parts["root"][..., None] * special).sum(1)
        mix = (special * parts["bias"][:, None, : maps // 2]).sum(-1)
        return self._row({"bias": bias, "root": mix, "of_words": of_words})
