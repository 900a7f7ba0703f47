"""What the heads of a model do in an example sentence, and in other sentences of as many words."""

from typing import NamedTuple

import numpy as np

from generator.numbers.number import Grid, Number, all_alone, alone
from generator.numbers.resampling import bootstrap, proportion
from generator.topics.quoted.corpus import Quote


class Found(NamedTuple):
    """Numbers by name."""

    heads: dict[str, Grid]
    """`[layer, head]`."""
    model: dict[str, Number]


def of_example(quote: Quote, own: np.ndarray) -> Found:
    """The numbers of the example alone, from its maps among words, `[layer, head, query, key]`."""
    row = own[..., quote.start, :]
    heads: dict[str, Grid] = {
        f"{quote.key}.weight.{at + 1}": all_alone(row[..., at], 1) for at in range(len(quote.words))
    }
    return Found(heads, {f"{quote.key}.ahead": alone(float(_ahead(quote, own).mean()), 1)})


def of_others(quote: Quote, own: np.ndarray, others: np.ndarray, seed: int) -> Found:
    """The numbers of the sentences beside it, from their maps `[sentence, layer, head, query, key]` and its own."""
    share, shares = _ahead(quote, own).mean(), _ahead(quote, others).mean((1, 2))
    return Found(
        {f"{quote.key}.usual": bootstrap(others[..., quote.start, quote.end].astype(float), seed)},
        {
            f"{quote.key}.ahead.usual": bootstrap(shares, seed).at(),
            f"{quote.key}.fewer": proportion(int((shares < share).sum()), len(shares)),
        },
    )


def _ahead(quote: Quote, maps: np.ndarray) -> np.ndarray:
    """`[..., query, key]` -> `[...]`: whether the one word gives the other more than any word between them."""
    row = maps[..., quote.start, :]
    ahead: np.ndarray = row[..., quote.end] > row[..., quote.between].max(-1)
    return ahead
