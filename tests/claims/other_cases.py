"""The same as in `clark_cases`, for the claims of all other sources."""

import numpy as np

from tests.claims.clark_cases import EARLY, LATE, MANY, NAN, UNSURE
from tests.claims.made import (
    HEADS,
    LAYERS,
    TREEBANK,
    fact,
    head_facts,
    heads_at,
    relation,
    roles,
    text,
)

EXACT = fact("answers", "exact", 0.6)
FALLING, RISING = np.linspace(1, 0, LAYERS)[:, None], np.linspace(0, 1, LAYERS)[:, None]


def doubles(share, excess):
    """K18: the share of heads with a double, and how far it exceeds that among random heads."""
    return [fact("landscape", "doubles", share), fact("landscape", "doubles.excess", excess)]


def norms(correlation, by_norm):
    """R01: over tokens, and special tokens' share by norm where they have 0.6 of the weight."""
    share = {"norm.cls": by_norm / 2, "norm.sep": by_norm / 2, "attention.cls": 0.3, "attention.sep": 0.3}
    return [text(share), fact("norms", "frequency_norm.tokens.spearman", correlation)]


def trees(ours, source):
    """R04: the best head's gain by both readings of a map."""
    gains = {"uuas.best.gain": ours, "uuas.to_dependents.best.gain": source}
    return [fact("trees", name, gain, corpus=TREEBANK) for name, gain in gains.items()]


def contextual(explained, rise, spread=0.01):
    """R05: the centred variance explained, and how self-similarity changes upwards."""
    names = {"explained_variance.centred.adjusted.mean": explained, "self_similarity.adjusted.rise": rise}
    return [fact("contextuality", name, value, spread) for name, value in names.items()]


def taus(of_tokens, of_weights):
    """R07: agreement with the importance of tokens, and with the gradient by weights."""
    return [fact("gradient", "tau.input", of_tokens), fact("gradient", "tau.cls", of_weights)]


def finders(layers, prefix="r", gain=0.2, heads=2):
    """H01: a relation for every head of these layers."""
    first, last = layers
    places = [(layer, head) for layer in range(first, last + 1) for head in range(1, heads + 1)]
    return [relation(f"{prefix}{i}", 0.5, gain, place) for i, place in enumerate(places)]


def types(outsiders, insiders, attended=0.5, rank=5):
    """H04: entropies of four special tokens and of five others; `attended` is how much more attend to the special."""
    special = ("[CLS]", "[SEP]", ".", ",")
    entropies = {token: (rank + i, outsiders[i % len(outsiders)], 2 + attended) for i, token in enumerate(special)}
    entropies |= {f"w{i}": (10 + i, insiders[i % len(insiders)], 2.0) for i in range(5)}
    return [roles(entropies | {"rare": (30, 9.0, 9.0)})]


def diagonal(link, other=None):
    """K13: heads' attention to neighbours and their links."""
    other = link if other is None else other
    grid = np.linspace(0, 1, LAYERS * HEADS).reshape(LAYERS, HEADS)
    return [
        text({"attention.previous": grid / 2, "attention.next": grid / 2}),
        head_facts("words", "link.verb_subject", link(grid)),
        head_facts("words", "link.noun_pronoun", other(grid)),
    ]


def shuffled(grid):
    """The same numbers in an order that has little to do with the first."""
    return np.random.default_rng(3).permutation(grid.ravel()).reshape(grid.shape)


def mixed(grid):
    """About half of the order kept."""
    return grid + 1.3 * shuffled(grid)


CASES = {
    "K03": {
        "holds": [text({"attention.cls": heads_at(*MANY[:14], value=0.3), "attention.sep": 0.3})],
        "holds, just mainly": [text({"attention.cls": heads_at(*MANY[:14], value=0.21), "attention.sep": 0.3})],
        "fails": [text({"attention.cls": heads_at(*MANY[:3], value=0.3), "attention.sep": 0.3})],
        "fails, just not mainly": [text({"attention.cls": heads_at(*MANY[:14], value=0.19), "attention.sep": 0.3})],
        "inconclusive": [text({"attention.cls": heads_at(*MANY[:10], value=0.3), "attention.sep": 0.3})],
        "not testable": [text({"attention.cls": 0.6, "attention.sep": NAN})],
    },
    "K10": {
        "holds": [text({"attention.cls": EARLY, "attention.sep": LATE})],
        "holds, just": [text({"attention.cls": EARLY - 0.05, "attention.sep": 0.102 + 0.096 * (EARLY > 0.1)})],
        "fails": [text({"attention.cls": LATE, "attention.sep": EARLY})],
        "fails, always more": [text({"attention.cls": 0.1, "attention.sep": 0.4})],
        "fails, just too little early": [text({"attention.cls": EARLY, "attention.sep": 0.252})],
        "fails, just too little late": [text({"attention.cls": EARLY, "attention.sep": EARLY * 0 + 0.148})],
        "inconclusive": [text({"attention.cls": EARLY, "attention.sep": 0.15 + (LATE > 0.1) * UNSURE})],
        "not testable": [text({"attention.cls": NAN, "attention.sep": LATE})],
    },
    "K13": {
        "holds": diagonal(lambda grid: grid**2),
        "fails": diagonal(lambda grid: -grid),
        "fails, one of both": diagonal(lambda grid: grid, shuffled),
        "inconclusive": diagonal(mixed),
        "not testable": diagonal(lambda grid: grid)[:2],
    },
    "K18": {
        "holds": doubles(0.9, 0.3),
        "holds, just": doubles(0.511, 0.111),
        "fails": doubles(0.1, 0.3),
        "fails, just too few": doubles(0.489, 0.3),
        "fails, random heads have as many": doubles(0.9, 0.0),
        "fails, random heads have just as many": doubles(0.9, 0.089),
        "inconclusive": doubles(0.5, 0.3),
        "not testable": [text({})],
        "not testable, all the same": doubles(NAN, NAN),
    },
    "H01": {
        "holds": finders((4, 9)),
        "fails": finders((10, 12)) + finders((1, 3), "s"),
        "fails, one head in the middle": finders((10, 12)) + finders((1, 3), "s") + finders((6, 6), "t", heads=1),
        "inconclusive": finders((7, 11)),
        "not testable": finders((4, 9), gain=-0.1),
        "not testable, one head for many relations": [relation(f"r{i}", 0.5, 0.2, (6, 1)) for i in range(10)],
    },
    "H04": {
        "holds": types((4.0, 4.2), (2.0, 2.4)),
        "holds, just": types((4.11, 4.11), (3.9, 3.9)),
        "fails": types((2.0, 2.2), (4.0, 4.4)),
        "fails, just": types((4.09, 4.09), (3.9, 3.9)),
        "fails, rare": types((4.0, 4.2), (2.0, 2.4), rank=18),
        "fails, attended by few": types((4.0, 4.2), (2.0, 2.4), attended=-0.5),
        "fails, attended by hardly more": types((4.0, 4.2), (2.0, 2.4), attended=0.19),
        "inconclusive": types((2.0, 4.0), (2.9, 3.1)),
        "not testable": [roles({"w": (1, 2.0, 2.0)})],
    },
    "R01": {
        "holds": norms(0.5, 0.2),
        "holds, just": norms(0.261, 0.295),
        "fails, just too little by rank": norms(0.239, 0.2),
        "fails, just too much by norm": norms(0.5, 0.305),
        "fails": norms(0.5, 0.5),
        "fails, frequent are large": norms(-0.5, 0.02),
        "inconclusive": norms(0.255, 0.2),
        "not testable": norms(NAN, 0.2),
    },
    "R04": {
        "holds": trees(0.05, 0.05),
        "holds, just": trees(0.089, 0.089),
        "fails": trees(0.3, 0.3),
        "fails, as in the paper": trees(0.05, 0.111),
        "fails, the other way": trees(0.111, 0.05),
        "inconclusive": trees(0.05, 0.1),
        "not testable": trees(0.05, 0.05)[:1],
    },
    "R05": {
        "holds": contextual(0.02, -0.2),
        "holds, just": contextual(0.0495, -0.0105, spread=0.0002),
        "holds, by the formula far larger": [
            *contextual(0.02, -0.2),
            fact("contextuality", "explained_variance.adjusted.mean", 0.5),
        ],
        "fails": contextual(0.02, 0.2),
        "fails, just": contextual(0.02, 0.0105),
        "fails, static": contextual(0.2, -0.2),
        "fails, just too static": contextual(0.0505, -0.2, spread=0.0002),
        "inconclusive": contextual(0.02, 0.0),
        "not testable": contextual(0.02, -0.2)[:1],
    },
    "R06": {
        "holds": [fact("sinks", "layers", 0.8)],
        "holds, just": [fact("sinks", "layers", 0.511)],
        "fails": [fact("sinks", "layers", 0.2)],
        "fails, just": [fact("sinks", "layers", 0.489)],
        "inconclusive": [fact("sinks", "layers", 0.5)],
        "not testable": [fact("sinks", "layers.separator", 0.8)],
    },
    "R07": {
        "holds": taus(0.1, 0.2),
        "holds, just": taus(0.489, -0.489),
        "fails": taus(0.8, 0.2),
        "fails, just": taus(0.511, 0.2),
        "fails, just against": taus(0.1, -0.511),
        "inconclusive": taus(0.1, 0.5),
        "not testable": taus(0.1, 0.2)[1:],
    },
    "Q01": {
        "holds": [fact("model", "embedding.types", 30, NAN), fact("model", "vocabulary", 30, NAN)],
        "fails": [fact("model", "embedding.types", 10, NAN), fact("model", "vocabulary", 30, NAN)],
        "not testable": [fact("model", "vocabulary", 30, NAN)],
    },
    "Q05": {
        "holds": [fact("model", "vocabulary", 33_100, NAN)],
        "fails": [fact("model", "vocabulary", 30_522, NAN)],
        "fails, larger": [fact("model", "vocabulary", 50_265, NAN)],
        "not testable": [text({})],
    },
    "Q06": {
        "holds": [fact("answers", "reversed", 0.03, 0.02), EXACT],
        "inconclusive, none is reversed": [fact("answers", "reversed", 0.03, 0.03), EXACT],
        "not testable, at random": [fact("answers", "reversed", 0.5), fact("answers", "exact", 0.01)],
        "not testable, too few to tell": [fact("answers", "reversed", 0.5), fact("answers", "exact", 0.1, 0.05)],
        "not testable": [fact("answers", "reversed", 0.03, 0.02)],
    },
}
