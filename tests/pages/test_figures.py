"""Figures carry the stored numbers as JSON that no HTML parser misreads; their tables say the same."""

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from generator.charts import TOLD
from generator.charts.compile import specification
from generator.charts.theme import LIGHT, signals
from generator.measures.position import FAR_COLUMNS, OFFSET_COLUMNS
from generator.numbers.number import Number
from generator.numbers.writing import number, percent, pieces, written
from generator.pages import addresses
from generator.pages.blocks import Figure
from generator.pages.figures import (
    CLASS_ROWS,
    ESTIMATE,
    SINGLE,
    as_stored,
    atlas_figure,
    classes_figure,
    embed,
    offsets_figure,
)
from generator.pages.heads.atlas import Atlas, Example
from generator.pages.heads.sentences import maps_figure
from generator.pages.titles.bars import TRIFLE
from tests.charts.test_specifications import settings, walk
from tests.pages.fixtures import Setter

LAYER, HEAD = 2, 3
OF_A_PAIR = {"query", "key", "q", "k", "weight"}
"""What the script makes of a grid of tokens."""


def figures(atlas: Atlas) -> list[Figure]:
    """One of each."""
    make = (offsets_figure, classes_figure, maps_figure)
    return [of_model(atlas), *(one(atlas, LAYER, HEAD) for one in make)]


def of_model(atlas: Atlas) -> Figure:
    """The figure on the page of the model."""
    return atlas_figure(atlas, addresses.model(atlas.slug))


def fields(node: Any) -> Iterator[str]:
    """The columns that a specification reads, without those that it makes; brackets without a backslash are a path."""
    made = {name for key, value in walk(node) if key == "as" for name in np.ravel(value).tolist()}
    for key, value in walk(node):
        if key in ("field", "groupby", "fold"):
            names = set(np.ravel(value).tolist()) - made
            yield from (re.sub(r"(?<!\\)\[.*?\]", "", name).replace("\\", "") for name in names)


def stored(atlas: Atlas, measure: str, field: str) -> list[float | None]:
    """The numbers of one measure in the order of the heads, from the rows of the store."""
    rows = atlas.results.heads
    rows = rows[rows["measure"] == measure].sort_values(["layer", "head"])
    return [None if np.isnan(value) else value for value in rows[field]]


def test_every_chart_finds_the_columns_and_settings_it_reads(atlas: Atlas) -> None:
    for figure in figures(atlas):
        data = json.loads(figure.data)
        for view in data["views"]:
            given = OF_A_PAIR if data.get("grid") else {*data["shared"], *view["columns"], *view.get("constants", {})}
            given_settings = {*view.get("signals", {}), *(("labels",) if "tokens" in view else ())}
            for kind in figure.kinds:
                spec = specification(kind)
                assert set(fields(spec)) <= given, kind
                assert set(settings(spec)) - set(signals(LIGHT)) <= given_settings, kind


def test_grid_has_the_stored_numbers_of_every_measure(atlas: Atlas) -> None:
    data = json.loads(of_model(atlas).data)
    assert list(zip(data["shared"]["layer"], data["shared"]["head"], strict=True)) == atlas.places
    assert data["shared"]["href"] == [f"heads/{layer}-{head}/" for layer, head in atlas.places]
    for measure, view in zip(SINGLE, data["views"], strict=True):
        for name in ("value", "low", "high"):
            assert view["columns"][name] == stored(atlas, measure.name, name), (measure.name, name)
        heads = atlas.estimates[measure.name].heads
        assert view["columns"][TOLD] == [written(heads.at(layer - 1, head - 1)) for layer, head in atlas.places]
        assert view["signals"]["uniform"] == stored(atlas, measure.name, "uniform")[0]


def test_scale_of_the_grid_ends_where_the_measure_does(atlas: Atlas) -> None:
    for measure, view in zip(SINGLE, json.loads(of_model(atlas).data)["views"], strict=True):
        largest = 1 if measure.unit == "share" else atlas.estimates["entropy.all"].uniform
        assert view["signals"]["top"] == pytest.approx(largest, abs=0.005)
        assert max(value for value in view["columns"]["value"] if value is not None) <= view["signals"]["top"] + 0.005


def test_offsets_have_the_stored_profile(atlas: Atlas) -> None:
    columns = json.loads(offsets_figure(atlas, LAYER, HEAD).data)["views"][0]["columns"]
    at = atlas.places.index((LAYER, HEAD))
    shown = "far.before", *OFFSET_COLUMNS[1:-1], "far.after", "attention.cls", "attention.sep"
    for name in ("value", "low", "high", "uniform"):
        assert columns[name] == [stored(atlas, column, name)[at] for column in shown]
    assert columns["offset"] == ["< -8", *map(str, range(-8, 9)), "> 8", "[CLS]", "[SEP]"]
    ends = [stored(atlas, column, "value")[at] for column in (OFFSET_COLUMNS[0], OFFSET_COLUMNS[-1])]
    assert all(0 < words < every for words, every in zip(columns["value"][0:19:18], ends, strict=True))
    near = [name for name, one in zip(columns["offset"], columns["near"], strict=True) if one]
    assert near == list(map(str, range(-8, 9))), "what is farther and special tokens are told apart"


def test_title_of_offsets_tells_the_bar_that_is_farthest_above_uniform_attention(atlas: Atlas) -> None:
    farther = set()
    for place in atlas.places:
        figure = offsets_figure(atlas, *place)
        columns = json.loads(figure.data)["views"][0]["columns"]
        rows = list(zip(*(columns[name] for name in ("offset", *ESTIMATE, "uniform")), strict=True))
        lead = {
            name: (value - uniform, Number(value, low, high, 1))
            for name, value, low, high, uniform in rows[: len(OFFSET_COLUMNS)]
            if low > uniform
        }
        most, (_, one) = max(lead.items(), key=lambda item: item[1][0])
        far = most in ("< -8", "> 8")
        farther.add(far)
        if not far and one.value < TRIFLE:
            near = (Number(*row[1:4], 1) for row in rows[1 : len(OFFSET_COLUMNS) - 1])
            largest = percent(max(near, key=lambda number: number.value), ends=False)
            assert f" gives no place more than {largest} of " in figure.label
            continue
        assert f" gives {percent(one, ends=False)} of " in figure.label
        assert ("more than 8 places" in figure.label) == far
    assert farther == {True, False}, "the model has heads of both kinds"


def test_classes_share_out_the_whole_weight_norm_and_text(atlas: Atlas) -> None:
    columns = json.loads(classes_figure(atlas, LAYER, HEAD).data)["views"][0]["columns"]
    rows = list(zip(columns["class"], columns["counted"], columns["value"], strict=True))
    for counted in ("weight", "norm", "tokens"):
        assert sum(value for _, how, value in rows if how == counted) == pytest.approx(1, abs=1e-3)
    at = atlas.places.index((LAYER, HEAD))
    assert rows[0] == ("[CLS]", "weight", stored(atlas, "attention.cls", "value")[at])
    assert rows[4] == ("[SEP]", "norm", stored(atlas, "norm.sep", "value")[at])


def shown_maps(atlas: Atlas) -> list[Example]:
    """The example sentences, then those chosen by rank."""
    return [*atlas.examples[LAYER, HEAD], *atlas.deciles[LAYER, HEAD]]


def test_maps_have_the_weights_in_thousandths(atlas: Atlas) -> None:
    figure = maps_figure(atlas, LAYER, HEAD)
    for view, shown, (name, tokens, weights) in zip(
        json.loads(figure.data)["views"], figure.views, shown_maps(atlas), strict=True
    ):
        assert (shown.text, view["tokens"]) == (name, tokens)
        assert view["weights"] == [round(1000 * float(weight)) for weight in weights.ravel()]


def test_tables_say_what_the_charts_show(atlas: Atlas) -> None:
    for figure in figures(atlas):
        assert all(len(row) == len(figure.table.columns) for row in figure.table.rows)
    grid, offsets, classes, maps = figures(atlas)
    assert [row[0] for row in grid.table.rows] == [f"{layer}-{head}" for layer, head in atlas.places]
    for at, measure in enumerate(SINGLE, start=1):
        one = atlas.estimates[measure.name]
        ends = zip(one.value.ravel(), one.low.ravel(), one.high.ravel(), strict=True)
        expected = [written(Number(*of_head, one.n)) for of_head in ends]
        assert [row[at] for row in grid.table.rows] == expected
    here = LAYER - 1, HEAD - 1
    before, after = FAR_COLUMNS
    shown = before, *OFFSET_COLUMNS[1:-1], after, "attention.cls", "attention.sep"
    estimates = [atlas.estimates[name] for name in shown]
    assert [row[1:3] for row in offsets.table.rows] == [
        pieces(Number(estimate.value[here], estimate.low[here], estimate.high[here], estimate.n))
        for estimate in estimates
    ]
    bars = json.loads(classes.data)["views"][0]["columns"]
    told = dict(zip(zip(bars["class"], bars["counted"], strict=True), bars["value"], strict=True))
    for name, *cells in classes.table.rows:
        for counted, cell in zip(("weight", "norm", "tokens"), cells, strict=True):
            assert float(cell.partition(" ")[0]) == pytest.approx(told.pop((name, counted)), abs=1e-3)
    assert told == {}
    assert [row[0] for row in maps.table.rows] == shown_maps(atlas)[0].tokens


def test_strongest_keys_of_a_query_stand_in_its_row(atlas: Atlas) -> None:
    _, tokens, weights = atlas.examples[LAYER, HEAD][0]
    for row, of_query in zip(maps_figure(atlas, LAYER, HEAD).table.rows, weights, strict=False):
        first = min(range(len(tokens)), key=lambda key: (-of_query[key], key))
        assert row[1] == f"{tokens[first]} {number(of_query[first])}"


def test_undefined_numbers_are_null_in_data_and_a_dash_in_tables(with_values: Setter) -> None:
    nothing = with_values({"attention.sep": np.full((3, 4), np.nan), "norm.sep": np.full((3, 4), np.nan)})
    figure = classes_figure(nothing, LAYER, HEAD)
    columns = json.loads(figure.data)["views"][0]["columns"]
    assert [columns["value"][3], columns["low"][3], columns["value"][4]] == [None, None, None]
    assert [row[1:3] for row in figure.table.rows if row[0] == "[SEP]"] == [("-", "-")]


def test_norms_that_are_not_known_have_no_bars_no_key_and_no_column(with_values: Setter) -> None:
    norms = [norm for _, _, norm in CLASS_ROWS]
    figure = classes_figure(with_values({name: np.full((3, 4), np.nan) for name in norms}), LAYER, HEAD)
    (view,) = json.loads(figure.data)["views"]
    assert set(view["columns"]["counted"]) == {"weight", "tokens"}
    assert figure.table.columns == ("class", "weight (95 % interval)", "tokens")
    assert not re.search(r"\bnorms?\b", f"{figure.caption} {figure.label}", re.IGNORECASE)


def test_measure_that_no_head_defines_is_not_offered(with_values: Setter, atlas: Atlas) -> None:
    missing = ("attention.sep", "norm.sep")
    figure = of_model(with_values({name: np.full((3, 4), np.nan) for name in missing}))
    offered = [view["constants"]["measure"] for view in json.loads(figure.data)["views"]]
    assert offered == [measure.name for measure in SINGLE if measure.name not in missing]
    assert len(offered) == len(figure.views) == len(figure.table.columns) - 1


def test_every_measure_on_offer_leads_to_its_definition(atlas: Atlas) -> None:
    page = addresses.model(atlas.slug)
    assert [(view.text, view.href) for view in of_model(atlas).views] == [
        (f"{measure.title} ({measure.unit})", addresses.relative(addresses.method(measure.name), page))
        for measure in SINGLE
    ]


def test_rows_for_download_say_what_they_count(atlas: Atlas) -> None:
    for measure, view in zip(SINGLE, json.loads(of_model(atlas).data)["views"], strict=True):
        n = atlas.estimates[measure.name].n
        assert view["constants"] == {"measure": measure.name, "unit": measure.unit, "n": n}
    for figure in (offsets_figure(atlas, LAYER, HEAD), classes_figure(atlas, LAYER, HEAD)):
        constants = json.loads(figure.data)["views"][0]["constants"]
        assert constants == {"unit": "share", "n": atlas.documents}


def test_embedded_data_comes_back_and_holds_no_markup() -> None:
    data = {"tokens": ["</template><script>", "&lt;", "\u2028", "'\"\\", "\u05e9", "\U0001f600"], "none": None}
    text = embed(data)
    assert json.loads(text) == data
    assert not set("<>&") & set(text)


def test_embedded_numbers_that_are_not_finite_are_null_and_arrays_are_lists() -> None:
    some = {"value": float("nan"), "many": np.array([1.5, np.inf]), "counts": np.arange(3)}
    assert json.loads(embed(some)) == {"value": None, "many": [1.5, None], "counts": [0, 1, 2]}


def test_numbers_are_as_stored_and_none_where_undefined() -> None:
    assert as_stored(np.array([[0.1234567890123456, np.nan], [1.0, -4e-5]])) == [0.1234567890123456, None, 1.0, -4e-5]
