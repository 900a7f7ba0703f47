"""What a head does that finds a relation, and what a fixed offset does, in words."""

from generator.corpora.relation_names import DIRECTIONS
from generator.numbers.writing import in_letters

PICKING = {
    DIRECTIONS[0]: "look most at the word that they depend on",
    DIRECTIONS[1]: "are the first pick of the word that they depend on",
}
"""Direction -> what words do for which a head is right."""


def always(offset: int) -> str:
    """What a fixed offset does, as the subject of a sentence.

    >>> always(1), always(-1), always(-2), always(12)
    ('always picking the next word', 'always picking the word before', 'always picking the word two before', \
'always picking the word 12 after')
    """
    if abs(offset) == 1:
        return f"always picking the {'next word' if offset > 0 else 'word before'}"
    return f"always picking the word {in_letters(abs(offset))} {'after' if offset > 0 else 'before'}"
