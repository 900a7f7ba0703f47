"""How well a masked LM predicts hidden words, in nats per word and per character: units that suit any vocabulary.

Words are those of `generator.corpora.wordforms`; marks are never hidden. One word in eight of each
input is hidden: the mask token replaces all of its pieces, and its loss is the sum of the losses of its pieces, each
predicted independently. So the model sees how many pieces a word has, but no other piece while it predicts one. A word
that is one piece in one vocabulary and three in another is still one word with the same number of characters.
"""

import math
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from generator.config import ModelChoice
from generator.corpora.files import TEXT, read_corpus
from generator.corpora.kind import Corpus
from generator.corpora.pairs import Document, PairMaker, WordInput
from generator.corpora.wordforms import words_of
from generator.defaults import Device
from generator.errors import CorpusError, ModelError
from generator.models.load import choose_device
from generator.models.masked_lm import MaskedLM, load_masked_lm
from generator.models.source import locate
from generator.numbers.number import Number
from generator.numbers.resampling import bootstrap_ratio
from generator.numbers.writing import written
from generator.topics.inputs.compute.changed import with_tokens
from generator.topics.inputs.compute.hidden_tokens import log_probabilities
from generator.topics.learning.run.pretrain.data.text import read_split

EVERY = 8
"""One word in so many is hidden, and at least one word of each input."""
FEWEST = 2 * EVERY
"""The fewest words and marks of an input; a shorter rest at the end of a document is not read."""


@dataclass(frozen=True)
class WordLoss:
    """What `word_loss` found; the intervals are of 95 %, over inputs."""

    inputs: int
    words: int
    """How many words were hidden."""
    characters: int
    """How many characters these words have."""
    pieces: int
    a_word: Number
    """Loss in nats per hidden word, with its interval."""
    a_character: Number

    def __str__(self) -> str:
        losses = f"{written(self.a_word, 'nats a word')}, {written(self.a_character, 'a character')}"
        return (
            f"{losses}: {self.words:,} hidden words of {self.characters:,} "
            f"characters and {self.pieces:,} pieces, in {self.inputs:,} inputs"
        )


@dataclass(frozen=True)
class _Hidden:
    """One input with words hidden: their characters and, for each of their pieces, the place and the true id."""

    characters: list[int]
    targets: dict[int, int]
    item: WordInput


def word_loss(masked_lm: MaskedLM, corpus: Corpus[Document], most: int, max_tokens: int, seed: int) -> WordLoss:
    """Hide words in at most `most` inputs, spread evenly over the text. Raises CorpusError if the text is too short."""
    maker = PairMaker(masked_lm.encoder.tokenizer, min(max_tokens, masked_lm.encoder.positions), seed)
    draw = random.Random(seed)
    hidden = [masked for words in _passages(corpus, most, max_tokens) if (masked := _hide(maker, words, draw))]
    if not hidden:
        raise CorpusError(
            f"Expected a document of {FEWEST} words or more in {corpus.name}, found none; give more text."
        )
    inputs = [with_tokens(masked.item.input, dict.fromkeys(masked.targets, masked_lm.mask)) for masked in hidden]
    found = log_probabilities(masked_lm, inputs, [masked.targets for masked in hidden])
    nats = np.array([-math.fsum(values) for values in found])
    words = np.array([len(masked.characters) for masked in hidden])
    characters = np.array([sum(masked.characters) for masked in hidden])
    return WordLoss(
        inputs=len(hidden),
        words=int(words.sum()),
        characters=int(characters.sum()),
        pieces=sum(len(masked.targets) for masked in hidden),
        a_word=bootstrap_ratio(nats, words, seed).at(),
        a_character=bootstrap_ratio(nats, characters, seed).at(),
    )


def _passages(corpus: Corpus[Document], most: int, max_tokens: int) -> list[list[str]]:
    """At most `most` passages spread evenly over the documents, each as many words and marks as an input can hold."""
    texts = [[form for part in document.paragraphs for form in words_of(part)] for document in corpus.items]
    places = [(text, at) for text in texts for at in range(0, len(text) - FEWEST + 1, max_tokens)]
    step = max(len(places) / most, 1)
    chosen = [places[int(number * step)] for number in range(min(most, len(places)))]
    return [text[at : at + max_tokens] for text, at in chosen]


def _hide(maker: PairMaker, forms: Sequence[str], draw: random.Random) -> _Hidden | None:
    """An input of as many of these words and marks as fit, some words hidden; None if too few fit or all are marks."""
    forms = forms[: maker.fitting(forms)]
    words = [at for at, form in enumerate(forms) if re.match(r"\w", form)]
    item = maker.words("passage", forms)
    if item is None or len(forms) < FEWEST or not words:
        return None
    which = sorted(draw.sample(words, max(round(len(words) / EVERY), 1)))
    places = [
        int(place)
        for word in which
        for place in item.pieces[item.starts[word] : item.starts[word] + item.lengths[word]]
    ]
    return _Hidden([len(forms[word]) for word in which], {at: item.input.input_ids[at] for at in places}, item)


def run_word_loss(choice: ModelChoice, text: Path, most: int, max_tokens: int, device: Device, seed: int) -> WordLoss:
    """`word_loss` of a model on a text file or a folder with `valid`. Raises FieldguideError."""
    masked_lm = load_masked_lm(locate(choice.id, choice.revision), choose_device(device))
    if masked_lm is None:
        raise ModelError(
            f"Expected a masked-LM head, found none in {choice.id}; choose a model that predicts hidden tokens."
        )
    corpus = read_split(text, "valid") if text.is_dir() else Corpus.of(text.name, TEXT, read_corpus(text.name, [text]))
    return word_loss(masked_lm, corpus, most, max_tokens, seed)
