"""Relations, kinds of tokens and twins."""

import pytest

from generator.models.names import slug
from generator.numbers.writing import interval, number
from generator.pages.blocks import Figure, Table
from generator.pages.heads.atlas import Atlas
from tests.encoders import HEADS, LAYERS
from tests.pages.compare.beside import OTHER, RELATION, SMALL, TREEBANK, of, rows_of
from tests.pages.reading import anchors as anchors_of
from tests.pages.reading import block, every, prose, section, seen, text


def test_relations_show_the_change_of_the_first_models_own_head(changed: Atlas) -> None:
    page = of(changed, OTHER)
    assert seen(section(page, "on-2").title) == TREEBANK
    (row,) = block(page, "on-2-relations", Table).rows
    value = 0.1 * 2 + 0.01 * 3 - 1
    assert [text(cell) for cell in row[:4]] == [RELATION, "2-3", "head to dependent", number(3 / 40)]
    assert (float(row[4].text), row[5].text) == (pytest.approx(value), "40")
    assert [anchor for anchor in anchors_of(page) if anchor.startswith("on-2-")] == ["on-2-relations", "on-2-features"]
    assert section(page, "on-2").blocks == ()


def test_kinds_of_tokens_show_the_head_that_changed_most(changed: Atlas) -> None:
    (row,) = block(of(changed, OTHER), "on-2-features", Table).rows
    expected = ["noun", "3-1", "-0.40", "30", f"2 of {LAYERS * HEADS}"]
    assert [text(cell) for cell in row] == expected
    assert row[2].note == interval(-0.55, -0.25, signed=True)


def test_models_of_another_shape_have_twins_alone(changed: Atlas) -> None:
    page = of(changed, slug(SMALL))
    assert "number of layers or heads" in prose(page, "")[0]
    assert anchors_of(page) == ["on-1", "on-1-twins"]
    assert every(page, Figure) == []
    twins = block(page, "on-1-twins", Table)
    rows = {
        name: rows_of(changed, f"twin.{name}", slug(SMALL)).set_index(["layer", "head"])
        for name in ("layer", "head", "divergence")
    }
    ordered = rows["divergence"].sort_values("value", kind="stable")
    assert len(twins.rows) == len(ordered) == 4
    for cells, (place, expected) in zip(twins.rows, ordered.iterrows(), strict=True):
        twin = int(rows["layer"].loc[place, "value"]), int(rows["head"].loc[place, "value"])
        assert [text(cell) for cell in cells] == [
            "{}-{}".format(*place),
            "{}-{}".format(*twin),
            number(expected["value"]),
            str(expected["n"]),
        ]
    same_layer = sum(place[0] == row["value"] for place, row in rows["layer"].iterrows())
    assert f"{same_layer} of 4 twins" in page.lead
