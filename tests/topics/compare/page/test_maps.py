"""Maps and weights of two models: cosines, distances, the heads that changed most."""

import json
from urllib.parse import urljoin

import pytest

from generator.models.names import slug
from generator.numbers.number import Number
from generator.numbers.writing import number, pieces, written
from generator.pages import addresses
from generator.pages.blocks import Figure, Table
from generator.pages.figures import DIGITS
from generator.pages.heads.atlas import Atlas
from generator.topics.compare.page.tables import MOST
from tests.pages.compare.beside import OTHER, of, rows_of
from tests.pages.reading import block, text


def test_grid_is_one_less_cosine_and_its_ends_change_places(changed: Atlas) -> None:
    figure = block(of(changed, OTHER), "on-1", Figure)
    data = json.loads(figure.data)
    cosine = rows_of(changed, "cosine")
    columns = data["views"][0]["columns"]
    assert list(zip(data["shared"]["layer"], data["shared"]["head"], strict=True)) == changed.places
    for shown, name in (("value", "value"), ("low", "high"), ("high", "low")):
        assert columns[shown] == pytest.approx([1 - value for value in cosine[name]], abs=10**-DIGITS)
    assert max(columns["value"]) <= data["views"][0]["signals"]["top"]
    here = addresses.compare(changed.slug, slug(OTHER))
    heads = [urljoin(here, href) for href in data["shared"]["href"]]
    assert heads == [addresses.head(changed.slug, *place) for place in changed.places]


def test_layers_have_their_cosine_rank_and_distances(changed: Atlas) -> None:
    table = block(of(changed, OTHER), "on-1-layers", Table)
    embeddings, *layers, whole = table.rows
    cosine = rows_of(changed, "cosine", table="facts")
    values = list(cosine["value"])[1:]
    for at, row in enumerate(layers):
        of_layer = cosine[cosine["layer"] == at + 1].iloc[0]
        assert (row[1].text, row[1].note) == pieces(Number.of(of_layer))
        assert row[2].text == str(of_layer["n"])
        assert text(row[3]) == str(1 + sum(value < values[at] for value in values))
        for cell, name in zip(row[4:], ("weights.distance", "weights.random"), strict=True):
            distances = rows_of(changed, name, table="facts")
            assert cell == number(distances[distances["layer"] == at + 1]["value"].item())
    for row, names in (
        (embeddings, ("weights.embeddings", "weights.random.embeddings")),
        (whole, ("weights.distance", "weights.random")),
    ):
        for cell, name in zip(row[4:], names, strict=True):
            distances = rows_of(changed, name, table="facts")
            assert cell == number(distances[distances["layer"] == 0]["value"].item())


def test_lead_names_the_layers_that_change_most_and_least(changed: Atlas) -> None:
    cosine = rows_of(changed, "cosine", table="facts").set_index("layer")
    layers = cosine["value"].drop(0)
    lead = of(changed, OTHER).lead
    assert f"mean cosine of {written(Number.of(cosine.loc[0]))}" in lead
    assert f"Layer {layers.idxmin()} changes most (cosine {number(layers.min())})" in lead
    assert f"layer {layers.idxmax()} least ({number(layers.max())})" in lead


def test_heads_that_changed_most_come_first_and_lead_to_both_models(changed: Atlas, other: Atlas) -> None:
    table = block(of(changed, OTHER, other), "on-1-heads", Table)
    ordered = rows_of(changed, "cosine").sort_values("value", kind="stable")[:MOST]
    here = addresses.compare(changed.slug, other.slug)
    for row, (_, expected) in zip(table.rows, ordered.iterrows(), strict=True):
        place = expected["layer"], expected["head"]
        assert row[0].text == "{}-{}".format(*place)
        assert row[1].text == pieces(Number.of(expected))[0]
        assert urljoin(here, row[0].href) == addresses.head(changed.slug, *place)
        assert urljoin(here, row[4].href).endswith(f"heads/{place[0]}-{place[1]}/")
    unknown = block(of(changed, OTHER), "on-1-heads", Table)
    assert {len(row) for row in unknown.rows} == {len(unknown.columns)} == {4}
