"""In Chromium: pieces, attention and guesses are those of transformers, in many scripts and at every length."""

from collections.abc import Callable
from functools import cache
from itertools import cycle, product
from typing import Any

import numpy as np
import pytest
import torch
from playwright.sync_api import Page
from transformers import AutoModel, AutoModelForMaskedLM, AutoTokenizer

from generator.errors import ModelError
from generator.models.source import Source, locate
from generator.topics.live.compute.extra import BOUND
from tests.topics.live.sentences import sentences

pytestmark = pytest.mark.browser
MODELS = ("small-bert", "all-MiniLM-L6-v2")
TEXTS = tuple(sentences())
CLOSE = 1e-4
"""How far a weight may be from that of transformers, both with weights of half precision."""
READ = """
async (asked) => {
  const found = await ask({ task: "read", ...asked });
  return { ...found, maps: [...found.maps] };
}
"""
LAST_ROW = """
async ({ text, only }) => {
  const { cut, ids, maps } = await ask({ task: "read", text, only });
  return [cut, [...maps.slice(-ids.length)]];
}
"""
"""Gives the last row of a head, and whether the text was cut."""
PIECES = "async (texts) => { const read = await tokenizer(); return texts.map((text) => read(text).ids); }"


def source_of(name: str) -> Source:
    """Where a model lies; the test is skipped where its package is not installed."""
    try:
        return locate(name)
    except ModelError as error:
        pytest.skip(str(error))


@cache
def halved(name: str, kind: Any) -> Any:
    """The model of transformers, its weights rounded to half precision."""
    model = kind.from_pretrained(source_of(name).folder, attn_implementation="eager", dtype=torch.float32).eval()
    return model.half().float()


@cache
def tokenizer(name: str) -> Any:
    return AutoTokenizer.from_pretrained(source_of(name).folder)


def given(name: str, text: str) -> Any:
    """What transformers makes of a text, cut where the model ends."""
    return tokenizer(name)(
        text, return_tensors="pt", truncation=True, max_length=halved(name, AutoModel).config.max_position_embeddings
    )


def test_there_are_two_hundred_sentences() -> None:
    assert len(set(TEXTS)) > 200


@pytest.mark.parametrize("name", MODELS)
def test_pieces_are_those_of_transformers(running: Callable[[Source], Page], name: str) -> None:
    found = running(source_of(name)).evaluate(PIECES, list(TEXTS))
    expected = [given(name, text)["input_ids"][0].tolist() for text in TEXTS]
    wrong = [(text, ids, true) for text, ids, true in zip(TEXTS, found, expected, strict=True) if ids != true]
    assert wrong == []


@pytest.mark.parametrize("name", MODELS)
def test_attention_is_that_of_transformers(running: Callable[[Source], Page], name: str) -> None:
    """Each head on sentences of its own."""
    page, model = running(source_of(name)), halved(name, AutoModel)
    layers, heads = model.config.num_hidden_layers, model.config.num_attention_heads
    places = cycle(product(range(layers), range(heads)))
    for text, (layer, head) in zip(TEXTS[::3], places, strict=False):
        found = page.evaluate(READ, {"text": text, "only": f"{layer + 1}-{head + 1}"})["maps"]
        with torch.inference_mode():
            maps = model(**given(name, text), output_attentions=True).attentions[layer][0, head]
        assert np.abs(np.array(found) - maps.numpy().ravel()).max() < CLOSE < BOUND, text


@pytest.mark.parametrize(("name", "words", "tokens"), [("small-bert", 126, 128), ("all-MiniLM-L6-v2", 510, 512)])
def test_the_longest_sentence_is_read_whole_and_a_longer_one_is_cut(
    running: Callable[[Source], Page], name: str, words: int, tokens: int
) -> None:
    page, pieces = running(source_of(name)), ("the cat sat on a mat and " * 100).split()
    whole, model = " ".join(pieces[:words]), halved(name, AutoModel)
    only = f"{model.config.num_hidden_layers}-2"
    cut, row = page.evaluate(LAST_ROW, {"text": whole, "only": only})
    with torch.inference_mode():
        maps = model(**given(name, whole), output_attentions=True).attentions
    assert (cut, len(row)) == (False, tokens)
    assert np.abs(np.array(row) - maps[-1][0, 1, -1].numpy()).max() < CLOSE
    cut, row = page.evaluate(LAST_ROW, {"text": " ".join(pieces[: words + 1]), "only": only})
    assert (cut, len(row)) == (True, tokens)


def test_first_guesses_are_those_of_transformers(running: Callable[[Source], Page]) -> None:
    name = "small-bert"
    page, model = running(source_of(name)), halved(name, AutoModelForMaskedLM)
    same, total = 0, 0
    for text in TEXTS[::4]:
        found = page.evaluate(READ, {"text": text, "hidden": [0], "only": "1-1"})
        inputs = given(name, text)
        for one in found["guessed"]:
            inputs["input_ids"][0, one["at"]] = tokenizer(name).mask_token_id
        with torch.inference_mode():
            logits = model(**inputs).logits[0]
        for one in found["guessed"]:
            likely = logits[one["at"]].softmax(-1)
            same += tokenizer(name).convert_ids_to_tokens(int(likely.argmax())) == one["likely"][0]["piece"]
            total += 1
            assert one["likely"][0]["share"] == pytest.approx(float(likely.max()), abs=1e-3)
    assert total > 50
    assert same >= 0.99 * total


def test_a_head_that_is_switched_off_writes_nothing(running: Callable[[Source], Page]) -> None:
    """As transformers computes it without the columns of its output matrix."""
    name, text = "small-bert", TEXTS[0]
    model = AutoModel.from_pretrained(source_of(name).folder, attn_implementation="eager", dtype=torch.float32).eval()
    model.half().float()
    size = model.config.hidden_size // model.config.num_attention_heads
    with torch.no_grad():
        model.encoder.layer[1].attention.output.dense.weight[:, 2 * size : 3 * size] = 0
    found = running(source_of(name)).evaluate(READ, {"text": text, "off": ["2-3"]})["maps"]
    with torch.inference_mode():
        maps = torch.stack(model(**given(name, text), output_attentions=True).attentions)[:, 0]
    assert np.abs(np.array(found) - maps.numpy().ravel()).max() < CLOSE
    whole = running(source_of(name)).evaluate(READ, {"text": text})["maps"]
    assert np.abs(np.array(found) - np.array(whole)).max() > 100 * CLOSE, "and the others see that"
