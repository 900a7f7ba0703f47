"""What is learned: losses, next sentences, tasks, frequency, contextuality; a section for each study."""

import math
from typing import Any

import pytest
from scipy.stats import norm

from generator.numbers.number import Number
from generator.numbers.writing import interval, number, pieces
from generator.pages import addresses
from generator.pages.blocks import Figure, Table
from generator.pages.studies.all import made_once, study_cards
from generator.topics.learning.page.data import step_text
from generator.topics.learning.page.history import Histories
from generator.topics.learning.page.page import curve_page, there
from generator.topics.learning.records.curves import KNOWN
from tests.pages.reading import block, prose, section
from tests.site.documents import Document
from tests.topics.learning.page.courses import STEPS, TASK, Course
from tests.topics.learning.page.drawn import LAST, drawn, one, render, rows

SECTIONS = {
    "measure": {"checkpoints", "by-layer", "births"},
    "relation": {"relations"},
    "claim": {"claims"},
    "fact": {"context", "facts"},
    "training": {"losses"},
    "weights": {"weights"},
    "tuning": {"tuned"},
    "types": {"frequency"},
    "without next sentence": {"contrast"},
}
"""Study -> the anchors of what it fills; births hold relation heads, too."""


def alone(row: Any) -> str:
    """The value of a stored number as a page writes it."""
    return pieces(Number.of(row))[0]


def wilson(right: int, n: int) -> tuple[float, float]:
    """Wilson 1927, written out."""
    z, p = norm.ppf(0.975), right / n
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


@pytest.mark.parametrize(("accuracy", "above"), [(0.56, False), (0.57, True), (0.4, False)])
def test_next_sentence_accuracy_is_above_chance_where_its_whole_interval_is(tmp_path, accuracy, above):
    course = Course()
    course.single("training", "next_accuracy", accuracy, n=400)
    course.single("training.baseline", "follows", 0.48)
    low, high = wilson(round(400 * accuracy), 400)
    assert (low > 0.52) == above
    lead = curve_page(course.store(tmp_path)).lead
    value, ends = pieces(Number(accuracy, low, high, 400), against=(0.52,))
    beyond = "above" if above else "not above"
    said = f"The next-sentence accuracy of Tiny is {value} on 400 inputs (95 % interval {ends}), {beyond} chance"
    assert f"{said}: always giving the commoner answer would reach 0.52." in lead


@pytest.mark.parametrize("follows", [0.451, 0.549])
def test_picture_and_table_and_lead_agree_on_what_the_commoner_answer_reaches(tmp_path, follows):
    course = Course()
    course.single("training", "next_accuracy", 0.7, n=400)
    course.single("training.baseline", "follows", follows)
    page = curve_page(course.store(tmp_path))
    columns = drawn(page, "losses")
    reached = {value for value, dashed in zip(columns["value"], columns["reference"], strict=True) if dashed}
    assert [*reached] == [pytest.approx(0.549)]
    name = "Accuracy of next sentence prediction: commoner answer"
    shown = [row for row in block(page, "losses", Figure).table.rows if row[0] == name]
    assert [row[2] for row in shown] == ["0.549"]
    assert "always giving the commoner answer would reach 0.549." in page.lead


def test_what_is_learned_begins_with_how_far_the_loss_came(made, page):
    (told,) = prose(page, "learned")
    losses = [one(made.curves, study="training", name="masked_loss", step=step)["value"] for step in STEPS]
    assert f"from {number(losses[0])} nats at step {step_text(STEPS[0])} to {number(losses[-1])} at step" in told


def test_losses_stand_beside_their_baselines(made, page):
    assert [view.text for view in block(page, "losses", Figure).views] == [
        "Loss on hidden tokens",
        "Accuracy on hidden tokens",
        "Loss of next sentence prediction",
        "Accuracy of next sentence prediction",
    ]
    names = ("masked_loss", "masked_accuracy", "next_loss", "next_accuracy")
    baselines = {"masked_loss": {"unigram": 6.5, "bigram": 5.25}, "next_accuracy": {"commoner answer": 0.51}}
    for at, name in enumerate(names):
        columns = drawn(page, "losses", at)
        stored = [one(made.curves, study="training", name=name, step=step) for step in STEPS]
        ours = [which for which, reference in enumerate(columns["reference"]) if not reference]
        assert [columns["step"][which] for which in ours] == list(STEPS)
        assert [columns["value"][which] for which in ours] == [row["value"] for row in stored]
        dashed = {
            (series, value, step)
            for series, value, step, reference in zip(
                *(columns[key] for key in ("series", "value", "step", "reference")), strict=True
            )
            if reference
        }
        assert dashed == {(*pair, end) for pair in baselines.get(name, {}).items() for end in (0, LAST)}
        if name == "next_accuracy":
            for which, row in zip(ours, stored, strict=True):
                ends = wilson(round(row["value"] * row["n"]), row["n"])
                assert (columns["low"][which], columns["high"][which]) == pytest.approx(ends, abs=5e-5)


def test_tuning_is_beside_the_majority_class(made, page):
    columns, (text,) = drawn(page, "tuned"), prose(page, "tuned")
    stored = [one(made.curves, study="tuning", corpus=TASK, step=step)["value"] for step in STEPS]
    assert columns["value"][: len(STEPS)] == stored
    assert dict(zip(columns["series"], columns["value"], strict=True)) == {
        "fine-tuned": stored[-1],
        "majority class": 0.527,
    }
    for value in (stored[0], stored[-1], 0.527):
        assert f"{value:.3f}" in text
    assert "accuracy, after fine-tuning: " in text


def test_correlations_with_frequency_stand_beside_what_noise_gives(made, page):
    for kind, row in zip(("attention", "loss"), rows(page, "frequency"), strict=True):
        for cell, name in zip(row[1:4], ("spearman", "first.spearman", "held.spearman"), strict=True):
            stored = one(made.curves, study="types", name=f"{kind}.{name}")
            assert (cell.text, cell.note) == (
                alone(stored),
                interval(stored["low"], stored["high"], value=stored["value"]),
            )
        lost = one(made.curves, study="types", name=f"{kind}.undone")
        assert [row[4].text, row[5].text] == [f"{lost['value']:.0f}", "333"]


def test_what_types_cost_at_the_end_stands_below_when_they_are_learned(made, page, tmp_path):
    end = block(page, "frequency", Table, at=1)
    for row, name in zip(end.rows, ("loss", "gain", "share"), strict=True):
        stored = one(made.curves, study="types", name=f"end.{name}")
        assert row[0] == KNOWN.values[name]
        assert (row[1].text, row[1].note) == (
            alone(stored),
            interval(stored["low"], stored["high"], value=stored["value"]),
        )
    less = Course()
    less.curves = [row for row in made.curves if not row["name"].startswith("end.")]
    without = section(curve_page(less.store(tmp_path)), "frequency")
    assert [type(one) for one in without.blocks] == [str, Table]


def test_contextuality_has_a_strip_for_what_the_first_layer_reads(made, page):
    columns = drawn(page, "context")
    assert list(dict.fromkeys(columns["strip"])) == ["Layer 0", "Layer 1", "Layer 2"]
    for at, (place, step) in enumerate(zip(columns["place"], columns["step"], strict=True)):
        row = one(made.curves, name="contextuality:explained_variance.adjusted", layer=place, step=step)
        assert columns["explained variance"][at] == pytest.approx(row["value"], abs=0.0006)


@pytest.mark.parametrize("study", SECTIONS)
def test_section_is_absent_where_its_study_has_no_rows(made, tmp_path, study):
    less = Course()
    less.curves = [row for row in made.curves if row["study"] != study]
    less.rises = [row for row in made.rises if row["study"] not in (study, "relation" if study == "measure" else "")]
    ids = Document(render(curve_page(less.store(tmp_path)))).ids
    whole = set().union(*SECTIONS.values())
    assert ids & whole == whole - SECTIONS[study]


@pytest.mark.parametrize("study", [*SECTIONS, "signature"])
def test_page_is_made_of_one_study_alone(made, tmp_path, study):
    alone = Course()
    alone.curves = [row for row in made.curves if row["study"] == study]
    alone.rises = [row for row in made.rises if row["study"] in (study, "order" if study == "signature" else study)]
    atlas = alone.store(tmp_path)
    assert there(atlas)
    assert SECTIONS.get(study, set()) <= Document(render(curve_page(atlas))).ids


def test_model_without_checkpoints_has_no_page_and_no_history(tmp_path):
    atlas = Course().store(tmp_path)
    assert not there(atlas)
    cards = study_cards(atlas, made_once(atlas), addresses.model(atlas.slug))
    assert "Learning curve" not in [card.link.text for card in cards]
    assert Histories(atlas).opening(1, 1, "") is None
