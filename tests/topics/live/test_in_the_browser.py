"""In Chromium: pieces, attention and guesses are those of transformers, in many scripts, of each family."""

import json
from collections.abc import Callable
from functools import cache
from itertools import cycle, product
from typing import Any

import numpy as np
import pytest
import torch
from playwright.sync_api import Page
from transformers import AutoModel, AutoModelForMaskedLM

from generator.models.encoder import Encoder
from generator.models.load import load
from generator.models.source import Source
from generator.numbers.pieces import readable
from generator.topics.live.compute.extra import BOUND
from generator.topics.live.compute.families import FAMILIES
from tests.topics.live.conftest import UNTIED
from tests.topics.live.sentences import sentences

Running = Callable[[Source], Page]
Sources = Callable[[str], Source]
pytestmark = pytest.mark.browser
MODELS = ("small-bert", LARGE := "all-MiniLM-L6-v2")
OTHERS = ("distilbert", "electra", "mpnet", "roberta")
"""Families of which there is no trained model here: tiny ones with random weights."""
TEXTS = tuple(sentences())
LONG = "the cat sat on a mat and " * 100
"""More words than any model reads, each of one piece."""
CLOSE = 1e-4
"""How far a weight may be from that of transformers, both with weights of half precision."""
READ = """
async (asked) => {
  const { maps, moved, guessed } = await ask({ task: "read", ...asked });
  return JSON.stringify({ maps: [...maps], moved, guessed });
}
"""
"""Gives a text: of so many numbers it takes much less time than an array."""
LAST_ROW = """
async ({ text, only }) => {
  const { cut, tokens, maps } = await ask({ task: "read", text, only });
  return [cut, [...maps.slice(-tokens.length)]];
}
"""
"""Gives the last row of a head, and whether the text was cut."""
PIECES = "async (texts) => { const read = await tokenizer(); return texts.map((text) => read(text).ids); }"


def read(page: Page, **asked: Any) -> dict[str, Any]:
    """The answer of the worker."""
    found: dict[str, Any] = json.loads(page.evaluate(READ, asked))
    return found


@cache
def encoder(source: Source) -> Encoder:
    return load(source, torch.device("cpu"))


@cache
def halved(source: Source, kind: Any) -> Any:
    """The model of transformers, its weights rounded to half precision."""
    model = kind.from_pretrained(source.folder, attn_implementation="eager", dtype=torch.float32).eval()
    return model.half().float()


def last_row(source: Source, text: str) -> np.ndarray:
    """Of the second head of the last layer, `[key]`."""
    with torch.inference_mode():
        maps = halved(source, AutoModel)(**given(source, text), output_attentions=True).attentions
    row: np.ndarray = maps[-1][0, 1, -1].numpy()
    return row


def given(source: Source, text: str) -> Any:
    """What transformers makes of a text, cut where the model ends."""
    tokenizer, positions = encoder(source).tokenizer, encoder(source).positions
    return tokenizer(text, return_tensors="pt", truncation=True, max_length=positions)


def test_there_are_two_hundred_sentences() -> None:
    assert len(set(TEXTS)) > 200


def test_every_family_is_compared() -> None:
    assert {*FAMILIES} == {"bert", *OTHERS}


@pytest.mark.parametrize("name", [*MODELS, *OTHERS])
def test_pieces_are_those_of_transformers(running: Running, sources: Sources, name: str) -> None:
    source = sources(name)
    found = running(source).evaluate(PIECES, list(TEXTS))
    expected = [given(source, text)["input_ids"][0].tolist() for text in TEXTS]
    wrong = [(text, ids, true) for text, ids, true in zip(TEXTS, found, expected, strict=True) if ids != true]
    assert wrong == []


@pytest.mark.parametrize("name", [*MODELS, *OTHERS])
def test_attention_is_that_of_transformers(running: Running, sources: Sources, name: str) -> None:
    """Each head on sentences of its own; a model that takes long reads every third."""
    source = sources(name)
    page, model = running(source), halved(source, AutoModel)
    layers, heads = model.config.num_hidden_layers, model.config.num_attention_heads
    places = cycle(product(range(layers), range(heads)))
    for text, (layer, head) in zip(TEXTS[:: 3 if name == LARGE else 1], places, strict=False):
        found = read(page, text=text, only=f"{layer + 1}-{head + 1}")["maps"]
        with torch.inference_mode():
            maps = model(**given(source, text), output_attentions=True).attentions[layer][0, head]
        assert np.abs(np.array(found) - maps.numpy().ravel()).max() < CLOSE < BOUND, text


def test_the_longest_sentence_is_read_whole_and_a_longer_one_is_cut(running: Running, sources: Sources) -> None:
    """The last row of a head of the last layer; `test_memory` has another length."""
    source, words = sources("small-bert"), LONG.split()
    page, tokens = running(source), encoder(source).positions
    whole = " ".join(words[: tokens - 2])
    cut, row = page.evaluate(LAST_ROW, {"text": whole, "only": "4-2"})
    assert (cut, len(row)) == (False, tokens)
    assert np.abs(np.array(row) - last_row(source, whole)).max() < CLOSE
    cut, row = page.evaluate(LAST_ROW, {"text": " ".join(words[: tokens - 1]), "only": "4-2"})
    assert (cut, len(row)) == (True, tokens)


@pytest.mark.parametrize("name", ["small-bert", *OTHERS, UNTIED])
def test_first_guesses_are_those_of_transformers(running: Running, sources: Sources, name: str) -> None:
    source = sources(name)
    page, model, tokenizer = running(source), halved(source, AutoModelForMaskedLM), encoder(source).tokenizer
    same, total = 0, 0
    for text in TEXTS[::4]:
        found = read(page, text=text, hidden=[0])
        inputs = given(source, text)
        for one in found["guessed"]:
            inputs["input_ids"][0, one["at"]] = tokenizer.mask_token_id
        with torch.inference_mode():
            logits = model(**inputs).logits[0]
        for one in found["guessed"]:
            likely, guessed = logits[one["at"]].softmax(-1), one["likely"][0][0]
            same += readable(tokenizer.convert_ids_to_tokens(int(likely.argmax()))) == guessed["piece"]
            total += 1
            assert guessed["share"] == pytest.approx(float(likely.max()), abs=1e-3)
    assert total > 50
    assert same >= 0.99 * total


def test_a_head_that_is_switched_off_writes_nothing(running: Running, sources: Sources) -> None:
    """As transformers computes it without the columns of its output matrix."""
    source, text = sources("small-bert"), TEXTS[0]
    model = AutoModel.from_pretrained(source.folder, attn_implementation="eager", dtype=torch.float32).eval()
    model.half().float()
    size = model.config.hidden_size // model.config.num_attention_heads
    with torch.no_grad():
        model.encoder.layer[1].attention.output.dense.weight[:, 2 * size : 3 * size] = 0
    page, real = running(source), halved(source, AutoModel)
    found = read(page, text=text, off=["2-3"])
    with torch.inference_mode():
        maps, before = (
            torch.stack(one(**given(source, text), output_attentions=True).attentions)[:, 0].numpy()
            for one in (model, real)
        )
    assert np.abs(np.array(found["maps"]) - maps.ravel()).max() < CLOSE
    moved = np.abs(maps - before).sum(-1).mean(-1).ravel() / 2
    assert np.abs(np.array(found["moved"]) - moved).max() < CLOSE
    assert moved.max() > 100 * CLOSE, "the others see that"
    assert read(page, text=text)["moved"] == []
