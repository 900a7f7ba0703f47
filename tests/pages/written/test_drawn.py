"""Figures of the pages of models on hand-written pages: that of the first model that has one, with its name."""

import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from generator.errors import SiteError
from generator.home import TEMPLATES
from generator.pages.claims.tables import Ledger
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.naming.naming import finds
from generator.pages.renderer import Renderer
from generator.pages.written.compared import FIRST
from generator.pages.written.drawn import every_figure, model_figure
from generator.pages.written.knowledge import Knowledge
from generator.results.store import Results
from tests.pages.written.test_knowledge import BIBLIOGRAPHY
from tests.results.altered import renamed
from tests.site.project import ROOT
from tests.topics.learning.page.courses import Course
from tests.topics.tasks.page.conftest import Maker
from tests.topics.tasks.page.tried import EXAMPLES, atlas_of

PAGE = "findings/x/"
KINDS = {
    "forming": "curve-numbers",
    "signatures": "curve-signatures",
    "next sentence": "curve-numbers",
    "scores": "scores",
    "disabling": "changes",
}


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives a model with a course of training in which a head forms."""
    made = Course().everything(("attention.next", "entropy.all"))
    made.forms("attention.next", 1, 2)
    return made.store(tmp_path_factory.mktemp("trained"))


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives a model with results on tasks, of which RTE was not learned."""
    maker = Maker()
    for task, n in EXAMPLES.items():
        maker.scores(task, n)
        maker.sweep(task, n)
    return atlas_of(tmp_path_factory.mktemp("tried"), maker.tables)


@pytest.mark.parametrize("name", KINDS)
def test_the_first_model_that_has_a_figure_is_shown_and_named(name: str, trained: Atlas, tried: Atlas) -> None:
    atlases = [tried, trained]
    having = tried if name in ("scores", "disabling") else trained
    figure = model_figure(name, atlases, PAGE)
    assert figure is not None
    assert figure.kinds == (KINDS[name],)
    assert re.match(rf"In {having.results.manifest.model}, [a-z]", figure.label)
    assert model_figure(name, [atlas for atlas in atlases if atlas is not having], PAGE) is None


def test_a_reader_can_choose_any_other_model_that_has_one(trained: Atlas, tried: Atlas, tmp_path: Path) -> None:
    other = Atlas(Results.open(renamed(Path(shutil.copytree(tried.results.folder, tmp_path / "another")), "another")))
    for name, atlases in (("scores", (tried, trained, other)), ("disabling", (tried, other)), ("scores", (other,))):
        figure = model_figure(name, atlases, PAGE)
        assert figure is not None
        alone = [model_figure(name, [one], PAGE) for one in atlases]
        having = [(atlas, one) for atlas, one in zip(atlases, alone, strict=True) if one]
        first = having[0][1]
        if len(having) == 1 or first.views:  # those of disabling are chosen already, by the way it is done
            assert figure == first
            continue
        views, rows = json.loads(figure.data)["views"], list(figure.table.rows)
        assert [link.text for link in figure.views] == [atlas.results.manifest.model for atlas, _ in having]
        for view, (atlas, one) in zip(views, having, strict=True):
            (own,) = json.loads(one.data)["views"]
            assert view["title"] == one.label
            assert view["columns"] == own["columns"]
            shown, rows = rows[: len(one.table.rows)], rows[len(one.table.rows) :]
            assert [(row[0].text, *row[1:]) for row in shown] == [
                (atlas.results.manifest.model, *row) for row in one.table.rows
            ]
        assert (figure.label, figure.kinds, rows) == (first.label, first.kinds, [])


def test_what_disabling_costs_is_shown_of_a_task_that_was_learned(tried: Atlas) -> None:
    figure = model_figure("disabling", [tried], PAGE)
    assert figure is not None
    assert "MRPC" in figure.label
    assert "RTE" not in figure.caption


def test_phases_are_shown_of_a_model_whose_layers_fall_into_them(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = Atlas(Results.open(ROOT / "data" / "results" / "bert-base-uncased-sst2"))
    figure = model_figure("phases", [stored], PAGE)
    assert figure is not None
    assert figure.kinds == ("profiles",)
    assert figure.label.startswith("The layers of bert-base-uncased-sst2 form three groups, layers 1 to ")
    monkeypatch.setattr("generator.topics.layers.page.written.RARE", 0)
    assert model_figure("phases", [stored], PAGE) is None
    assert {*KINDS, "optima", "phases", "map"} == {*every_figure()}


def test_a_map_is_that_of_the_head_that_is_right_most_often(bare: Atlas, tmp_path: Path) -> None:
    assert not any(summary.kind in finds() for summary in bare.summaries.values())
    assert model_figure("map", [bare], PAGE) is None
    finding = Atlas(Results.open(Path(shutil.copytree(bare.results.folder, tmp_path / "finding"))))
    shares = {(1, 2): 0.7, (2, 3): 0.9, (3, 1): 0.8}
    summaries = {
        place: summary._replace(kind="relation", title="finds direct objects", share=shares[place])
        if place in shares
        else summary
        for place, summary in bare.summaries.items()
    }
    vars(finding)["summaries"] = summaries
    figure = model_figure("map", [bare, finding], PAGE)
    assert figure is not None
    assert figure.kinds == ("map",)
    assert f"head 2-3 of {finding.results.manifest.model}, which finds direct objects" in figure.label
    (first, *_) = json.loads(figure.data)["views"]
    stored = finding.examples[2, 3][0]
    assert first["tokens"] == list(stored.tokens)
    assert first["weights"] == [round(1000 * one) for one in stored.weights.ravel().tolist()]
    vars(finding)["examples"] = {place: [] for place in finding.examples}
    assert model_figure("map", [finding], PAGE) is None


def test_an_unknown_name_is_refused(trained: Atlas) -> None:
    with pytest.raises(SiteError, match=r"Expected one of map, .*found 'form'; correct the page"):
        model_figure("form", [trained], PAGE)


def test_a_page_shows_it_of_the_models_that_it_compares_or_nothing(trained: Atlas, tmp_path: Path) -> None:
    def rendered(*others: str, atlases: Sequence[Atlas] = (trained,)) -> str:
        own = trained.results.manifest
        manifests = (*(replace(own, model=name, slug=name) for name in others), own)
        knowledge = Knowledge(Ledger((), manifests), BIBLIOGRAPHY, Renderer(TEMPLATES), atlases)
        return knowledge.render('{{ drawn("signatures") }}', PAGE, "x.md")

    others = tuple(f"m{at}" for at in range(FIRST))
    assert '<figure class="fg-figure"' in rendered(*others[1:])
    assert rendered(*others) == rendered(atlases=()) == ""
