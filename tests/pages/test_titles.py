"""The title of a figure says what is seen in the view that is shown, whatever the model."""

import json

import numpy as np
import pytest

from generator.pages.figures import SINGLE, atlas_figure
from generator.pages.heads.atlas import Atlas
from generator.public.figures import figure
from generator.topics.distances.page import landscape_page
from generator.topics.inputs.page import inputs_page, there
from generator.topics.layers.derived.phases import find_phases
from generator.topics.layers.derived.profiles import BREADTH, SHOWN, LayerProfiles
from generator.topics.layers.page.patterns.page import patterns_page
from generator.topics.layers.page.phases.page import phases_page
from generator.topics.layers.page.phases.sentences import seen
from generator.topics.relations.page.page import relations_page
from generator.topics.tokens.page.roles import roles_page
from tests.pages.fixtures import Setter
from tests.pages.reading import figures
from tests.pages.titled import check_titles


def test_the_atlas_names_the_head_where_each_measure_is_highest(full: Atlas) -> None:
    found = atlas_figure(full, "")
    check_titles(found)
    assert all(view["title"] for view in json.loads(found.data)["views"])


@pytest.mark.parametrize("page", [relations_page, landscape_page, roles_page, phases_page, patterns_page, inputs_page])
def test_titles_of_pages_are_true_of_what_is_drawn(full: Atlas, page) -> None:  # type: ignore[no-untyped-def]
    if page is not inputs_page or there(full):
        for one in figures(page(full)):
            check_titles(one)
            assert not one.label.endswith(".")


@pytest.mark.parametrize(("layers", "said"), [(3, "every head"), (1, "every head that has it")])
def test_a_measure_that_is_the_same_everywhere_has_no_highest_head(with_values: Setter, layers: int, said: str) -> None:
    values = np.full((3, 4), np.nan)
    values[:layers] = 0.25
    found = json.loads(atlas_figure(with_values({SINGLE[0].name: values}), "").data)["views"][0]
    assert found["title"] == f"{SINGLE[0].title} is 25 % in {said}"


def test_a_chart_of_a_notebook_has_the_title_of_the_measure_it_shows(full: Atlas) -> None:
    titles = {view["constants"]["measure"]: view["title"] for view in json.loads(atlas_figure(full, "").data)["views"]}
    for name in ("attention.sep", "entropy.all"):
        assert figure("grid", full.results, measure=name).to_dict()["description"] == titles[name]


@pytest.mark.parametrize(
    ("layers", "said"),
    [
        (2, "Three phases need at least 3 layers; this model has 2"),
        (3, "No quantity changes over layers, so every boundary is as good"),
    ],
)
def test_a_model_without_phases_is_told_so(layers: int, said: str) -> None:
    flat = LayerProfiles(tuple("abcde"), dict.fromkeys((BREADTH, *SHOWN), np.full((5, layers), 0.5)))
    assert seen(find_phases(flat, 0)) == said
