"""The map of heads: every head in its stored place, the numbers and the clusters."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from generator.charts import height_of
from generator.numbers.quantity import Undeclared
from generator.pages.blocks import Figure, Items, Table
from generator.pages.heads.atlas import Atlas
from generator.pages.studies.labels import AWAY, LETTER, LINE, RADIUS, SIDES, UP, WIDTHS, Extent, places
from generator.results.store import Results
from generator.topics.distances import page as landscape
from generator.topics.distances.page import UNNAMED, landscape_page
from tests.pages.reading import alone, anchors, between, block, one, prose, seen, text
from tests.results.altered import with_table


def test_map_has_every_head_in_its_stored_place(full: Atlas) -> None:
    stored = full.results.table("head_facts")
    columns = json.loads(block(landscape_page(full), "", Figure).data)["views"][0]["columns"]
    assert list(zip(columns["layer"], columns["head"], strict=True)) == full.places
    for at, (layer, head) in enumerate(full.places):
        for name in ("x", "y", "cluster"):
            row = one(stored, study="landscape", name=name, layer=layer, head=head)
            assert columns[name][at] == row["value"]
        assert columns["kind"][at] == full.summaries[layer, head].kind
        assert columns["href"][at] == f"../heads/{layer}-{head}/"


def test_map_has_room_for_the_farthest_head(full: Atlas) -> None:
    view = json.loads(block(landscape_page(full), "", Figure).data)["views"][0]
    for axis, first, last in (("x", "left", "right"), ("y", "bottom", "top")):
        drawn, ends = view["columns"][axis], (view["signals"][first], view["signals"][last])
        assert ends[0] < min(drawn) < max(drawn) < ends[1]
        assert ends[1] - ends[0] < 1.2 * (max(drawn) - min(drawn)) + 0.01, "no more room than that"


def test_a_head_has_its_name_where_there_is_room(full: Atlas) -> None:
    columns = json.loads(block(landscape_page(full), "", Figure).data)["views"][0]["columns"]
    named = [at for at, label in enumerate(columns["label"]) if label]
    assert named
    for at, label in enumerate(columns["label"]):
        sides = columns["aside"][at], columns["down"][at]
        assert (sides in SIDES) == bool(label)
        assert label in ("", f"{columns['layer'][at]}-{columns['head'][at]}")
    assert not {columns["kind"][at] for at in named} & set(UNNAMED)


@pytest.mark.parametrize("width", WIDTHS)
def test_labels_meet_neither_points_nor_each_other(width: int) -> None:
    draw = np.random.default_rng(0)
    points = [(float(x), float(y)) for x, y in draw.normal(size=(60, 2))]
    extent = Extent(-3, 3, -3, 3)
    sides = places(points, ["11-12"] * len(points), extent)
    assert None in sides
    unit = max(6 / width, 6 / height_of(*extent, width))
    pixels = [((x + 3) / unit, (3 - y) / unit) for x, y in points]
    boxes = [
        (x + side[0] * (AWAY + 5 * LETTER / 2), y + side[1] * UP)
        for (x, y), side in zip(pixels, sides, strict=True)
        if side
    ]
    for at, (x, y) in enumerate(boxes):
        assert all(abs(x - other) >= 5 * LETTER or abs(y - beside) >= LINE for other, beside in boxes[:at])
        for other, beside in pixels:
            assert abs(x - other) >= 5 * LETTER / 2 + RADIUS or abs(y - beside) >= LINE / 2 + RADIUS


def test_numbers_of_the_map_are_the_stored_ones(full: Atlas) -> None:
    facts = full.results.table("facts")
    facts = facts[facts["study"] == "landscape"]
    numbers = block(landscape_page(full), "numbers", Table)
    names = ["within", "between", "ratio", "p", "silhouette.layer", "silhouette.behaviour", "clusters", "stress"]
    names += ["doubles", *(f"doubles.{name}" for name in ("random", "twin", "excess", "twin.excess"))]
    for row, name in zip(numbers.rows, names, strict=True):
        stored = one(facts, name=name)
        shown = str(int(stored["value"])) if name == "clusters" else alone(stored)
        assert (row[1].text, row[1].note, text(row[4])) == (shown, between(stored), str(stored["n"])), name


@pytest.mark.parametrize(("p", "said"), [(0.049, "attend more alike"), (0.051, "hardly attend more alike")])
def test_the_title_claims_no_more_than_chance_allows(full: Atlas, tmp_path: Path, p: float, said: str) -> None:
    def settle(facts: pd.DataFrame) -> pd.DataFrame:
        here = facts["study"] == "landscape"
        facts.loc[here & (facts["name"] == "ratio"), ["value", "low", "high"]] = 0.9, 0.89, 0.91
        facts.loc[here & (facts["name"] == "p"), "value"] = p
        return facts

    folder = shutil.copytree(full.results.folder, tmp_path / "changed")
    atlas = Atlas(Results.open(with_table(folder, "facts", settle)))
    assert block(landscape_page(atlas), "", Figure).label.startswith(f"Heads of one layer {said}")


def test_a_model_whose_heads_are_all_of_one_layer_has_its_groups_in_the_title(full: Atlas, tmp_path: Path) -> None:
    def settle(facts: pd.DataFrame) -> pd.DataFrame:
        here = (facts["study"] == "landscape") & (facts["name"] == "ratio")
        facts.loc[here, ["value", "low", "high"]] = float("nan")
        return facts

    folder = shutil.copytree(full.results.folder, tmp_path / "changed")
    page = landscape_page(Atlas(Results.open(with_table(folder, "facts", settle))))
    rows = full.results.table("head_facts")
    sizes = rows.loc[(rows["study"] == "landscape") & (rows["name"] == "cluster"), "value"].value_counts()
    label = block(page, "", Figure).label
    assert re.findall(r"\d+", label) in ([f"{len(sizes)}", f"{sizes.max()}"], [f"{sizes.max()}", f"{sizes.sum()}"])
    assert prose(page, "clusters")[0].startswith(f"{label}. They were made")


def test_a_misspelt_name_does_not_take_the_numbers_from_the_lead(full: Atlas, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Two heads of one layer differ by" in str(landscape_page(full).lead)
    monkeypatch.setattr(landscape, "LEAD", (*landscape.LEAD, "misspelt"))
    with pytest.raises(Undeclared, match="misspelt"):
        landscape_page(full)


def test_clusters_share_out_the_heads(full: Atlas) -> None:
    stored = full.results.table("head_facts")
    stored = stored[stored["name"] == "cluster"]
    page = landscape_page(full)
    clusters = [anchor for anchor in anchors(page) if anchor.startswith("cluster-")]
    assert clusters == sorted({f"cluster-{value:.0f}" for value in stored["value"]})
    for cluster in clusters:
        rows = stored[stored["value"] == int(cluster.removeprefix("cluster-"))].sort_values(["layer", "head"])
        names = [f"{layer}-{head}" for layer, head in zip(rows["layer"], rows["head"], strict=True)]
        assert [seen(line) for line in block(page, cluster, Items).lines] == names
