"""The page "In a notebook" runs as it is written, and its frames and charts hold the numbers of the stored results."""

import ast
import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, get_args

import altair as alt
import numpy as np
import pandas as pd
import pytest
import vl_convert
from markupsafe import escape

import generator
from generator.charts.static.arcs import FAINT, standing
from generator.claims.all import CLAIMS
from generator.corpora.relation_names import ALL, with_label
from generator.errors import CorpusError, ResultsError, SettingsError
from generator.measures import COLUMNS
from generator.pages.heads.arcs import drawn_of
from generator.pages.heads.atlas import Atlas
from generator.pages.links import head_name
from generator.public.figures import Kind, of_topics_by_kind
from generator.public.sentence import Arcs
from generator.results import store
from generator.studies.halves import HELD_OUT
from tests.limits import SECONDS
from tests.results.altered import renamed
from tests.site.browser import chromium, tab

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "notebook.md"
MODEL, LAYERS, HEADS = "small-bert", 4, 4
SHOWN = 5e-5
"""Charts round to four decimals."""


class Notebook(NamedTuple):
    """The page, run from top to bottom in a folder of its own."""

    folder: Path
    names: dict[str, Any]
    shown: list[Any]
    """What a notebook would show below its cells: the value of every expression."""

    @property
    def results(self) -> generator.Results:
        """What was analysed."""
        return self.names["results"]


@pytest.fixture(scope="module")
def notebook(tmp_path_factory) -> Notebook:
    """The page as it ran."""
    made = Notebook(tmp_path_factory.mktemp("notebook"), {}, [])
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(made.folder)
        patch.setattr(sys, "displayhook", made.shown.append)
        for block in re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), flags=re.MULTILINE | re.DOTALL):
            for node in ast.parse(block).body:
                exec(compile(ast.Interactive([node]), PAGE.name, "single"), made.names)
    return made


def rows(chart: alt.TopLevelMixin) -> pd.DataFrame:
    """The data of a chart."""
    (data,) = chart.to_dict()["datasets"].values()
    return pd.DataFrame(data)


def draw(chart: alt.TopLevelMixin) -> str:
    """As SVG."""
    return vl_convert.vegalite_to_svg(chart.to_json())


def test_nothing_warns_before_the_first_cell_has_shown_something(tmp_path):
    """As in a kernel of Jupyter without widgets, in which tqdm warns when a library loads it."""
    kernel = "import sys; from types import SimpleNamespace as Some\n"
    kernel += "sys.modules |= {'ipykernel.zmqshell': Some(), 'IPython': Some(get_ipython=object)}\n"
    told = {}
    for name, cell in {"ours": "import generator; generator.analyze", "theirs": "import tqdm.auto"}.items():
        words = [sys.executable, "-c", kernel + cell]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=True)
        told[name] = done.stdout + done.stderr
    assert "IProgress not found" in told["theirs"], "else this tests nothing"
    assert told["ours"] == ""


def test_results_show_their_heads_and_verdicts(notebook, plain, tmp_path):
    results = notebook.results
    shown = results._repr_html_()
    assert shown.count("<title>") == LAYERS * HEADS
    for place, summary in Atlas(results).summaries.items():
        assert str(escape(f"{head_name(*place)}: {summary.text}")) in shown
    verdicts = generator.judge(results)
    for verdict, count in verdicts["verdict"].value_counts().items():
        assert f"</span> {verdict} {count}</span>" in shown
    assert all(f"<td>{name}</td>" in shown for name in verdicts["claim"])
    assert "script" not in shown
    hostile = renamed(Path(shutil.copytree(plain, tmp_path / "hostile")), "<script>alert(1)</script>\u202e")
    (found,) = generator.load_results(hostile.parent).values()
    assert not {"<script", "\u202e"} & {*re.findall("<script|\u202e", found._repr_html_())}
    bare = replace(results, manifest=replace(results.manifest, corpora=()))
    assert bare._repr_html_() is None, "a notebook then shows the line"


def test_a_sentence_has_the_arcs_of_the_page_of_its_head(notebook, tmp_path):
    results = notebook.results
    for head in ("1-1", "3-2"):
        page = drawn_of(Atlas(results), *map(int, head.split("-")))
        for sentence, one in enumerate(page, start=1):
            shown = generator.arcs(results, head, sentence=sentence)
            assert shown.svg == standing(one.line, " ".join(one.line.words))
            assert shown.svg in shown._repr_html_()
            assert f"Head {head}" in repr(shown)
        with pytest.raises(SettingsError, match=f"a sentence such as .*{len(page)}, found {len(page) + 1}"):
            generator.arcs(results, head, sentence=len(page) + 1)
    assert shown.save(tmp_path / "head.svg").read_text() == shown.svg
    with pytest.raises(SettingsError, match="a head such as 1-1"):
        generator.arcs(results, "9-9")


@pytest.mark.browser
def test_a_word_that_is_pointed_at_shows_its_own_arcs(notebook):
    shown = generator.arcs(notebook.results, "3-2")._repr_html_()
    with chromium() as browser, tab(browser) as page:
        page.set_content(shown)
        words = page.locator("svg > g")
        assert words.count() > 5
        faint = "group => [...group.querySelectorAll('path')].map(one => getComputedStyle(one).opacity)"
        before = [words.nth(at).evaluate(faint) for at in range(words.count())]
        words.nth(4).locator("text").hover()
        after = [words.nth(at).evaluate(faint) for at in range(words.count())]
    assert before[4] == after[4] != []
    assert {one for at, of in enumerate(after) if at != 4 for one in of} == {"0.12"}


def test_a_sentence_of_a_model_in_memory_has_its_weights_as_arcs(notebook):
    attentions, tokens = notebook.names["attentions"], notebook.names["tokens"][0]
    one = tuple(layer[:1, :, : len(tokens), : len(tokens)] for layer in attentions)
    shown = generator.arcs(one, "2-3", tokens=tokens)
    weights = one[1][0, 2].detach().numpy() * (1 - np.eye(len(tokens)))
    assert shown.svg.count("<path d=") == (weights >= FAINT).sum()
    with pytest.raises(CorpusError, match=rf"of 1 documents with up to {len(tokens) + 1} tokens"):
        generator.arcs(one, "2-3", tokens=[*tokens, "more"])


def test_every_cell_shows_something(notebook):
    values = [value for value in notebook.shown if value is not None]
    assert {type(value) for value in values} >= {
        pd.DataFrame,
        pd.Series,
        alt.Chart,
        alt.LayerChart,
        Arcs,
        generator.Results,
    }
    assert all(len(value) for value in values if isinstance(value, pd.DataFrame | pd.Series))


def test_every_chart_draws_its_data(notebook):
    charts = [value for value in notebook.shown if isinstance(value, alt.TopLevelMixin)]
    assert len(charts) >= len(get_args(Kind)) + len(of_topics_by_kind())
    for chart in charts:
        assert len(rows(chart))
        assert draw(chart).count("graphics-symbol") >= 1
    assert (notebook.folder / "head-3-2.svg").read_text().startswith("<svg")


def test_the_page_shows_every_kind_of_figure_and_says_what_it_is():
    text = PAGE.read_text()
    kinds = {*get_args(Kind), *of_topics_by_kind()}
    assert set(re.findall(r'figure\("([a-z]+)"', text)) == kinds
    assert kinds <= set(re.findall(r"`([a-z]+)`", text[text.index("| kind |") :]))


def test_an_analysis_is_stored_where_it_can_be_found_again(notebook, monkeypatch):
    monkeypatch.chdir(notebook.folder)
    assert list(generator.load_results()) == list(generator.load_results("build/results")) == [MODEL]
    found = generator.load_results(notebook.folder / "build" / "results")[MODEL]
    assert found.manifest == notebook.results.manifest
    assert found.manifest.settings["documents"] == 20
    pd.testing.assert_frame_equal(found.heads, notebook.results.heads)


def test_what_is_stored_already_is_not_computed_again(notebook, monkeypatch):
    monkeypatch.chdir(notebook.folder)
    file = notebook.folder / "build" / "results" / MODEL / "heads.parquet"
    before = file.stat().st_mtime_ns
    again = generator.analyze(MODEL, notebook.names["settings"])
    assert file.stat().st_mtime_ns == before
    assert again.manifest == notebook.results.manifest


def test_frames_are_tidy_with_one_row_for_each_measure_and_head(notebook):
    heads = notebook.results.heads
    assert set(heads["measure"]) == set(COLUMNS)
    assert len(heads) == len(COLUMNS) * LAYERS * HEADS
    assert not heads.duplicated(["corpus", "measure", "layer", "head"]).any()


def test_every_claim_is_judged_once_for_each_model(notebook, tmp_path):
    verdicts = generator.judge(notebook.results, other(notebook.results, tmp_path))
    assert list(verdicts["claim"]) == [claim.id for claim in CLAIMS for _ in range(2)]
    assert list(verdicts["model"]) == [MODEL, "other"] * len(CLAIMS)
    own, same = (verdicts[verdicts["model"] == name].drop(columns=["model", "reason"]) for name in (MODEL, "other"))
    pd.testing.assert_frame_equal(own.reset_index(drop=True), same.reset_index(drop=True))
    known = own.dropna(subset="value")
    assert len(known) >= 20
    assert (known["n"] > 0).all()
    assert {"holds", "fails", "not testable"} <= set(own["verdict"])


def test_the_grid_holds_every_head_s_number(notebook):
    drawn = rows(generator.figure("grid", notebook.results, measure="attention.next"))
    heads = notebook.results.heads.query("measure == 'attention.next'").sort_values(["layer", "head"])
    for name in ("layer", "head", "value", "low", "high"):
        np.testing.assert_allclose(drawn[name], heads[name], atol=SHOWN)


def test_curves_hold_every_layer_s_number_and_where_uniform_attention_lies(notebook):
    chart = generator.figure("curves", notebook.results, measure="entropy.all")
    layers = notebook.results.layers.query("measure == 'entropy.all'").sort_values("layer")
    drawn = rows(chart).groupby("layer")["layer_value"].first()
    np.testing.assert_allclose(drawn, layers["value"], atol=SHOWN)
    settings = {param["name"]: param["value"] for param in chart.to_dict()["params"]}
    uniform = notebook.results.heads.query("measure == 'entropy.all'")["uniform"].iloc[0]
    assert settings["uniform"] == pytest.approx(uniform, abs=SHOWN)
    assert settings["top"] > 1


def test_offsets_and_classes_are_of_the_head_that_was_asked_for(notebook):
    heads = notebook.results.heads.query("layer == 3 and head == 2").set_index("measure")["value"]
    offsets = rows(generator.figure("offsets", notebook.results, head="3-2")).set_index("offset")["value"]
    assert offsets["-1"] == pytest.approx(heads["offset.-1"], abs=SHOWN)
    classes = rows(generator.figure("classes", notebook.results, head="3-2"))
    weights = classes[classes["counted"] == "weight"]["value"]
    names = ("attention.cls", "attention.sep", "attention.punctuation", "attention.other")
    np.testing.assert_allclose(sorted(weights), sorted(heads[list(names)]), atol=SHOWN)


def test_a_map_is_the_head_s_own_of_the_sentence_that_was_asked_for(notebook):
    example = notebook.results.examples.query("layer == 2 and head == 3 and sentence == 2").iloc[0]
    drawn = rows(generator.figure("map", notebook.results, head="2-3", sentence=2))
    size = len(example["tokens"])
    square = drawn.pivot_table(index="q", columns="k", values="weight").to_numpy()
    np.testing.assert_allclose(square, example["weights"].reshape(size, size), atol=5.1e-4)
    assert list(drawn["query"][::size]) == list(drawn["key"][:size]) == list(example["tokens"])


def test_relations_are_those_of_held_out_sentences(notebook):
    drawn = rows(generator.figure("relations", notebook.results, corpus="treebank"))
    table = notebook.results.table("relation_heads")
    held = table[(table["protocol"] == HELD_OUT) & (table["relation"] != ALL)].set_index("relation")
    held.index = held.index.map(with_label)
    assert set(drawn["relation"]) == set(held.index)
    np.testing.assert_allclose(drawn["value"], held.loc[drawn["relation"], "value"], atol=SHOWN)
    assert drawn["gain"].is_monotonic_decreasing


def test_evidence_has_a_dot_for_each_model_and_ticks_for_what_was_published(notebook, tmp_path):
    models = [notebook.results, other(notebook.results, tmp_path)]
    drawn = rows(generator.figure("evidence", models, claim="c06")).set_index("name")
    (value,) = set(generator.judge(*models).query("claim == 'C06'")["value"])
    assert list(drawn.loc[[MODEL, "other"], "value"]) == pytest.approx([value, value], rel=1e-5)
    several = next(claim for claim in CLAIMS if len(claim.parts) > 1 and claim.paper.startswith("Clark"))
    parts = [rows(generator.figure("evidence", models, claim=several.id, part=at)) for at in (1, 2)]
    assert [part["part"].iloc[0] for part in parts] == [part.name for part in several.parts[:2]]


def test_a_chart_stands_on_its_own(notebook):
    """Nothing is left to a page: no link, no width of a place, no data by address."""
    text = generator.figure("grid", notebook.results, measure="attention.next").to_json()
    assert '"href":' in text  # the encoding; rows have no such column
    assert "href" not in rows(generator.figure("grid", notebook.results, measure="attention.next"))
    assert json.loads(text)["width"] > 0
    assert '"url"' not in text


@pytest.mark.parametrize(
    ("kind", "options", "said"),
    [
        ("pie", {}, "a kind of figure such as grid"),
        ("grid", {}, "a measure such as attention.previous"),
        ("curves", {"measure": "attention"}, "found 'attention'"),
        ("offsets", {"head": "5-1"}, "a head such as 1-1"),
        ("classes", {}, "found ''"),
        ("map", {"head": "1-1", "sentence": 0}, "a sentence such as 1"),
        ("map", {"head": "1-1", "sentence": 99}, "found 99"),
        ("relations", {"corpus": "none"}, "a treebank such as treebank"),
        ("evidence", {"claim": "C99"}, "a claim such as C"),
        ("evidence", {"claim": "C02", "part": 9}, "a part of C02 such as 1"),
    ],
)
def test_what_does_not_exist_is_refused_with_what_does(notebook, kind, options, said):
    with pytest.raises(SettingsError, match=re.escape(said)) as refusal:
        generator.figure(kind, notebook.results, **options)
    assert str(refusal.value).startswith("Expected")


def test_a_figure_of_one_model_is_refused_for_several(notebook):
    with pytest.raises(SettingsError, match="the results of one model for 'grid', found 2"):
        generator.figure("grid", [notebook.results] * 2, measure="attention.next")


def test_what_the_results_do_not_hold_is_said_with_the_reason(notebook):
    with pytest.raises(ResultsError, match=r"Expected a number for K12, found none; .*Not testable: "):
        generator.figure("evidence", notebook.results, claim="K12")
    bare = notebook.folder / "bare"
    text = generator.analyze(MODEL, generator.Analysis(corpora=("articles",), documents=2, studies=False), results=bare)
    with pytest.raises(ResultsError, match="found none for small-bert"):
        generator.figure("relations", text)
    with pytest.raises(ResultsError, match=r"Expected the name of a table among .*documents, .*found 'relation'"):
        text.table("relation")
    with pytest.raises(ResultsError, match="Expected folders of results in nowhere, found none"):
        generator.load_results("nowhere")


def other(results: generator.Results, place: Path) -> generator.Results:
    """The same as if it were of another model."""
    return store.Results.open(renamed(Path(shutil.copytree(results.folder, place / "other")), "other"))
