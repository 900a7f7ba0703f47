"""Titles of figures: one sentence on what the figure shows, made from its numbers and claiming no more than they show.

"Surely" means that the 95 % interval does not contain the number that it is compared with.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

import numpy as np

from generator.claims.cutoffs import FEWEST_WORDS
from generator.numbers.number import Grid, Number, alone
from generator.numbers.simultaneous import widened
from generator.numbers.writing import listed, number, percent, written

HALF, RARE = 0.5, 0.05
"""HALF: what "more than half" means, and the part of its attention below which "only" is said of what a head writes.
RARE: the share of random orders from which on chance is said to do as much.
"""


UNOPPOSED = "nothing stored contradicts it"
"""Of a relation: no other treebank, and not that special tokens might be picked."""


def relations_seen(
    corpus: str, tried: int, clear: Sequence[tuple[str, str, Number, Number]], *, twins: bool = False
) -> str:
    """The head with the largest gain over its best offset, and how many of the relations that were `tried`, each with
    words enough to name a head, have a clearly better head.

    `clear` has a head, its relation, how often it is right and how often the offset is; `twins` were compared, too.

    >>> best = "3-1", "direct objects", Number(0.77, 0.74, 0.8, 622), Number(0.38, 0.34, 0.42, 622)
    >>> relations_seen("gum", 43, [best], twins=True)  # doctest: +NORMALIZE_WHITESPACE
    'Head 3-1 finds 77 % (74 to 80) of direct objects in gum, the best fixed offset 38 % (34 to 42); for 1 of 43
    relations with 50 words or more some head is clearly better than any fixed offset and any untrained twin, and
    nothing stored contradicts it'
    >>> relations_seen("gum", 43, [])
    'In gum no head is clearly better than the best fixed offset for any of 43 relations with 50 words or more'
    >>> relations_seen("gum", 0, [])
    'In gum no relation that could name a head has 50 words or more on the half that is counted'
    """
    than, those = (" and any untrained twin", " and the untrained twins") if twins else ("", "")
    if not tried:
        few = f"no relation that could name a head has {FEWEST_WORDS} words or more on the half that is counted"
        return f"In {corpus} {few}"
    which = f"{tried} relations with {FEWEST_WORDS} words or more"
    if not clear:
        return f"In {corpus} no head is clearly better than the best fixed offset{those} for any of {which}"
    head, name, right, offset = clear[0]
    gained = f"Head {head} finds {percent(right)} of {name} in {corpus}, the best fixed offset {percent(offset)}"
    stands_out = f"some head is clearly better than any fixed offset{than}, and {UNOPPOSED}"
    return f"{gained}; for {len(clear)} of {which} {stands_out}"


def patterns_seen(shares: Grid, names: Sequence[str]) -> str:
    """In which layers a pattern surely has more than half of the maps; shares are `[layer, pattern]`.

    >>> ends = [[0.7, 0.3], [0.6, 0.4], [0.5, 0.5]]
    >>> patterns_seen(Number(*(np.array(ends) + shift for shift in (0, -0.02, 0.02)), 70), ("vertical", "diagonal"))
    'More than half of the maps are vertical in layers 1 to 2'
    >>> patterns_seen(Number(*(np.full((2, 1), 0.9),) * 3, 70), ("block",))
    'More than half of the maps are block in every layer'
    >>> patterns_seen(Number(*(np.full((2, 2), 0.5),) * 3, 70), ("vertical", "diagonal"))
    'No pattern surely has more than half of the maps of any layer'
    """
    most = {name: (np.flatnonzero(shares.low[:, at] > HALF) + 1).tolist() for at, name in enumerate(names)}
    every = len(shares.low)
    parts = [
        f"{name} in {'every layer' if len(layers) == every > 1 else in_layers(layers)}"
        for name, layers in most.items()
        if layers
    ]
    if not parts:
        return "No pattern surely has more than half of the maps of any layer"
    return f"More than half of the maps are {listed(parts)}"


def in_layers(layers: Sequence[int]) -> str:
    """Layers in a sentence.

    >>> in_layers([3]), in_layers([1, 3, 4, 5])
    ('layer 3', 'layers 1 and 3 to 5')
    """
    runs = [[layer for _, layer in run] for _, run in groupby(enumerate(layers), key=lambda pair: pair[1] - pair[0])]
    said = [str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs]
    return f"layer{'s' if len(layers) > 1 else ''} {listed(said)}"


def phases_seen(
    stretches: Sequence[tuple[int, int]], explained: float, shuffled: float, p: float, model: str = ""
) -> str:
    """How much of the variance between layers three groups explain, and how much with the layers in random order; `p`
    is the share of random orders that explain as much as these groups. With a `model`, whether its layers form groups.

    >>> phases_seen([(1, 1), (2, 4), (5, 6)], 0.9, 0.6, 0.01)
    'Three groups, layer 1, layers 2 to 4 and layers 5 to 6, explain 90 % of the variance between layers; with the \
layers in random order the best three explain 60 %'
    >>> phases_seen([(1, 1), (2, 4), (5, 6)], 0.62, 0.6, 0.3)
    'Three groups explain 62 % of the variance between layers; with the layers in random order the best three \
explain 60 %'
    >>> phases_seen([(1, 1), (2, 4), (5, 6)], 0.62, 0.6, 0.3, "small-bert")
    'The layers of small-bert form no groups: three explain 62 % of the variance between layers, in random order \
60 %'
    """
    text = listed([in_layers(range(first, last + 1)) for first, last in stretches])
    start = "Three groups" if p >= RARE else f"Three groups, {text},"
    much, by_chance = (percent(alone(share)) for share in (explained, shuffled))
    if model:
        found = "no groups: three" if p >= RARE else f"three groups, {text}, which"
        variance = f"explain {much} of the variance between layers, in random order {by_chance}"
        return f"The layers of {model} form {found} {variance}"
    shuffled_told = f"with the layers in random order the best three explain {by_chance}"
    return f"{start} explain {much} of the variance between layers; {shuffled_told}"


def alike_seen(ratio: Number, p: float) -> str:
    """Whether heads of one layer are more alike than others, from the ratio of the two distances; `p` is the share of
    shuffles of the layers that give as small a ratio.

    >>> alike_seen(Number(0.8, 0.75, 0.85, 70), 0.001)
    'Heads of one layer attend more alike than heads of different layers: they differ 0.80 (0.75 to 0.85) times as much'
    >>> alike_seen(Number(0.97, 0.96, 0.98, 70), 0.15)
    'Heads of one layer hardly attend more alike than heads of different layers: shuffled layers differ as little in \
15 % of cases'
    >>> alike_seen(Number(0.98, 0.95, 1.01, 70), 0.3)
    'Heads of one layer do not surely attend more or less alike than heads of different layers'
    """
    if not (ratio.high < 1 or ratio.low > 1):
        return "Heads of one layer do not surely attend more or less alike than heads of different layers"
    if ratio.high < 1 and p >= RARE:
        by_chance = f"shuffled layers differ as little in {percent(alone(p))} of cases"
        return f"Heads of one layer hardly attend more alike than heads of different layers: {by_chance}"
    which = "more" if ratio.high < 1 else "less"
    text = f"they differ {written(ratio, against=(1,))} times as much"
    return f"Heads of one layer attend {which} alike than heads of different layers: {text}"


def tokens_seen(received: Mapping[str, float], times: float) -> str:
    """How many types of token receive so many times as much attention as uniform attention gives, which is too much for
    chance as what they receive has no interval, and how much one of them does.

    >>> tokens_seen({"[CLS]": 40.2, "the": 0.5}, 2)
    '1 of 2 frequent tokens receives at least 2 times what uniform attention gives; “[CLS]” receives 40.2 times as much'
    >>> tokens_seen({"she": 1.5, "the": 0.5}, 2)
    'None of 2 frequent tokens receives at least 2 times what uniform attention gives'
    """
    if not received:
        return "No token is frequent enough to be followed"
    most, more = max(received, key=received.__getitem__), sum(value >= times for value in received.values())
    verb = "receive" if more > 1 else "receives"
    text = (
        f"{more or 'None'} of {len(received)} frequent tokens {verb} at least {times:g} times what uniform "
        "attention gives"
    )
    return f"{text}; “{most}” receives {number(received[most])} times as much" if more else text


def needed_seen(task: str, heads: int, needed: Mapping[str, int], *, learned: bool = True) -> str:
    """Without how many heads, one at a time, the score of a task surely falls, for each way of disabling; of a task
    that was not surely learned no head can be seen to be needed.

    >>> needed_seen("RTE", 72, {"made uniform": 0}, learned=False)
    'RTE was not surely learned, so none of 72 heads can be seen to be needed for it'

    >>> needed_seen("RTE", 72, {"made uniform": 0, "set to zero": 0})
    'No single one of 72 heads is surely needed for the score of RTE'
    >>> needed_seen("MRPC", 72, {"made uniform": 1, "set to zero": 4})
    'The score of MRPC surely falls with 1 of 72 heads made uniform and 4 set to zero, one at a time'
    """
    if not any(needed.values()) and not learned:
        return f"{task} was not surely learned, so none of {heads} heads can be seen to be needed for it"
    if not any(needed.values()):
        return f"No single one of {heads} heads is surely needed for the score of {task}"
    first, *others = [(f"{count}", way) for way, count in needed.items()]
    texts = [f"{first[0]} of {heads} heads {first[1]}", *(f"{count} {way}" for count, way in others)]
    return f"The score of {task} surely falls with {listed(texts)}, one at a time"


def pruned_seen(heads: int, removable: Iterable[tuple[str, float]]) -> str:
    """How many heads can surely go at a small loss, task by task; `removable` has the least share of all heads that can
    go.

    >>> pruned_seen(72, [("RTE", 0.0), ("MRPC", 0.25), ("STS-B", 0.5)])
    'Of 72 heads surely 18 can go on MRPC and 36 on STS-B at a loss of at most a point'
    >>> pruned_seen(72, [("RTE", 0.0)])
    'No one of 72 heads can surely go on RTE at a loss of at most a point'
    >>> pruned_seen(72, [])
    'How many of 72 heads can go is known for no task'
    """
    found = {name: round(share * heads) for name, share in removable if not math.isnan(share)}
    if not found:
        return f"How many of {heads} heads can go is known for no task"
    some = [(name, count) for name, count in found.items() if count]
    if not some:
        return f"No one of {heads} heads can surely go on {listed(list(found), 'or')} at a loss of at most a point"
    parts = [f"{count}{' can go' if not at else ''} on {name}" for at, (name, count) in enumerate(some)]
    return f"Of {heads} heads surely {listed(parts)} at a loss of at most a point"


def gained_seen(tasks: Mapping[str, Number], unlearned: Sequence[str] = ()) -> str:
    """In how many scores a fine-tuned model is surely better than a frozen one; `tasks` holds what it gains in each,
    and `unlearned` has the tasks in which it is not surely better than the majority class.

    >>> gained_seen({"RTE": Number(0.2, 0.1, 0.3, 277)})
    'Fine-tuned weights are surely better than frozen ones in 1 of 1 scores: RTE'
    >>> gained_seen(dict.fromkeys(("RTE", "MRPC"), Number(0.2, 0.1, 0.3, 277)))
    'Fine-tuned weights are surely better than frozen ones in all 2 scores'
    >>> gained_seen({"RTE": Number(0.2, 0.1, 0.3, 277)}, ["RTE"]).partition("; ")[2]
    'in RTE the commonest answer may do as well'
    >>> gained_seen({"RTE": Number(0.05, -0.05, 0.15, 277)})
    'Fine-tuned weights are surely better than frozen ones in none of 1 scores'
    """
    if not tasks:
        return "No task has scores of both fine-tuned and frozen weights"
    better = [name for name, gain in tasks.items() if widened(gain, len(tasks)).low > 0]
    if not better:
        return f"Fine-tuned weights are surely better than frozen ones in none of {len(tasks)} scores"
    every = len(better) == len(tasks) > 1
    many = f"all {len(tasks)} scores" if every else f"{len(better)} of {len(tasks)} scores: {listed(better)}"
    but = f"; in {listed(unlearned)} the commonest answer may do as well" if unlearned else ""
    return f"Fine-tuned weights are surely better than frozen ones in {many}{but}"
