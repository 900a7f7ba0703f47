"""Kinds of words: every head in its place, every kind in its column."""

import json

from generator.corpora.tasks import TASKS
from generator.pages.blocks import Note, Table
from generator.pages.figures import DIGITS
from generator.topics.frames.page.page import features_page
from tests.pages.reading import block, figures, seen
from tests.topics.frames.page.annotated import (
    KINDS,
    LAYERS,
    OTHER,
    PLACES,
    SCORES,
    SPECIAL,
    TREEBANK,
    atlas_of,
    highest,
    is_head,
    one,
    shows,
)

OF_PAPER = ("mrpc", "stsb", "sst2", "qqp", "rte", "qnli", "mnli")
"""The tasks of Kovaleva et al. 2019, section 3."""


def test_grids_have_every_head_in_its_place(made, page):
    for grids, corpus in zip(figures(page), (TREEBANK, OTHER), strict=True):
        data = json.loads(grids.data)
        assert list(zip(data["shared"]["layer"], data["shared"]["head"], strict=True)) == PLACES
        assert data["shared"]["href"] == [f"../heads/{layer}-{head}/" for layer, head in PLACES]
        expected = [f"{kind}.{score}" for kind in KINDS for score in SCORES[:2]]
        assert [view["constants"]["measure"] for view in data["views"]] == expected
        shown = [view.text.partition(" (")[0].lower() for view in grids.views[::2]]
        assert shown == [name.lower() for name in KINDS.values()]
        for view, name in zip(data["views"], expected, strict=True):
            kind, score = name.split(".")
            alike = [other for other in KINDS if (other in SPECIAL) == (kind in SPECIAL)]
            of = {"study": "features", "corpus": corpus}
            tops = [highest(made["head_facts"], 1, name=f"{other}.{score}", **of)[0]["value"] for other in alike]
            assert view["signals"]["top"] == round(max(tops), DIGITS)
            for at, (layer, head) in enumerate(PLACES):
                row = one(made["head_facts"], name=name, layer=layer, head=head, **of)
                for field in ("value", "low", "high"):
                    assert view["columns"][field][at] == row[field]
                assert view["constants"]["n"] == row["n"]


def test_tables_by_layer_have_a_column_for_every_kind(made, page):
    for part, corpus in enumerate((TREEBANK, OTHER), start=1):
        of = {"study": "features", "corpus": corpus}
        for name, score in (("largest", "max"), ("together", "mean")):
            table = block(page, f"kinds-{part}-{name}", Table)
            assert [*map(seen, table.columns)] == ["layer", *KINDS.values()]
            lines = {row[0].text: row[1:] for row in table.rows}
            assert list(lines) == ["share of tokens"] * (score == "mean") + ["1", "2", "n, sentences"]
            for at, kind in enumerate(KINDS):
                for layer in (1, 2):
                    row = one(made["facts"], name=f"{kind}.{score}", layer=layer, **of)
                    assert shows(lines[str(layer)][at], row)
                    assert lines["n, sentences"][at].text == f"{row['n']:,}"
                if score == "mean":
                    assert shows(lines["share of tokens"][at], one(made["facts"], name=f"{kind}.frequency", **of))


def test_row_of_the_begin_token_is_that_of_the_last_layer(made, page):
    kind_of = {text: kind for kind, text in KINDS.items()}
    for part, corpus in enumerate((TREEBANK, OTHER), start=1):
        rows = block(page, f"kinds-{part}-begin", Table).rows
        assert {row[0].text for row in rows} == set(kind_of)
        values = []
        for row in rows:
            of = {"study": "features", "corpus": corpus, "layer": LAYERS, "name": f"{kind_of[row[0].text]}.begin_row"}
            mean, (best,) = one(made["facts"], **of), highest(made["head_facts"], 1, **of)
            values.append(mean["value"])
            assert shows(row[1], mean)
            assert is_head(row[2], best)
            assert shows(row[3], best)
            assert row[4].text == f"{mean['n']:,}"
        assert values == sorted(values, reverse=True)


def test_it_is_said_which_of_the_papers_tasks_have_two_separators(page):
    (single,) = (task for task in TASKS if task.name in OF_PAPER and not task.pair)
    said = str(block(page, "kinds-1-begin", Note).text)
    title = single.title.partition(":")[0]
    assert f"its inputs, except those of {title}, have two [SEP], and the inputs here have one." in said


def test_kind_with_one_token_in_every_sentence_is_shown_once(made, tmp_path):
    tables = dict(made)
    for table in ("head_facts", "facts"):
        largest = {
            (row["corpus"], row["layer"], row.get("head")): row for row in made[table] if row["name"] == "begin.max"
        }
        tables[table] = [
            {**largest[row["corpus"], row["layer"], row.get("head")], "name": row["name"]}
            if row["name"] == "begin.mean"
            else row
            for row in made[table]
        ]
    page = features_page(atlas_of(tmp_path, tables))
    names = [view.text for view in figures(page)[0].views]
    assert [name for name in names if name.startswith("[CLS]")] == ["[CLS]"]
    assert len(names) == 2 * len(KINDS) - 1
    shown = [[*map(seen, block(page, f"kinds-1-{name}", Table).columns)] for name in ("largest", "together")]
    assert ["[CLS]" in columns for columns in shown] == [False, True]
