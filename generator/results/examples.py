"""Makes the table `examples` from whole maps of example sentences."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from generator.attention.observed import Observed

EXAMPLES = (
    "The old clock in the kitchen stopped, but nobody noticed it until Sunday.",
    "She gave her brother the book that he had lost, and he thanked her.",
    "After the rain, the children who live next door ran to the river.",
    "Our baker sells bread, cakes and pies; he does not sell coffee.",
)
"""Written for this project: coordination, pronouns, possessives, a list, negation, a relative clause."""


def example_table(seen: Sequence[Observed], texts: Mapping[str, str], tokens: Mapping[str, list[str]]) -> pd.DataFrame:
    """The table `examples`: whole maps of the sentences, in the order of `texts`, whose keys name the documents."""
    order = {name: number for number, name in enumerate(texts, start=1)}
    rows: list[dict[str, Any]] = []
    for item in sorted(seen, key=lambda one: order[one.input.document]):
        name = item.input.document
        assert item.weights is not None, "examples are observed with their weights"
        for layer, heads in enumerate(item.weights, start=1):
            for head, weights in enumerate(heads, start=1):
                rows.append(
                    {
                        "sentence": order[name],
                        "text": texts[name],
                        "tokens": tokens[name],
                        "layer": layer,
                        "head": head,
                        "weights": weights.ravel(),
                    }
                )
    return pd.DataFrame(rows)
