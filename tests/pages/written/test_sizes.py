"""What the page on sizes says in words is what the stored numbers say."""

import pytest

from generator.results.store import Results
from generator.studies.halves import HELD_OUT
from tests.test_architecture import ROOT

FOLDER = ROOT / "data" / "results" / "all-mpnet-base-v2"
PLACES = ("attention.cls", "attention.sep", "attention.punctuation")


def leading() -> list[str]:
    """Which of the places where attention rests gets most of it, layer by layer."""
    layers = Results.open(FOLDER).table("layers")
    shares = layers[layers["measure"].isin(PLACES)].pivot_table(index="layer", columns="measure", values="value")
    return [str(name).removeprefix("attention.") for name in shares.idxmax(axis=1)]


def test_attention_of_the_largest_model_rests_on_cls_and_then_on_periods_and_commas() -> None:
    found = leading()
    assert found[2:5] == ["cls"] * 3
    assert found[5:] == ["punctuation"] * 7


def test_of_periods_and_commas_it_is_the_period() -> None:
    roles = Results.open(FOLDER).table("roles").pivot_table(index="layer", columns="token", values="received")
    assert (roles.loc[6:11, "."] > 7).all()
    assert (roles.loc[2:, ","] < 1).all()


def test_in_single_sentences_the_separator_gets_as_much() -> None:
    features = Results.open(FOLDER).of_study("head_facts", "features")
    for bank in ("ud-english-ewt-test", "ud-english-gum-test"):
        means = features[features["corpus"] == bank].groupby(["name", "layer"])["value"].mean()
        middle = [means[f"{kind}.mean"].loc[6:10].mean() for kind in ("separator", "punctuation")]
        assert middle[0] >= middle[1], middle


@pytest.mark.parametrize("word", ["layer 6", "layers 3 to 5", "layers 6 to 11", "from layer 2 on"])
def test_the_page_says_it(word: str) -> None:
    assert word in (ROOT / "docs/findings/from-small-to-base.md").read_text(encoding="utf-8")


def test_direct_objects_need_more_than_a_small_model_has_and_the_largest_is_not_the_best_at_them() -> None:
    found = {}
    for name in ("all-mpnet-base-v2", "all-minilm-l6-v2", "medium-bert", "small-bert"):
        rows = Results.open(FOLDER.parent / name).table("relation_heads")
        of = (rows["protocol"] == HELD_OUT) & (rows["relation"] == "obj") & (rows["corpus"] == "ud-english-gum-test")
        (found[name],) = rows[of][["low", "high"]].itertuples(index=False)
    assert found["all-minilm-l6-v2"].low > found["all-mpnet-base-v2"].high
    assert all(found[small].high < found["all-mpnet-base-v2"].low for small in ("medium-bert", "small-bert"))
