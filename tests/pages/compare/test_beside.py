"""What a model shows beside others equals its stored tables, read independently, and all of it is text."""

import json
import math
import shutil
from pathlib import Path
from typing import Any

import pytest

from generator.claims.all import CLAIMS
from generator.claims.cutoffs import FEWEST_WORDS
from generator.home import TEMPLATES
from generator.measures.position import FAR_COLUMNS
from generator.numbers.writing import handed
from generator.pages import addresses
from generator.pages.claims.tables import SHOWN, Ledger
from generator.pages.compare.beside import beside_data, beside_file
from generator.pages.compare.pairs import Pairs
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.of_head import in_lists
from generator.pages.heads.summary import kinds as every_kind
from generator.pages.renderer import Renderer
from generator.results.store import Results
from generator.results.tables import records
from generator.topics.compare.page.page import comparisons_page
from tests.pages.reading import every, prose
from tests.results.altered import renamed, with_table
from tests.site.documents import Document
from tests.test_architecture import ROOT

LARGEST = 110
"""Bytes of the script of a model for each of its heads, claims and relations."""
BASE = ROOT / "data" / "results" / "bert-base-uncased-sst2"


def read(text: str) -> dict[str, Any]:
    """What a script hands over."""
    return json.loads(text.removeprefix("window.fieldguideData=").removesuffix(";\n"))


@pytest.fixture(scope="module", params=["tiny", "bert"])
def shown(request: pytest.FixtureRequest, plain: Path) -> tuple[Results, Ledger, dict[str, Any]]:
    """Gives the results of a tiny encoder and those of a BERT-base, their ledger, and what their script hands over."""
    results = Results.open(plain if request.param == "tiny" else BASE)
    ledger, problems = Ledger.of([results]), []
    address, text = beside_file(Atlas(results), ledger, problems)
    assert not problems
    assert address == f"models/{results.manifest.slug}/beside.js"
    data = read(text)
    size = len(data["kind"]) + len(data["verdicts"]) + sum(map(len, data["found"].values()))
    assert len(text.encode()) < LARGEST * size
    return results, ledger, data


def test_curves_are_means_of_the_documents(shown: tuple[Results, Ledger, dict[str, Any]]) -> None:
    results, _, data = shown
    documents = results.documents[results.documents["corpus"] == data["corpus"]]
    for name, columns in (("special", ("attention.cls", "attention.sep")), ("far", FAR_COLUMNS)):
        values = [float(one) for one in data["courses"][name][0].split(" ")]
        assert len(values) == data["layers"] == results.manifest.layers
        for layer, value in enumerate(values, start=1):
            rows = documents[documents["layer"] == layer]
            assert value == pytest.approx(sum(rows[column].mean() for column in columns), rel=1e-4)
    for low, value, high in zip(*(data["courses"]["breadth"][at].split(" ") for at in (1, 0, 2)), strict=True):
        assert float(low) <= float(value) <= float(high) <= 1


def test_squares_are_those_of_the_summaries(shown: tuple[Results, Ledger, dict[str, Any]]) -> None:
    results, _, data = shown
    atlas = Atlas(results)
    assert len(data["kind"]) == len(atlas.places) == data["layers"] * data["heads"]
    for at, place in enumerate(atlas.places):
        summary = atlas.summaries[place]
        assert [*every_kind()][data["kind"][at]] == summary.first
        assert data["side"][at] == round(100 * math.sqrt(summary.share))
        assert data["titles"][data["title"][at]] == in_lists(atlas, *place)
        assert summary.title.removesuffix(")") in data["titles"][data["title"][at]]


def test_relations_are_the_held_out_rows_of_the_store(shown: tuple[Results, Ledger, dict[str, Any]]) -> None:
    results, _, data = shown
    table = results.table("relation_heads")
    held = table[(table["protocol"] == "held-out") & (table["relation"] != "all")]
    assert list(data["found"]) == list(held["corpus"].unique()) or not len(held)
    for corpus, rows in data["found"].items():
        stored = list(records(held[held["corpus"] == corpus]))
        some = [one for one in stored if one["n"] >= FEWEST_WORDS and one["relation"] not in ("punct", "root")]
        stored = some or stored
        expected = {
            (
                f"{row['layer']}-{row['head']}",
                " ".join(handed(row[name]) for name in ("value", "low", "high", "n", "offset", "baseline")),
            )
            for row in stored
        }
        assert {(head, numbers) for _, head, numbers in rows} == expected
        assert len(rows) == len(stored)


def test_verdicts_are_those_of_the_ledger(shown: tuple[Results, Ledger, dict[str, Any]]) -> None:
    _, ledger, data = shown
    assert set(data["verdicts"]) == {claim.id for claim in CLAIMS}
    for item in ledger.judgements:
        at, why, *changed = data["verdicts"][item.claim.id]
        assert SHOWN[at] == item.verdict
        assert bool(changed) == ((item.claim.id, item.model) in ledger.adjusted)
        if item.verdict == "not testable":
            assert data["whys"][why] in item.reason or item.reason.endswith(data["whys"][why].split("; ")[-1])
        else:
            assert item.decides
            assert item.decides.number
            assert f"{item.decides.number.n:,}" in data["whys"][why]


def test_what_cannot_be_made_is_told_in_the_script(plain: Path, tmp_path: Path) -> None:
    folder = tmp_path / "bert"
    shutil.copytree(plain, folder)
    with_table(folder, "uniform", lambda rows: rows.iloc[:1])
    results, problems = Results.open(folder), []
    _, text = beside_file(Atlas(results), Ledger((), (results.manifest,)), problems)
    assert len(problems) == 1
    assert read(text) == {"missing": problems[0]}


def test_a_hostile_name_is_text_in_the_script_and_once_it_is_read(plain: Path, tmp_path: Path) -> None:
    folder = tmp_path / "bert"
    shutil.copytree(plain, folder)
    results = Results.open(renamed(folder, "</script>\x1b\u202e"))
    _, text = beside_file(Atlas(results), Ledger((), (results.manifest,)), [])
    assert read(text)["name"] == "</script>\\u001b\\u202e"
    assert "\x1b" not in text


def test_a_guide_of_one_model_says_that_nothing_can_stand_beside_it(atlas: Atlas) -> None:
    page = comparisons_page([atlas])
    assert every(page, Pairs) == []
    assert "This guide has one model" in prose(page, "")[0]
    assert "No model has been analysed yet" in prose(comparisons_page([]), "")[0]


def test_without_a_script_the_page_names_each_model_and_does_not_grow_with_pairs(atlas: Atlas) -> None:
    renderer = Renderer(TEMPLATES)
    two, fifty = (renderer.page(addresses.COMPARISONS, comparisons_page([atlas] * count)).html for count in (2, 50))
    links = [one for one in Document(fifty).find("a") if one.attributes["href"] == f"../models/{atlas.slug}/"]
    assert len(links) == 50
    assert (len(fifty) - len(two)) / 48 < 200
    assert "With JavaScript, this page shows any two" in two


def test_data_of_a_model_alone_is_read(atlas: Atlas) -> None:
    assert beside_data(atlas, Ledger((), (atlas.results.manifest,)))["verdicts"] == {}
