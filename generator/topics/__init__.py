"""One folder for each question that the guide asks: its records, its computing, its claims, its charts and its page.

Stages ask for what all topics give and know none by name.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from generator.topics.topic import Topic, installed

NO_NUMBER = "It finds modules, and computes nothing that is stored."
OURS = (
    *("relations", "mentions", "probes", "distances", "tokens", "layers", "frames", "inputs", "vectors"),
    *("tasks", "compare", "learning", "seeds"),
)
"""The folders here, in the order in which pages and definitions are listed."""
TOPICS: tuple[Topic, ...] = (*(import_module(f"{__name__}.{name}").TOPIC for name in OURS), *installed())


def of_topics(part: str, constant: str) -> Iterator[Any]:
    """What the modules of a part of all topics call by the name of a constant, in the order of topics."""
    for topic in TOPICS:
        yield from topic.given(part, constant)
