"""Which tokens of a text are compared as words: occurrences of one type in several contexts, and random words.

A word here is a type that the tokenizer keeps in one piece: it consists only of letters, and its text after another
word is tokenized as just this piece. An occurrence counts if no further piece of the same word follows. A sentence is a
stretch of text up to ".", "!" or "?", of at least 5 pieces; all its pieces count. Random words are random pieces of
random sentences, no two from the same sentence (Ethayarajh 2019, released code).
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from generator.corpora.classes import ADDED
from generator.corpora.pairs import Input
from generator.corpora.plain import PlainText

CONTEXTS = 5
"""How many occurrences, and how many documents, a type needs; Ethayarajh 2019 asks for 5 contexts."""
OCCURRENCES = 20
"""The most occurrences of a type that are used."""
TYPES = 500
"""The most types that are used."""
RANDOM_WORDS = 1000
"""How many random words are drawn: as in the released code, or one per sentence if there are fewer sentences."""
SHORTEST = 5
"""The fewest pieces of a sentence: shorter stretches are mostly abbreviations and remainders of cut texts."""
ENDS = (".", "!", "?")
Place = tuple[int, int]
"""The number of an input, and the position of a token in it; both 0-based."""


def word_occurrences(tokenizer: Any, inputs: Sequence[Input]) -> list[list[Place]]:
    """The places of every type that occurs in enough contexts, in the order of vocabulary ids."""
    words, parts = pieces_of(tokenizer, sorted({token for item in inputs for token in item.input_ids}))
    places: dict[int, list[Place]] = defaultdict(list)
    for number, item in enumerate(inputs):
        for at, (token, kind) in enumerate(zip(item.input_ids, item.classes, strict=True)):
            follows = at + 1 < len(item) and item.classes[at + 1] not in ADDED and item.input_ids[at + 1] in parts
            if kind not in ADDED and token in words and not follows:
                places[token].append((number, at))

    def enough(found: list[Place]) -> bool:
        return len(found) >= CONTEXTS and len({inputs[number].document for number, _ in found}) >= CONTEXTS

    return [places[token] for token in sorted(places) if enough(places[token])]


def sampled(occurrences: list[list[Place]], rng: np.random.Generator) -> list[list[Place]]:
    """At most TYPES of the types, in their order, each with at most OCCURRENCES of its places."""
    kept = np.sort(rng.permutation(len(occurrences))[:TYPES])
    return [[occurrences[at][i] for i in np.sort(rng.permutation(len(occurrences[at]))[:OCCURRENCES])] for at in kept]


def random_words(inputs: Sequence[Input], ends: set[int], rng: np.random.Generator) -> list[Place]:
    """One place of each of at most RANDOM_WORDS sentences; `ends` are the pieces that end a sentence."""
    sentences = [(number, part) for number, item in enumerate(inputs) for part in sentences_of(item, ends)]
    kept = np.sort(rng.permutation(len(sentences))[:RANDOM_WORDS])
    return [(sentences[at][0], int(rng.integers(sentences[at][1].start, sentences[at][1].stop))) for at in kept]


def pieces_of(tokenizer: Any, ids: Sequence[int]) -> tuple[set[int], set[int]]:
    """Which of these pieces are whole words of letters, and which continue a word that began before them."""
    plain = PlainText(tokenizer)
    texts = [tokenizer.decode([token]).strip() for token in ids]
    start = len(plain.ids("a"))
    # Behind a word, because tokenizers read a piece otherwise at the start of a text.
    behind = [pieces[start:] for pieces in plain.each([f"a {text}" for text in texts])]
    words, parts = set(), set()
    for token, text, pieces in zip(ids, texts, behind, strict=True):
        if pieces == [token] and text.isalpha():
            words.add(token)
        elif pieces[:1] != [token] and any(letter.isalnum() for letter in text):
            parts.add(token)
    return words, parts


def sentence_ends(tokenizer: Any, inputs: Sequence[Input]) -> set[int]:
    """The pieces of these inputs that end a sentence."""
    known = sorted({token for item in inputs for token in item.input_ids})
    pieces = zip(known, tokenizer.convert_ids_to_tokens(known), strict=True)
    likely = [token for token, piece in pieces if any(end in piece for end in ENDS)]  # to decode all takes long
    return {token for token in likely if tokenizer.decode([token]).strip() in ENDS}


def sentences_of(item: Input, ends: set[int]) -> Iterator[slice]:
    """The stretches of text of at least SHORTEST tokens that end at one of these pieces, at a special token or with the
    input, as slices.
    """
    start = 0
    for at, (token, kind) in enumerate(zip(item.input_ids, item.classes, strict=True)):
        stop = at if kind in ADDED else at + 1
        last = kind in ADDED or token in ends or stop == len(item)
        if last and stop - start >= SHORTEST:
            yield slice(start, stop)
        if last:
            start = at + 1
