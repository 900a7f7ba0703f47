"""The same as in `clark`, for claims about patterns, features, frames, and inputs that were changed."""

import numpy as np

from tests.claims.cases.clark import MANY, NAN, SINGLE, marked
from tests.claims.made import (
    FRAMES,
    HEADS,
    LAYERS,
    SPREAD,
    TREEBANK,
    as_stored,
    before,
    by_layer,
    chosen,
    fact,
    facts,
    head_facts,
    heads_at,
    text,
)

WORDS = ("noun", "verb", "pronoun", "subject", "object", "negation")
CLASSES = ("vertical", "diagonal", "mixed", "block", "heterogeneous")


def patterns(*shares, spread=0.0, **uniform):
    """K01: every head's shares of the five classes, in their order."""
    columns = {f"pattern.{name}": share + spread * SPREAD for name, share in zip(CLASSES, shares, strict=True)}
    return [text(columns, **uniform)]


def own(*classes):
    """K01: each of these classes has its heads, in turn, and every map of a head is of its class."""
    turn = np.arange(LAYERS * HEADS).reshape(LAYERS, HEADS) % len(classes)
    return [
        text({f"pattern.{name}": (turn == classes.index(name)) * 1.0 if name in classes else 0.0 for name in CLASSES})
    ]


def kept(low, high):
    """K01: half of the documents give a head's class this share of its maps, the others that; all classes occur."""
    turn = np.arange(LAYERS * HEADS).reshape(LAYERS, HEADS) % len(CLASSES)
    first = np.where(SPREAD > 0, high, low)
    shares = {}
    for at, name in enumerate(CLASSES):
        shares[f"pattern.{name}"] = np.where(turn == at, first, (1 - first) / 4)
    return [text(shares)]


def maxima(separator, noun, n=60):
    """K09: the largest scores of the separator and of nouns, `[layer, head]`; nothing attends to another kind. `n` is
    how many sentences have a noun.
    """
    scores = dict.fromkeys(("begin", *WORDS[1:]), np.zeros((LAYERS, HEADS))) | {"separator": separator}
    made = [head_facts("features", f"{kind}.max", score) for kind, score in scores.items()]
    nouns = head_facts("features", "noun.max", noun)["head_facts"].to_pandas()
    return [*made, as_stored("head_facts", nouns.assign(n=n))]


def features(separator, noun, places=MANY[:12], n=60):
    """K09: the scores of stripes in these heads; no others have any."""
    return maxima(heads_at(*places, value=separator), heads_at(*places, value=noun), n)


def striped(special, words):
    """K09: so many heads with a stripe at a separator, and so many at a noun."""
    return maxima(heads_at(*MANY[:special], value=0.5), heads_at(*MANY[special : special + words], value=0.5))


def begin_row(separator, other, spread=0.01, rival="noun"):
    """K14: the begin token's row in the last layer; other layers say the opposite."""
    places = [(LAYERS, head) for head in range(1, HEADS + 1)]
    weights = dict.fromkeys(("begin", *WORDS, "punctuation"), 0.0) | {rival: other}
    return [
        head_facts("features", "separator.begin_row", heads_at(*places, value=separator, other=0.0), spread),
        *(
            head_facts("features", f"{kind}.begin_row", heads_at(*places, value=weight, other=1.0), spread)
            for kind, weight in weights.items()
        ),
    ]


def separators(number, value, last=0.3):
    """H02, H11, K11: the number, given as "study/name", and what [SEP] gets, of which chance gives 0.01."""
    numbers = {"separators/base.last": last, "separators/base.uniform": 0.01, number: value}
    return [fact(*name.split("/"), estimate) for name, estimate in numbers.items()]


def mask_rows(near, own, lead):
    """H17: what [MASK] gives to near tokens and to its own part, beyond the word that it hides, in the last layers."""
    return [fact("mask rows", f"deep.{name}", value) for name, value in (("near", near), ("part", own), ("lead", lead))]


def masked(maps, first=0.0):
    """Q04: how far maps change beside masked words, and did before training."""
    return [fact("manipulations", "masks.15.js", maps), *before(Q04_1=first)]


def segments(loss, maps, first_loss=0.5, first_maps=0.5):
    """Q03: without segments, and the same before the first step of the training."""
    return [
        fact("manipulations", "segments.zero.loss", loss),
        fact("manipulations", "segments.zero.js", maps),
        *before(Q03_1=first_loss, Q03_2=first_maps),
    ]


def probe(lead, selectivity):
    """Q07: the last layer; the others say the opposite."""
    return [
        facts("usability", "tag.lead", by_layer({LAYERS: lead}, -lead), corpus=TREEBANK),
        facts("usability", "tag.selectivity", by_layer({LAYERS: selectivity}, 0.3 - selectivity), corpus=TREEBANK),
    ]


CASES = {
    "K01": {
        "holds": own(*CLASSES),
        "holds, the rarest just often enough": patterns(0.97 - 3 * 0.0104 + 0.0196, 0.0104, 0.0104, 0.0104, 0.0104),
        "fails, the rarest just too rare": patterns(0.97 - 3 * 0.0096 + 0.0204, 0.0096, 0.0096, 0.0096, 0.0096),
        "holds, just kept": kept(0.515, 0.515),
        "fails, just not kept": kept(0.485, 0.485),
        "fails, one is missing": own(*CLASSES[:3], CLASSES[4]),
        "fails, no head keeps a class": patterns(0.2, 0.2, 0.2, 0.2, 0.2),
        "inconclusive": kept(0.3, 0.75),
        "not testable": [text({"pattern.vertical": NAN})],
        "not testable, single sentences have no blocks": patterns(0.6, 0.1, 0.1, 0.1, 0.1, uniform=SINGLE),
        "fails, single sentences of which no head keeps a class": patterns(0.2, 0.2, 0.2, 0.2, 0.2, uniform=SINGLE),
    },
    "K04": {
        "holds": [
            fact("frames", "paper.element_to_target.best.gain", 0.15, corpus=FRAMES),
            *chosen("frames", "paper.element_to_target.best", 3, 1, FRAMES),
        ],
        "holds, just": [fact("frames", "paper.element_to_target.best.gain", 0.061, corpus=FRAMES)],
        "fails, just": [fact("frames", "paper.element_to_target.best.gain", 0.039, corpus=FRAMES)],
        "fails": [fact("frames", "paper.element_to_target.best.gain", 0.01, corpus=FRAMES)],
        "inconclusive": [fact("frames", "paper.element_to_target.best.gain", 0.05, corpus=FRAMES)],
        "not testable": [fact("frames", "paper.target_to_element.best.gain", 0.15, corpus=FRAMES)],
    },
    "K09": {
        "holds": features(0.5, 0.1),
        "fails": features(0.1, 0.5),
        "inconclusive": striped(9, 3),
        "holds, just a stripe": features(0.255, 0.1),
        "not testable, no stripes": features(0.1, 0.1),
        "not testable, just no stripe": features(0.245, 0.1),
        "not testable": features(0.5, 0.1)[:1],
        "fails, the least sentences with the feature": features(0.3, 0.5, n=20),
        "holds, hardly a sentence has the feature": features(0.3, 0.5, n=19),
        "not testable, hardly a sentence has the only stripe": features(0.1, 0.5, n=19),
    },
    "K14": {
        "holds": begin_row(0.5, 0.1),
        "fails": begin_row(0.1, 0.5),
        "holds, just": begin_row(0.324, 0.3),
        "fails, just": begin_row(0.276, 0.3),
        "fails, most to itself": begin_row(0.1, 0.5, rival="begin"),
        "inconclusive": begin_row(0.3, 0.3),
        "not testable": begin_row(NAN, 0.1),
    },
    "K11": {
        "holds": separators("separators/single.gain", 0.1),
        "holds, just": separators("separators/single.gain", 0.0205),
        "holds, just attended": separators("separators/single.gain", 0.1, last=0.031),
        "fails": separators("separators/single.gain", -0.1),
        "fails, just": separators("separators/single.gain", -0.0005),
        "inconclusive": separators("separators/single.gain", 0.012),
        "not testable": [fact("separators", "swapped.lead", 0.1)],
        "not testable, just not attended": separators("separators/single.gain", -0.1, last=0.029),
        "fails, two in a pair": [*separators("separators/single.gain", -0.1), marked({}, marks=2)],
        "not testable, three in a pair": [*separators("separators/single.gain", -0.1), marked({}, marks=3)],
        "not testable, one in a pair": [*separators("separators/single.gain", -0.1), marked({}, marks=1)],
    },
    "H02": {
        "holds": separators("separators/swapped.lead", 0.1),
        "fails": separators("separators/swapped.lead", -0.1),
        "holds, just": separators("separators/swapped.lead", 0.011),
        "holds, just attended": separators("separators/swapped.lead", 0.1, last=0.031),
        "fails, just": separators("separators/swapped.lead", -0.011),
        "inconclusive": separators("separators/swapped.lead", 0.0),
        "not testable, nobody looks there": separators("separators/swapped.lead", 0.1, last=0.01),
        "not testable, just not attended": separators("separators/swapped.lead", 0.1, last=0.029),
        "not testable": [fact("separators", "swapped.lead", 0.1)],
    },
    "H11": {
        "holds": separators("no-op/lead", -0.1),
        "fails": separators("no-op/lead", 0.1),
        "holds, just": separators("no-op/lead", -0.011),
        "holds, just attended": separators("no-op/lead", -0.1, last=0.031),
        "fails, just": separators("no-op/lead", 0.011),
        "inconclusive": separators("no-op/lead", 0.0),
        "not testable": [fact("no-op", "separators.loss", -0.1)],
        "not testable, just not attended": separators("no-op/lead", -0.1, last=0.029),
    },
    "H03": {
        "holds": [fact("occlusion", "slope", -0.3), fact("occlusion", "span.gain", 0.1)],
        "holds, just": [fact("occlusion", "slope", -0.111), fact("occlusion", "span.gain", 0.021)],
        "fails, far words matter just too much": [
            fact("occlusion", "slope", -0.089),
            fact("occlusion", "span.gain", 0.1),
        ],
        "fails, parts matter just too little": [
            fact("occlusion", "slope", -0.3),
            fact("occlusion", "span.gain", -0.001),
        ],
        "fails, far words matter": [fact("occlusion", "slope", 0.3), fact("occlusion", "span.gain", 0.1)],
        "fails, parts do not": [fact("occlusion", "slope", -0.3), fact("occlusion", "span.gain", -0.1)],
        "inconclusive": [fact("occlusion", "slope", -0.3), fact("occlusion", "span.gain", 0.01)],
        "not testable": [fact("occlusion", "slope", -0.3)],
    },
    "H17": {
        "holds": mask_rows(0.1, 0.1, 0.1),
        "holds, just": mask_rows(0.011, 0.011, 0.011),
        "fails, the word looks as near": mask_rows(-0.011, 0.1, 0.1),
        "fails, not at its part": mask_rows(0.1, -0.011, 0.1),
        "fails, middle layers as much": mask_rows(0.1, 0.1, -0.011),
        "inconclusive": mask_rows(0.1, 0.005, 0.1),
        "not testable": [fact("mask rows", "deep.near", 0.1)],
    },
    "Q03": {
        "holds": segments(loss=0.0, maps=0.02),
        "fails, the loss rises": segments(loss=0.5, maps=0.02),
        "fails, maps change": segments(loss=0.0, maps=0.3),
        "holds, just": segments(loss=0.039, maps=0.059),
        "fails, the loss just rises": segments(loss=0.061, maps=0.02),
        "fails, maps just change": segments(loss=0.0, maps=0.081),
        "inconclusive": segments(loss=0.05, maps=0.02),
        "holds, one threshold is met before training": segments(loss=0.0, maps=0.02, first_loss=0.0),
        "holds, just less than before training": segments(loss=0.0, maps=0.02, first_maps=0.041),
        "inconclusive, the other threshold is met before training": segments(loss=0.05, maps=0.02, first_maps=0.02),
        "not testable": segments(loss=0.0, maps=0.02)[1:],
        "not testable, both are met before training": segments(loss=0.0, maps=0.02, first_loss=0.0, first_maps=0.039),
        "not testable, nothing is known from before training": segments(loss=0.0, maps=0.02)[:2],
    },
    "Q04": {
        "holds": masked(0.2),
        "fails": masked(0.01),
        "holds, just": masked(0.081),
        "fails, just": masked(0.059),
        "inconclusive": masked(0.07),
        "holds, just more than before training": masked(0.2, first=0.179),
        "not testable, just no more than before training": masked(0.2, first=0.181),
        "not testable, nothing is known from before training": masked(0.2)[:1],
        "not testable": [fact("manipulations", "masks.40.js", 0.2)],
    },
    "Q07": {
        "holds": probe(0.1, 0.3),
        "holds, just": probe(0.031, 0.111),
        "fails, no better than types": probe(-0.05, 0.3),
        "fails, just no better than types": probe(0.009, 0.3),
        "fails, not selective": probe(0.1, 0.02),
        "fails, just not selective": probe(0.1, 0.089),
        "inconclusive": probe(0.02, 0.3),
        "not testable": probe(0.1, 0.3)[1:],
    },
}
