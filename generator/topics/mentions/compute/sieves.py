"""Antecedents without attention: the nearest preceding mention by the first of several rules that some mention meets.

The rules are those that Clark et al. 2019, section 4.3, take from Lee et al. 2011: the same words; the same head word;
number, gender and person that do not contradict each other; anything. Words are compared without regard to case. The
nearest mention is the one with the nearest head word. The paper does not say what its head-match baseline does if no
head word matches; here it selects nothing, which counts as wrong.
"""

from collections.abc import Callable, Mapping

from generator.topics.mentions.corpus.coreference import CorefDocument, Mention

Sieve = Callable[[CorefDocument, Mention, Mention], bool]
"""A rule: a function that says whether the first mention may have the second as its antecedent."""


def same_words(document: CorefDocument, mention: Mention, other: Mention) -> bool:
    """Whether both mentions consist of the same words, articles included."""
    return _text(document, mention.start, mention.end) == _text(document, other.start, other.end)


def same_head(document: CorefDocument, mention: Mention, other: Mention) -> bool:
    """Whether both mentions have the same head word."""
    return _text(document, mention.head, mention.head + 1) == _text(document, other.head, other.head + 1)


def agreeing(_document: CorefDocument, mention: Mention, other: Mention) -> bool:
    """Whether number, gender and person agree, as far as both mentions have them."""
    pairs = zip(mention.features, other.features, strict=True)
    return all(a == b or a is None or b is None for a, b in pairs)


def anything(_document: CorefDocument, _mention: Mention, _other: Mention) -> bool:
    """Always true: every preceding mention will do."""
    return True


RULES: Mapping[str, tuple[Sieve, ...]] = {
    "nearest": (anything,),
    "nearest agreeing": (agreeing, anything),
    "head match": (same_head,),
    "rules": (same_words, same_head, agreeing, anything),
}
"""Predictor -> its rules, the earliest first."""


def select(document: CorefDocument, mention: Mention, sieves: tuple[Sieve, ...]) -> Mention | None:
    """The nearest preceding mention that satisfies the first rule which some mention satisfies; None if none does."""
    nearest_first = document.preceding(mention)[::-1]
    return next((other for sieve in sieves for other in nearest_first if sieve(document, mention, other)), None)


def _text(document: CorefDocument, start: int, end: int) -> list[str]:
    return [word.casefold() for word in document.words[start:end]]
