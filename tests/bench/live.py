"""How long a reader waits for what a model does with a sentence, once the model is there."""

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from generator.errors import ModelError
from generator.models.source import locate
from tests.bench.plain import reference_seconds
from tests.bench.record import AbsentError, Row
from tests.site.browser import chromium
from tests.topics.live.tab import running

SENTENCE = "the cat sat on a mat and the dog sat on the rug and it was a day"
"""Eighteen words that are one piece each in both vocabularies, and so twenty tokens."""
ASK = """
async (text) => {
  const begun = performance.now(), { tokens } = await ask({ task: "read", text });
  return [tokens.length, (performance.now() - begun) / 1000];
}
"""
TOKENS, WARM = 20, 5


def _answer(name: str, rounds: int) -> Iterator[float]:
    """Milliseconds from the question to the answer of the worker, as the machine of the bounds would take them."""
    try:
        source = locate(name)
        with tempfile.TemporaryDirectory() as root, chromium() as browser, running(browser, Path(root)) as ready:
            page = ready(source)

            def seconds() -> float:
                tokens, took = page.evaluate(ASK, SENTENCE)
                assert tokens == TOKENS
                return float(took)

            for _ in range(WARM):  # until the scripts are compiled
                seconds()
            for _ in range(rounds):
                yield 1000 * reference_seconds(seconds)
    except (ModelError, pytest.skip.Exception, pytest.fail.Exception) as missing:
        raise AbsentError(str(missing)) from None


ROWS = tuple(
    Row(f"live.{name}", f"{TOKENS} tokens read by {name} in a browser, once it is there", must, None, measure, "ms")
    for name, must in (("small-bert", 100), ("all-MiniLM-L6-v2", 700))
    for measure in (partial(_answer, name),)
)
