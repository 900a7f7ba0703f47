"""The same as in `clark_cases`, for claims about patterns, features, frames and labelled tasks."""

import numpy as np

from tests.claims.clark_cases import MANY, NAN
from tests.claims.made import (
    FRAMES,
    HEADS,
    LAYERS,
    SPREAD,
    TASKS,
    TEXT,
    TREEBANK,
    by_layer,
    fact,
    facts,
    head_facts,
    heads_at,
    text,
)

TUNED = "compare:tiny-tuned"
CLASSES = ("vertical", "diagonal", "mixed", "block", "heterogeneous")
RISING = np.linspace(0, 1, LAYERS * HEADS).reshape(LAYERS, HEADS)


def patterns(*shares, spread=0.0):
    """K01: every head's shares of the five classes, in their order."""
    return [text({f"pattern.{name}": share + spread * SPREAD for name, share in zip(CLASSES, shares, strict=True)})]


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


def tuned(name, values, tasks=TASKS, spread=0.01):
    """A curve over layers of the comparison with a fine-tuned checkpoint, for every task."""
    curves = [facts(TUNED, name, value, spread, corpus=task) for task, value in zip(tasks, values, strict=False)]
    return [*curves, *(copied(task) for task in tasks)]


def copied(corpus, copy=1.0):
    """Whether the other model is a copy that was trained further."""
    return fact(TUNED, "copy", copy, NAN, corpus=corpus)


def raised(name, value):
    """K12: the change of a feature's score in every head."""
    return [head_facts(TUNED, name, heads_at(value=0, other=value)), copied(TREEBANK)]


def heterogeneous(*shares, change=0.1, spread=0.01):
    """K02: shares after fine-tuning, task by task."""
    before = [by_layer({}, share - change) for share in shares]
    after = [by_layer({}, change) for _ in shares]
    return [
        *tuned("base.pattern.heterogeneous", before, spread=spread),
        *tuned("pattern.heterogeneous", after, spread=spread)[: len(after)],
    ]


def cosines(*last, other=0.9, spread=0.01):
    """K06: the cosine in the last two layers, task by task."""
    return tuned("cosine", [by_layer({(LAYERS - 1, LAYERS): value}, other) for value in last], spread=spread)


def scores(spread=0.01, tasks=TASKS, **ways):
    """K07, K08: score by way of training, for every task, or one by task."""
    named = {"frozen": "pretrained.frozen", "random": "random.fine-tuned", "tuned": "pretrained.fine-tuned"}
    made = []
    for way, values in ways.items():
        for task, value in zip(tasks, np.broadcast_to(values, len(tasks)), strict=True):
            metric = "spearman" if task == "stsb" else "accuracy"
            made.append(fact("scores", f"{metric}.{named.get(way, way)}", float(value), spread, corpus=task))
    return made


def disabled(name, *values, study="disabling", spread=0.01, tasks=TASKS):
    """A number of every task."""
    return [fact(study, name, value, spread, corpus=task) for task, value in zip(tasks, values, strict=False)]


def frame_heads(first, second, spread=0.002):
    """K05: what the two heads with the highest links cost, in every task; all other heads cost much."""
    change = heads_at((3, 1), value=first, other=-0.3)
    change[7, 1] = second
    links = heads_at((3, 1), (8, 2), value=0.4, other=0.01)
    return [
        head_facts("frames", "paper.element_to_target.gain", links, corpus=FRAMES),
        *(head_facts("disabling", "uniform", change, spread, corpus=task) for task in TASKS),
    ]


def matching(gain, related, spread=0.01):
    """K17: the best head's gain, and the change of every head as a function of its gain."""
    return [
        fact("matching", "best.matched.gain", gain, spread),
        head_facts("matching", "matched.gain", RISING, corpus=TEXT),
        *(head_facts("disabling", "uniform", related(RISING), corpus=task) for task in TASKS),
    ]


def left(*worst, removable=(0.5, 0.6, 0.7), spread=0.002):
    """R02: the worst layer's change with one head, task by task."""
    return [
        *disabled("removable", *removable, study="pruning"),
        *(
            facts("disabling", "zero.best_left", by_layer({3: value}), spread, corpus=task)
            for task, value in zip(TASKS, worst, strict=True)
        ),
    ]


def features(separator, noun, places=MANY[:12]):
    """K09: the scores of stripes in these heads; no others have any."""
    return [
        head_facts("features", "separator.max", heads_at(*places, value=separator)),
        head_facts("features", "noun.max", heads_at(*places, value=noun)),
    ]


def striped(special, words):
    """K09: so many heads with a stripe at a separator, and so many at a noun."""
    return [
        head_facts("features", "separator.max", heads_at(*MANY[:special], value=0.5)),
        head_facts("features", "noun.max", heads_at(*MANY[special : special + words], value=0.5)),
    ]


def begin_row(separator, other, spread=0.01):
    """K14: the begin token's row in the last layer; other layers say the opposite."""
    places = [(LAYERS, head) for head in range(1, HEADS + 1)]
    return [
        head_facts("features", "separator.begin_row", heads_at(*places, value=separator, other=0.0), spread),
        head_facts("features", "noun.begin_row", heads_at(*places, value=other, other=1.0), spread),
        head_facts("features", "verb.begin_row", heads_at(*places, value=0.0, other=1.0), spread),
    ]


def weights(moved, random, copy=1.0):
    """Q02: how far all weights are from the pre-trained ones."""
    numbers = {"copy": copy, "weights.distance": moved, "weights.random": random}
    return [fact(TUNED, name, value, NAN, corpus="rte") for name, value in numbers.items()]


def simple(study, name):
    """A claim that one number is above 0."""
    verdicts = {"holds": 0.1, "fails": -0.1, "inconclusive": 0.0}
    return {verdict: [fact(study, name, value)] for verdict, value in verdicts.items()} | {
        "not testable": [fact(study, "other", 0.1)]
    }


def swapped(lead, last=0.3):
    """H02: what a mark gets in the separator's place, and what the separator got there."""
    numbers = {"base.last": last, "base.uniform": 0.01, "swapped.lead": lead}
    return [fact("separators", name, value) for name, value in numbers.items()]


def segments(loss, maps):
    """Q03: without segments."""
    return [
        fact("manipulations", "segments.zero.loss", loss),
        fact("manipulations", "segments.zero.js", maps),
    ]


def probe(accuracy, type_, selectivity):
    """Q07: the last layer; the others say the opposite."""
    last = {LAYERS: accuracy}
    return [
        facts("usability", "tag.accuracy", by_layer(last, 1.0 - accuracy), corpus=TREEBANK),
        facts("usability", "tag.selectivity", by_layer({LAYERS: selectivity}, 0.3 - selectivity), corpus=TREEBANK),
        fact("usability", "tag.type", type_, corpus=TREEBANK),
    ]


CASES = {
    "K01": {
        "holds": own(*CLASSES),
        "fails, one is missing": own(*CLASSES[:3], CLASSES[4]),
        "fails, no head keeps a class": patterns(0.2, 0.2, 0.2, 0.2, 0.2),
        "inconclusive": kept(0.3, 0.75),
        "not testable": [text({"pattern.vertical": NAN})],
    },
    "K02": {
        "holds": heterogeneous(0.3, 0.4, 0.6),
        "fails, many in all": heterogeneous(0.7, 0.8, 0.9),
        "fails, nearly all in one": heterogeneous(0.3, 0.4, 0.9),
        "inconclusive": heterogeneous(0.5, 0.55, 0.6),
        "not testable": tuned("pattern.heterogeneous", [by_layer({}, 0.3)]),
    },
    "K04": {
        "holds": [fact("frames", "paper.element_to_target.best.gain", 0.15, corpus=FRAMES)],
        "fails": [fact("frames", "paper.element_to_target.best.gain", 0.01, corpus=FRAMES)],
        "inconclusive": [fact("frames", "paper.element_to_target.best.gain", 0.05, corpus=FRAMES)],
        "not testable": [fact("frames", "paper.target_to_element.best.gain", 0.15, corpus=FRAMES)],
    },
    "K05": {
        "holds": frame_heads(0.0, 0.005),
        "fails": frame_heads(0.0, -0.05),
        "inconclusive": frame_heads(-0.01, 0.0),
        "not testable": [
            head_facts("frames", "paper.element_to_target.gain", heads_at(value=0, other=0.1), corpus=FRAMES)
        ],
        "not testable, no frames": frame_heads(0.0, 0.0)[1:],
    },
    "K06": {
        "holds": cosines(0.5, 0.6, 0.4),
        "fails, in one task": cosines(0.5, 0.95, 0.4),
        "inconclusive": cosines(0.5, 0.89, 0.4),
        "not testable": tuned("attention.cls", [by_layer({}, 0.1)]),
        "not testable, another model": cosines(0.5, 0.6, 0.4)[: len(TASKS)],
    },
    "K07": {
        "holds": scores(tuned=0.9, frozen=0.6, random=0.7),
        "fails, gains little": scores(tuned=0.9, frozen=0.85, random=0.7),
        "fails, random leads in one": scores(tuned=0.9, frozen=0.5, random=(0.7, 0.95, 0.7)),
        "inconclusive": scores(tuned=0.9, frozen=0.6, random=(0.7, 0.89, 0.7)),
        "not testable": scores(tuned=0.9, frozen=0.6),
    },
    "K08": {
        "holds": scores(tuned=0.9, random=(0.8, 0.8, 0.1), majority=0.6),
        "fails, no better than the majority": scores(tuned=0.9, random=(0.6, 0.6, 0.1), majority=0.6),
        "fails, similarity too": scores(tuned=0.9, random=(0.8, 0.8, 0.8), majority=0.6),
        "inconclusive": scores(tuned=0.9, random=(0.7, 0.7, 0.1), majority=0.6),
        "not testable": scores(tuned=0.9, random=(0.8, 0.8), majority=0.6, tasks=TASKS[:2]),
    },
    "K09": {
        "holds": features(0.5, 0.1),
        "fails": features(0.1, 0.5),
        "inconclusive": striped(9, 3),
        "not testable, no stripes": features(0.1, 0.1),
        "not testable": features(0.5, 0.1)[:1],
    },
    "K12": {
        "holds": raised("noun.max", 0.03),
        "fails, much": raised("noun.max", 0.2),
        "fails, falls": raised("verb.max", -0.1),
        "inconclusive": raised("noun.max", 0.005),
        "not testable": raised("separator.max", 0.03),
        "not testable, another model": raised("noun.max", 0.03)[:1],
    },
    "K14": {
        "holds": begin_row(0.5, 0.1),
        "fails": begin_row(0.1, 0.5),
        "inconclusive": begin_row(0.3, 0.3),
        "not testable": begin_row(NAN, 0.1),
    },
    "K15": {
        "holds": [*disabled("uniform.best_head", 0.03, 0.05, 0.04), *disabled("uniform.mean", 0.02, 0.03, -0.1)],
        "fails, not in one task": [
            *disabled("uniform.best_head", 0.03, -0.05, 0.04),
            *disabled("uniform.mean", 0.02, 0.03, 0.0),
        ],
        "fails, a random one costs": [
            *disabled("uniform.best_head", 0.03, 0.05, 0.04),
            *disabled("uniform.mean", -0.02, 0.03, 0.1),
        ],
        "inconclusive": [
            *disabled("uniform.best_head", 0.03, 0.005, 0.04),
            *disabled("uniform.mean", 0.02, 0.03, 0.0),
        ],
        "not testable": [*disabled("uniform.best_head", 0.03, 0.05), *disabled("uniform.mean", 0.02)],
    },
    "K16": {
        "holds": disabled("uniform.best_layer", -0.1, 0.05, 0.0),
        "fails": disabled("uniform.best_layer", -0.1, -0.05, -0.2),
        "inconclusive": disabled("uniform.best_layer", -0.1, 0.005, -0.2),
        "not testable": disabled("uniform.best_head", 0.1),
    },
    "K17": {
        "holds": matching(0.3, lambda grid: -grid),
        "fails, no matching": matching(0.02, lambda grid: -grid),
        "fails, not needed": matching(0.3, lambda grid: grid),
        "inconclusive": matching(0.1, lambda grid: -grid),
        "not testable": matching(0.3, lambda grid: grid)[:2],
    },
    "K11": simple("separators", "single.gain"),
    "R03": {
        "holds": [fact("maxima", "positional", 3.0, 1.0)],
        "fails": [fact("maxima", "positional", 0.0, 0.0)],
        "inconclusive": [fact("maxima", "positional", 1.0, 1.0)],
        "not testable": [fact("maxima", "confidence", 0.9)],
    },
    "H02": {
        "holds": swapped(0.1),
        "fails": swapped(-0.1),
        "holds, just": swapped(0.011),
        "fails, just": swapped(-0.011),
        "inconclusive": swapped(0.0),
        "not testable, nobody looks there": swapped(0.1, last=0.01),
        "not testable": [fact("separators", "swapped.lead", 0.1)],
    },
    "H11": {
        "holds": [fact("no-op", "lead", -0.1)],
        "fails": [fact("no-op", "lead", 0.1)],
        "holds, just": [fact("no-op", "lead", -0.011)],
        "fails, just": [fact("no-op", "lead", 0.011)],
        "inconclusive": [fact("no-op", "lead", 0.0)],
        "not testable": [fact("no-op", "separators.loss", -0.1)],
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
    "Q03": {
        "holds": segments(loss=0.0, maps=0.02),
        "fails, the loss rises": segments(loss=0.5, maps=0.02),
        "fails, maps change": segments(loss=0.0, maps=0.3),
        "inconclusive": segments(loss=0.05, maps=0.02),
        "not testable": segments(loss=0.0, maps=0.02)[1:],
    },
    "Q04": {
        "holds": [fact("manipulations", "masks.15.js", 0.2)],
        "fails": [fact("manipulations", "masks.15.js", 0.01)],
        "inconclusive": [fact("manipulations", "masks.15.js", 0.07)],
        "not testable": [fact("manipulations", "masks.40.js", 0.2)],
    },
    "Q07": {
        "holds": probe(accuracy=0.95, type_=0.85, selectivity=0.3),
        "fails, no better than types": probe(accuracy=0.8, type_=0.85, selectivity=0.3),
        "fails, not selective": probe(accuracy=0.95, type_=0.85, selectivity=0.02),
        "inconclusive": probe(accuracy=0.86, type_=0.85, selectivity=0.3),
        "not testable": probe(accuracy=0.95, type_=0.85, selectivity=0.3)[1:],
    },
    "Q02": {
        "holds": weights(moved=0.02, random=1.3),
        "fails": weights(moved=0.9, random=1.3),
        "not testable": weights(moved=0.02, random=1.3, copy=0.0),
    },
    "R02": {
        "holds": left(0.0, -0.005, 0.01),
        "fails, few can go": left(0.0, 0.0, 0.0, removable=(0.5, 0.1, 0.7)),
        "fails, one head is not enough": left(0.0, -0.1, 0.0),
        "inconclusive": left(0.0, -0.01, 0.0),
        "not testable": disabled("removable", 0.5, study="pruning"),
    },
}
