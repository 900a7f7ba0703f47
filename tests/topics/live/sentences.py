"""Sentences in several scripts, with what tokenizers stumble over: accents, emoji, marks of direction, long words."""

import json
from collections.abc import Iterator
from pathlib import Path

PLAIN = tuple(json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8")))
LONG = (
    "antidisestablishmentarianism " * 3,
    "x" * 100,
    "x" * 101,
    "é" * 100,
    "ab" * 300,
    "word " * 30,
    "don't-stop!" * 12,
)
VARIANTS = (
    str,
    str.upper,
    lambda text: f"  {text}\u200f {text[::-1]} ",
    lambda text: f"{text} 🙂 {text.title()}",
)


def sentences() -> Iterator[str]:
    """Every plain sentence as it is, in capitals, with its mirror image and with an emoji; then long ones."""
    for change in VARIANTS:
        yield from map(change, PLAIN)
    yield from LONG
