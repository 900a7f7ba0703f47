"""A model beside itself shows no change, and rounding is none."""

import json
from pathlib import Path

from generator.pages.blocks import Figure, Table
from generator.pages.heads.atlas import Atlas
from tests.encoders import HEADS, LAYERS
from tests.pages.compare.beside import MODEL, OTHER, of, with_heads
from tests.pages.reading import anchors as anchors_of
from tests.pages.reading import block, every, prose


def test_whether_the_other_model_learned_the_task_is_said(changed: Atlas, other: Atlas, same: Atlas) -> None:
    (read,) = prose(of(changed, OTHER, other), "on-1")
    assert read.endswith(
        f" On this task {OTHER} scores 0.57 (0.51 to 0.62, n 277). That is 0.04 (-0.02 to 0.10, n 277) above the "
        "majority class, so the model has not surely learned the task."
    )
    assert "task" not in prose(of(same, MODEL), "on-1")[0]


def test_page_of_a_model_with_itself_shows_no_change(same: Atlas) -> None:
    page = of(same, MODEL, same)
    assert page.lead.startswith("No change on 6 documents")
    assert page.lead.endswith("The weights are the same.")
    patterns = ["on-1-patterns"] if "on-1-patterns" in anchors_of(page) else []
    assert anchors_of(page) == ["on-1", "on-1-layers", "on-1-heads", *patterns, "on-1-measures"]
    assert prose(page, "on-1-heads") == ["No head changed its maps."]
    assert prose(page, "on-1-measures") == ["No measure changed."]
    assert (len(every(page, Figure)), len(every(page, Table))) == (1, 1)
    (view,) = json.loads(block(page, "on-1", Figure).data)["views"]
    assert all(set(view["columns"][field]) == {0.0} for field in ("value", "low", "high"))
    rows = block(page, "on-1-layers", Table).rows
    assert {row[1].text for row in rows[1:]} == {"1"}
    assert {row[4] for row in rows} == {"0"}
    for anchor in patterns:
        told = f"The most frequent pattern of 0 of {LAYERS * HEADS} heads differs between the models."
        assert prose(page, anchor) == [told]


def test_rounding_is_no_change_and_anything_above_it_is(same: Atlas, tmp_path: Path) -> None:
    for step, said in ((1e-8, "No change"), (1e-3, "The maps of a head")):
        heads = same.results.table("head_facts").copy()
        at = (heads["name"] == "entropy.all") & (heads["layer"] == 2) & (heads["head"] == 1)
        heads.loc[at, "value"] = -step
        again = with_heads(same, heads, tmp_path / said.replace(" ", ""))
        assert of(again, MODEL).lead.startswith(said)


def test_a_measure_that_only_rounding_changes_is_not_drawn(same: Atlas, tmp_path: Path) -> None:
    heads = same.results.table("head_facts").copy()
    for name, step in (("entropy.all", 1e-3), ("attention.self", 1e-8)):
        heads.loc[(heads["name"] == name) & (heads["layer"] == 2) & (heads["head"] == 1), "value"] = step
    page = of(with_heads(same, heads, tmp_path / "again"), MODEL)
    figure = block(page, "on-1-measures", Figure)
    assert [view.text for view in figure.views] == ["Entropy"]
    assert [row[0].text for row in block(page, "on-1-measures", Table).rows] == ["Entropy"]
