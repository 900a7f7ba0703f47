"""The analysis of Clark et al. 2019 in plain numpy, written from the definitions: the peer that `make bench` times.

Everything is for one segment; maps are `[layer, head, query, key]` as a forward pass returns them.
"""

import numpy as np


def averages(maps, begin, separators, marks):
    """Section 3 (figure 2): shares of attention by key, `[layer, head]` each; positions are lists."""
    n = maps.shape[-1]
    others = [at for at in range(n) if at not in separators]
    return {
        "attention.self": np.trace(maps, axis1=2, axis2=3) / n,
        "attention.next": np.trace(maps, offset=1, axis1=2, axis2=3) / n,
        "attention.previous": np.trace(maps, offset=-1, axis1=2, axis2=3) / n,
        "attention.cls": maps[..., begin].sum((-1, -2)) / n,
        "attention.sep": maps[..., separators].sum((-1, -2)) / n,
        "attention.sep_to_sep": maps[:, :, separators][..., separators].sum((-1, -2)) / len(separators),
        "attention.other_to_sep": maps[:, :, others][..., separators].sum((-1, -2)) / len(others),
        "attention.punctuation": maps[..., marks].sum((-1, -2)) / n,
    }


def entropies(maps, smoothing=1e-4):
    """Section 3.3: mean over rows and the first row, in nats."""
    smooth = (1 - smoothing) * maps + smoothing / maps.shape[-1]
    rows = -(smooth * np.log(smooth)).sum(-1)
    return {"entropy.all": rows.mean(-1), "entropy.cls": rows[..., 0]}


def divergences(maps, smoothing=1e-3):
    """Section 6: Jensen-Shannon divergence of every pair of heads, mean over rows, `[head, head]`."""
    n = maps.shape[-1]
    heads = ((1 - smoothing) * maps + smoothing / n).reshape(-1, n, n)
    found = np.zeros((len(heads), len(heads)), dtype=heads.dtype)
    for at, head in enumerate(heads):
        middle = (heads + head) / 2
        first = (head * np.log(head / middle)).sum(-1)
        second = (heads * np.log(heads / middle)).sum(-1)
        found[at] = ((first + second) / 2).mean(-1)
    return found


def to_words(weights, groups):
    """Section 4.1, one head: sums over the pieces attended to, means over the pieces attending."""
    columns = np.stack([weights[:, group].sum(1) for group in groups], axis=1)
    return np.stack([columns[group].mean(0) for group in groups])


def dependency_picks(maps, groups):
    """Section 4.2: the word each head picks for each word, `[direction, layer, head, word]`."""
    words = len(groups)
    found = np.zeros((2, *maps.shape[:2], words), dtype=int)
    for layer, head in np.ndindex(maps.shape[:2]):
        weights = to_words(maps[layer, head], groups)
        np.fill_diagonal(weights, -1)
        found[0, layer, head] = weights.argmax(1)
        found[1, layer, head] = weights.argmax(0)
    return found
