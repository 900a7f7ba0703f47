"""The same as in `other`, for the claims about what special tokens are for."""

from tests.claims.made import TREEBANK, Tables, as_stored, fact, roles

NAN = float("nan")


def losses(begin: float, lead: float, spread: float = 0.01) -> list[Tables]:
    """H06: the rises of the loss."""
    return [fact("begin", "swap.begin.loss", begin, spread), fact("begin", "swap.lead", lead, spread)]


def deviations(count: int = 100, **of_token: tuple[float, float]) -> list[Tables]:
    """H07: token -> deviation from the end of its part and in the input; underscores stand for brackets."""
    names = {"sep": "[SEP]", "s": "</s>", "period": ".", "comma": ",", "word": "the"}
    made = roles({names[key]: (5, 3.0, 2.0) for key in of_token})["roles"].to_pandas()
    for at, column in enumerate(("end_deviation", "position_deviation")):
        made[column] = made["token"].map({names[key]: two[at] for key, two in of_token.items()})
    return [as_stored("roles", made.assign(count=count))]


CASES = {
    "H06": {
        "holds": losses(0.2, 0.1),
        "fails": losses(-0.2, 0.1),
        "fails, the separator carries more": losses(0.2, -0.1),
        "holds, just": losses(0.022, 0.011),
        "fails, just": losses(-0.002, 0.1),
        "inconclusive": losses(0.2, 0.005),
        "not testable": losses(0.2, 0.1)[1:],
        "not testable, too few layers": [fact("begin", "cut.begin.loss", 0.2)],
        "not testable, of another study": [fact("manipulations", "base.loss", 0.2)],
    },
    "H07": {
        "holds": deviations(sep=(0, 0.1), period=(12, 0.28), comma=(15, 0.3)),
        "holds, one mark": deviations(s=(0, 0.1), comma=(12, 0.28)),
        "fails": deviations(sep=(0, 0.25), period=(12, 0.28), comma=(15, 0.3)),
        "fails, one mark is steady": deviations(sep=(0, 0.1), period=(12, 0.15), comma=(15, 0.3)),
        "holds, wherever it ends": deviations(sep=(8, 0.1), period=(12, 0.28)),
        "holds, just": deviations(sep=(0, 0.098), period=(12, 0.2)),
        "fails, just": deviations(sep=(0, 0.102), period=(12, 0.2)),
        "not testable": deviations(sep=(0, 0.1), word=(12, 0.28)),
        "not testable, no separators": deviations(period=(12, 0.28), comma=(15, 0.3)),
        "not testable, rare": deviations(count=49, sep=(0, 0.1), period=(12, 0.28)),
        "not testable, marks do not move": deviations(sep=(0, 0.0), period=(0, 0.0)),
    },
    "H08": {
        "holds": [fact("words", "span.ratio", 1.3, corpus=TREEBANK)],
        "holds, just": [fact("words", "span.ratio", 1.12, corpus=TREEBANK)],
        "fails": [fact("words", "span.ratio", 0.9, corpus=TREEBANK)],
        "fails, just": [fact("words", "span.ratio", 1.08, corpus=TREEBANK)],
        "inconclusive": [fact("words", "span.ratio", 1.105, corpus=TREEBANK)],
        "not testable": [fact("words", "span.ratio", NAN, corpus=TREEBANK)],
    },
}
