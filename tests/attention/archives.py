"""Files of saved maps, written for a test."""

import numpy as np

TOKENS = ("[CLS]", "rock", "[SEP]")


def saved(path, documents):
    """`documents` maps a name to its weights and its tokens, either of which may be None."""
    arrays = {name: weights for name, (weights, _) in documents.items() if weights is not None}
    texts = {f"{name}.tokens": np.array(tokens) for name, (_, tokens) in documents.items() if tokens is not None}
    np.savez(path, **arrays, **texts)
    return path
