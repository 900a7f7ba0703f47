"""The figure of relations draws those whose head is clearly better than any fixed offset and than untrained twins."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from generator.corpora.relation_names import in_words, with_label
from generator.numbers.number import Number
from generator.numbers.writing import percent
from generator.pages.blocks import Figure
from generator.pages.heads.atlas import Atlas
from generator.studies.halves import HELD_OUT
from generator.topics.relations.page import figure
from generator.topics.relations.page.page import relations_page
from tests.pages.invented import HOSTILE, TREEBANK
from tests.pages.reading import block, one
from tests.topics.inputs.page.test_inputs import again

CLEAR = ("det", HOSTILE)


@pytest.fixture
def better(full: Atlas, tmp_path: Path) -> Atlas:
    """Gives the results with twins that find nothing."""
    return again(full, tmp_path, relation_heads=full.results.table("relation_heads").assign(twin_high=0.0))


def drawn(atlas: Atlas) -> tuple[Figure, dict[str, Any]]:
    """The figure of the first treebank, and its only view."""
    made = block(relations_page(atlas), "treebank-1", Figure)
    (view,) = json.loads(made.data)["views"]
    return made, view


@pytest.mark.parametrize("fewest", [1, 5])
def test_clearly_better_heads_stand_first_and_the_rest_is_counted(
    better: Atlas, fewest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figure, "FEWEST", fewest)
    _, view = drawn(better)
    columns = view["columns"]
    assert columns["relation"][:2] == [with_label(name) for name in CLEAR]
    assert columns["clear"] == [1, 1, 0, 0, 0, 0]
    assert view["signals"] == {
        "rows": max(fewest, 2),
        "caption": "1 more relation has no clearly better head"
        if fewest == 5
        else "4 more relations have no clearly better head",
    }


def test_the_title_names_the_head_with_the_largest_gain(better: Atlas) -> None:
    made, _ = drawn(better)
    row = one(better.results.table("relation_heads"), relation="det", protocol=HELD_OUT)
    right, offset = Number.of(row), Number.of(row, "baseline", "baseline_low", "baseline_high")
    start = f"Head {row['layer']}-{row['head']} finds {percent(right)} of {in_words('det')} in {TREEBANK}, "
    assert made.label.startswith(
        f"{start}the best fixed offset {percent(offset)}; for 2 of 5 relations with 50 words or more "
    )
    assert made.label.endswith("fixed offset and any untrained twin, and nothing stored contradicts it")


def test_a_head_that_a_twin_equals_does_not_stand_out(better: Atlas, tmp_path: Path) -> None:
    rows = better.results.table("relation_heads")
    as_good = rows.assign(twin_high=rows["twin_high"].where(rows["relation"] != "det", rows["value"]))
    made, view = drawn(again(better, tmp_path / "as-good", relation_heads=as_good))
    assert view["columns"]["relation"][0] == with_label(HOSTILE)
    assert view["columns"]["clear"] == [1, 0, 0, 0, 0, 0]
    assert "for 1 of 5 relations" in made.label
    none = again(better, tmp_path / "none", relation_heads=rows.assign(twin_high=1.0))
    assert re.match(
        f"In {TREEBANK} no head is clearly better than .* and the untrained twins for", drawn(none)[0].label
    )
