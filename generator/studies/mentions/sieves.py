"""Antecedents without attention: the nearest preceding mention that satisfies the earliest of some rules.

The rules are those that Clark et al. 2019, section 4.3, take from Lee et al. 2011: the same words, the same head word,
number, gender and person that do not contradict each other, anything. Words are compared without regard to case. Which
mention is nearest is decided by head words. The paper does not say what its head-match baseline does where
no head word matches; here it selects nothing, which is wrong.
"""

from collections.abc import Callable, Mapping

from generator.corpora.mentions import CorefDocument, Mention

Sieve = Callable[[CorefDocument, Mention, Mention], bool]
"""Whether the first mention may have the second as its antecedent."""


def same_words(document: CorefDocument, mention: Mention, other: Mention) -> bool:
    """Both mentions are the same words, with their articles and all else."""
    return _text(document, mention.start, mention.end) == _text(document, other.start, other.end)


def same_head(document: CorefDocument, mention: Mention, other: Mention) -> bool:
    """Both mentions have the same head word."""
    return _text(document, mention.head, mention.head + 1) == _text(document, other.head, other.head + 1)


def agreeing(_document: CorefDocument, mention: Mention, other: Mention) -> bool:
    """Neither number nor gender nor person differ where both are known."""
    pairs = zip(mention.features, other.features, strict=True)
    return all(a == b or a is None or b is None for a, b in pairs)


def anything(_document: CorefDocument, _mention: Mention, _other: Mention) -> bool:
    """Every preceding mention will do."""
    return True


RULES: Mapping[str, tuple[Sieve, ...]] = {
    "nearest": (anything,),
    "nearest agreeing": (agreeing, anything),
    "head match": (same_head,),
    "rules": (same_words, same_head, agreeing, anything),
}
"""Predictor -> its rules, the earliest first."""


def select(document: CorefDocument, mention: Mention, sieves: tuple[Sieve, ...]) -> Mention | None:
    """The nearest preceding mention that satisfies the earliest rule that any satisfies; None where none does."""
    nearest_first = document.preceding(mention)[::-1]
    return next((other for sieve in sieves for other in nearest_first if sieve(document, mention, other)), None)


def _text(document: CorefDocument, start: int, end: int) -> list[str]:
    return [word.casefold() for word in document.words[start:end]]
