"""How constant the place of a token's syntactic partner is: a property of a text and its trees, and of no model.

The hypothesis of 2021 calls an article an insider because it goes with the word that follows, not because its
neighbours are few. The place is the offset from a word to the word that it depends on.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from generator.corpora.treebank import ROOT, Sentence
from generator.numbers.makers import makes
from generator.topics.tokens.derived.entropy import sample_entropy
from generator.topics.tokens.records.derived import OF_PARTNERS


class Partners(NamedTuple):
    """Where the partners of one word form stand."""

    form: str
    """In lower case."""
    occurrences: int
    """Those that depend on another word."""
    entropy: float
    """Of the offset, in nats, for as many occurrences as all entropies of types; NaN with fewer."""
    offset: int
    """The commonest offset, in words; below 0 if the partner stands before the word. Of equals the smallest."""
    share: float
    """The share of occurrences with that offset."""


@makes(OF_PARTNERS, "offset_entropy", "commonest_offset")
def partners(sentences: Iterable[Sentence], forms: Sequence[str]) -> list[Partners]:
    """The partners of these forms, in their order; of a form without partners nothing."""
    offsets: dict[str, Counter[int]] = {form: Counter() for form in forms}
    for sentence in sentences:
        for at, word in enumerate(sentence.words, start=1):
            if word.head != ROOT and (form := word.form.lower()) in offsets:
                offsets[form][word.head - at] += 1
    found = []
    for form, counts in offsets.items():
        if counts:
            offset, most = min(counts.items(), key=lambda item: (-item[1], item[0]))
            entropy = sample_entropy(list(counts.values()))
            found.append(Partners(form, counts.total(), entropy, offset, most / counts.total()))
    return found
