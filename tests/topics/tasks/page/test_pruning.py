"""Pruned heads, and whether gradients say what disabling costs."""

import json
import tomllib

import pytest

from generator.home import DATA
from generator.numbers.writing import number
from generator.pages.blocks import Figure, Items, Table
from generator.pages.inline import plain
from generator.topics.tasks.page.page import tasks_page
from tests.pages.reading import block, seen
from tests.topics.tasks.page.tried import (
    CORPUS,
    EXAMPLES,
    HEADS,
    LAYERS,
    PLACES,
    WAYS,
    alone,
    atlas_of,
    between,
    held,
    name_of,
    one,
)


def test_pruning_goes_by_number_and_says_what_can_go(made, page):
    groups = tomllib.loads((DATA / "published" / "others.toml").read_text())["group"]
    (paper,) = (group["values"] for group in groups if group["key"] == "michel.pruned")
    figure, removable = block(page, "pruning", Figure), block(page, "pruning", Table)
    views = json.loads(figure.data)["views"]
    assert [view.text for view in figure.views] == [name_of(task) for task in CORPUS]
    for view, task, row in zip(views, CORPUS, removable.rows, strict=True):
        columns = view["columns"]
        assert columns["gone"] == [0, 2, 4, 10]
        of = {"corpus": task, "study": "pruning"}
        for at, gone in enumerate(columns["gone"]):
            stored = one(made["facts"], name=f"score.{gone}", **of)
            assert [columns[field][at] for field in ("value", "low", "high")] == [
                held(stored[field]) for field in ("value", "low", "high")
            ]
        share = one(made["facts"], name="removable", **of)
        assert set(columns["removable"]) == {held(10 * share["value"])}
        assert set(columns["whole"]) == {columns["value"][0]}
        assert view["signals"]["heads"] == LAYERS * HEADS
        said = number(paper[task] / 100) if task in paper else "-"
        heads = str(round(10 * share["value"]))
        assert [row[0].text, row[1].text, *map(seen, row[2:4])] == [name_of(task), alone(share), heads, said]
        assert (row[1].note, row[4].text) == (between(share), f"{EXAMPLES[task]:,}")


def test_heads_that_go_first_and_last_are_named_where_the_order_is_stored(made, page):
    lines = block(page, "pruning", Items).lines
    tasks = [task for task in CORPUS if task != "mrpc"]
    for line, task in zip(lines, tasks, strict=True):
        rows = [row for row in made["head_facts"] if (row["corpus"], row["name"]) == (task, "order")]
        names = [f"{row['layer']}-{row['head']}" for row in sorted(rows, key=lambda row: row["value"])]
        assert len(names) == len(PLACES) == 10
        assert plain(line) == f"{name_of(task)}: {', '.join(names[:5])} go first, {', '.join(names[5:])} last"


def ranks(values: list[float]) -> list[float]:
    """1 for the smallest; no two are alike."""
    return [1 + sum(other < value for other in values) for value in values]


def test_importance_is_correlated_with_the_loss_over_heads(made, page):
    rows = block(page, "importance", Table).rows
    assert len(rows) == len(CORPUS) * len(WAYS)
    for at, row in enumerate(rows):
        task, way = CORPUS[at // 2], list(WAYS)[at % 2]
        of = {"corpus": task, "study": "disabling"}
        both = []
        for name, sign in (("importance", 1), (way, -1)):
            found = [one(made["head_facts"], name=name, layer=la, head=he, **of)["value"] for la, he in PLACES]
            both.append(ranks([sign * value for value in found]))
        n = len(PLACES)
        rho = 1 - 6 * sum((a - b) ** 2 for a, b in zip(*both, strict=True)) / (n * (n * n - 1))
        assert [*map(seen, row[:2])] == [name_of(task), WAYS[way]]
        low, high = map(float, row[2].note.split(" to "))
        assert low < float(row[2].text) < high
        assert float(row[2].text) == pytest.approx(rho, abs=0.05)
        assert row[3].text == "10"


def test_equal_importance_has_no_correlation(made, tmp_path):
    rows = [row | {"value": 1.0} if row["name"] == "importance" else row for row in made["head_facts"]]
    table = block(tasks_page(atlas_of(tmp_path, made | {"head_facts": rows})), "importance", Table)
    assert {row[2].text for row in table.rows} == {"-"}
