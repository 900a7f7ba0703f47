"""The same as in `other_cases`, for the claims about what special tokens are for."""

import numpy as np

from tests.claims.made import LAYERS, TEXT, Tables, by_layer, fact, head_facts, roles

NAN = float("nan")
HEADS_OF_LAYER = np.ones((1, 2))
OFFSET = np.array([[-0.05, 0.05]])
"""What the two heads of a layer differ by."""


def losses(begin: float, lead: float, spread: float = 0.01) -> list[Tables]:
    """H06: the rises of the loss."""
    return [fact("begin", "swap.begin.loss", begin, spread), fact("begin", "swap.lead", lead, spread)]


def deviations(count: int = 100, **of_token: tuple[float, float]) -> list[Tables]:
    """H07: token -> deviation from the end of its part and in the input; underscores stand for brackets."""
    names = {"sep": "[SEP]", "s": "</s>", "period": ".", "comma": ",", "word": "the"}
    made = roles({names[key]: (5, 3.0, 2.0) for key in of_token})
    for at, column in enumerate(("end_deviation", "position_deviation")):
        made["roles"][column] = made["roles"]["token"].map({names[key]: two[at] for key, two in of_token.items()})
    return [{"roles": made["roles"].assign(count=count)}]


def parts(gain: np.ndarray, matched: float = 0.2, spread: float = 0.01) -> list[Tables]:
    """H08: `[layer, 1]`, the gain of every head; two heads of a layer lie 0.05 to either side."""
    return [
        head_facts("words", "span.gain", gain * HEADS_OF_LAYER + OFFSET, spread),
        head_facts("words", "span.matched", np.full((LAYERS, 2), matched), spread),
    ]


CASES = {
    "H06": {
        "holds": losses(0.2, 0.1),
        "fails": losses(-0.2, 0.1),
        "fails, the separator carries more": losses(0.2, -0.1),
        "inconclusive": losses(0.2, 0.005),
        "not testable": losses(0.2, 0.1)[1:],
        "not testable, too few layers": [fact("begin", "cut.begin.loss", 0.2)],
        "not testable, of another study": [fact("occlusion", "swap.begin.loss", 0.2)],
    },
    "H07": {
        "holds": deviations(sep=(0, 0.1), period=(12, 0.28), comma=(15, 0.3)),
        "holds, one mark": deviations(s=(0, 0.1), comma=(12, 0.28)),
        "fails": deviations(sep=(0, 0.25), period=(12, 0.28), comma=(15, 0.3)),
        "fails, one mark is steady": deviations(sep=(0, 0.1), period=(12, 0.15), comma=(15, 0.3)),
        "fails, at the end": deviations(sep=(8, 0.1), period=(12, 0.28)),
        "not testable": deviations(sep=(0, 0.1), word=(12, 0.28)),
        "not testable, no separators": deviations(period=(12, 0.28), comma=(15, 0.3)),
        "not testable, rare": deviations(count=49, sep=(0, 0.1), period=(12, 0.28)),
        "not testable, marks do not move": deviations(sep=(0, 0.0), period=(0, 0.0)),
    },
    "H08": {
        "holds": parts(by_layer({(9, 12): 0.1}, -0.1)),
        "fails": parts(by_layer({(9, 12): -0.1}, 0.1)),
        "inconclusive": parts(by_layer({(9, 12): 0.005}, 0.1)),
        "not testable": parts(by_layer({12: NAN}, 0.1)),
        "not testable, without a baseline": parts(by_layer({}, 0.1), matched=0.0),
        "not testable, of a whole text": [fact("words", "span.gain", 0.1, corpus=TEXT)],
    },
}
COUNTED = {"H07"}
"""Exact numbers have no interval and are never inconclusive."""
