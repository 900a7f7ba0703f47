"""Disabled heads and layers: every change in its place, judged by its simultaneous interval."""

import json

import numpy as np
import pytest

from generator.corpora.tasks import find_task
from generator.numbers.quantity import AXIS
from generator.numbers.writing import number
from generator.pages.blocks import Figure
from generator.topics.tasks.derived.verdicts import BETTER, NEEDED, UNSEEN, judge
from generator.topics.tasks.page.results import AS_STORED, in_points
from generator.topics.tasks.page.words import POINTS
from generator.topics.tasks.records.tasks import DISABLING
from tests.pages.reading import block, prose, section, seen
from tests.topics.tasks.page.tried import (
    EXAMPLES,
    HOSTILE,
    PLACES,
    WAYS,
    alone,
    between,
    held,
    one,
    points,
    slow_verdict,
    swept,
    tables,
)


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (-2.0, -0.1, NEEDED),
        (-2.0, 0.0, UNSEEN),
        (0.0, 0.0, UNSEEN),
        (-1.0, 1.0, UNSEEN),
        (0.0, 2.0, UNSEEN),
        (0.1, 2.0, BETTER),
        (np.nan, np.nan, ""),
    ],
)
def test_a_head_is_judged_by_which_side_of_zero_its_interval_lies(low, high, verdict):
    assert judge({"low": low, "high": high}) == verdict


@pytest.mark.parametrize("record", DISABLING.quantities, ids=lambda record: record.name)
@pytest.mark.parametrize("axis", AXIS.values)
def test_changes_alone_are_shown_in_points(record, axis):
    name = record.name.replace("{axis}", axis)
    row = {"name": name, "value": 0.25, "low": 0.125, "high": 0.5}
    change = "change" in record.title.lower()
    assert change == (name not in AS_STORED)
    assert in_points(row)["value"] == (POINTS if change else 1) * 0.25


def test_grid_has_every_head_in_its_place(made, page):
    assert [seen(section(page, anchor).title) for anchor, _ in swept()] == [
        *(find_task(task).title for task in ("rte", "mrpc", "stsb")),
        HOSTILE,
    ]
    verdicts = set()
    for anchor, task in swept():
        figure = block(page, anchor, Figure)
        data = json.loads(figure.data)
        assert list(zip(data["shared"]["layer"], data["shared"]["head"], strict=True)) == PLACES
        assert [view.text for view in figure.views] == list(WAYS.values())
        largest = max(
            abs(100 * row["value"])
            for row in made["head_facts"]
            if row["corpus"] == task and row["study"] == "disabling" and row["name"] in WAYS
        )
        for view, way in zip(data["views"], WAYS, strict=True):
            columns = view["columns"]
            assert view["signals"]["top"] == round(largest, 4)
            assert view["constants"]["n"] == EXAMPLES[task]
            for at, (layer, head) in enumerate(PLACES):
                of = {"corpus": task, "study": "disabling", "layer": layer, "head": head}
                change, family = (one(made["head_facts"], name=name, **of) for name in (way, f"{way}.family"))
                assert columns["value"][at] == held(100 * change["value"])
                for field in ("low", "high"):
                    assert columns[field][at] == held(100 * family[field])
                assert columns["direction"][at] == ("more" if change["value"] > 0 else "less")
                assert columns["size"][at] == abs(columns["value"][at])
                assert data["shared"]["href"][at] == f"../heads/{layer}-{head}/"
                verdict = slow_verdict(made, task, way, layer=layer, head=head)
                assert (columns["verdict"][at], columns["sure"][at]) == (verdict, int(verdict != UNSEEN))
                verdicts.add(verdict)
    assert verdicts == {NEEDED, UNSEEN, BETTER}


def test_the_same_as_a_table_has_the_interval_that_decides_and_the_importance(made, page):
    for anchor, task in swept():
        for row, (layer, head) in zip(block(page, anchor, Figure).table.rows, PLACES, strict=True):
            of = {"corpus": task, "study": "disabling", "layer": layer, "head": head}
            expected = [f"{layer}-{head}"]
            for way in WAYS:
                family = one(made["head_facts"], name=f"{way}.family", **of)
                expected += [points(family), between(family, 100)]
                expected.append(slow_verdict(made, task, way, layer=layer, head=head))
            expected.append(number(one(made["head_facts"], name="importance", **of)["value"]))
            assert list(row) == expected


def test_heads_beyond_doubt_are_listed_most_needed_first_and_counted(made, page):
    for anchor, task in swept():
        expected = []
        for at, (way, done) in enumerate(WAYS.items()):
            said = {place: slow_verdict(made, task, way, layer=place[0], head=place[1]) for place in PLACES}
            needed, unseen, better = (list(said.values()).count(name) for name in (NEEDED, UNSEEN, BETTER))
            verbs = "is" if needed == 1 else "are", "shows" if unseen == 1 else "show"
            assert prose(page, anchor)[1 + at].startswith(
                f"Of 10 heads {done}, one at a time, {needed} {verbs[0]} needed, {unseen} {verbs[1]} no change, and "
                f"the model is better without {better or 'none'}."
            )
            sure = []
            for place in (place for place in PLACES if said[place] != UNSEEN):
                of = {"corpus": task, "study": "disabling", "layer": place[0], "head": place[1]}
                change, family = (one(made["head_facts"], name=name, **of) for name in (way, f"{way}.family"))
                shown = f"{points(family)} ({between(family, 100)})", f"{EXAMPLES[task]:,}"
                sure.append((change["value"], [f"{place[0]}-{place[1]}", done, said[place], *shown]))
            expected += [row for _, row in sorted(sure)]
        rows = [row for table in tables(page, "Heads that change", anchor) for row in table.rows]
        assert [[*map(seen, row)] for row in rows] == expected
        assert all(row[0].href == f"../heads/{row[0].text}/" for row in rows)


def test_sentences_give_the_mean_and_the_choice_on_one_half(made, page):
    for anchor, task in swept():
        of = {"corpus": task, "study": "disabling", "layer": 0}
        base = one(made["facts"], name="base", **of)
        read, *found = prose(page, anchor)
        assert f" is {alone(base)} ({between(base)}, n {EXAMPLES[task]:,})." in read
        lead = one(made["facts"], name="base.lead", **of)
        told = f"That is {alone(lead)} ({between(lead)}, n {EXAMPLES[task]:,}) above the majority class"
        told = "Always giving the mean scores 0" if task == "stsb" else told
        assert told in read
        assert ("not surely learned" in read) == (lead["low"] <= 0)
        for at, way in enumerate(WAYS):
            mean = one(made["facts"], name=f"{way}.mean", **of)
            told = f"changes the score by {points(mean)} points ({between(mean, 100)}, n {EXAMPLES[task]:,})."
            assert f"On average, one head {WAYS[way]} {told}" in found[at]
        for kind in ("head", "layer"):
            best = one(made["facts"], name=f"uniform.best_{kind}", **of)
            text = f"changes by {points(best)} points ({between(best, 100)}, n {EXAMPLES[task] // 2:,})."
            chosen = (
                f"When the best {kind} to disable is chosen on one half of the examples and made uniform, the score"
            )
            assert f"{chosen} on the other half {text}" in found[0]
            assert f"the best {kind}" not in found[1]


def test_layers_are_those_of_facts_and_not_sums_of_heads(made, page):
    for anchor, task in swept():
        (table,) = tables(page, "Whole layers", anchor)
        assert [row[0] for row in table.rows] == ["1", "2"]
        for layer, row in enumerate(table.rows, start=1):
            of = {"corpus": task, "study": "disabling", "layer": layer}
            names = (*(f"{way}.family" for way in WAYS), "zero.best_left")
            stored = [one(made["facts"], name=name, **of) for name in names]
            assert [cell.text for cell in row[1:4]] == [points(change) for change in stored]
            assert [cell.note for cell in row[1:4]] == [f"{between(c, 100)}, n {c['n']:,}" for c in stored]
            said = [NEEDED if one["high"] < 0 else BETTER if one["low"] > 0 else UNSEEN for one in stored[:2]]
            assert list(row[4:]) == said
