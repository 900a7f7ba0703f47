"""The same as in `clark_cases`, for the claims of all other sources."""

import numpy as np

from tests.claims.clark_cases import EARLY, LATE, MANY, NAN, UNSURE
from tests.claims.made import (
    HEADS,
    LAYERS,
    TREEBANK,
    by_layer,
    fact,
    facts,
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
        "holds": [
            text({"attention.cls": 0.3, "attention.sep": 0.3, "norm.cls": 0.1, "norm.sep": 0.1}),
            facts("norms", "frequency_norm.spearman", by_layer({}, 0.5)),
        ],
        "fails": [
            text({"attention.cls": 0.3, "attention.sep": 0.3, "norm.cls": 0.3, "norm.sep": 0.2}),
            facts("norms", "frequency_norm.spearman", by_layer({}, 0.5)),
        ],
        "fails, frequent are large": [
            text({"norm.cls": 0.01, "norm.sep": 0.01}),
            facts("norms", "frequency_norm.spearman", by_layer({}, -0.5)),
        ],
        "inconclusive": [
            text({"norm.cls": 0.01, "norm.sep": 0.01}),
            facts("norms", "frequency_norm.spearman", by_layer({}, 0.005)),
        ],
        "not testable": [
            text({"norm.cls": 0.01, "norm.sep": 0.01}),
            facts("norms", "frequency_norm.spearman", by_layer({1: NAN}, 0.5)),
        ],
    },
    "R04": {
        "holds": [fact("trees", "uuas.best.gain", 0.05, corpus=TREEBANK)],
        "fails": [fact("trees", "uuas.best.gain", 0.3, corpus=TREEBANK)],
        "inconclusive": [fact("trees", "uuas.best.gain", 0.1, corpus=TREEBANK)],
        "not testable": [fact("trees", "uuas.best", 0.05, corpus=TREEBANK)],
    },
    "R05": {
        "holds": [
            facts("contextuality", "explained_variance.adjusted", [0.5] + [0.02] * LAYERS, layer=0),
            facts("contextuality", "self_similarity.adjusted", FALLING),
        ],
        "fails": [
            facts("contextuality", "explained_variance.adjusted", [0.02] * LAYERS),
            facts("contextuality", "self_similarity.adjusted", RISING),
        ],
        "fails, static": [
            facts("contextuality", "explained_variance.adjusted", [0.2] * LAYERS),
            facts("contextuality", "self_similarity.adjusted", FALLING),
        ],
        "inconclusive": [
            facts("contextuality", "explained_variance.adjusted", [0.02] * LAYERS),
            facts("contextuality", "self_similarity.adjusted", [0.5] * LAYERS),
        ],
        "not testable": [facts("contextuality", "explained_variance", [0.02] * LAYERS)],
    },
    "R06": {
        "holds": [text({"sink.mass": by_layer({(1, 8): 0.5}, 0.1)})],
        "fails": [text({"sink.mass": by_layer({(1, 6): 0.5}, 0.1)})],
        "inconclusive": [text({"sink.mass": by_layer({(1, 8): 0.3}, 0.1) + UNSURE / 2 + 0.01})],
        "not testable": [text({"sink.mass": NAN})],
    },
    "R07": {
        "holds": [head_facts("gradient", "tau.cls", heads_at((12, 1), (12, 2), value=NAN, other=0.2))],
        "fails": [head_facts("gradient", "tau.cls", heads_at(value=0, other=0.8))],
        "fails, against": [head_facts("gradient", "tau.cls", heads_at(value=0, other=-0.8))],
        "inconclusive": [head_facts("gradient", "tau.cls", heads_at(*MANY[:12], value=0.1, other=0.9))],
        "not testable": [head_facts("gradient", "tau.cls", heads_at(value=0, other=NAN))],
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
