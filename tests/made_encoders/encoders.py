"""Ten encoders, each with a head that truly has a specialty and one that only seems to have one."""

from collections.abc import Callable, Sequence
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np

from generator.claims.gate.maps import BROAD, PATTERN, TARGET, WINDOW
from generator.topics.mentions.claims.finds import ANTECEDENT
from generator.topics.relations.claims.finds import RELATION
from generator.topics.tasks.claims.needs import COST
from tests.made_encoders.corpora import linked, text, trees
from tests.made_encoders.weights import HEADS, LAYERS, POSITIONS, Head

SHARP = 8.0
"""A logit that takes nearly all attention."""
EVEN = 2.0
"""A logit that takes most attention in very short inputs."""
ANYTHING = Head(drawn=3.0)
"""A head without a specialty."""
AFTER = {offset: -offset for offset in range(1, POSITIONS)} | dict.fromkeys(range(-POSITIONS, 1), -40.0)
"""The nearest token after; its mirror is the nearest one before."""
BEFORE = {-offset: logit for offset, logit in AFTER.items()}
Named = tuple[str, str]
"""The kind of a name, and what it is about."""


class Made(NamedTuple):
    """An encoder made by hand."""

    title: str
    true: Head
    named: Named
    """The name that it has."""
    false: Head
    seems: Named
    """The name that it must not have."""
    corpora: Callable[[Path, int], Sequence[str]]
    """The corpora that it reads, drawn from a seed and written to a folder."""
    task: bool = False
    """Whether its heads are disabled."""
    natural: tuple[str, ...] = ()
    """Corpora of English that it can read as well."""

    def heads(self, seed: int) -> tuple[list[Head], int, int]:
        """All heads in an order that is drawn from a seed, and the places of the true and the false one."""
        order = np.random.default_rng([seed, 1]).permutation(HEADS * LAYERS).tolist()
        every = [self.true, self.false, *[ANYTHING] * (HEADS * LAYERS - 2)]
        return [every[order.index(at)] for at in range(len(every))], order[0], order[1]


def _near(*offsets: int, logit: float = SHARP) -> Head:
    return Head(near=dict.fromkeys(offsets, logit))


def _two_treebanks(folder: Path, seed: int) -> list[str]:
    made = [text(folder / "days.txt", seed), trees(folder / "first.conllu", seed, sentences=160, close=1.0)]
    return [*made, trees(folder / "second.conllu", seed, sentences=100, close=0.2)]


ENCODERS = (
    Made(
        "offset that looks like a relation in one treebank and not in the other",
        true=Head(pairs={("DET", "NOUN"): 3 * SHARP}, near=AFTER),
        named=(RELATION, "det"),
        false=_near(-2),
        seems=(RELATION, "obj"),
        corpora=_two_treebanks,
        natural=("treebank",),
    ),
    Made(
        "right by chance on 21 words",
        true=Head(pairs={("NOUN", "VERB"): 3 * SHARP}, near=AFTER),
        named=(RELATION, "nsubj"),
        false=Head(meaning=2 * SHARP, near={0: -3 * SHARP}),
        seems=(RELATION, "vocative"),
        corpora=lambda folder, seed: [
            text(folder / "days.txt", seed),
            trees(folder / "first.conllu", seed, sentences=120, close=0.5, called=21),
        ],
    ),
    Made(
        "sink at the place where [SEP] stands in half of the inputs",
        true=Head(meaning=2 * SHARP, near=dict.fromkeys(range(POSITIONS), -3 * SHARP)),
        named=(ANTECEDENT, "antecedents"),
        false=Head(places={3: SHARP}),
        seems=(TARGET, "attention.sep"),
        corpora=lambda folder, seed: [
            text(folder / "days.txt", seed, sentences=0),
            linked(folder / "linked.conllu", seed, documents=40, nearest=0.4),
        ],
    ),
    Made(
        "last noun that looks like an antecedent",
        true=Head(kinds={"[SEP]": SHARP}),
        named=(TARGET, "attention.sep"),
        false=Head(kinds={"NOUN": 3 * SHARP}, near=BEFORE),
        seems=(ANTECEDENT, "antecedents"),
        corpora=lambda folder, seed: [
            text(folder / "days.txt", seed),
            linked(folder / "linked.conllu", seed, documents=40, nearest=0.6),
        ],
    ),
    Made(
        "window that looks like a block",
        true=Head(segment=SHARP),
        named=(PATTERN, "pattern.block"),
        false=_near(*range(-7, 8)),
        seems=(PATTERN, "pattern.block"),
        corpora=lambda folder, seed: ["articles"],
    ),
    Made(
        "evenness that looks like a window in short inputs",
        true=Head(near={-1: SHARP - 0.3, -2: SHARP}),
        named=(WINDOW, "before.2"),
        false=Head(near={offset: -0.1 * abs(offset) for offset in range(-20, 21)}),
        seems=(WINDOW, "around.4"),
        corpora=lambda folder, seed: [text(folder / "days.txt", seed, sentences=1)],
    ),
    Made(
        "neighbours in half of the documents",
        true=_near(-1, 0, 1),
        named=(PATTERN, "pattern.diagonal"),
        false=Head(near=dict.fromkeys((-1, 0, 1), SHARP), kinds={"TOPIC": 2 * SHARP}),
        seems=(PATTERN, "pattern.diagonal"),
        corpora=lambda folder, seed: [text(folder / "days.txt", seed, topic=0.5)],
    ),
    Made(
        "evenness that looks like stripes in very short inputs",
        true=Head(kinds={"[CLS]": EVEN + log(2), "[SEP]": EVEN}),
        named=(PATTERN, "pattern.vertical"),
        false=Head(kinds={"[CLS]": 0.7, "[SEP]": 0.7}),
        seems=(PATTERN, "pattern.vertical"),
        corpora=lambda folder, seed: [text(folder / "days.txt", seed, sentences=0)],
    ),
    Made(
        "breadth in documents without one word",
        true=Head(),
        named=(BROAD, "entropy.all"),
        false=Head(kinds={"TOPIC": SHARP}),
        seems=(BROAD, "entropy.all"),
        corpora=lambda folder, seed: [text(folder / "days.txt", seed, topic=0.3)],
    ),
    Made(
        "constant that costs as much",
        true=Head(kinds={"MAIN": SHARP}, writes={"good": 2.0}),
        named=(COST, "sst2"),
        false=ANYTHING._replace(writes={"constant": 6.0}),
        seems=(COST, "sst2"),
        corpora=lambda folder, seed: [text(folder / "days.txt", seed, judged=True)],
        task=True,
    ),
)
