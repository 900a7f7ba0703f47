"""The map of heads: every head in its stored place, the numbers and the clusters."""

import json

from generator.pages.blocks import Figure, Items, Table
from generator.pages.figures import DIGITS
from generator.pages.heads.atlas import Atlas
from generator.pages.studies.landscape import landscape_page
from tests.pages.reading import alone, anchors, between, block, one, seen, text


def test_map_has_every_head_in_its_stored_place(full: Atlas) -> None:
    stored = full.results.table("head_facts")
    columns = json.loads(block(landscape_page(full), "", Figure).data)["views"][0]["columns"]
    assert list(zip(columns["layer"], columns["head"], strict=True)) == full.places
    for at, (layer, head) in enumerate(full.places):
        for name in ("x", "y", "cluster"):
            row = one(stored, study="landscape", name=name, layer=layer, head=head)
            assert columns[name][at] == round(row["value"], DIGITS)
        assert columns["kind"][at] == full.summaries[layer, head].kind
        assert columns["href"][at] == f"../heads/{layer}-{head}/"


def test_map_has_room_for_the_farthest_head(full: Atlas) -> None:
    view = json.loads(block(landscape_page(full), "", Figure).data)["views"][0]
    assert view["signals"]["across"] > max(map(abs, view["columns"]["x"]))
    assert view["signals"]["up"] > max(map(abs, view["columns"]["y"]))


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
