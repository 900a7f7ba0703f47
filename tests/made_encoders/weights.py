"""A BERT whose heads do what is written down: weights of queries and keys from the logits that a head should have.

A token's vector says what kind of word it is, what it means, whether it is good or bad, where it stands and in which
segment, each in places of its own. Its second half is the first with the other sign, so layer norm changes nothing, and
layers add little to it, so every layer reads the same. Weights have noise, drawn from a seed.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertForSequenceClassification, BertModel, PreTrainedTokenizerFast

from tests.encoders import CLS_SEP

POSITIONS, TURN = 64, 128
"""The longest input, and after how many positions vectors come back: twice as many tell all offsets apart."""
WAVES, MEANINGS, GOOD, SEGMENTS, SPARE = TURN // 2, 16, 3, 2, 3
HEADS, LAYERS = 2, 2
NOISE = 0.002
"""Standard deviation of what is added to every weight; a head's logits move by some tenths."""
LITTLE = 0.005
"""The same of the weights of values, by which heads write."""
UNKNOWN = "X"
"""The kind of words that the encoder does not know."""


class Word(NamedTuple):
    """An entry of the vocabulary."""

    kind: str
    """Such as NOUN."""
    meaning: str = ""
    """What other words have as well that mean the same; its own if it is empty."""
    good: int = 0
    """1 for a word that is good, -1 for a bad one."""


class Head(NamedTuple):
    """What is added to the logit of a query and a key."""

    pairs: Mapping[tuple[str, str], float] = {}
    """By the kinds of both."""
    kinds: Mapping[str, float] = {}
    """By the kind of the key."""
    near: Mapping[int, float] = {}
    """By the offset of the key."""
    places: Mapping[int, float] = {}
    """By the position of the key."""
    segment: float = 0.0
    """If both are in the same segment."""
    meaning: float = 0.0
    """If both mean the same; words that do not, differ by chance."""
    drawn: float = 0.0
    """How much logits vary that are drawn at random for each two meanings."""
    writes: Mapping[str, float] = {}
    """What it writes of its keys: "good" whether they are, "constant" the same of all."""


def write_made(
    folder: Path, words: Mapping[str, Word], heads: Sequence[Head], seed: int, *, answers: float | None = None
) -> Path:
    """Save an encoder with these heads, in the order of layers, and a tokenizer of these words and parts of words.

    With `answers`, it has a classifier that says 1 where more than so much is written at [CLS].
    """
    rng = np.random.default_rng([seed, len(words)])
    layout = Layout(words, rng)
    config = BertConfig(
        vocab_size=len(layout.entries),
        hidden_size=2 * layout.size,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        intermediate_size=8,
        max_position_embeddings=POSITIONS,
        num_labels=2,
    )
    torch.manual_seed(seed)
    kind = BertModel if answers is None else BertForSequenceClassification
    model = kind(config, **({"add_pooling_layer": False} if answers is None else {}))
    body = model if answers is None else model.bert
    with torch.no_grad():
        layout.embed(body.embeddings)
        for at, layer in enumerate(body.encoder.layer):
            layout.attend(layer.attention, heads[at * HEADS : (at + 1) * HEADS], rng)
            for part in (layer.intermediate.dense, layer.output.dense):
                part.weight.normal_(std=NOISE)
        if answers is not None:
            layout.answer(model, answers)
    model.save_pretrained(folder)
    _tokenizer(layout.entries).save_pretrained(folder)
    return folder


class Layout:
    """Where a token's vector says what."""

    def __init__(self, words: Mapping[str, Word], rng: np.random.Generator) -> None:
        roles = CLS_SEP.roles
        special = {roles[role]: Word(UNKNOWN if role == "unk" else roles[role]) for role in roles}
        self.entries = special | dict(words)
        self.kinds = sorted({word.kind for word in self.entries.values()})
        ends = np.cumsum([len(self.kinds), MEANINGS, GOOD, 2 * WAVES, SEGMENTS, SPARE])
        self.kind, self.meaning, self.good, self.place, self.segment, self.spare = (
            slice(int(end - start), int(end)) for start, end in zip(np.diff(ends, prepend=0), ends, strict=True)
        )
        self.size = int(-(-ends[-1] // HEADS) * HEADS)
        self.scale = np.sqrt(self.size / (4 + WAVES))
        """By how much layer norm multiplies a vector: kind, meaning, goodness, segment and each wave have length 1."""
        meanings = sorted({word.meaning or entry for entry, word in self.entries.items()})
        codes = rng.normal(size=(len(meanings), MEANINGS))
        self._codes = dict(zip(meanings, codes / np.linalg.norm(codes, axis=1, keepdims=True), strict=True))
        self._waves = np.exp(2j * np.pi * np.outer(np.arange(POSITIONS), np.arange(1, WAVES + 1)) / TURN)

    def embed(self, embeddings: torch.nn.Module) -> None:
        """Set the vectors of words, positions and segments."""
        words, places, segments = (np.zeros((n, self.size)) for n in (len(self.entries), POSITIONS, SEGMENTS))
        for row, (entry, word) in zip(words, self.entries.items(), strict=True):
            row[self.kind][self.kinds.index(word.kind)] = 1
            row[self.meaning] = self._codes[word.meaning or entry]
            row[self.good][word.good] = 1
        places[:, self.place] = np.hstack([self._waves.real, self._waves.imag])
        segments[:, self.segment] = np.eye(SEGMENTS)
        tables = embeddings.word_embeddings, embeddings.position_embeddings, embeddings.token_type_embeddings
        for table, rows in zip(tables, (words, places, segments), strict=True):
            table.weight.copy_(torch.tensor(np.hstack([rows, -rows])))

    def attend(self, attention: torch.nn.Module, heads: Sequence[Head], rng: np.random.Generator) -> None:
        """Set the weights of one layer's heads."""
        own, width = attention.self, 2 * self.size // HEADS
        query, key, value = (rng.normal(0, std, (2 * self.size,) * 2) for std in (NOISE, NOISE, LITTLE))
        out, constant, bias = (
            rng.normal(0, LITTLE, (2 * self.size,) * 2),
            np.zeros(2 * self.size),
            np.zeros(2 * self.size),
        )
        for at, head in enumerate(heads):
            rows = slice(at * width, (at + 1) * width)
            asked, offered, always = self._logits(head, width, rng)
            query[rows, : self.size] += asked / self.scale * np.sqrt(width)
            key[rows, : self.size] += offered / self.scale
            constant[rows] = always * np.sqrt(width)
            if head.writes:
                value[rows], out[:, rows] = 0, 0
                value[at * width, self.good] = np.array([0, 1, -1]) * head.writes.get("good", 0) / self.scale
                bias[at * width] = head.writes.get("constant", 0)
                out[self.spare.start, at * width], out[self.size + self.spare.start, at * width] = 1, -1
        for part, weight, added in ((own.query, query, constant), (own.key, key, 0), (own.value, value, bias)):
            part.weight.copy_(torch.tensor(weight))
            part.bias.copy_(torch.tensor(added + np.zeros(2 * self.size)))
        attention.output.dense.weight.copy_(torch.tensor(out))

    def answer(self, model: BertForSequenceClassification, above: float) -> None:
        """Set a classifier that says 1 where more than `above` is written at the first token."""
        pooler = model.bert.pooler.dense
        pooler.weight.zero_()
        pooler.weight[0, self.spare.start] = 0.2
        pooler.bias[0] = -0.2 * above
        model.classifier.weight.zero_()
        model.classifier.weight[1, 0] = 5.0

    def _logits(self, head: Head, width: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What a head asks for and offers, `[row, place]`, and what it always asks for: logits are their product."""
        asked, offered, always = np.zeros((width, self.size)), np.zeros((width, self.size)), np.zeros(width)
        parts = [self.kind, self.meaning, self.segment, self.place]
        rows = dict(
            zip(range(4), np.split(np.arange(width), np.cumsum([p.stop - p.start for p in parts])), strict=False)
        )
        for at, part in enumerate(parts):
            offered[rows[at], np.arange(part.start, part.stop)] = 1
        table = np.zeros((len(self.kinds),) * 2)
        for (one, other), logit in head.pairs.items():
            table[self.kinds.index(one), self.kinds.index(other)] = logit
        asked[rows[0], self.kind] = table.T
        asked[rows[1], self.meaning] = head.meaning * np.eye(MEANINGS)
        asked[rows[2], self.segment] = head.segment * np.eye(SEGMENTS)
        asked[rows[3], self.place] = _turned(head.near)
        last = width - 1
        always[last] = 1
        for kind, logit in head.kinds.items():
            offered[last, self.kind.start + self.kinds.index(kind)] = logit
        offered[last, self.place] = _at_places(head.places)
        if head.drawn:
            drawn = rng.normal(0, 1, (2, width // 2, self.size))
            drawn[:, :, np.setdiff1d(range(self.size), range(self.meaning.start, self.meaning.stop))] = 0
            free = slice(0, width // 2)
            asked[free], offered[free] = drawn * np.sqrt(head.drawn) / (width / 2) ** 0.25
        return asked, offered, always


def _turned(near: Mapping[int, float]) -> np.ndarray:
    """Weights from a query's waves to what is asked of a key's waves."""
    wanted = np.zeros(TURN)
    for offset, logit in near.items():
        wanted[offset % TURN] = logit
    waves = np.fft.rfft(wanted)[1:] * 2 / TURN
    waves[-1] /= 2
    real, imaginary = np.diag(waves.real), np.diag(waves.imag)
    return np.block([[real, imaginary], [-imaginary, real]])


def _at_places(places: Mapping[int, float]) -> np.ndarray:
    """Weights of a key's waves that give these logits at these positions."""
    wanted = np.zeros(TURN)
    for place, logit in places.items():
        wanted[place] = logit
    waves = np.fft.rfft(wanted)[1:] * 2 / TURN
    waves[-1] /= 2
    return np.hstack([waves.real, -waves.imag])


def _tokenizer(words: Mapping[str, Word]) -> PreTrainedTokenizerFast:
    ids = {word: number for number, word in enumerate(words)}
    roles = CLS_SEP.roles
    made = Tokenizer(models.WordPiece(ids, unk_token=roles["unk"]))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    used = [(roles[role], ids[roles[role]]) for role in ("cls", "sep")]
    made.post_processor = processors.TemplateProcessing(single=CLS_SEP.single, pair=CLS_SEP.pair, special_tokens=used)
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        model_max_length=POSITIONS,
        model_input_names=list(CLS_SEP.inputs),
        **{f"{role}_token": token for role, token in roles.items()},
    )
