"""How well token types are known at the end of a training, and whether those that it read often are known better.

The hypothesis of 2021 says that high frequency makes learning easier. A model that has learned nothing but how frequent
every type is has a loss of -log p on it, so frequent types cost it less, too. What a model learned beside counting is
its gain: the loss of such a unigram model minus its own. In nats the gain can be no larger than the unigram model's
loss, which is small for frequent types, so that a model that knows everything gains less on them; the share of that
loss which the model saves has the same room for every type.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from generator.numbers.correlation import partial_rank_correlation
from generator.numbers.number import Number
from generator.topics.learning.records.curves import TYPES

CONTINUES = "##"
"""What a piece that continues a word begins with in the vocabularies that `pretrain` makes."""

DIGITS = 9
"""Decimals of a nat: what differs by less is a tie, so that a model that gains nothing has no order of gains."""


def unigram(counts: np.ndarray) -> np.ndarray:
    """`[piece]`: the probability that a unigram model gives every piece of a vocabulary: its share of the text, with
    one added to every count.

    >>> unigram(np.array([0, 0, 2])).tolist()
    [0.2, 0.2, 0.6]
    """
    probabilities: np.ndarray = (counts + 1) / (counts + 1).sum()
    return probabilities


def easier_when_frequent(types: pd.DataFrame, counts: Mapping[str, int], seed: int) -> pd.DataFrame:
    """Whether types that are frequent in the training text are known better: rows of study "types", for every corpus.

    `types` is the table `types` of the trained model, and `counts` says how often each piece of its vocabulary stands
    in the training text. Columns are corpus, study, name, value, low, high and n; n counts the types with a loss, which
    are resampled. A type is one piece, so what is held fixed is how many characters it has and whether it continues a
    word. Without losses there are no rows. The order of rows does not change a number.
    """
    rows = []
    pieces = sorted(counts)
    by_counts = dict(zip(pieces, -np.log(unigram(np.array([counts[piece] for piece in pieces]))), strict=True))
    known = types[types["loss"].notna() & types["token"].isin(pieces)].sort_values(["corpus", "token"])
    for corpus, own in known.groupby("corpus"):
        before, loss = own["token"].map(by_counts).to_numpy(float), own["loss"].to_numpy(float)
        gain = before - loss
        inside = own["token"].str.startswith(CONTINUES)
        held = np.stack([own["token"].str.removeprefix(CONTINUES).str.len(), inside]).astype(float)
        found: dict[str, Number] = {
            f"end.{name}": partial_rank_correlation(-before, values.round(DIGITS), held, seed)
            for name, values in (("loss", loss), ("gain", gain), ("share", gain / before))
        }
        TYPES.check(found, "model")
        rows += [(corpus, TYPES.name, name, *figures) for name, figures in found.items()]
    table = pd.DataFrame(rows, columns=["corpus", "study", "name", "value", "low", "high", "n"])
    return table.astype(dict.fromkeys(("value", "low", "high"), "float64") | {"n": "int32"})
