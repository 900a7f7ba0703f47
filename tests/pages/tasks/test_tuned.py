"""What fine-tuning changes in the maps, and what a head's page says of tasks."""

from generator.numbers.writing import listed, number
from generator.pages.blocks import Table
from generator.pages.heads.studies import HeadStudies
from generator.pages.tasks.page import tasks_page
from generator.pages.tasks.results import Effects
from tests.pages.reading import block
from tests.pages.tasks.tried import CORPUS, OTHER, PLACES, alone, atlas_of, between, name_of, one, points


def test_cosines_are_of_copies_on_their_task_alone(made, page):
    table = block(page, "changed", Table)
    assert table.columns == ("layer", "RTE")
    assert [row[0] for row in table.rows] == ["1", "2", "all"]
    for row, layer in zip(table.rows, (1, 2, 0), strict=True):
        stored = one(made["facts"], corpus="rte", study=OTHER, name="cosine", layer=layer)
        assert (row[1].text, row[1].note) == (alone(stored), f"{between(stored)}, n 50")


def test_two_copies_of_one_task_are_told_apart(made, tmp_path):
    more = [row | {"study": f"{OTHER}-2"} for row in made["facts"] if row["study"] == OTHER]
    table = block(tasks_page(atlas_of(tmp_path, made | {"facts": made["facts"] + more})), "changed", Table)
    assert table.columns == ("layer", "RTE, tiny-rte", "RTE, tiny-rte-2")


def test_a_head_page_says_what_disabling_and_fine_tuning_do_to_this_head(made, atlas):
    effects, studies = Effects(atlas), HeadStudies(atlas)
    for layer, head in PLACES:
        seen, unseen = [], []
        for task in CORPUS:
            of = {"corpus": task, "study": "disabling", "layer": layer, "head": head}
            row, family = (one(made["head_facts"], name=name, **of) for name in ("uniform", "uniform.family"))
            if family["low"] <= 0 <= family["high"]:
                unseen.append(name_of(task))
            else:
                seen.append(f"{name_of(task)} by {points(row)} ({between(row, 100)}, n {row['n']:,})")
        parts = [f"the score changes on {listed(seen)} points"] if seen else []
        parts += [f"no change beyond noise is seen on {listed(unseen)}"] if unseen else []
        cosine = one(made["head_facts"], corpus="rte", name="cosine", layer=layer, head=head)
        text = (
            f"With this head made uniform, {', and '.join(parts)}. Its maps before and after fine-tuning have a cosine "
            f"of {alone(cosine)} ({between(cosine)}, n 50) on RTE."
        )
        assert effects.of_head(layer, head) == text
        assert studies.believed(layer, head).endswith(f"where it looks. {text}")
        assert len(text) < 500


def test_a_head_page_says_nothing_where_nothing_was_tried(made, tmp_path):
    without = [row for row in made["head_facts"] if row["study"] != "disabling"]
    assert Effects(atlas_of(tmp_path / "a", {})).of_head(1, 1) == ""
    assert HeadStudies(atlas_of(tmp_path / "b", {})).believed(1, 1).endswith("where it looks.")
    found = Effects(atlas_of(tmp_path / "c", made | {"head_facts": without})).of_head(1, 1)
    assert found.startswith("Its maps before and after fine-tuning have a cosine of ")


def test_of_several_tasks_the_least_and_the_greatest_cosine_are_named(made, tmp_path):
    rows = [row for row in made["head_facts"] if row["study"] == OTHER]
    more = [row | {"study": f"{OTHER}-3", "corpus": "mrpc", "value": 0.25} for row in rows if row["corpus"] == "rte"]
    copies = [row | {"study": f"{OTHER}-3", "corpus": "mrpc"} for row in made["facts"] if row["study"] == OTHER]
    tables = made | {"head_facts": rows + more, "facts": made["facts"] + copies}
    (cosine,) = {one(rows, corpus="rte", name="cosine", layer=1, head=1)["value"]}
    low, high = sorted([(0.25, "MRPC"), (cosine, "RTE")])
    found = Effects(atlas_of(tmp_path, tables)).of_head(1, 1)
    said = f"{number(low[0])} ({low[1]}) to {number(high[0])} ({high[1]})"
    assert found == f"Its maps before and after fine-tuning have a cosine of {said}."
