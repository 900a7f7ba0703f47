"""A sentence with words of every kind."""

from generator.corpora.treebank import Sentence, Word

HAND_MADE = Sentence(
    "hand-made",
    (
        Word("Nobody", "PRON", 4, "nsubj:pass"),
        Word("was", "AUX", 4, "aux:pass"),
        Word("n\N{RIGHT SINGLE QUOTATION MARK}t", "PART", 4, "advmod"),
        Word("told", "VERB", 0, "root"),
        Word("knots", "NOUN", 4, "obj"),
        Word("by", "ADP", 7, "case"),
        Word("Ann", "PROPN", 4, "obl:agent"),
        Word(",", "PUNCT", 12, "punct"),
        Word("she", "PRON", 12, "nsubj"),
        Word("is", "AUX", 12, "cop"),
        Word("a", "DET", 12, "det"),
        Word("sailor", "NOUN", 4, "parataxis"),
        Word("called", "VERB", 12, "acl"),
        Word("Captain", "PROPN", 13, "xcomp"),
        Word("there", "PRON", 16, "expl"),
        Word("remains", "VERB", 4, "conj"),
        Word("him", "PRON", 16, "iobj"),
        Word("red", "ADJ", 16, "xcomp"),
    ),
)
MARKED = {
    "noun": {"knots", "Ann", "sailor", "Captain"},
    "verb": {"told", "called", "remains"},
    "pronoun": {"Nobody", "she", "there", "him"},
    "subject": {"Nobody", "Ann", "she", "there"},
    "object": {"knots", "sailor", "Captain", "him"},
    "negation": {"n\N{RIGHT SINGLE QUOTATION MARK}t"},
    "punctuation": {","},
}
