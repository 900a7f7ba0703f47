"""The page on trainings that differ in their seed, from invented numbers with both sides of what is found."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from generator.claims.cutoffs import CLEAR_GAIN, is_clear
from generator.corpora import files
from generator.corpora.treebank import TREEBANK
from generator.home import TEMPLATES
from generator.pages.blocks import Figure, Table
from generator.pages.heads.atlas import Atlas
from generator.pages.renderer import Renderer
from generator.results.manifest import OTHERWISE
from generator.results.store import find
from generator.results.writing import write
from generator.studies.fact_rows import stored_rows
from generator.topics.learning.records.runs import HELD_OUT_TEXT
from generator.topics.seeds.page.page import seeds_page, there
from generator.topics.seeds.records import SEEDS, TARGETS
from tests.pages.contract import check_charts, check_html
from tests.pages.reading import anchors, block, prose, texts
from tests.results.samples import corpus_of, manifest, tables

TEXT, TREES = "text <i>&amp;", "trees {{ 7*7 }}"
NAMES = ("first", '"><img src=x onerror=alert(1)>', "third")
LEADS = {
    "obj": [(0.3, 0.2), (CLEAR_GAIN, 0.001), (0.5, 0.4)],
    "nsubj": [(CLEAR_GAIN, 0.0), (0.2, 0.1), (CLEAR_GAIN - 0.001, 0.05)],
    "det": [(0.05, 0.01), (0.0, -0.1), (0.09, 0.08)],
}
"""Relation -> lead of each training and the low end of its interval."""
Facts = Mapping[str, tuple[float, float, float, int]]
WHOLE: dict[str, tuple[float, float, float, int]] = {
    "matched": (0.15, 0.14, 0.16, 20),
    "every": (0.3, 0.29, 0.31, 20),
    "untrained": (0.2, 0.19, 0.21, 20),
    "same_layer": (0.75, 0.5, 0.9, 24),
    "same_layer.chance": (0.5, 0.5, 0.5, 2),
    "twins.entropy.all": (0.8, 0.6, 0.9, 24),
    "layer.entropy.all": (0.3, 0.1, 0.5, 24),
    "gain.entropy.all": (0.5, 0.01, 0.7, 24),
    "twins.attention.cls": (0.4, 0.2, 0.6, 24),
    "layer.attention.cls": (0.3, 0.1, 0.5, 24),
    "gain.attention.cls": (0.1, -0.01, 0.2, 24),
    **{f"mean.{name}.{at}": (0.1 * at, 0.1 * at - 0.01, 0.1 * at + 0.01, 40)
       for name in ("entropy.all", "attention.cls") for at in (1, 2, 3)},
}  # fmt: skip
LOGGED = {
    **{f"attention.{name}.{at}.{step}": step / 10 + at for name in TARGETS for at in (1, 2) for step in (0, 16, 50)},
    **{f"loss.{at}.{step}": 9 - step / 10 - at / 100 for at in (1, 2) for step in (0, 50)},
    **{f"came.{name}.1": 16.0 for name in TARGETS},
    "came.begin.2": 50.0,
}


def rows(facts: Facts, corpus: str, layer: int = 0) -> pd.DataFrame:
    """Rows of `facts` of the study."""
    table = pd.DataFrame([(name, layer, *fact) for name, fact in facts.items()], columns=COLUMNS)
    return stored_rows(table, SEEDS, "Tiny", corpus)


COLUMNS = ["name", "layer", "value", "low", "high", "n"]


def leads() -> pd.DataFrame:
    """Rows of `head_facts`: the head of every relation and training."""
    found = [
        {"layer": 1 + at % 2, "head": at, "n": 90 + at} | numbers
        for relation, of_each in LEADS.items()
        for at, (value, low) in enumerate(of_each, start=1)
        for numbers in (
            {"name": f"relation.{relation}.{at}", "value": value, "low": low, "high": value + 0.1},
            {"name": f"found.{relation}.{at}", "value": is_clear(value, low), "low": np.nan, "high": np.nan},
        )
    ]
    return stored_rows(pd.DataFrame(found), SEEDS, "Tiny", TREES)


def stored(place: Path, own: bool = True, logged: bool = True, found: bool = True, runs: bool = True) -> Atlas:
    """A model's results with trainings beside each other, the rows in no order."""
    corpora = (corpus_of(files.TEXT, TEXT, documents=40), corpus_of(TREEBANK, TREES, language="en"))
    known = manifest(corpora=corpora)
    write(place, known, tables())
    seed = {"seed": 1} if runs else {}
    trainings = [{"name": name, "weights": f"{at}" * 64} | seed for at, name in enumerate(NAMES, start=0 if own else 1)]
    shares: Facts = {
        "returning": (1 / 2, 0.1, 0.9, 2),
        "carried": (0.4, 0.1, 0.8, 5),
        "carried.chance": (1 / 8, 1 / 8, 1 / 8, 8),
    }
    parts = [
        rows({"every": (0.25, 0.2, 0.3, 20)}, TEXT, 1),
        rows({"every": (0.35, 0.3, 0.4, 20)}, TEXT, 2),
        rows(WHOLE, TEXT),
        rows({"matched": (0.1, 0.09, 0.11, 20)}, TEXT, 1),
        rows({"matched": (0.2, 0.19, 0.21, 20)}, TEXT, 2),
        *([rows(shares, TREES)] if found else []),
        *(
            [rows({name: (value, np.nan, np.nan, 24) for name, value in LOGGED.items()}, HELD_OUT_TEXT)]
            if logged
            else []
        ),
    ]
    record = manifest(
        corpora=corpora,
        experiment="seeds",
        settings={"trainings": trainings, "text": TEXT, **({OTHERWISE: "One more."} if runs else {})},
        command="fieldguide seeds a b c",
    )
    facts = pd.concat(parts).sample(frac=1, random_state=0).reset_index(drop=True)
    write(place, record, {"facts": facts, "head_facts": leads().sample(frac=1, random_state=1)})
    (results,) = find([place])
    return Atlas(results)


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives the model, which is one of the trainings."""
    return stored(tmp_path_factory.mktemp("seeds"))


def test_lead_says_what_comes_back(atlas: Atlas) -> None:
    assert there(atlas)
    assert seeds_page(atlas).lead == (
        "Three trainings differ in their seed alone. One dependency relation is found by one or two of the "
        "trainings, one by all three. A head and its match in another training differ less "
        "(0.15 nats) than two heads do on average (0.3 nats), or than a head and its match in a random network "
        "(0.2 nats). 18 of 24 matches stand in the same layer; 12 would by chance."
    )


@pytest.mark.parametrize(("last", "told"), [(50, "50 steps"), (70, "50 to 70 steps")])
def test_lead_says_how_long_the_trainings_were_if_every_log_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: int, told: str
) -> None:
    monkeypatch.setitem(LOGGED, f"loss.3.{last}", 4.0)
    assert seeds_page(stored(tmp_path)).lead.startswith(
        f"Three trainings differ in their seed alone; each ran for {told}. "
    )


def test_twins_are_called_nearer_only_where_they_surely_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(WHOLE, "untrained", (0.2, 0.15, 0.21, 20))
    assert "differ by 0.15 nats, two heads on average by 0.3 nats, and a head and its match in a random network by" in (
        seeds_page(stored(tmp_path)).lead
    )


def test_attention_that_was_lost_again_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = next(iter(TARGETS))
    monkeypatch.setitem(LOGGED, f"attention.{target}.1.50", 1.4)
    (row, *_) = block(seeds_page(stored(tmp_path)), "order", Table).rows
    assert (row[1].text, row[1].note) == ("step 16", "fell back to 1.4 times at the end")


def test_relations_show_what_each_training_finds_on_both_sides_of_the_rule(atlas: Atlas) -> None:
    shown = {row[0]: row[1:] for row in texts(block(seeds_page(atlas), "relations-1", Table))}
    assert shown == {
        "direct objects": ["3 of 3", "found by 2-1: +0.30", "found by 1-2: +0.10", "found by 2-3: +0.50", "93"],
        "subjects": ["1 of 3", "2-1: +0.10", "found by 1-2: +0.20", "2-3: +0.099", "93"],
    }
    first, last = prose(seeds_page(atlas), "relations-1")
    assert "the same relation in 5 cases; in 2 of them the two heads that find it are twins" in first
    assert first.endswith("drawn at random, it would be 0.625 on average.")
    assert last.endswith("are left out here: 1.")


def test_measures_say_where_a_head_tells_more_of_its_twin_than_its_layer(atlas: Atlas) -> None:
    page = seeds_page(atlas)
    assert prose(page, "measures")[0].startswith("For 1 of 2 measures a head's twin surely tells more")
    shown = {row[0]: row[1:] for row in texts(block(page, "measures", Table))}
    assert shown["Entropy"] == ["0.100", "0.200", "0.300", "0.80", "0.30", "0.50"]


def test_targets_that_were_never_attended_to_and_trainings_without_a_log_are_told_apart(atlas: Atlas) -> None:
    shown = {row[0]: row[1:] for row in texts(block(seeds_page(atlas), "order", Table))}
    assert shown["[CLS]"] == ["step 16", "step 50", "-"]
    assert shown["the next token"] == ["step 16", "never", "-"]
    figure = block(seeds_page(atlas), "order", Figure)
    assert [view.text for view in figure.views][:2] == ["Loss on hidden tokens", "Most attention to [CLS]"]
    assert len(figure.table.rows) == len([name for name in LOGGED if not name.startswith("came")])


@pytest.mark.parametrize(("own", "said"), [(True, False), (False, True)])
def test_model_that_is_none_of_the_trainings_is_said_to_be_none(tmp_path: Path, own: bool, said: bool) -> None:
    text = prose(seeds_page(stored(tmp_path, own=own)), "")[0]
    assert ("Tiny is none of them" in text) is said
    assert all(name in text for name in NAMES)


def test_what_today_s_code_makes_otherwise_stands_below_the_command(atlas: Atlas, tmp_path: Path) -> None:
    assert prose(seeds_page(atlas), "again") == ["One more."]
    assert prose(seeds_page(stored(tmp_path, runs=False)), "again") == []


def test_sections_without_numbers_are_left_out(tmp_path: Path) -> None:
    page = seeds_page(stored(tmp_path, logged=False, found=False, runs=False))
    assert page.lead.startswith("Three models were given as trainings of one recipe.")
    assert anchors(page) == ["relations-1", "layers", "measures", "again"]
    assert "No head of any of them clearly beats" in page.lead


def test_page_is_whole_in_html_whatever_trainings_are_called(atlas: Atlas) -> None:
    page = seeds_page(atlas)
    check_charts(page)
    check_html(page, Renderer(TEMPLATES).render("page.html", page))
