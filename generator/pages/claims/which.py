"""What the heads are that claims name: the words between "the head" or "the heads" and their names."""

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
    **dict.fromkeys(("C13", "C14", "C15", "C16", "C17", "C18"), ON_SENTENCES),
    "C19": f"{ON_SENTENCES} for one of these relations",
    "C20": f"{ON_SENTENCES} for some relation",
    "C21": ON_DOCUMENTS,
    "K03": "with most of the attention on special tokens",
    "K04": ON_SENTENCES,
    "K05": "with the strongest links from frame elements to the target",
    "K09": "with a stripe at a special token",
    "K15": "best to disable on the other half of the examples of a task",
    "K17": ON_DOCUMENTS,
    "H01": "chosen for some relation and better at it than the best fixed offset",
    "R03": "closest to both criteria",
    "R04": "with the best trees, by either direction of edges, on the other half of the sentences",
}
"""Claim -> which heads it names, in words that fit one head as well as several; claims that name none are left out."""
RESTS = "that it rests on"
"""The words for the heads of any other claim."""
