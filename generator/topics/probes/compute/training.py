"""Probing classifiers and how they learn (Clark et al. 2019, section 5): a softmax over candidate heads for every word.

The paper shows each of 36,160 sentences once, one at a time, to Adam with a rate of 0.002. Here steps are taken for
batches of eight and are eight times as long, so that the same number of sentences moves a weight as far; a small
treebank is shown repeatedly until as many sentences have been seen. A fifth of the sentences to learn from, at most
200, is kept back: learning ends when their loss no longer falls, and the weights with the least loss are kept.

In the paper's released code the zero vector for ROOT is put behind the words, although ROOT is the first candidate, so
every candidate is scored with the vector of the word after it. Here each is scored with its own vector.
"""

import copy
from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from generator.progress import tell
from generator.topics.probes.compute.data import BATCH, DISTANCES, NO_WORD, Batch

RATE = 0.002
"""Learning rate of Adam for each sentence of a batch."""
SHOWN = 36_160
"""How many sentences are shown in total, unless learning ends earlier."""
PATIENCE = 5
"""Passes without a lower loss after which learning ends."""
LOWER = 0.001
"""A loss counts as lower if it falls by more than this below the least so far, in nats per word."""
UNITS = 256
"""Hidden units of the probe that sees no attention."""

Task = Literal["heads", "control"]
TASKS: tuple[Task, ...] = ("heads", "control")


class Probe(nn.Module):
    """Scores every candidate of every word, `[sentence, dependent, 1 + candidate]`."""

    def slope(self, batch: Batch, task: Task) -> None:
        """Compute the gradients of the loss and set them in the parameters."""
        self.zero_grad()
        torch.autograd.backward(_loss(self, batch, task))


class AttentionProbe(Probe):
    """Scores a candidate by a weighted sum over all maps of the weights between dependent and candidate, both ways.

    With `dim` 0 a map's weight is one number; otherwise it is an affine function of the candidate's and the dependent's
    vectors. For ROOT the attention to begin token and separators is used, mixed by two numbers that all heads share,
    with zeros as the pair of vectors. Only attention from the dependent counts there, because rows of special tokens
    are not stored. The scores are linear in all other parameters, so these can start at 0.
    """

    def __init__(self, heads: int, dim: int) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(2 * heads))
        self.of_words = nn.Parameter(torch.zeros(dim, 2, 2 * heads))
        """Weights for the vectors of the dependent and of the candidate, `[dim, 2, map]`; for the candidate the two
        directions of the maps are exchanged.
        """
        self.root = nn.Parameter(torch.ones(2))

    def forward(self, batch: Batch) -> Tensor:
        """Scores, `[sentence, dependent, 1 + candidate]`, with ROOT first."""
        if len(self.of_words):
            # A pair's weight is a term of one word plus one of the other: no array of pairs by maps is ever formed.
            of_words = torch.tensordot(batch.vectors, self.of_words, 1)
            of_words[..., 0, :] += self.bias
            terms = batch.maps @ of_words.mT
            words = terms[..., 0] + terms[..., 1].mT
        else:
            words = batch.maps @ self.bias
        return _candidates(torch.tensordot(self.root, self._special(batch), 1), words, batch)

    @torch.no_grad()
    def slope(self, batch: Batch, task: Task) -> None:
        """Set the gradients by explicit formulas: with such small tensors autograd would take most of the time."""
        scores, gold = self(batch), getattr(batch, task)[..., None]
        right = torch.zeros_like(scores).scatter_(-1, gold.clamp_min(0), 1)
        error = (scores.softmax(-1) - right) * (gold != NO_WORD)
        root, words = error[..., 0].flatten(), error[..., 1:]
        if len(self.of_words):
            of_words = torch.stack([words, words.mT], dim=-2) @ batch.maps
            self.of_words.grad = torch.tensordot(batch.vectors, of_words, ([0, 1], [0, 1]))
            self.bias.grad = of_words[..., 0, :].sum((0, 1))
        else:
            self.bias.grad = words.flatten() @ batch.maps.flatten(0, 2)
        both = self.root[0] * batch.begin + self.root[1] * batch.separator
        self.bias.grad[: both.shape[-1]] += root @ both.flatten(0, 1)
        self.root.grad = self._special(batch).flatten(1) @ root

    def _special(self, batch: Batch) -> Tensor:
        """What maps contribute to ROOT's score, `[begin or separator, sentence, dependent]`."""
        own = self.bias[: batch.begin.shape[-1]]
        return torch.stack([batch.begin @ own, batch.separator @ own])


class DistanceProbe(Probe):
    """Scores a candidate by the two words' vectors and their distance, with a hidden layer and without attention.

    ROOT has only an indicator, without vectors and distance, and so the same score for every dependent.
    """

    def __init__(self, dim: int, seed: int) -> None:
        super().__init__()
        draw = torch.Generator().manual_seed(seed)
        features = 2 * dim + DISTANCES + 1
        hidden = nn.init.xavier_uniform_(torch.empty(features, UNITS), generator=draw)
        parts = torch.split(hidden, [dim, dim, DISTANCES, 1])
        self.of_candidate, self.of_dependent, self.of_distance, self.of_root = map(nn.Parameter, parts)
        self.bias = nn.Parameter(torch.zeros(UNITS))
        self.output = nn.Parameter(nn.init.xavier_uniform_(torch.empty(UNITS, 1), generator=draw).squeeze(1))

    def forward(self, batch: Batch) -> Tensor:
        """`[sentence, dependent, 1 + candidate]`."""
        of_dependent = batch.vectors @ self.of_dependent + self.bias
        hidden = (batch.vectors @ self.of_candidate)[:, None] + of_dependent[:, :, None]
        hidden.flatten(0, 2).addmm_(batch.distances.flatten(0, 2), self.of_distance)
        root = (self.of_root[0] + self.bias).tanh() @ self.output
        return _candidates(root.expand(batch.heads.shape), hidden.tanh_() @ self.output, batch)


def learn(
    probe: Probe, shown: Sequence[Batch], kept_back: Sequence[Batch], task: Task, seed: int, most: int = SHOWN
) -> None:
    """Train a probe in place; every pass shows the batches in a new random order, about `most` sentences in total.

    Progress is told as if the words were read once, however many passes there are.
    """
    draw = torch.Generator().manual_seed(seed)
    adam = torch.optim.Adam(probe.parameters(), lr=RATE * BATCH, fused=True)
    passes = -(-most // sum(len(batch.heads) for batch in shown))
    words, untold = _words(kept_back), _words(shown)
    of_pass = untold // passes
    least, best, waited = float("inf"), copy.deepcopy(probe.state_dict()), 0
    for _ in range(passes):
        for at in torch.randperm(len(shown), generator=draw).tolist():
            probe.slope(shown[at], task)
            adam.step()
        with torch.no_grad():
            loss = sum(_loss(probe, batch, task).item() for batch in kept_back) / words
        waited += 1
        if loss < least - LOWER:
            least, best, waited = loss, copy.deepcopy(probe.state_dict()), 0
        tell(of_pass)
        untold -= of_pass
        if waited == PATIENCE:
            break
    tell(untold)
    probe.load_state_dict(best)


def correct(probe: Probe, batch: Batch, task: Task) -> Tensor:
    """`[sentence]`: how many scored words have the right best candidate; words are judged singly, not as a tree."""
    with torch.no_grad():
        found = probe(batch).argmax(-1)
    return ((found == getattr(batch, task)) & batch.scored).sum(-1)


def _words(batches: Sequence[Batch]) -> int:
    return sum(int((batch.heads != NO_WORD).sum()) for batch in batches)


def _candidates(root: Tensor, words: Tensor, batch: Batch) -> Tensor:
    return torch.cat([root[..., None], words], dim=-1).masked_fill(batch.absent, -torch.inf)


def _loss(probe: Probe, batch: Batch, task: Task) -> Tensor:
    """Cross-entropy summed over words, punctuation included, as in the paper."""
    return cross_entropy(probe(batch).flatten(0, 1), getattr(batch, task).flatten(), reduction="sum")
