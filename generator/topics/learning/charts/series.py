"""The curves over a course of training: their names, their colours, and the columns of their intervals."""

LAYER_SERIES = {
    "[CLS]": "kind_begin",
    "[SEP]": "kind_separator",
    "periods and commas": "kind_punctuation",
    "previous token": "kind_previous",
    "next token": "kind_next",
    "breadth": "kind_broad",
}
"""Curves of a layer, and the names of their colours: those of the targets."""
BREADTH = "breadth"
"""The curve that is no share of attention; it is several times as high as those that are."""
SIGNATURE_SERIES = {name: LAYER_SERIES[name] for name in ("[CLS]", "[SEP]", "periods and commas")}
RELATION_SERIES = {"head": "accent", "best fixed offset": "muted"}
CONTEXT_SERIES = {
    "self-similarity": "accent",
    "intra-sentence similarity": "contrast",
    "explained variance": "muted",
}
STRIP, TALL = 135, 176
"""Pixels of a strip, and of one in which breadth has a part of its own above the other curves; in both, these have more
than 110.
"""
LOW, HIGH, AS_TEXT = ": 2.5 %", ": 97.5 %", ": 95 %"
"""What follows a curve's name in the names of three columns: the ends of its interval, and value and ends as text."""
