"""What fine-tuning changes in the maps, and what a head's page says of tasks."""

import pytest

from generator.numbers.writing import listed, number
from generator.pages.blocks import Table
from generator.pages.heads.studies import HeadStudies
from generator.topics.tasks.claims.needs import COST
from generator.topics.tasks.page.page import tasks_page
from generator.topics.tasks.page.results import Effects
from tests.pages.reading import block
from tests.topics.tasks.page.tried import CORPUS, OTHER, PLACES, alone, atlas_of, between, name_of, one, points


def changes(cosine):
    return "hardly changes" if cosine >= 0.95 else "changes"


def much(cosine):
    return "" if cosine >= 0.95 else " somewhat" if cosine >= 0.8 else " much"


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


def changed(made, way, layer, head):
    """Task -> what a way of disabling changes, as text with the interval that holds for all heads; "" if nothing surely
    does. Tasks that were not learned are left out.
    """
    found = {}
    for task in CORPUS:
        lead = [row for row in made["facts"] if row["corpus"] == task and row["name"] == "base.lead"]
        if not lead or lead[0]["low"] > 0:
            of = {"corpus": task, "study": "disabling", "layer": layer, "head": head}
            row = one(made["head_facts"], name=f"{way}.family", **of)
            text = f"{name_of(task)} by {points(row)} points ({between(row, 100)}, n {row['n']:,})"
            found[name_of(task)] = "" if row["low"] <= 0 <= row["high"] else text
    return found


BEFORE = ": the cosine of before and after is"
WHY = (
    "what the summary says of a task is not said again",
    "two ways may change the same score, and not by as much",
    "what one way changes another may leave open",
    "what one way leaves open another may change",
)


def test_a_head_page_says_what_disabling_and_fine_tuning_do_to_this_head(made, atlas):
    effects, studies = Effects(atlas), HeadStudies(atlas)
    ways, answers = [], set()
    for layer, head in PLACES:
        uniform, zero = (changed(made, way, layer, head) for way in ("uniform", "zero"))
        summary = atlas.summaries[layer, head]
        by_uniform = summary.kind == COST and summary.text.startswith("Making")
        said = summary.title.removeprefix("is needed for ") if by_uniform else ""
        seen = [text for task, text in uniform.items() if text and task != said]
        unseen = [task for task, text in uniform.items() if not text]
        beside = [text for text in zero.values() if text]
        alike = listed([task for task, text in zero.items() if uniform[task] and not text])
        doing = "Making its attention uniform"
        if seen:
            told = f"{doing} changes the score on {listed(seen)}"
            told += f", and that on {listed(unseen)} not beyond noise." if unseen else "."
        else:
            doing += "" if any(zero[task] for task in unseen) else " or setting its output to zero"
            told = f"{doing} changes no {'other ' * bool(said)}score beyond noise ({listed(unseen)})." if unseen else ""
        if beside:
            told += f" Setting its output to zero changes the score on {listed(beside)}"
            told += f", but that on {alike} not beyond noise." if alike else "."
        elif alike:
            told += f" Setting its output to zero does not change the score on {alike} beyond noise."
        cosine = one(made["head_facts"], corpus="rte", name="cosine", layer=layer, head=head)
        change, more = changes(cosine["value"]), much(cosine["value"])
        cosines = f"{alone(cosine)} ({between(cosine)}, n 50) on RTE"
        lost = [task for task in uniform if any(" by -" in way[task] for way in (uniform, zero))]
        sure = [task for task in lost if task == said or all(" by -" in way[task] for way in (uniform, zero))]
        perhaps = f"Perhaps, for {listed(lost)}: the ways to disable it disagree." if lost else "Not that we could see."
        answer = f"Yes, for {listed(sure)}." if sure else perhaps
        answers.add(answer.partition(" ")[0])
        text = f"{answer} {told} Fine-tuning {change} its maps{more}: the cosine of before and after is {cosines}."
        assert studies.needed(layer, head) == text
        assert said or effects.of_head(layer, head) == text
        assert len(text) < 600
        both = any(uniform[task] and zero[task] for task in uniform)
        ways.append((bool(said), both, bool(alike), any(zero[task] for task in unseen), bool(lost)))
    for which, why in enumerate(WHY):
        assert any(way[which] for way in ways), why
    assert not all(said for said, *_ in ways)
    assert answers == {"Yes,", "Perhaps,", "Not"}


def test_a_head_page_says_nothing_where_nothing_was_tried(made, tmp_path):
    without = [row for row in made["head_facts"] if row["study"] != "disabling"]
    assert Effects(atlas_of(tmp_path / "a", {})).of_head(1, 1) == ""
    assert HeadStudies(atlas_of(tmp_path / "b", {})).needed(1, 1) == ""
    found = Effects(atlas_of(tmp_path / "c", made | {"head_facts": without})).of_head(1, 1)
    assert found.startswith("Fine-tuning ")
    assert ": the cosine of before and after is " in found


def test_of_several_tasks_the_least_and_the_greatest_cosine_are_named(made, tmp_path):
    rows = [row for row in made["head_facts"] if row["study"] == OTHER]
    more = [row | {"study": f"{OTHER}-3", "corpus": "mrpc", "value": 0.25} for row in rows if row["corpus"] == "rte"]
    copies = [row | {"study": f"{OTHER}-3", "corpus": "mrpc"} for row in made["facts"] if row["study"] == OTHER]
    tables = made | {"head_facts": rows + more, "facts": made["facts"] + copies}
    (cosine,) = {one(rows, corpus="rte", name="cosine", layer=1, head=1)["value"]}
    low, high = sorted([(0.25, "MRPC"), (cosine, "RTE")])
    found = Effects(atlas_of(tmp_path, tables)).of_head(1, 1)
    least, greatest = number(low[0]), number(high[0])
    if (changes(low[0]), much(low[0])) == (changes(high[0]), much(high[0])):
        said = f"{changes(low[0])} its maps{much(low[0])}{BEFORE} {least} to {greatest}"
    else:
        said = f"changes its maps most on {low[1]}{BEFORE} {least}, on {high[1]} {greatest}"
    assert found == f"Fine-tuning {said}."


@pytest.mark.parametrize(
    ("cosine", "said"),
    [(0.95, "hardly changes its maps"), (0.94, "changes its maps somewhat"), (0.79, "changes its maps much")],
)
def test_words_for_a_change_follow_the_cosine(made, tmp_path, cosine, said):
    rows = [
        row | {"value": cosine} if row["study"] == OTHER and row["name"] == "cosine" else row
        for row in made["head_facts"]
    ]
    found = Effects(atlas_of(tmp_path, made | {"head_facts": rows})).of_head(1, 1)
    assert f"Fine-tuning {said}{BEFORE} 0." in found


def test_a_task_that_was_not_learned_is_left_out_of_a_head_page(made, tmp_path):
    lead = {"name": "base.lead", "corpus": "rte", "study": "disabling", "layer": 0}
    there = [row for row in made["facts"] if any(row[key] != value for key, value in lead.items())]
    like = next(row for row in made["facts"] if row["study"] == "disabling" and row["layer"] == 0)
    for low, told in ((-0.01, False), (0.01, True)):
        facts = [*there, like | lead | {"value": 0.02, "low": low, "high": 0.05}]
        found = Effects(atlas_of(tmp_path / str(low), made | {"facts": facts})).of_head(1, 1)
        assert ("RTE" in found.partition(" Fine-tuning")[0]) is told
