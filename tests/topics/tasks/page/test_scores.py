"""Scores by way of training: each in its column, beside the published ones."""

import json
import re
import tomllib

import vl_convert

from generator.charts.compile import chart
from generator.charts.theme import PRINTED, SYSTEMS
from generator.home import DATA
from generator.numbers.writing import number
from generator.pages.blocks import Figure, Table
from generator.topics.tasks.page.page import tasks_page
from generator.topics.tasks.page.scores import Score, scores, scores_figure
from tests.pages.reading import block, prose, seen
from tests.topics.tasks.page.tried import (
    CORPUS,
    EXAMPLES,
    STARTS,
    alone,
    atlas_of,
    between,
    held,
    metrics_of,
    name_of,
    one,
    points,
    scores_in,
    swept,
)


def test_every_score_stands_in_its_column_with_interval_seeds_and_n(made, page):
    rows = [row for row in scores_in(page) if not row[0].text.startswith("published")]
    expected = [(task, metric) for task in CORPUS for metric in metrics_of(task)]
    assert [row[0].text.partition(",")[0] for row in rows] == [name_of(task) for task, _ in expected]
    for row, (task, metric) in zip(rows, expected, strict=True):
        for cell, how in zip(row[1:5], ("majority", *STARTS), strict=True):
            stored = one(made["facts"], corpus=task, study="scores", name=f"{metric}.{how}")
            assert cell.text == alone(stored)
            parts = [between(stored)]
            if how != "majority":
                names = [f"{metric}.{how}.seed{seed}" for seed in (0, 2, 10)]
                seeds = [number(one(made["facts"], corpus=task, name=name)["value"]) for name in names]
                parts.append(f"3 seeds: {', '.join(seeds)}")
                led = one(made["facts"], corpus=task, study="scores", name=f"{metric}.{how}.lead")
                parts += [f"minus the majority class: {alone(led)} ({between(led)})"] if task != "stsb" else []
            assert cell.note == "; ".join(part for part in parts if part != "-")
        assert row[6].text == f"{EXAMPLES[task]:,}"
    assert [*map(seen, block(page, "fine-tuning", Table).columns)][1:5] == [
        "majority class",
        "frozen",
        "random, fine-tuned",
        "pre-trained, fine-tuned",
    ]


def test_gain_is_that_of_fine_tuned_and_frozen_paired_and_none_where_it_is_not_stored(made, page, tmp_path):
    rows = iter(row for row in scores_in(page) if not row[0].text.startswith("published"))
    for task in CORPUS:
        for metric in metrics_of(task):
            stored = one(made["facts"], corpus=task, name=f"{metric}.{STARTS[2]}.minus.{STARTS[0]}")
            gain = next(rows)[5]
            assert gain.text == points(stored)
            assert gain.note == between(stored, 100)
    before = [row for row in made["facts"] if not re.search(r"\.(lead|minus\..*)$", row["name"])]
    old = tasks_page(atlas_of(tmp_path, {**made, "facts": before}))
    own = [row for row in scores_in(old) if not row[0].text.startswith("published")]
    assert {row[5].text for row in own} == {"-"}
    assert not any("above the majority" in seen(cell) for row in own for cell in row)
    assert not any("above the majority" in text for anchor, _ in swept() for text in prose(old, anchor))


def test_published_scores_stand_below_those_of_their_task_and_metric(page):
    groups = tomllib.loads((DATA / "published" / "kovaleva.toml").read_text())["group"]
    (paper,) = (group["values"] for group in groups if group["key"] == "kovaleva.table1")
    found = {}
    for above, row in zip(scores_in(page), scores_in(page)[1:], strict=False):
        if row[0].text == "published":
            found[above[0].text] = row
            assert row[0].href.endswith("/references/#kovaleva2019")
    named = {
        "RTE, accuracy": paper["rte"]["accuracy"],
        "MRPC, accuracy": paper["mrpc"]["accuracy"],
        "MRPC, F1": paper["mrpc"]["f1"],
        "STS-B, Spearman's correlation": paper["stsb"]["accuracy"],
    }
    assert set(found) == set(named)
    for name, values in named.items():
        row = found[name]
        shown = [number(values[key] / 100) for key in ("pretrained", "random", "finetuned")]
        assert [cell.text for cell in row[1:5]] == ["-", *shown]
        assert row[5] == number(values["finetuned"] - values["pretrained"])
    assert found["STS-B, Spearman's correlation"][0].note == "BERT-base, accuracy"
    assert "does not say what accuracy means there" in found["STS-B, Spearman's correlation"][4].note
    assert found["MRPC, F1"][0].note == "BERT-base, F1"


def test_legend_names_the_ticks_of_published_scores_where_there_are_any(made, page, tmp_path):
    (view,) = json.loads(block(page, "fine-tuning", Figure).data)["views"]
    assert any(one is not None for one in view["columns"]["published"])
    assert view["signals"]["named"] == [*SYSTEMS, PRINTED]
    rows = [dict(zip(view["columns"], row, strict=True)) for row in zip(*view["columns"].values(), strict=True)]
    svg = vl_convert.vegalite_to_svg(chart("scores", rows, view["signals"], "Scores").to_dict())
    assert f">{PRINTED}<" in svg
    none = scores_figure([score._replace(published={}) for score in scores(atlas_of(tmp_path, made))])
    assert json.loads(none.data)["views"][0]["signals"]["named"] == [*SYSTEMS]


def test_chart_of_scores_has_the_stored_numbers(made, page):
    columns = json.loads(block(page, "fine-tuning", Figure).data)["views"][0]["columns"]
    systems = ["majority class", "frozen", "random, fine-tuned", "pre-trained, fine-tuned"]
    names = {"accuracy": "accuracy", "F1": "f1"}
    names |= {"Spearman's": "spearman", "Pearson's": "pearson"}
    tasks = {name_of(task): task for task in CORPUS}
    assert len(columns["task"]) == 4 * sum(len(metrics_of(task)) for task in CORPUS)
    for at, (task, system) in enumerate(zip(columns["task"], columns["system"], strict=True)):
        title, _, metric = task.rpartition(", ")
        name = f"{names[metric]}.{('majority', *STARTS)[systems.index(system)]}"
        stored = one(made["facts"], corpus=tasks[title], study="scores", name=name)
        for field in ("value", "low", "high"):
            assert columns[field][at] == held(stored[field])
        assert (columns["n"][at], columns["seeds"][at]) == (stored["n"], 0 if system == "majority class" else 3)


def test_a_task_that_was_not_surely_learned_is_named_in_the_title(made, tmp_path) -> None:
    """Its score may still be surely better than that of frozen weights."""
    found = scores(atlas_of(tmp_path, made))
    lead = "pretrained.fine-tuned.lead"

    def led(score: Score, low: float) -> Score:
        return score._replace(rows={**score.rows, lead: {"value": 0.05, "low": low, "high": 0.1, "n": EXAMPLES}})

    sure = [led(score, 0.01) for score in found]
    assert "surely learned" not in scores_figure(sure).label
    first = found[0].task
    some = [led(score, -0.01) if score.task == first else one for score, one in zip(found, sure, strict=True)]
    assert scores_figure(some).label.endswith(f"; in {name_of(first)} the commonest answer may do as well")
