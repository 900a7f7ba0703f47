"""What the page of a curve says of a training that read short inputs first."""

from types import SimpleNamespace
from typing import Any, cast

import pandas as pd
import pytest

from generator.pages.heads.atlas import Atlas
from generator.topics.learning.page.data import Course
from generator.topics.learning.page.learned import longer_than_read
from generator.topics.learning.page.page import _short_inputs

TRAINING = {"first_steps": 11000, "first_tokens": 64, "max_tokens": 128}


def said(measured: int, **training: int) -> str:
    """Of checkpoints that were measured on inputs of so many tokens."""
    settings: dict[str, Any] = {"max_tokens": measured, "training": TRAINING | training}
    own = SimpleNamespace(manifest=SimpleNamespace(experiment="curve", settings=settings))
    other = SimpleNamespace(manifest=SimpleNamespace(experiment="curve.rte", settings={}))
    results = SimpleNamespace(
        more=(other, own), manifest=SimpleNamespace(order=()), table=lambda _: pd.DataFrame({"study": []})
    )
    return _short_inputs(Course(cast("Atlas", SimpleNamespace(results=results))).settings)


@pytest.mark.parametrize(("measured", "warned"), [(64, False), (65, True), (128, True)])
def test_places_that_were_not_trained_yet_are_warned_of(measured: int, warned: bool) -> None:
    text = said(measured)
    assert text.startswith(
        "Up to step 11,000 it read inputs of at most 64 tokens, after that inputs of up to 128. All checkpoints are "
        f"measured on inputs of {'up to' if warned else 'at most'} {measured}"
    )
    assert ("positions that it had not seen before" in text) is warned


def test_a_training_of_even_inputs_says_nothing() -> None:
    assert said(128, first_steps=0) == ""


@pytest.mark.parametrize(
    ("changes", "warned"),
    [({}, True), ({"first_tokens": 127}, True), ({"first_tokens": 128}, False), ({"first_steps": 0}, False)],
)
def test_an_evaluation_on_longer_inputs_than_were_read_is_warned_of(changes: dict[str, int], warned: bool) -> None:
    text = longer_than_read({"training": TRAINING | changes})
    assert ("evaluated on inputs of up to 128" in text) is warned
    assert bool(text) is warned
