"""How much a head looks at what names it: the figure's numbers, from the stored rows by hand."""

import json
from functools import cache

import numpy as np
import pytest

from generator.claims.gate.maps import BROAD, PATTERN, WINDOW
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.found import MIDDLE, UNIFORM, WRITES, looked_figure
from generator.pages.heads.page import head_page
from generator.pages.heads.studies import HeadStudies
from generator.pages.inline import plain
from generator.results.store import Results
from tests.site.project import ROOT

NORMS = {"attention.cls": "norm.cls", "attention.sep": "norm.sep", "attention.punctuation": "norm.punctuation"}


@cache
def model(name: str) -> Atlas:
    """A model whose results come with the program."""
    return Atlas(Results.open(ROOT / "data/results" / name))


def heads(atlas: Atlas, kind: str) -> list[tuple[int, int]]:
    """The heads whose name is of a kind."""
    return [place for place, summary in atlas.summaries.items() if summary.kind == kind and summary.columns]


def by_hand(atlas: Atlas, columns: tuple[str, ...]) -> np.ndarray:
    """`[layer, head]`: the sum of the stored means of some measures."""
    rows = atlas.results.heads
    rows = rows[(rows["corpus"] == atlas.corpus) & rows["measure"].isin(columns)]
    return rows.groupby(["layer", "head"])["value"].sum().to_numpy().reshape(atlas.shape)


@pytest.mark.parametrize("name", ["all-mpnet-base-v2", "bert-base-uncased-sst2"])
def test_every_share_is_that_of_the_stored_rows_beside_the_median_and_uniform_attention(name):
    atlas = model(name)
    drawn = [place for place, summary in atlas.summaries.items() if summary.columns]
    assert len(drawn) > 20
    for layer, head in drawn:
        figure, summary = looked_figure(atlas, layer, head), atlas.summaries[layer, head]
        (view,) = json.loads(figure.data)["views"]
        shown = dict(zip(view["columns"]["name"], view["columns"]["value"], strict=True))
        every = by_hand(atlas, summary.columns)
        assert shown[f"head {layer}-{head}"] == pytest.approx(every[layer - 1, head - 1], abs=1e-4)
        assert shown[MIDDLE] == pytest.approx(np.median(every), abs=1e-4)
        rows = atlas.results.heads
        even = rows[(rows["corpus"] == atlas.corpus) & rows["measure"].isin(summary.columns)]
        even = even[(even["layer"] == layer) & (even["head"] == head)]
        assert shown[UNIFORM] == pytest.approx(even["uniform"].sum(), abs=1e-4)
        written = rows[rows["measure"] == NORMS.get("".join(summary.columns), "")]
        written = written[(written["layer"] == layer) & (written["head"] == head) & (written["corpus"] == atlas.corpus)]
        assert (WRITES in shown) == (len(written["value"].dropna()) == 1)
        if WRITES in shown:
            assert shown[WRITES] == pytest.approx(written["value"].item(), abs=1e-4)


@pytest.mark.parametrize("kind", [PATTERN, WINDOW, "punctuation", "none"])
def test_its_interval_stands_in_the_figure_and_not_in_the_sentence(kind):
    atlas = model("all-mpnet-base-v2")
    layer, head = heads(atlas, kind)[0]
    summary = atlas.summaries[layer, head]
    interval = f"({100 * summary.number.low:.0f} to"
    page = head_page(atlas, HeadStudies(atlas), layer, head)
    assert interval not in str(page.lead)
    assert interval in summary.text or f"({100 * summary.number.low:.1f} to" in summary.text


def test_where_no_sentence_may_be_shown_the_interval_stays_in_the_sentence():
    """Then the figure is of all classes or offsets, and has none of the number that names the head."""
    atlas = model("bert-base-uncased-sst2")
    places = [place for place, summary in atlas.summaries.items() if summary.columns and summary.short]
    leads = [plain(head_page(atlas, HeadStudies(atlas), *place).lead) for place in places[:12]]
    assert leads
    assert all(" to " in lead.partition("(")[2].partition(")")[0] for lead in leads), leads


def test_a_broad_head_stands_beside_the_median_of_all_by_its_entropy():
    """A ratio of means over documents: that of the head's entropies, and of those of uniform attention."""
    atlas = model("all-mpnet-base-v2")
    rows = atlas.results.heads
    rows = rows[(rows["corpus"] == atlas.corpus) & (rows["measure"] == "entropy.all")].set_index(["layer", "head"])
    shares = rows["value"] / rows["uniform"]
    drawn = [place for place, summary in atlas.summaries.items() if summary.kind == BROAD]
    assert drawn
    for place in drawn:
        (view,) = json.loads(looked_figure(atlas, *place).data)["views"]
        shown = dict(zip(view["columns"]["name"], view["columns"]["value"], strict=True))
        assert shown.pop(UNIFORM) == 1
        assert shown.pop(MIDDLE) == pytest.approx(shares.median(), abs=1e-4)
        assert [*shown.values()] == [pytest.approx(shares[place], abs=1e-4)]


def test_a_head_that_turns_elsewhere_in_sentences_shows_what_gets_how_much_in_both():
    atlas = model("all-mpnet-base-v2")
    rows, means = atlas.results.table("head_facts"), atlas.results.heads
    drawn = [(place, summary) for place, summary in atlas.summaries.items() if summary.turned]
    assert len(drawn) > 10
    for (layer, head), summary in drawn:
        (view,) = json.loads(looked_figure(atlas, layer, head).data)["views"]
        shown = dict(zip(view["columns"]["name"], view["columns"]["value"], strict=True))
        own = rows[(rows["layer"] == layer) & (rows["head"] == head) & (rows["study"] == "resting")]
        for move in summary.turned:
            words = atlas.target_words[move.column]
            told = {
                column: own[
                    (own["corpus"] == move.corpus) & (own["name"] == f"{column.removeprefix('attention.')}.outside")
                ]
                for column in (move.column, summary.looks[0])
            }
            assert told[move.column]["low"].item() > told[summary.looks[0]]["high"].item()
            if move is summary.turned[0]:
                assert shown[f"{words} in sentences"] == pytest.approx(told[move.column]["value"].item(), abs=1e-4)
                assert shown["the same in sentences"] == pytest.approx(told[summary.looks[0]]["value"].item(), abs=1e-4)
            of = means[(means["corpus"] == atlas.corpus) & (means["measure"] == move.column)]
            mean = of[(of["layer"] == layer) & (of["head"] == head)]["value"].item()
            assert shown[words] == pytest.approx(mean, abs=1e-4)
