"""What the page on sizes says in words is what the stored numbers say."""

import pytest

from generator.results.store import Results
from tests.test_architecture import ROOT

PLACES = ("attention.cls", "attention.sep", "attention.punctuation")


def leading(model: str) -> list[str]:
    """Which of the places where attention rests gets most of it, layer by layer."""
    layers = Results.open(ROOT / "data" / "results" / model).table("layers")
    shares = layers[layers["measure"].isin(PLACES)].pivot_table(index="layer", columns="measure", values="value")
    return [str(name).removeprefix("attention.") for name in shares.idxmax(axis=1)]


def test_attention_of_the_largest_model_rests_on_cls_and_then_on_periods_and_commas() -> None:
    found = leading("all-mpnet-base-v2")
    assert found[2:5] == ["cls"] * 3
    assert found[5:] == ["punctuation"] * 7


@pytest.mark.parametrize("word", ["layer 6", "layers 3 to 5"])
def test_the_page_says_it(word: str) -> None:
    assert word in (ROOT / "docs/findings/from-small-to-base.md").read_text(encoding="utf-8")
