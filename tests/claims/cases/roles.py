"""The same as in `other`, for the claims about what special tokens are for."""

from tests.claims.made import TREEBANK, Tables, by_layer, fact, roles, text

NAN = float("nan")


def losses(begin: float, lead: float, spread: float = 0.01, attention: float = 0.1) -> list[Tables]:
    """H06: the rises of the loss, and the attention to [CLS] in the lowest third, of which chance gives 0.02."""
    begun = text({"attention.cls": by_layer({(1, 4): attention}, 0.5 - attention)})
    return [fact("begin", "swap.begin.loss", begin, spread), fact("begin", "swap.lead", lead, spread), begun]


CASES = {
    "H06": {
        "holds": losses(0.2, 0.1),
        "fails": losses(-0.2, 0.1),
        "fails, the separator carries more": losses(0.2, -0.1),
        "holds, just": losses(0.022, 0.011),
        "fails, just": losses(-0.002, 0.1),
        "inconclusive": losses(0.2, 0.005),
        "holds, just attended": losses(0.2, 0.1, attention=0.041),
        "not testable, just not attended": losses(0.2, 0.1, attention=0.039),
        "not testable": losses(0.2, 0.1)[1:],
        "not testable, too few layers": [fact("begin", "cut.begin.loss", 0.2)],
        "not testable, of another study": [fact("manipulations", "base.loss", 0.2)],
    },
    "H07": {"not testable, whatever is stored": [roles({"[SEP]": (5, 3.0, 2.0), ".": (6, 3.0, 2.0)})]},
    "H08": {
        "holds": [fact("words", "span.ratio", 1.3, corpus=TREEBANK)],
        "holds, just": [fact("words", "span.ratio", 1.12, corpus=TREEBANK)],
        "fails": [fact("words", "span.ratio", 0.9, corpus=TREEBANK)],
        "fails, just": [fact("words", "span.ratio", 1.08, corpus=TREEBANK)],
        "inconclusive": [fact("words", "span.ratio", 1.105, corpus=TREEBANK)],
        "not testable": [fact("words", "span.ratio", NAN, corpus=TREEBANK)],
    },
}
