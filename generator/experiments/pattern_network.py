"""A small network that classes pictures of attention maps, beside the rule (Kovaleva et al. 2019, section 4.1).

The paper trained eight convolutional layers on about 400 maps labelled by hand and reports an F1 of 0.86 on these
maps. No labels are public, so this network learns from maps made with a known pattern, and is tested on others made
in the same way: its F1 says that the pictures can be told apart, not that people would agree. Where it meets maps of
a model, it is compared with the rule.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pandas as pd
import torch
from torch import Tensor, nn
from torch.nn.functional import adaptive_avg_pool2d, cross_entropy

from generator.attention.stream import Observed
from generator.corpora.classes import CLASSES
from generator.experiments.made_maps import made_maps
from generator.measures import COLUMNS, compute
from generator.measures.measure import Counts
from generator.measures.patterns import PATTERN_COLUMNS, PATTERNS
from generator.results.intervals import DRAWS, LEVEL, Estimate
from generator.studies.fact_rows import DocumentRows, facts

SIDE = 32
"""Pixels along a picture."""
TRAINED, HELD_OUT = 3000, 1000
"""Made maps to learn from, and others to be tested on."""
EPOCHS, BATCH, RATE = 8, 50, 2e-3
STUDY = "pattern network"
Statistic = Callable[[np.ndarray], np.ndarray]
"""Of tables `[..., true, found]`."""


def picture(weights: Tensor) -> Tensor:
    """`[map, query, key]` of any length -> `[map, 1, SIDE, SIDE]`.

    A pixel is the mean over its queries of the attention to its keys, square root taken so that weak attention shows.
    """
    pooled = adaptive_avg_pool2d(weights.float().unsqueeze(1), SIDE)
    return (pooled * weights.shape[-1] / SIDE).sqrt()


class PatternNetwork:
    """A trained network; the same seed gives the same one."""

    def __init__(self, seed: int = 0, maps: int = TRAINED, epochs: int = EPOCHS) -> None:
        pictures, patterns = _pictures(maps, seed)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self._layers = _layers()
            optimizer = torch.optim.Adam(self._layers.parameters(), RATE)
            for _ in range(epochs):
                for chosen in torch.split(torch.randperm(len(patterns)), BATCH):
                    optimizer.zero_grad()
                    loss: Tensor = cross_entropy(self._layers(pictures[chosen]), patterns[chosen])
                    loss.backward()  # type: ignore[no-untyped-call]
                    optimizer.step()

    def classify(self, weights: Tensor) -> np.ndarray:
        """Places in PATTERNS, `[map]`, of maps `[map, query, key]`."""
        return self._of_pictures(picture(weights))

    def held_out(self, seed: int = 0, maps: int = HELD_OUT) -> np.ndarray:
        """Made maps that it has not seen: `[map, made as, classed as]`, one cell of each is 1."""
        pictures, patterns = _pictures(maps, seed + 1)
        return _crossed(patterns.numpy(), self._of_pictures(pictures))

    @torch.inference_mode()
    def _of_pictures(self, pictures: Tensor) -> np.ndarray:
        chosen: np.ndarray = self._layers(pictures).argmax(-1).numpy()
        return chosen


def beside_the_rule(network: PatternNetwork, seen: Iterable[Observed]) -> np.ndarray:
    """`[document, rule, network]`: shares of the maps of observed inputs; they must have been observed with weights."""
    rows = DocumentRows()
    at = [COLUMNS.index(column) for column in PATTERN_COLUMNS]
    for one in seen:
        assert one.weights is not None, "inputs are observed with their weights"
        item = one.input
        counts = Counts(len(item), np.bincount(item.classes, minlength=CLASSES), np.bincount(item.segment_ids))
        by_rule = compute(one.primitives, counts)[..., at].argmax(-1).ravel()
        by_network = network.classify(torch.from_numpy(one.weights).flatten(0, 1))
        rows.add(item, _crossed(by_rule, by_network).mean(0))
    return rows.rows()


def macro_f1(table: np.ndarray) -> np.ndarray:
    """Mean over patterns of F1, from tables `[..., true, found]`; a pattern that neither has is left out."""
    hits = np.diagonal(table, axis1=-2, axis2=-1)
    both = table.sum(-1) + table.sum(-2)
    f1 = np.divide(2 * hits, both, out=np.full(hits.shape, np.nan), where=both > 0)
    mean: np.ndarray = np.nanmean(f1, axis=-1)
    return mean


def report(network: PatternNetwork, seen: Iterable[Observed], model: str, corpus: str, seed: int) -> pd.DataFrame:
    """Rows of `facts`: F1 on made maps it has not seen, agreement with the rule on observed ones, and its own shares.

    Names: `f1.held_out` (n is maps), and with n documents `f1.rule`, `agreement` and `share.PATTERN`.
    """
    crossed = beside_the_rule(network, seen)
    found = {
        "f1.held_out": _estimate(network.held_out(), macro_f1, seed),
        "f1.rule": _estimate(crossed, macro_f1, seed),
        "agreement": _estimate(crossed, lambda table: np.trace(table, axis1=-2, axis2=-1), seed),
    }
    for at, name in enumerate(PATTERNS):
        found[f"share.{name}"] = _estimate(crossed, lambda table, at=at: table[..., at].sum(-1), seed)  # type: ignore[misc]
    return facts(found, STUDY, model, corpus)


def _estimate(tables: np.ndarray, statistic: Statistic, seed: int) -> Estimate:
    """A statistic of the mean table, with an interval over the first axis."""
    n = len(tables)
    counts = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=DRAWS) / n
    drawn = statistic(np.tensordot(counts, tables, axes=1))
    tail = (1 - LEVEL) / 2
    low, high = np.nanquantile(drawn, [tail, 1 - tail]) if n > 1 else (np.nan, np.nan)
    return Estimate(statistic(tables.mean(0)), np.array(low), np.array(high), np.array(n))


def _layers() -> nn.Sequential:
    return nn.Sequential(
        *(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Conv2d(16, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)),
        nn.Flatten(),
        nn.Linear(16 * (SIDE // 8) ** 2, len(PATTERNS)),
    )


def _pictures(count: int, seed: int) -> tuple[Tensor, Tensor]:
    made = made_maps(count, seed)
    pictures = [picture(torch.from_numpy(one.weights).unsqueeze(0)) for one in made]
    return torch.cat(pictures), torch.tensor([one.pattern for one in made])


def _crossed(true: Sequence[int] | np.ndarray, found: np.ndarray) -> np.ndarray:
    """`[map, true, found]`."""
    one_hot = np.eye(len(PATTERNS))
    return one_hot[np.asarray(true)][:, :, None] * one_hot[found][:, None, :]
