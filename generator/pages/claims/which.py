"""What the heads are that claims name: the words between "the head" or "the heads" and their names; or why a claim
names none.
"""

from collections.abc import Mapping

ON_SENTENCES = "chosen on the other half of the sentences"
ON_DOCUMENTS = "chosen on the other half of the documents"
WHICH: Mapping[str, str] = {
    "C01": "with little attention to the token itself",
    "C02": "with the most attention to the previous token",
    "C03": "with the most attention to the next token",
    "C09": "surely better than the best fixed offset at finding some relation",
    "C10": "with the broadest attention in the lowest third of the layers",
    "C12": "hardly disturbed by special tokens",
    **dict.fromkeys(("C13", "C14", "C15", "C16", "C17", "C18", "C19"), ON_SENTENCES),
    "C20": f"{ON_SENTENCES} for some relation",
    "C21": ON_DOCUMENTS,
    "K03": "with most of the attention on special tokens",
    "K04": ON_SENTENCES,
    "K05": "with the strongest links from frame elements to the target",
    "K09": "with a stripe at a special token",
    "K13": "with the strongest links between verbs and subjects or nouns and pronouns",
    "K15": "best to disable on the other half of the examples of a task",
    "K17": ON_DOCUMENTS,
    "K18": "that have a double",
    "H01": "chosen for some relation and better at it than the best fixed offset",
    "R02": "that go first in the task that can spare the fewest",
    "R03": "closest to both criteria",
    "R04": "with the best trees, by either direction of edges, on the other half of the sentences",
}
"""Claim -> which heads it names, in words that fit one head as well as several; the claims of NAMELESS are left out."""
RESTS = "that it rests on"
"""The words for the heads of any other claim."""

OF_LAYERS = "It names no heads, for its numbers are means over all heads of a layer."
OF_ALL = "It names no heads, for its numbers are means over all heads."
OF_THE_MODEL = "It names no heads, for it is about the model as a whole."
OF_TOKENS = "It names no heads, for it is about tokens."
NAMELESS: Mapping[str, str] = {
    **dict.fromkeys(("C04", "C05", "C06", "C07", "C08", "C11", "K06", "K10", "K14", "H05", "H08", "H10"), OF_LAYERS),
    **dict.fromkeys(("K02", "K11", "K12", "H02", "R01", "R07", "Q03", "Q04"), OF_ALL),
    **dict.fromkeys(("K07", "K08", "H03", "R05", "Q01", "Q02", "Q05", "Q06", "Q07"), OF_THE_MODEL),
    **dict.fromkeys(("H04", "H07", "H09"), OF_TOKENS),
    **dict.fromkeys(("C22", "C23"), "It names no heads, for the probe reads the maps of all heads together."),
    "C24": "It names no heads, for it compares all heads with one another.",
    "K01": "It names no heads, for it counts the maps of all heads.",
    "K16": "It names no heads, for whole layers are disabled.",
    "H06": "It names no heads, for all heads of the lower layers read another [CLS] at once.",
    "H11": "It names no heads, for the attention of all heads to [SEP] is cut off at once.",
    "R06": "It names no heads, for the token is one that the heads of a layer look at together.",
}
"""Claim -> a sentence that says why it names no heads."""
UNNAMED = "Where a verdict names none, there is no such head, or the results do not say which one was chosen."


def heads_meant(claim: str, unnamed: bool) -> str:
    """Which heads a claim names, or why it names none; `unnamed` says whether a verdict was reached and names none.

    >>> heads_meant("K18", False)
    'Those that have a double.'
    >>> heads_meant("C24", True)
    'It names no heads, for it compares all heads with one another.'
    """
    if claim in NAMELESS:
        return NAMELESS[claim]
    return f"Those {WHICH.get(claim, RESTS)}.{f' {UNNAMED}' if unnamed else ''}"
