"""What a head does that finds a relation, and what a fixed offset does, in words."""

from generator.corpora.relation_names import DIRECTIONS
from generator.numbers.writing import in_letters

_PICKING = {
    DIRECTIONS[0]: "{share} of {words} look most at the word that they depend on",
    DIRECTIONS[1]: "{share} of {words} are what the word that they depend on looks at most",
}


def picking(direction: str, share: str, words: str) -> str:
    """What a head does that is right for a share of words, as the beginning of a sentence.

    >>> picking("dep->head", "77 %", "the objects")
    '77 % of the objects look most at the word that they depend on'
    >>> picking("head<-dep", "56 %", "9 case markers")
    '56 % of 9 case markers are what the word that they depend on looks at most'
    """
    return _PICKING[direction].format(share=share, words=words)


def always(offset: int) -> str:
    """What a fixed offset does, as the subject of a sentence.

    >>> always(1), always(-1), always(-2), always(12)
    ('always picking the next word', 'always picking the word before', 'always picking the word two before', \
'always picking the word 12 after')
    """
    if abs(offset) == 1:
        return f"always picking the {'next word' if offset > 0 else 'word before'}"
    return f"always picking the word {in_letters(abs(offset))} {'after' if offset > 0 else 'before'}"
