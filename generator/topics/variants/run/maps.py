"""What the heads of one training make of [MASK]: attention to it, and how much maps of whole and masked text differ."""

from collections.abc import Callable

import numpy as np

from generator.attention.anatomy import examine
from generator.attention.observed import Observer
from generator.attention.stream import Options, observe_together
from generator.corpora.pairs import Input
from generator.models.encoder import Encoder
from generator.progress import tell
from generator.topics.inputs.compute.manipulations import Comparison
from generator.topics.variants.run.inputs import HeldOut


def map_rows(encoder: Encoder, held_out: HeldOut) -> dict[str, np.ndarray]:
    """`[input, head]` by name, heads in the order of layers.

    `maps` is the Jensen-Shannon divergence in nats of rows of whole and masked text, mean over tokens that are the same
    in both; `mask` the share of attention that goes to [MASK], mean over all rows; `self` the weight of [MASK] on
    itself, mean over these tokens; `self.whole` the same of the same places in whole text.
    """
    anatomy = examine(encoder)
    rows: dict[str, list[np.ndarray]] = {name: [] for name in ("maps", "mask", "self", "self.whole")}
    for whole, masked, places in held_out.pairs():
        apart, looks = Comparison(whole).observer, looks_at(places)
        options = Options(measured=False, to_the_end=False, observers=(apart, looks))
        # The base first, as the comparison asks.
        before, after = observe_together(encoder, anatomy, [whole, masked], options)
        same, (was, seen) = len(whole) - len(places), (one.of(looks) for one in (before, after))
        found = {
            "maps": after.of(apart)[..., 0] / same,
            "mask": seen[..., 0] / len(whole),
            "self": seen[..., 1] / len(places),
            "self.whole": was[..., 1] / len(places),
        }
        for name, values in found.items():
            rows[name].append(values.ravel())
        tell(2 * len(whole))
    return {name: np.stack(values) for name, values in rows.items()}


def even_shares(held_out: HeldOut) -> dict[str, np.ndarray]:
    """`[input]` by name: what uniform attention would give for the shares of `map_rows`."""
    lengths = np.array([len(pair.whole) for pair in held_out.pairs()])
    alone = 1 / lengths
    return {"mask": held_out.chosen / lengths, "self": alone, "self.whole": alone}


def looks_at(places: np.ndarray) -> Callable[[Input], Observer]:
    """Gives observers that return `[head, 2]`: the weight that goes to these places, summed over rows, and the weight
    of each of these places on itself, summed over them.
    """

    def observer(_item: Input) -> Observer:
        def observe(weights: np.ndarray, first: int) -> np.ndarray:
            to = weights[:, :, places].sum((1, 2), dtype=float)
            inside = places[(places >= first) & (places < first + weights.shape[1])]
            return np.stack([to, weights[:, inside - first, inside].sum(1, dtype=float)], axis=-1)

        return observe

    return observer
