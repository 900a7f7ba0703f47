"""Pairs of texts made by hand, with separators and punctuation in known places."""

import numpy as np

from generator.corpora.classes import TokenClass
from generator.corpora.pairs import Input

PAD, UNKNOWN, BEGIN, SEPARATOR, MASK = range(5)
PERIOD, COMMA = 6, 7
CLASS = {BEGIN: TokenClass.BEGIN, SEPARATOR: TokenClass.SEPARATOR}
CLASS |= {PERIOD: TokenClass.PUNCTUATION, COMMA: TokenClass.PUNCTUATION}
SEED, ROUNDING = 1, 1e-5


def pair(first, second, document="made", part=1):
    """[CLS] first [SEP] second [SEP]; without a second text a single one."""
    ids = (BEGIN, *first, SEPARATOR, *second, *([SEPARATOR] if second else []))
    segments = (0,) * (len(first) + 2) + (1,) * (len(second) + 1 if second else 0)
    return Input(document, part, ids, segments, tuple(CLASS.get(token, TokenClass.OTHER) for token in ids))


def inputs(count=5, marks=True):
    """Pairs of one length; the first document has no mark in the first half of its second text."""
    found = []
    for number in range(count):
        words = np.random.default_rng(number).integers(20, 35, 24)
        if marks:
            words[[3, 20]] = COMMA, PERIOD
            if number:
                words[[11, 13]] = PERIOD, COMMA
        found.append(pair(words[:10].tolist(), words[10:].tolist(), f"d{number}"))
    return found
