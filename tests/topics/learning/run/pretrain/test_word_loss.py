"""The loss of hidden words against a slow reading of the same inputs, and against what can be known beforehand."""

import math
import re

import pytest
import torch

from generator.corpora import files
from generator.corpora.kind import Corpus
from generator.corpora.pairs import Document
from generator.errors import CorpusError
from generator.models.masked_lm import load_masked_lm
from generator.models.source import locate
from generator.numbers.number import Number
from generator.topics.learning.run.pretrain.run import pretrain
from generator.topics.learning.run.pretrain.word_loss import EVERY, WordLoss, word_loss
from tests.cli.command import fieldguide
from tests.reports import Silence
from tests.topics.learning.run.pretrain.novels import documents, tiny, write

TEXT = Corpus(
    "text",
    files.TEXT,
    "",
    tuple(Document(document["id"], tuple(document["paragraphs"])) for document in documents(2, 5)),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("run")
    return pretrain(tiny(steps=8, max_tokens=64), write(root / "text"), root / "out", Silence())


@pytest.fixture(scope="module")
def masked_lm(folder):
    return load_masked_lm(locate(str(folder)), torch.device("cpu"))


def with_equal_scores(masked_lm):
    """Every piece of the vocabulary as likely as any other."""
    for weights in masked_lm.encoder.model.cls.parameters():
        weights.data.zero_()
    masked_lm.encoder.model.bert.embeddings.word_embeddings.weight.data.zero_()
    return masked_lm


def test_equal_scores_cost_the_logarithm_of_the_vocabulary_for_every_piece(folder):
    found = word_loss(with_equal_scores(load_masked_lm(locate(str(folder)), torch.device("cpu"))), TEXT, 50, 64, 0)
    nats = found.pieces * math.log(60)
    assert found.a_word.value == pytest.approx(nats / found.words)
    assert found.a_character.value == pytest.approx(nats / found.characters)
    assert found.pieces > found.words


def test_one_word_in_eight_is_hidden_with_all_of_its_pieces_and_marks_are_not(masked_lm, monkeypatch):
    seen = []

    def look(_masked_lm, inputs, targets):
        seen.extend(zip(inputs, targets, strict=True))
        return [[0.0] * len(target) for target in targets]

    monkeypatch.setattr("generator.topics.learning.run.pretrain.word_loss.log_probabilities", look)
    found = word_loss(masked_lm, TEXT, 50, 64, 0)
    tokenizer = masked_lm.encoder.tokenizer
    total = 0
    for item, targets in seen:
        ids = [targets.get(at, token) for at, token in enumerate(item.input_ids)]
        words, at = [], 1
        while at < len(ids) - 1:
            end = at + 1
            while tokenizer.convert_ids_to_tokens(ids[end]).startswith("##"):
                end += 1
            words.append(range(at, end))
            at = end
        hidden = [word for word in words if word[0] in targets]
        assert sum(map(len, hidden)) == len(targets)
        assert all(item.input_ids[place] == masked_lm.mask for word in hidden for place in word)
        text = ["".join(tokenizer.convert_ids_to_tokens([ids[at] for at in word])).replace("##", "") for word in hidden]
        assert all(word.isalpha() for word in text)
        plain = [word for word in words if tokenizer.convert_ids_to_tokens(ids[word[0]]) not in ".?!"]
        assert len(hidden) == max(round(len(plain) / EVERY), 1)
        total += len(hidden)
    assert (found.words, found.inputs) == (total, len(seen))


def test_the_same_seed_hides_the_same_words(masked_lm):
    assert word_loss(masked_lm, TEXT, 5, 64, 1) == word_loss(masked_lm, TEXT, 5, 64, 1)
    assert word_loss(masked_lm, TEXT, 5, 64, 1) != word_loss(masked_lm, TEXT, 5, 64, 2)


def test_too_little_text_is_refused(masked_lm):
    with pytest.raises(CorpusError, match=r"^Expected a document of .* words or more in few, found none; .*\.$"):
        word_loss(masked_lm, Corpus("few", files.TEXT, "", (Document("a", ("Three short words.",)),)), 5, 64, 0)


def test_the_command_prints_one_line_for_a_file_and_for_a_split(folder, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("\n\n".join(TEXT.items[0].paragraphs), encoding="utf-8")
    for place in (text, write(tmp_path / "split")):
        done = fieldguide("wordloss", str(folder), str(place), "--inputs", "5")
        assert done.exit == 0
        assert len(done.out.splitlines()) == 1
        assert re.match(r"[\d.]+ nats a word \([\d.]+ to [\d.]+\), [\d.]+ a character \([\d.]+ to [\d.]+\): ", done.out)


def test_losses_are_written_with_the_digits_of_their_intervals():
    found = WordLoss(9, 80, 400, 90, Number(5.2704, 5.0903, 5.4302, 9), Number(1.0541, 1.0181, 1.0866, 9))
    assert str(found).startswith("5.27 nats a word (5.09 to 5.43), 1.05 a character (1.02 to 1.09): 80 hidden words")
