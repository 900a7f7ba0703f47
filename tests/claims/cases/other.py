"""The same as in `clark`, for the claims of all other sources."""

import numpy as np

from tests.claims.cases.clark import EARLY, LATE, MANY, NAN, UNSURE, marked
from tests.claims.made import (
    HEADS,
    LAYERS,
    TEXT,
    TREEBANK,
    apart,
    before,
    by_layer,
    chosen,
    fact,
    facts,
    head_facts,
    heads_at,
    relation,
    roles,
    text,
)

EXACT = fact("answers", "exact", 0.6)
RISING = np.linspace(0, 1, LAYERS)[:, None]


def resting(places):
    """K03: heads that give [CLS] and [SEP] most of their attention."""
    return [text({"attention.cls": heads_at(*places, value=0.3), "attention.sep": 0.3})]


def in_sentences(heads):
    """K03: so many heads do in the sentences of a treebank."""
    found = {"begin.mean": heads_at(*MANY[:heads], value=0.3), "separator.mean": np.full((LAYERS, HEADS), 0.3)}
    return [head_facts("features", name, grid) for name, grid in found.items()]


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
    return (grid + 1.3 * shuffled(grid)) / 2.3


def norms(correlation, by_norm=0.1, weight=0.3):
    """R01: rarity and norm; special tokens get 0.3 by weight each, of which chance gives 0.02."""
    return [
        text({"attention.cls": weight, "attention.sep": weight, "norm.cls": by_norm, "norm.sep": by_norm}),
        fact("norms", "frequency_norm.tokens.spearman", correlation),
    ]


def positional(share, confidence, spread=0.01):
    """R03: one head with this share of maxima on the previous token, and others far from it."""
    found = {"previous": share, "next": 0.1, "confidence": confidence}
    return [
        head_facts("maxima", name, heads_at((3, 1), value=value, other=0.2), spread, corpus=TEXT)
        for name, value in found.items()
    ]


def trees(to_dependents, to_heads, first=0.3):
    """R04: the gain of the best head by both readings of a map, and the same before the first step of the training."""
    gains = {"uuas.to_dependents": to_dependents, "uuas": to_heads}
    made = [fact("trees", f"{name}.best.gain", gain, corpus=TREEBANK) for name, gain in gains.items()]
    return [*made, *before(R04_2=first, R04_1=first)]


def agreement(importance, gradients, first=0.9):
    """R07, and the same before the first step of the training."""
    made = [fact("gradient", "tau.input", importance), fact("gradient", "tau.cls", gradients)]
    return [*made, *before(R07_2=first, R07_3=first)]


def contextual(explained, rise, first_explained=0.3, first_rise=0.3):
    """R05, and the same before the first step of the training."""
    return [
        fact("contextuality", "explained_variance.centred.adjusted.mean", explained),
        fact("contextuality", "self_similarity.adjusted.rise", rise),
        *before(R05_3=first_explained, R05_4=first_rise),
    ]


CASES = {
    "K03": {
        "holds": [text({"attention.cls": heads_at(*MANY[:14], value=0.3), "attention.sep": 0.3})],
        "holds, just mainly": [text({"attention.cls": heads_at(*MANY[:14], value=0.21), "attention.sep": 0.3})],
        "fails": [text({"attention.cls": heads_at(*MANY[:3], value=0.3), "attention.sep": 0.3})],
        "fails, just not mainly": [text({"attention.cls": heads_at(*MANY[:14], value=0.19), "attention.sep": 0.3})],
        "inconclusive": [text({"attention.cls": heads_at(*MANY[:10], value=0.3), "attention.sep": 0.3})],
        "holds, one [SEP]": [marked({"attention.cls": 0.3, "attention.sep": 0.3}, marks=1)],
        "fails, in sentences too": [*resting(MANY[:3]), *in_sentences(7)],
        "fails, where sentences are not sure": [*resting(MANY[:3]), *in_sentences(12)],
        "inconclusive, as heads rest there in sentences": [*resting(MANY[:3]), *in_sentences(13)],
        "inconclusive, as no heads rest there in sentences": [*resting(MANY[:14]), *in_sentences(1)],
        "not testable, three [SEP]": [marked({"attention.cls": 0.3, "attention.sep": 0.3}, marks=3)],
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
        "holds, one [SEP]": [marked({"attention.cls": EARLY, "attention.sep": LATE}, marks=1)],
        "not testable, three [SEP]": [marked({"attention.cls": EARLY, "attention.sep": LATE}, marks=3)],
        "not testable": [text({"attention.cls": NAN, "attention.sep": LATE})],
    },
    "K13": {
        "holds": diagonal(lambda grid: grid**2),
        "fails": diagonal(lambda grid: 1 - grid),
        "fails, one of both": diagonal(lambda grid: grid, shuffled),
        "inconclusive": diagonal(mixed),
        "not testable": diagonal(lambda grid: grid)[:2],
    },
    "K18": {
        "holds": [*doubles(0.9, 0.3), apart((0, 3))],
        "holds, just": doubles(0.75, 0.111),
        "fails": doubles(0.1, 0.3),
        "fails, just too few": doubles(0.25, 0.3),
        "inconclusive, for there are few heads": doubles(0.65, 0.3),
        "inconclusive, too few for few heads": doubles(0.35, 0.3),
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
        "holds, heads that are not surely better do not count": finders((4, 9)) + finders((10, 12), "s", gain=0.009),
        "inconclusive, heads that are surely better do": finders((4, 7)) + finders((10, 12), "s", gain=0.011),
        "holds, just enough heads": finders((4, 6)),
        "inconclusive, just too few heads": finders((4, 8), heads=1),
        "not testable, no head is surely better": finders((4, 9), gain=0.009),
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
        "holds": norms(0.5),
        "holds, just": norms(0.111),
        "holds, just little by norm": norms(0.5, by_norm=0.147),
        "fails": norms(0.5, by_norm=0.25),
        "fails, just not little by norm": norms(0.5, by_norm=0.153),
        "fails, frequent are large": norms(-0.5),
        "fails, just": norms(0.089),
        "inconclusive": norms(0.105),
        "holds, special tokens are just attended": norms(0.5, by_norm=0.02, weight=0.041),
        "fails, frequent are large where special tokens are not attended": norms(-0.5, weight=0.02),
        "not testable": norms(NAN),
        "not testable, special tokens are just not attended": norms(0.5, by_norm=0.03, weight=0.039),
    },
    "R03": {
        "holds": positional(0.97, 0.9),
        "holds, just": positional(0.93, 0.83, spread=0.001),
        "fails": positional(0.5, 0.9),
        "fails, just too few maxima": positional(0.89, 0.9, spread=0.001),
        "fails, just too weak": positional(0.97, 0.79, spread=0.001),
        "inconclusive": positional(0.905, 0.9),
        "inconclusive, for every head is tried": positional(0.911, 0.9),
        "not testable": [text({})],
    },
    "R04": {
        "holds": [*trees(0.05, 0.05), *chosen("trees", "uuas.best", 5, 2, TREEBANK)],
        "holds, just": trees(0.089, 0.089),
        "fails": trees(0.3, 0.05),
        "fails, just": trees(0.111, 0.05),
        "fails, just the other way round": trees(0.05, 0.111),
        "inconclusive": trees(0.1, 0.05),
        "holds, just worse than before training": trees(0.05, 0.05, first=0.071),
        "inconclusive, the other threshold is met before training": trees(0.1, 0.05, first=0.05),
        "not testable, just not worse than before training": trees(0.05, 0.05, first=0.069),
        "not testable, better than before training": trees(0.05, 0.05, first=-0.2),
        "not testable, nothing is known from before training": trees(0.05, 0.05)[:2],
        "not testable": [fact("trees", "uuas.best", 0.05, corpus=TREEBANK)],
    },
    "R05": {
        "holds": contextual(0.02, -0.3),
        "holds, just": contextual(0.039, -0.061),
        "fails": contextual(0.02, 0.3),
        "fails, just": contextual(0.02, -0.039),
        "fails, static": contextual(0.2, -0.3),
        "fails, just static": contextual(0.061, -0.3),
        "inconclusive": contextual(0.02, -0.05),
        "holds, both just say more than before training": contextual(0.02, -0.3, 0.041, -0.279),
        "holds, one just says more than before training": contextual(0.02, -0.3, 0.039, -0.279),
        "not testable, both just say no more than before training": contextual(0.02, -0.3, 0.039, -0.281),
        "fails, though one is as before training": contextual(0.02, 0.3, 0.02),
        "not testable, nothing is known from before training": contextual(0.02, -0.3)[:2],
        "not testable": contextual(0.02, -0.3)[:1],
    },
    "R06": {
        "holds": [facts("sinks", "shared", by_layer({(1, 7): 0.5}, 0.1))],
        "holds, just": [facts("sinks", "shared", by_layer({(1, 7): 0.311}, 0.1))],
        "fails": [facts("sinks", "shared", by_layer({(1, 6): 0.5}, 0.1))],
        "fails, just": [facts("sinks", "shared", by_layer({(1, 7): 0.289}, 0.1))],
        "inconclusive": [facts("sinks", "shared", by_layer({(1, 7): 0.3}, 0.1))],
        "not testable": [facts("sinks", "separator", by_layer({(1, 7): 0.3}, 0.1))],
    },
    "R07": {
        "holds": agreement(0.2, 0.1),
        "holds, just": agreement(-0.489, 0.489),
        "fails": agreement(0.8, 0.1),
        "fails, just": agreement(0.511, 0.1),
        "fails, just against": agreement(-0.511, 0.1),
        "fails, just with gradients": agreement(0.2, 0.511),
        "inconclusive": agreement(0.5, 0.1),
        "holds, just weaker than before training": agreement(0.2, -0.2, first=0.221),
        "not testable": agreement(0.2, 0.1)[1:],
        "not testable, just not weaker than before training": agreement(0.2, -0.2, first=0.219),
        "not testable, nothing before training": agreement(0.2, 0.1, first=0.0),
        "not testable, nothing is known from before training": agreement(0.2, 0.1)[:2],
    },
    "Q01": {"not testable, whatever is stored": [fact("model", "vocabulary", 30, NAN)]},
    "Q05": {
        "fails": [fact("model", "vocabulary", 30_522, NAN)],
        "fails, cased": [fact("model", "vocabulary", 28_996, NAN)],
        "not testable, one piece more": [fact("model", "vocabulary", 30_523, NAN)],
        "not testable, just as claimed": [fact("model", "vocabulary", 33_100, NAN)],
        "not testable, small": [fact("model", "vocabulary", 8_000, NAN)],
        "not testable, large": [fact("model", "vocabulary", 50_265, NAN)],
        "not testable": [text({})],
    },
    "Q06": {
        "holds": [fact("answers", "reversed", 0.03, 0.02), EXACT],
        "inconclusive, none is reversed": [fact("answers", "reversed", 0.03, 0.03), EXACT],
        "not testable, at random": [fact("answers", "reversed", 0.5), fact("answers", "exact", 0.01)],
        "holds, just trained": [fact("answers", "reversed", 0.03, 0.02), fact("answers", "exact", 0.1, 0.049)],
        "not testable, too few to tell": [fact("answers", "reversed", 0.5), fact("answers", "exact", 0.1, 0.05)],
        "not testable": [fact("answers", "reversed", 0.03, 0.02)],
    },
}
