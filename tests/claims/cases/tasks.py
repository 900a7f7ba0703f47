"""The same as in `clark`, for claims about patterns, features, frames and labelled tasks."""

import numpy as np

from generator.studies.declared import study_of
from tests.claims.cases.clark import MANY, NAN
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


def learned(study, name, tasks=TASKS, lead=0.2, score=0.75, spread=0.01):
    """The score that a study stores of each task, and how far it lies above the majority class's."""
    return [
        fact(study, of, value, spread, corpus=task)
        for task in tasks
        for of, value in (
            (name, score),
            (f"{name}.lead", lead),
            (f"{name.partition('.')[0]}.majority", score - lead),
        )
    ]


def copied(corpus, copy=1.0):
    """Whether the other model is a copy that was trained further."""
    return fact(TUNED, "copy", copy, NAN, corpus=corpus)


def tuned(name, *values, tasks=TASKS, spread=0.01, copy=1.0, lead=0.2):
    """A number of the comparison with a fine-tuned copy, task by task, that learned all of them."""
    numbers = [fact(TUNED, name, value, spread, corpus=task) for task, value in zip(tasks, values, strict=False)]
    return [*numbers, *(copied(task, copy) for task in tasks), *learned(TUNED, "score", tasks, lead)]


def raised(value, **options):
    """K12: the highest change of a feature's score."""
    return [fact(TUNED, "rise.highest", value, 0.005, corpus=TREEBANK), *tuned("cosine", 0.9, 0.9, 0.9, **options)]


def heterogeneous(*shares, **options):
    """K02: shares after fine-tuning, task by task."""
    return tuned("other.pattern.heterogeneous", *shares, **options)


def least(*values, **options):
    """K06: by how much the last layers change beyond each other one, task by task."""
    return tuned("cosine.last.least", *values, **options)


WAYS = {"frozen": "pretrained.frozen", "random": "random.fine-tuned", "tuned": "pretrained.fine-tuned"}


def scores(spread=0.01, tasks=TASKS, **numbers):
    """K07, K08: leads of ways of training over the majority class, and of fine-tuning over others, by task or for all.

    `tuned_frozen` is the score of fine-tuning minus that of the frozen model.
    """
    made = []
    for name, values in numbers.items():
        first, _, second = name.partition("_")
        of = f"{WAYS[first]}.minus.{WAYS[second]}" if second else f"{WAYS[first]}.lead"
        for task, value in zip(tasks, np.broadcast_to(values, len(tasks)), strict=True):
            metric = "spearman" if task == "stsb" else "accuracy"
            made.append(fact("scores", f"{metric}.{of}", float(value), spread, corpus=task))
            made += [fact("scores", f"{metric}.{WAYS[first]}", 0.75, spread, corpus=task)] if not second else []
    return made


def swept(tasks=TASKS, lead=0.2):
    """That the checkpoints whose heads were disabled learned their tasks."""
    return learned("disabling", "base", tasks, lead)


def disabled(name, *values, spread=0.01, tasks=TASKS):
    """A number of every task."""
    return [fact("disabling", name, value, spread, corpus=task) for task, value in zip(tasks, values, strict=False)]


def heads_with_gain(best, mean, lead=0.2):
    """K15: gains by the best head and by a random one, task by task."""
    return [*disabled("uniform.best_head", *best), *disabled("uniform.mean", *mean), *swept(lead=lead)]


def layers_with_gain(*best, spread=0.01, lead=0.2):
    """K16: gains by the best layer, task by task."""
    return [*disabled("uniform.best_layer", *best, spread=spread), *swept(lead=lead)]


def frame_heads(first, second, spread=0.002, lead=0.2):
    """K05: what the two heads with the highest links cost, in every task; all other heads cost much."""
    change = heads_at((3, 1), value=first, other=-0.3)
    change[7, 1] = second
    links = heads_at((3, 1), (8, 2), value=0.4, other=0.01)
    return [
        head_facts("frames", "paper.element_to_target.gain", links, corpus=FRAMES),
        *(head_facts("disabling", "uniform", change, spread, corpus=task) for task in TASKS),
        *swept(lead=lead),
    ]


def matching(gain, related, spread=0.01, lead=0.2, tasks=TASKS):
    """K17: the best head's gain, and the change of every head as a function of its gain."""
    return [
        fact("matching", "best.matched.gain", gain, spread),
        head_facts("matching", "matched.gain", RISING, corpus=TEXT),
        *(head_facts("disabling", "uniform", related(RISING), corpus=task) for task in tasks),
        *swept(tasks, lead),
    ]


def noisy(share):
    """K17: changes that fall with the gain but for noise, of this share."""
    noise = np.random.default_rng(0).permutation(RISING.size).reshape(RISING.shape) / RISING.size
    return lambda grid: -(1 - share) * grid + share * noise


def left(*worst, loss=(0.0, 0.0, 0.0), gone=12, spread=0.002, lead=0.2, tasks=TASKS):
    """R02: the worst layer's change with one head, and the loss without so many heads of 24 or more, task by task."""
    curves = [
        fact("pruning", f"change.{count}", -one if count >= gone else 0.0, spread if count else 0.0, corpus=task)
        for task, one in zip(tasks, loss, strict=False)
        for count in (0, 4, 8, 9, 10, 11, 12, 16, 20, 24)
    ]
    return [*disabled("zero.best_left.lowest", *worst, spread=spread, tasks=tasks), *curves, *swept(tasks, lead)]


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


def weights(moved, random, copy=1.0, lead=0.2, start=0.1):
    """Q02: how far all weights are from the pre-trained ones, and by how much these are the better start."""
    numbers = {"copy": copy, "weights.distance": moved, "weights.random": random}
    return [
        *(fact(TUNED, name, value, NAN, corpus="rte") for name, value in numbers.items()),
        *learned(TUNED, "score", ("rte",), lead),
        *scores(tasks=("rte",), tuned_random=start),
    ]


def simple(study, name):
    """A claim that one number is above 0."""
    verdicts = {"holds": 0.1, "fails": -0.1, "inconclusive": 0.0}
    return {verdict: [fact(study, name, value)] for verdict, value in verdicts.items()} | {
        "not testable": [fact(study, _another(study, name), 0.1)]
    }


def _another(study, name):
    """Of the same study, so that the one that is asked for is missing."""
    return next(one.name for one in study_of(study).quantities if not one.placeholders and one.name != name)


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
    },
    "K02": {
        "holds": heterogeneous(0.3, 0.4, 0.6),
        "holds, just": heterogeneous(0.48, 0.65, 0.65),
        "fails, just too many in all": heterogeneous(0.52, 0.6, 0.6),
        "fails, just too many in one": heterogeneous(0.3, 0.4, 0.69),
        "fails, many in all": heterogeneous(0.7, 0.8, 0.9),
        "fails, nearly all in one": heterogeneous(0.3, 0.4, 0.9),
        "inconclusive": heterogeneous(0.5, 0.55, 0.6),
        "inconclusive, for three tasks are tried": heterogeneous(0.489, 0.6, 0.6),
        "not testable": tuned("pattern.heterogeneous", 0.3, 0.3, 0.3),
        "not testable, nothing was learned": heterogeneous(0.3, 0.4, 0.6, lead=0.005),
    },
    "K04": {
        "holds": [fact("frames", "paper.element_to_target.best.gain", 0.15, corpus=FRAMES)],
        "holds, just": [fact("frames", "paper.element_to_target.best.gain", 0.061, corpus=FRAMES)],
        "fails, just": [fact("frames", "paper.element_to_target.best.gain", 0.039, corpus=FRAMES)],
        "fails": [fact("frames", "paper.element_to_target.best.gain", 0.01, corpus=FRAMES)],
        "inconclusive": [fact("frames", "paper.element_to_target.best.gain", 0.05, corpus=FRAMES)],
        "not testable": [fact("frames", "paper.target_to_element.best.gain", 0.15, corpus=FRAMES)],
    },
    "K05": {
        "holds": frame_heads(0.0, 0.005),
        "holds, just": frame_heads(0.0, -0.0098, spread=0.0001),
        "fails, just": frame_heads(0.0, -0.0102, spread=0.0001),
        "fails": frame_heads(0.0, -0.05),
        "inconclusive": frame_heads(-0.01, 0.0),
        "inconclusive, for two heads and three tasks are tried": frame_heads(-0.0079, 0.0),
        "not testable": [
            head_facts("frames", "paper.element_to_target.gain", heads_at(value=0, other=0.1), corpus=FRAMES)
        ],
        "not testable, no frames": frame_heads(0.0, 0.0)[1:],
        "not testable, nothing was learned": frame_heads(0.0, 0.005, lead=0.0),
    },
    "K06": {
        "holds": least(0.4, 0.3, 0.5),
        "holds, just": least(0.4, 0.013, 0.5),
        "fails, in one task": least(0.4, -0.05, 0.5),
        "fails, just": least(0.4, -0.013, 0.5),
        "inconclusive": least(0.4, 0.01, 0.5),
        "inconclusive, for three tasks are tried": least(0.4, 0.0105, 0.5),
        "not testable": tuned("cosine", 0.9, 0.9, 0.9),
        "not testable, another model": least(0.4, 0.3, 0.5, copy=0.0),
        "not testable, nothing was learned": least(0.4, 0.3, 0.5, lead=-0.1),
    },
    "K07": {
        "holds": scores(tuned=0.3, tuned_frozen=0.3, tuned_random=0.2),
        "holds, just": scores(tuned=0.3, tuned_frozen=0.123, tuned_random=0.003, spread=0.002),
        "fails, gains just too little": scores(tuned=0.3, tuned_frozen=0.117, tuned_random=0.2, spread=0.002),
        "fails, gains little": scores(tuned=0.3, tuned_frozen=0.05, tuned_random=0.2),
        "fails, random leads in one": scores(tuned=0.3, tuned_frozen=0.4, tuned_random=(0.2, -0.05, 0.2)),
        "fails, random just leads in one": scores(
            tuned=0.3, tuned_frozen=0.4, tuned_random=(0.2, -0.003, 0.2), spread=0.002
        ),
        "inconclusive": scores(tuned=0.3, tuned_frozen=0.3, tuned_random=(0.2, 0.01, 0.2)),
        "not testable": scores(tuned=0.3, tuned_frozen=0.3),
        "not testable, nothing was learned": scores(tuned=0.005, tuned_frozen=0.3, tuned_random=0.2),
        "holds, leaving out what was not learned": scores(
            tuned=(0.3, 0.005, 0.3), tuned_frozen=(0.3, 0.0, 0.3), tuned_random=(0.2, -0.1, 0.2)
        ),
    },
    "K08": {
        "holds": scores(tuned=0.3, random=(0.2, 0.2, 0.0), tuned_random=0.7),
        "holds, just": scores(tuned=0.3, random=(0.103, 0.103, 0.0), tuned_random=0.28, spread=0.002),
        "fails, just no better than the majority": scores(
            tuned=0.3, random=(0.097, 0.097, 0.9), tuned_random=0.7, spread=0.002
        ),
        "fails, similarity just too": scores(tuned=0.3, random=(0.2, 0.2, 0.0), tuned_random=0.26, spread=0.002),
        "fails, no better than the majority": scores(tuned=0.3, random=(0.0, 0.0, 0.9), tuned_random=0.7),
        "fails, similarity too": scores(tuned=0.3, random=(0.2, 0.2, 0.0), tuned_random=0.1),
        "inconclusive": scores(tuned=0.3, random=(0.1, 0.1, 0.0), tuned_random=0.7),
        "not testable": scores(tuned=0.3, random=0.2, tuned_random=0.7, tasks=TASKS[:2]),
        "not testable, similarity was not learned": scores(
            tuned=(0.3, 0.3, 0.0), random=(0.2, 0.2, 0.0), tuned_random=0.7
        ),
    },
    "K09": {
        "holds": features(0.5, 0.1),
        "fails": features(0.1, 0.5),
        "inconclusive": striped(9, 3),
        "holds, just a stripe": features(0.255, 0.1),
        "not testable, no stripes": features(0.1, 0.1),
        "not testable, just no stripe": features(0.245, 0.1),
        "not testable": features(0.5, 0.1)[:1],
    },
    "K12": {
        "holds": raised(0.03),
        "holds, just above": raised(0.009),
        "holds, just below": raised(0.0425),
        "fails, just falls": raised(-0.007),
        "fails, just too much": raised(0.0575),
        "fails, much": raised(0.2),
        "fails, falls": raised(-0.1),
        "inconclusive": raised(0.004),
        "not testable": tuned("cosine", 0.9, 0.9, 0.9),
        "not testable, another model": raised(0.03, copy=0.0),
        "not testable, nothing was learned": raised(0.03, lead=0.0),
    },
    "K14": {
        "holds": begin_row(0.5, 0.1),
        "fails": begin_row(0.1, 0.5),
        "holds, just": begin_row(0.323, 0.3),
        "fails, just": begin_row(0.277, 0.3),
        "inconclusive": begin_row(0.3, 0.3),
        "not testable": begin_row(NAN, 0.1),
    },
    "K15": {
        "holds": heads_with_gain((0.03, 0.05, 0.04), (0.02, 0.03, -0.1)),
        "holds, just": heads_with_gain((0.03, 0.013, 0.04), (0.02, 0.012, -0.1)),
        "fails, just not in one task": heads_with_gain((0.03, -0.013, 0.04), (0.02, 0.03, 0.0)),
        "fails, a random one just costs": heads_with_gain((0.03, 0.05, 0.04), (-0.012, 0.03, 0.0)),
        "fails, not in one task": heads_with_gain((0.03, -0.05, 0.04), (0.02, 0.03, 0.0)),
        "fails, a random one costs": heads_with_gain((0.03, 0.05, 0.04), (-0.02, 0.03, 0.1)),
        "inconclusive": heads_with_gain((0.03, 0.005, 0.04), (0.02, 0.03, 0.0)),
        "inconclusive, for three tasks are tried": heads_with_gain((0.03, 0.0105, 0.04), (0.02, 0.03, 0.0)),
        "not testable": heads_with_gain((0.03, 0.05), (0.02,)),
        "not testable, nothing was learned": heads_with_gain((0.03, 0.05, 0.04), (0.02, 0.03, -0.1), lead=0.0),
        "not testable, one of the two was not learned": [
            *heads_with_gain((0.03, 0.05, 0.04), (0.02, 0.03, -0.1))[: -3 * len(TASKS)],
            *swept(("mrpc", "stsb")),
            *swept(("rte",), lead=0.0),
        ],
    },
    "K16": {
        "holds": layers_with_gain(-0.1, 0.05, 0.0),
        "holds, just": layers_with_gain(-0.1, 0.0105, 0.0, spread=0.0002),
        "fails, just": layers_with_gain(-0.1, 0.0095, 0.0, spread=0.0002),
        "fails": layers_with_gain(-0.1, -0.05, -0.2),
        "inconclusive": layers_with_gain(-0.1, 0.015, -0.2),
        "inconclusive, for three tasks are tried": layers_with_gain(-0.1, 0.0205, -0.2),
        "not testable": [*disabled("uniform.best_head", 0.1), *swept()],
        "not testable, nothing was learned": layers_with_gain(-0.1, 0.05, 0.0, lead=0.0),
    },
    "K17": {
        "holds": matching(0.3, lambda grid: -grid),
        "holds, just matches": matching(0.104, lambda grid: -grid, spread=0.002),
        "fails, just does not match": matching(0.096, lambda grid: -grid, spread=0.002),
        "fails, no matching": matching(0.02, lambda grid: -grid),
        "fails, not needed": matching(0.3, lambda grid: grid),
        "inconclusive": matching(0.1, lambda grid: -grid),
        "inconclusive, hardly related": matching(0.3, noisy(1.0)),
        "not testable": matching(0.3, lambda grid: grid)[:2],
        "not testable, nothing was learned": matching(0.3, lambda grid: -grid, lead=0.0),
    },
    "K11": {
        "holds": [fact("separators", "single.gain", 0.1)],
        "holds, just": [fact("separators", "single.gain", 0.0205)],
        "fails": [fact("separators", "single.gain", -0.1)],
        "fails, just": [fact("separators", "single.gain", -0.0005)],
        "inconclusive": [fact("separators", "single.gain", 0.012)],
        "not testable": [fact("separators", "swapped.lead", 0.1)],
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
        "holds, just": segments(loss=0.039, maps=0.059),
        "fails, the loss just rises": segments(loss=0.061, maps=0.02),
        "fails, maps just change": segments(loss=0.0, maps=0.081),
        "inconclusive": segments(loss=0.05, maps=0.02),
        "not testable": segments(loss=0.0, maps=0.02)[1:],
    },
    "Q04": {
        "holds": [fact("manipulations", "masks.15.js", 0.2)],
        "fails": [fact("manipulations", "masks.15.js", 0.01)],
        "holds, just": [fact("manipulations", "masks.15.js", 0.081)],
        "fails, just": [fact("manipulations", "masks.15.js", 0.059)],
        "inconclusive": [fact("manipulations", "masks.15.js", 0.07)],
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
    "Q02": {
        "holds": weights(moved=0.02, random=1.3),
        "holds, just": weights(moved=0.127, random=1.3),
        "fails, just": weights(moved=0.133, random=1.3),
        "fails": weights(moved=0.9, random=1.3),
        "not testable": weights(moved=0.02, random=1.3, copy=0.0),
        "not testable, nothing was learned": weights(moved=0.02, random=1.3, lead=0.0),
        "not testable, random weights do as well": weights(moved=0.02, random=1.3, start=0.0),
    },
    "R02": {
        "holds": left(0.0, -0.005, 0.01),
        "holds, just": left(0.0, -0.0098, 0.01, loss=(0.05, 0.0, 0.0), gone=11, spread=0.0001),
        "fails, just too few can go": left(0.0, 0.0, 0.0, loss=(0.05, 0.0, 0.0), gone=10, spread=0.0001),
        "fails, one head is just not enough": left(0.0, -0.0102, 0.0, spread=0.0001),
        "fails, few can go": left(0.0, 0.0, 0.0, loss=(0.0, 0.1, 0.0), gone=8),
        "fails, one head is not enough": left(0.0, -0.1, 0.0),
        "inconclusive": left(0.0, -0.01, 0.0),
        "inconclusive, for three tasks are tried": left(0.0, -0.0079, 0.0),
        "not testable": [*left(0.0, 0.0, 0.0, tasks=TASKS)[3:]],
        "not testable, nothing was learned": left(0.0, -0.005, 0.01, lead=0.0),
    },
}
