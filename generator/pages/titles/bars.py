"""Titles of the bars on the page of a head: how far it looks, and what it looks at and writes."""

import math
from collections.abc import Mapping, Sequence

from generator.numbers.number import Number, alone
from generator.numbers.writing import listed, percent
from generator.pages.studies.seen import HALF

TRIFLE = 0.1
"""A smaller share of the attention is not told as where a head looks."""


def offsets_seen(head: str, shares: Sequence[Number], uniform: Sequence[float]) -> str:
    """The bar that is farthest above uniform attention; the middle one is offset 0, the first and the last are all
    words that are farther away.

    >>> few, many = Number(0.16, 0.15, 0.17, 70), Number(0.65, 0.64, 0.66, 70)
    >>> offsets_seen("3-1", [few, few, many, few, few, few, few], [0.01] * 7)
    'Head 3-1 gives 65 % of its attention to the token before; uniform attention gives 1 %'
    >>> offsets_seen("3-1", [few, few, few, few, few, few, many], [0.4] * 7)
    'Head 3-1 gives 65 % of its attention to words more than 2 places after; uniform attention gives 40 %'
    >>> offsets_seen("3-1", [few] * 7, [0.4] * 7)
    'Within 2 places, head 3-1 gives no token surely more attention than uniform attention does'
    >>> offsets_seen("3-1", [few, *[Number(0.02, 0.01, 0.03, 70)] * 5, few], [0.4, *[0.001] * 5, 0.4])
    'Within 2 places, head 3-1 gives no place more than 2 % of its attention; uniform attention gives 0.1 %'
    """
    reach = len(shares) // 2 - 1
    if all(math.isnan(share.value) for share in shares):
        return f"How far head {head} looks"
    floor = [share.value if math.isnan(share.low) else share.low for share in shares]
    above = [at for at, least in enumerate(floor) if least > uniform[at]]
    if not above:
        return f"Within {reach} places, head {head} gives no token surely more attention than uniform attention does"
    most = max(above, key=lambda at: shares[at].value - uniform[at])
    offset = most - reach - 1
    side = "before" if offset < 0 else "after"
    if abs(offset) <= reach and shares[most].value < TRIFLE:
        most = max(range(1, len(shares) - 1), key=lambda at: shares[at].value)
        return (
            f"Within {reach} places, head {head} gives no place more than {_rounded(shares[most])} of its attention; "
            f"uniform attention gives {percent(alone(uniform[most]))}"
        )
    near = {-1: "the token before", 0: "the token itself", 1: "the next token"}
    where = near.get(offset, f"the token {abs(offset)} places {side}")
    if abs(offset) > reach:
        where = f"words more than {reach} places {side}"
    given = percent(alone(uniform[most]))
    return f"Head {head} gives {_rounded(shares[most])} of its attention to {where}; uniform attention gives {given}"


def classes_seen(head: str, classes: Mapping[str, tuple[Number, Number]], tokens: Mapping[str, float]) -> str:
    """The special class that a head attends to most, and how much of what it writes comes from there, if known.

    `tokens` are the shares of the classes among all tokens, which is what uniform attention gives them.

    >>> looks, writes = Number(0.34, 0.33, 0.35, 70), Number(0.02, 0.019, 0.022, 70)
    >>> classes_seen("3-1", {"[CLS]": (looks, writes)}, {"[CLS]": 0.01})  # doctest: +NORMALIZE_WHITESPACE
    'Head 3-1 gives 34 % of its attention to [CLS], from which only 2.0 % of what it writes comes'
    >>> classes_seen("3-1", {"[CLS]": (writes, looks)}, {"[CLS]": 0.01})  # doctest: +NORMALIZE_WHITESPACE
    'Head 3-1 gives 2.0 % of its attention to [CLS], from which 34 % of what it writes comes'
    >>> classes_seen("3-1", {"[CLS]": (looks, writes)}, {"[CLS]": 0.34})
    'Head 3-1 gives 34 % of its attention to [CLS], about as much as uniform attention gives, 34 %'
    >>> classes_seen("3-1", {}, {})
    'What head 3-1 looks at, by class of token'
    >>> few, none = Number(0.05, 0.04, 0.07, 40), Number(math.nan, math.nan, math.nan, 0)
    >>> classes_seen("3-1", {"[CLS]": (few, none), "[SEP]": (writes, none)}, {"[CLS]": 0.01, "[SEP]": 0.01})
    'Head 3-1 gives none of [CLS] and [SEP] more than 5.0 % of its attention'
    >>> classes_seen("3-1", {"[CLS]": (looks, none), "[SEP]": (looks, none)}, {"[CLS]": 0.01, "[SEP]": 0.01})
    'Head 3-1 gives 34 % of its attention to [CLS] and 34 % to [SEP]'
    """
    known = {words: pair for words, pair in classes.items() if not math.isnan(pair[0].value)}
    if not known:
        return f"What head {head} looks at, by class of token"
    (words, (weight, norm)), *others = sorted(known.items(), key=lambda item: -item[1][0].value)
    if others and weight.value < TRIFLE:
        return f"Head {head} gives none of {listed([*known])} more than {_rounded(weight)} of its attention"
    text = f"Head {head} gives {_rounded(weight)} of its attention to {words}"
    if weight.low <= tokens[words]:
        how = "less than" if weight.high < tokens[words] else "about as much as"
        return f"{text}, {how} uniform attention gives, {percent(alone(tokens[words]))}"
    if math.isnan(norm.value):
        also = [(name, share) for name, (share, _) in others[:1] if share.value >= TRIFLE and share.low > tokens[name]]
        return text + "".join(f" and {_rounded(share)} to {name}" for name, share in also)
    return (
        f"{text}, from which {'only ' if norm.high < HALF * weight.low else ''}{_rounded(norm)} of what it writes comes"
    )


def _rounded(share: Number) -> str:
    """A share without its interval, which the bars show."""
    return percent(share, ends=False)
