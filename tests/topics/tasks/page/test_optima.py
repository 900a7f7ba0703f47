"""What hand-written pages say of where trainings on a task end, and the figure of the lines between them."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from generator.corpora.kinds import TASK
from generator.home import DATA
from generator.numbers.number import Number
from generator.numbers.writing import percent, written
from generator.pages.blocks import Figure
from generator.pages.heads.atlas import Atlas
from generator.pages.written.drawn import model_figure
from generator.results.store import find
from generator.results.writing import write
from generator.studies.fact_rows import facts
from generator.topics.tasks.page.optima import ENDLESS, STARTS, optima, optima_figure
from generator.topics.tasks.records.optima import OPTIMA
from generator.topics.tasks.run.optima.estimates import Split, of_answers, of_split
from generator.topics.tasks.run.optima.trainings import GROUPS, pairs, plan
from tests.pages.titled import check_titles
from tests.pages.written.contexts import PAGE, context
from tests.results.samples import corpus_of, manifest, tables

UNITS = 60


def trained(place: Path, learned: bool = True) -> Atlas:
    """A model of two trainings of each kind, of which one learned nothing unless all have."""
    rng, trainings = np.random.default_rng(1), plan(2)
    gold = np.arange(UNITS) % 2
    wrong = rng.random((UNITS, len(trainings))) < 0.1
    said = np.where(wrong, 1 - gold[:, None], gold[:, None])
    if not learned:
        said[:, -1] = 0
    numbers = of_answers(said, gold, np.zeros(UNITS), trainings, 2, 0)
    for name in ("train", "dev"):
        losses = 0.3 + 0.1 * rng.random((UNITS, len(trainings)))
        between = {
            pair: 0.3 + 0.5 * (group == "random.other") + 0.1 * rng.random((UNITS, 9))
            for group in GROUPS
            for pair in pairs(group, trainings)
        }
        numbers |= of_split(Split(name, np.arange(UNITS) % 3 > 0, losses, between, np.full(UNITS, 0.7)), trainings, 0)
    write(place, manifest(), tables())
    record = manifest(corpora=(corpus_of(TASK, "sst2", language="en"),), experiment="optima.sst2")
    rows = facts(numbers, OPTIMA, "Tiny", "sst2").sample(frac=1, random_state=0).reset_index(drop=True)
    write(place, record, {"facts": rows})
    (results,) = find([place])
    return Atlas(results)


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives a model whose trainings all learned."""
    return trained(tmp_path_factory.mktemp("optima"))


def stored(atlas: Atlas) -> dict[str, Number]:
    rows = atlas.results.of_study("facts", OPTIMA.name)
    return {str(row["name"]): Number.of(row) for row in rows.to_dict("records")}


def figure(atlas: Atlas) -> Figure:
    found = optima_figure(atlas, PAGE)
    assert found
    return found


def plain(markdown: str) -> str:
    """As a reader sees it."""
    return re.sub(r"&#(\d+);", lambda one: chr(int(one[1])), markdown)


def test_two_sentences_have_the_numbers_that_are_stored(atlas: Atlas) -> None:
    said, numbers = plain(optima(context(atlas))), stored(atlas)
    alike, heights = said.split(". At its highest")
    shares = [percent(numbers[f"agree.{group}"]) for group in ("pretrained.same", "random.same", "random.other")]
    assert re.findall(r"\d+ % \(.*?\)", alike) == shares
    implied = [
        percent(numbers[f"agree.{group}.implied"], ends=False)
        for group in ("pretrained.same", "random.same", "random.other")
    ]
    assert alike.endswith(f"would give {implied[0]}, {implied[1]} and {implied[2]}")
    told = [written(numbers[f"barrier.dev.{group}"], "nats", signed=True) for group in STARTS]
    assert [heights.index(one) for one in told] == sorted(heights.index(one) for one in told)


def test_a_training_that_learned_nothing_keeps_numbers_and_figure_away(tmp_path: Path) -> None:
    model = trained(tmp_path, learned=False)
    said = plain(optima(context(model)))
    assert said == "Of the trainings of Tiny on SST-2, not all learned it, so nothing is said of where they end."
    assert optima_figure(model, PAGE) is None


def test_without_such_trainings_one_sentence_says_so() -> None:
    assert optima(context()) == ENDLESS


def test_the_figure_draws_every_point_of_every_line(atlas: Atlas) -> None:
    found, numbers = figure(atlas), stored(atlas)
    check_titles(found)
    assert model_figure("optima", [atlas], PAGE) == found
    views = json.loads(found.data)["views"]
    for split, view in zip(("dev", "train"), views, strict=True):
        columns = view["columns"]
        drawn = dict(zip(zip(columns["line"], columns["share"], strict=True), columns["value"], strict=True))
        assert drawn == {
            (f"{words}, line 1", point / 10): numbers[f"line.{split}.{group}.1.{point}"].value
            for group, words in STARTS.items()
            for point in range(11)
        }
        assert {*columns["constant"]} == {numbers[f"loss.{split}.constant"].value}
    assert len(found.table.rows) == 2 * len(STARTS) * 11


def test_what_the_page_says_of_this_projects_trainings_is_in_their_numbers() -> None:
    """findings/what-pre-trained-weights-are-good-for.md: where the ends lie, what is between, how alike they answer."""
    rows = pd.read_parquet(DATA / "results" / "small-bert@optima.sst2" / "facts.parquet").set_index("name")
    value = rows["value"]
    assert (rows["low"][rows.index.str.startswith("lead.")] > 0).all()
    midway = [value[f"line.dev.random.other.{line}.5"] for line in (1, 2, 3)]
    assert midway == pytest.approx([value["loss.dev.constant"]] * 3, abs=0.02)
    groups = list(STARTS)
    assert max(value[f"loss.dev.{group}"] for group in groups) < value["loss.dev.constant"] - 0.08
    assert rows["low"]["barrier.dev.random.same"] < 0 < rows["high"]["barrier.dev.random.same"]
    assert value["barrier.dev.random.counts"] == 1
    assert value["accuracy.random.other"] > value["accuracy.random.same"] - 0.02
    assert abs(value["agree.random.same"] - value["agree.random.other"]) < 0.02
