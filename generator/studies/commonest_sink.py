"""The token that is most often the sink of a head, from the stored sinks of documents."""

import pandas as pd

from generator.numbers.makers import makes
from generator.studies.derived_quantities import OF_HEADS


@makes(OF_HEADS, "sink.documents")
def commonest_sinks(documents: pd.DataFrame) -> dict[tuple[int, int], tuple[int, int]]:
    """By 1-based layer and head: the id of the token that is its sink most often, and in how many documents.

    Takes rows of the table `documents` of one corpus.
    """
    found: dict[tuple[int, int], tuple[int, int]] = {}
    often = documents.groupby(["layer", "head"])["sink.token"].value_counts().reset_index(name="count")
    # Counts come sorted within each head, so that the first is the largest.
    for layer, head, token, count in often.itertuples(index=False, name=None):
        found.setdefault((int(layer), int(head)), (int(token), int(count)))
    return found
