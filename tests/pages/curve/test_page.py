"""The page of a model's course of training says what the checkpoints stored, of the right step, layer and head."""

import json
import math
import re
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import numpy as np
import pytest
from scipy.stats import norm

from generator.charts.curve.panels import HIGH, LOW
from generator.claims import CLAIMS
from generator.claims.claim import judge
from generator.claims.evidence.evidence import Evidence
from generator.home import TEMPLATES
from generator.measures import OF_COLUMN
from generator.numbers.number import Number
from generator.numbers.writing import interval, number, pieces
from generator.pages import addresses
from generator.pages.blocks import Figure, Sections, Table
from generator.pages.curve.claims import LETTERS, verdicts
from generator.pages.curve.data import Course as Read
from generator.pages.curve.data import step_text
from generator.pages.curve.history import Histories
from generator.pages.curve.page import curve_page, there
from generator.pages.curve.slider import SHOWN, Slider
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.summary import TARGETS
from generator.pages.renderer import Renderer
from generator.pages.studies.all import study_links
from generator.site.plugin import ASSETS
from generator.studies.learning import quantities
from tests.pages.contract import check_charts, check_html
from tests.pages.curve.courses import OTHER_TREES, RELATIONS, SIGNATURES, STEPS, TASK, TEXTS, TREES, Course
from tests.pages.reading import block, every, prose, seen
from tests.pages.studies.test_all import anchors
from tests.site.documents import Document

PAGE_BYTES, SCRIPT_BYTES = 400_000, 3_000
LAST = STEPS[-1]
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
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def made() -> Course:
    """Gives the invented numbers."""
    return Course().everything(SHOWN)


@pytest.fixture(scope="module")
def atlas(made: Course, tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives the stored results."""
    return made.store(tmp_path_factory.mktemp("curve"))


@pytest.fixture(scope="module")
def page(atlas: Atlas) -> Sections:
    """Gives the context."""
    return curve_page(atlas)


@pytest.fixture(scope="module")
def html(page: Sections) -> str:
    """Gives the page."""
    return render(page)


def render(page: Sections) -> str:
    """The page of a context."""
    return Renderer(TEMPLATES).render("page.html", page)


def one(rows: Rows, **chosen: Any) -> dict[str, Any]:
    """The only row with these values."""
    found = [row for row in rows if all(row[name] == value for name, value in chosen.items())]
    assert len(found) == 1, chosen
    return found[0]


def grid(page: Sections) -> Slider:
    """The heads of every checkpoint."""
    return block(page, "checkpoints", Slider)


def drawn(page: Sections, anchor: str, at: int = 0) -> dict[str, Any]:
    """The columns of a view of a section's figure."""
    return dict(view_of(block(page, anchor, Figure), at)["columns"])


def rows(page: Sections, anchor: str, at: int = 0) -> Any:
    """The rows of a section's table."""
    return block(page, anchor, Table, at).rows


def view_of(figure: Figure, at: int = 0) -> dict[str, Any]:
    """The data of one view."""
    return dict(json.loads(figure.data)["views"][at])


# The slider


def alone(row: Any) -> str:
    """The value of a stored number as a page writes it."""
    return pieces(Number.of(row))[0]


def digits(text: str, at: int) -> int:
    """A number of two digits of base 36."""
    alphabet = "0123456789abcdefghijklmnopqrstuvwxyz"
    return 36 * alphabet.index(text[2 * at]) + alphabet.index(text[2 * at + 1])


def test_slider_has_every_number_of_every_step_in_its_place(made, page):
    data = json.loads(grid(page).data)
    assert (data["steps"], data["heads"]) == (list(STEPS), made.shape[1])
    for name, measure in zip(SHOWN, data["measures"], strict=True):
        whole = []
        for at, step in enumerate(STEPS):
            for which, (layer, head) in enumerate(made.places):
                row = one(made.curves, study="measure", name=name, layer=layer, head=head, step=step)
                whole.append(round(row["value"] * measure["per"]))
                assert digits(measure["values"], at * len(made.places) + which) == whole[-1]
        assert len(measure["values"]) == 2 * len(whole)
        assert measure["top"] == max(whole)
        assert measure["per"] == (100 if name == "entropy.all" else 1000)


def test_grid_without_script_shows_the_last_step(made, page):
    for (layer, head), cell in zip(made.places, (cell for row in grid(page).rows for cell in row), strict=True):
        row = one(made.curves, study="measure", name=SHOWN[0], layer=layer, head=head, step=LAST)
        assert (cell.name, cell.href) == (f"{layer}-{head}", f"../heads/{layer}-{head}/")
        assert cell.shown == f"{row['value']:.3f}"
        top = json.loads(grid(page).data)["measures"][0]["top"] / 1000
        assert float(cell.share) == pytest.approx(100 * row["value"] / top, abs=0.3)
    assert [row[0] for row in grid(page).table.rows] == [f"{layer}-{head}" for layer, head in made.places]
    for (layer, head), cells in zip(made.places, grid(page).table.rows, strict=True):
        stored = [one(made.curves, name=name, layer=layer, head=head, step=LAST)["value"] for name in SHOWN]
        assert [float(cell) for cell in cells[1:]] == pytest.approx(stored, abs=0.006)


def test_choices_name_and_define_their_measures(page):
    for name, choice in zip(SHOWN, grid(page).measures, strict=True):
        assert choice.href.endswith(f"/methods/{name}/")
        assert OF_COLUMN[name].title in choice.text


def test_width_of_intervals_is_told(made, page):
    for name, measure in zip(SHOWN, json.loads(grid(page).data)["measures"], strict=True):
        rows = [row for row in made.curves if row["name"] == name and row["head"]]
        half = [(row["high"] - row["low"]) / 2 for row in rows]
        assert f"{number(float(np.median(half)))} to either side in the median" in measure["told"]
        assert f"at most {number(max(half))}." in measure["told"]


def test_undefined_heads_are_unknown_and_not_zero(made, tmp_path):
    lost = Course()
    lost.curves = [dict(row) for row in made.curves]
    one(lost.curves, name=SHOWN[0], layer=2, head=3, step=LAST)["value"] = np.nan
    context = curve_page(lost.store(tmp_path))
    at = made.places.index((2, 3))
    assert json.loads(grid(context).data)["measures"][0]["values"][-2 * (len(made.places) - at) :].startswith("--")
    (unknown,) = [cell for row in grid(context).rows for cell in row if not cell.known]
    assert (unknown.name, unknown.shown, unknown.share) == ("2-3", "-", "0")
    assert not re.search(r"\bnan\b", render(context))


# Layers and phases


def test_strips_of_layers_have_means_and_ends(made, page):
    names = {
        "begin token": "attention.cls",
        "separators": "attention.sep",
        "periods and commas": "attention.punctuation",
        "previous token": "attention.previous",
        "next token": "attention.next",
        "breadth": "entropy.all",
    }
    columns = drawn(page, "by-layer")
    at = list(zip(columns["strip"], columns["place"], columns["step"], strict=True))
    assert at == [(f"Layer {layer}", layer - 1, step) for layer in (1, 2) for step in STEPS]
    for text, name in names.items():
        uniform = 4.2 if name == "entropy.all" else 1.0
        for which, (_, place, step) in enumerate(at):
            row = one(made.curves, study="measure", name=name, layer=place + 1, head=0, step=step)
            for field, end in (("value", ""), ("low", LOW), ("high", HIGH)):
                assert columns[text + end][which] == pytest.approx(row[field] / uniform, abs=0.0006)
    assert view_of(block(page, "by-layer", Figure))["signals"] == {
        "zero": STEPS[1] / 2,
        "last": LAST,
        "rows": 2,
        "height": 128,
    }


def test_step_zero_stands_at_half_the_first_step_and_is_told(made, page, tmp_path):
    assert f"step 0 stands at {STEPS[1] // 2}" in prose(page, "by-layer")[0]
    later = Course(STEPS[1:])
    later.curve("measure", SHOWN[0], 1)
    assert prose(curve_page(later.store(tmp_path)), "by-layer") == []


def test_diamonds_stand_where_half_of_the_change_was_made(made, page):
    columns = drawn(page, "phases")
    shown = dict(zip(SIGNATURES, ("begin token", "separators", "periods and commas"), strict=True))
    for name, text in shown.items():
        rise = one(made.rises, study="signature", name=name)
        mine = [at for at, series in enumerate(columns["series"]) if series == text]
        assert [columns["step"][at] for at in mine] == list(STEPS)
        for at, step in zip(mine, STEPS, strict=True):
            row = one(made.curves, study="signature", name=name, step=step)
            assert columns["value"][at] == pytest.approx(row["value"], abs=5e-5)
            assert columns["half"][at] == rise["step"]
            assert columns["half_low"][at] == max(rise["low"], STEPS[1] / 2)
            assert columns["half_high"][at] == rise["high"]
            assert columns["half_value"][at] == pytest.approx((rise["start"] + rise["end"]) / 2, abs=5e-5)


def test_tables_of_phases_have_rises_and_orders(made, page):
    for name, row in zip(SIGNATURES, rows(page, "phases"), strict=True):
        rise = one(made.rises, study="signature", name=name)
        assert [row[1], row[2]] == [number(rise["start"]), number(rise["end"])]
        assert (row[3].text, row[3].note) == (
            step_text(rise["step"]),
            f"{step_text(rise['low'])} to {step_text(rise['high'])}",
        )
        assert row[4].text == "9"
    for name, row in zip(("begin.separator", "separator.punctuation"), rows(page, "phases", 1), strict=True):
        rise = one(made.rises, study="order", name=name)
        assert (row[2].text, row[2].note) == pieces(Number(rise["step"], rise["low"], rise["high"], rise["n"]))


def test_verdict_on_the_phases_in_time_is_that_of_the_claim(page, atlas):
    claim = next(claim for claim in CLAIMS if claim.id == "H05")
    found = judge(claim, Evidence(atlas.results))
    assert found.reason
    assert prose(page, "phases")[0].endswith(f"H05: {claim.title}: {found.verdict}. {found.reason}")


# Births and relations


def test_every_head_that_stands_out_is_born_once_and_the_earliest_first(made, page):
    expected = []
    offsets = {row["name"]: row["value"] for row in made.curves if row["study"] == "relation.baseline"}
    for rise in (rise for rise in made.rises if rise["end"] > rise["start"]):
        at = (rise["layer"], rise["head"])
        relation = rise["study"] == "relation" and rise["corpus"] == TREES and rise["name"] != "all"
        if relation and rise["end"] > offsets[rise["name"]]:
            expected.append((f"finds {rise['name']} (accuracy)", at, rise))
        if rise["study"] == "measure" and rise["head"]:
            for target in TARGETS:
                if target.column == rise["name"] and rise["end"] >= 0.3:
                    expected.append((f"attends to {target.words} (share)", at, rise))
            if rise["name"] == "entropy.all" and rise["end"] >= 0.8 * 4.2:
                expected.append(("is broad (entropy, nats)", at, rise))
    assert len(expected) > len(made.places)
    shown = {(row[1], row[0].text): row for row in rows(page, "births")}
    assert len(shown) == len(rows(page, "births")) == len(expected)
    for what, (layer, head), rise in expected:
        row = shown[what, f"{layer}-{head}"]
        assert row[0].href == f"../heads/{layer}-{head}/"
        assert row[2:] == (
            step_text(rise["step"]),
            f"{step_text(rise['low'])} to {step_text(rise['high'])}",
            number(rise["start"]),
            number(rise["end"]),
            f"{rise['n']:,}",
        )
    steps = [int(row[2].replace(",", "")) for row in rows(page, "births")]
    assert steps == sorted(steps)


def test_head_without_a_sure_change_is_born_last(made, tmp_path):
    unsure = Course()
    unsure.curves, unsure.rises = made.curves, [dict(row) for row in made.rises]
    row = one(unsure.rises, study="relation", corpus=TREES, name="nsubj")
    row |= {"step": np.nan, "low": np.nan, "high": np.nan}
    last = rows(curve_page(unsure.store(tmp_path)), "births")[-1]
    assert last[1:4] == ("finds nsubj (accuracy)", "-", "-")


def test_relations_are_those_of_the_first_treebank_beside_their_offset(made, page):
    assert prose(page, "relations")[0].startswith(TREES)
    columns = drawn(page, "relations")
    words = {name: one(made.curves, study="relation.baseline", corpus=TREES, name=name)["n"] for name in RELATIONS}
    order = sorted(words, key=lambda name: -words[name])
    spelled = [f"{'every word' if name == 'all' else name}: {'-'.join(map(str, RELATIONS[name]))}" for name in order]
    assert list(dict.fromkeys(columns["strip"])) == spelled
    for at, (place, step) in enumerate(zip(columns["place"], columns["step"], strict=True)):
        of = {"corpus": TREES, "name": order[place]}
        row = one(made.curves, study="relation", step=step, **of)
        offset = one(made.curves, study="relation.baseline", step=LAST, **of)
        for series, stored in (("head", row), ("best fixed offset", offset)):
            for field, end in (("value", ""), ("low", LOW), ("high", HIGH)):
                assert columns[series + end][at] == pytest.approx(stored[field], abs=0.0006)
    for name, row in zip(order, rows(page, "relations"), strict=True):
        rise = one(made.rises, study="relation", corpus=TREES, name=name)
        of = {"corpus": TREES, "name": name}
        ends = [one(made.curves, study="relation", step=step, **of) for step in (0, LAST)]
        stored = [*ends, one(made.curves, study="relation.baseline", **of)]
        assert row[0].href == "../heads/{}-{}/".format(*RELATIONS[name])
        assert row[1:] == (
            "every word" if name == "all" else name,
            *(f"{number(cell['value'])} ({interval(cell['low'], cell['high'])})" for cell in stored),
            step_text(rise["step"]),
            f"{step_text(rise['low'])} to {step_text(rise['high'])}",
            f"{words[name]:,}",
            f"{rise['n']:,}",
        )


# Claims


def test_bars_of_claims_are_the_verdicts_of_all_parts(made, page):
    columns = drawn(page, "claims")
    known = {row["name"].partition(".")[0] for row in made.curves if row["study"] == "claim"}
    assert list(dict.fromkeys(columns["claim"])) == [claim.id for claim in CLAIMS if claim.id in known]
    assert {row[0].text for row in rows(page, "claims")} == known
    for claim in (claim for claim in CLAIMS if claim.id in known):
        bars = [at for at, name in enumerate(columns["claim"]) if name == claim.id]
        shown = [columns["verdict"][at] for at in bars for _ in range(columns["left"][at], columns["right"][at])]
        expected = []
        for step in STEPS:
            found = []
            for part in claim.parts:
                row = one(made.curves, study="claim", name=part.key, step=step)
                found.append(part.verdict(Number(row["value"], row["low"], row["high"], row["n"])))
            worst = ("fails", "not testable", "inconclusive", "holds")
            expected.append(min(found, key=worst.index))
        assert shown == expected, claim.id
        assert [columns["since"][at] for at in bars] == [STEPS[columns["left"][at]] for at in bars]
        assert [columns["until"][at] for at in bars] == [STEPS[columns["right"][at] - 1] for at in bars]
        row = next(row for row in rows(page, "claims") if row[0].text == claim.id)
        assert (row[2], row[3]) == (expected[0], expected[-1])
        since = next(step for at, step in enumerate(STEPS) if len(set(expected[at:])) == 1)
        assert row[4] == step_text(since)
    assert {columns["letter"][at] == LETTERS[name] for at, name in enumerate(columns["verdict"])} == {True}
    assert len(set(LETTERS.values())) == len(LETTERS)


def test_part_without_a_number_makes_its_claim_not_testable():
    claim = next(claim for claim in CLAIMS if len(claim.parts) == 2)
    bound = claim.parts[0].bounds[0]
    good = bound.at + (0.1 if bound.side in ("above", "at least") else -0.1)
    assert verdicts(claim, [[Number(good, good, good, 100)], [None]]) == ["not testable"]
    bad = 2 * bound.at - good
    assert verdicts(claim, [[Number(bad, bad, bad, 100)], [None]]) == ["fails"]


# What is learned


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
    said = f"Its next-sentence accuracy is {value} on 400 inputs (95 % interval {ends}), {beyond} chance"
    assert f"{said}: always the commoner answer would reach 0.52." in lead


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
        assert [columns["value"][which] for which in ours] == [round(row["value"], 4) for row in stored]
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
    assert columns["value"][: len(STEPS)] == [round(value, 4) for value in stored]
    assert dict(zip(columns["series"], columns["value"], strict=True)) == {
        "fine-tuned": round(stored[-1], 4),
        "majority class": 0.527,
    }
    for value in (stored[0], stored[-1], 0.527):
        assert number(value) in text
    assert "accuracy: " in text


def test_correlations_with_frequency_stand_beside_what_noise_gives(made, page):
    for kind, row in zip(("attention", "loss"), rows(page, "frequency"), strict=True):
        for cell, name in zip(row[1:4], ("spearman", "first.spearman", "held.spearman"), strict=True):
            stored = one(made.curves, study="types", name=f"{kind}.{name}")
            assert (cell.text, cell.note) == (alone(stored), interval(stored["low"], stored["high"]))
        lost = one(made.curves, study="types", name=f"{kind}.undone")
        assert [row[4].text, row[5].text] == [f"{lost['value']:.0f}", "333"]


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
    assert "Learning curve" not in [link.text for link in study_links(atlas, addresses.model(atlas.slug))]
    assert Histories(atlas).of(1, 1, "") is None


# Heads


def test_history_of_a_head_is_that_of_its_main_target(made, atlas):
    here, histories = addresses.head(atlas.slug, 2, 3), Histories(atlas)
    for layer, head in made.places:
        history = histories.of(layer, head, here)
        first = atlas.summaries[layer, head].first
        target = next((target for target in TARGETS if target.kind == first), None)
        name = target.column if target else "entropy.all"
        rise = one(made.rises, study="measure", name=name, layer=layer, head=head)
        said = f"{step_text(rise['step'])} ({step_text(rise['low'])} to {step_text(rise['high'])})."
        assert said in seen(history)
        assert f"from {number(rise['start'])} to {number(rise['end'])}" in seen(history)
        assert history[-2].href == "../../curve/"
        finds = [name for name, place in RELATIONS.items() if place == (layer, head) and name != "all"]
        assert re.findall(r"accuracy on (\S+) went", seen(history)) == finds


def test_history_tells_the_largest_sure_changes_of_accuracy_alone(tmp_path):
    course = Course()
    for name in ("entropy.all", *(target.column for target in TARGETS)):
        course.curve("measure", name, 1, 1, rise=True)
    for name in "abcd":
        course.curve("relation", name, 1, 1, corpus=TREES, rise=True)
    for row, end in zip(course.rises[-4:], (0.9, 0.2, 0.5, 0.0), strict=True):
        row |= {"start": 0.3, "end": end}
    course.rises[-1]["step"] = np.nan
    text = seen(Histories(course.store(tmp_path)).of(1, 1, ""))
    assert re.findall(r"accuracy on (\S+) went", text) == ["a", "c"]


def test_line_of_a_head_rises_with_its_numbers(made, atlas):
    places = np.log([STEPS[1] / 2, *STEPS[1:]])
    for layer, head in made.places:
        first = atlas.summaries[layer, head].first
        name = next((target.column for target in TARGETS if target.kind == first), "entropy.all")
        values = [one(made.curves, name=name, layer=layer, head=head, step=step)["value"] for step in STEPS]
        line = Histories(atlas).of(layer, head, "")[0].line
        points = [tuple(map(int, point.split(","))) for point in line.removeprefix("M").split("L")]
        for (x, y), at, value in zip(points, places, values, strict=True):
            assert x == pytest.approx(100 * (at - places[0]) / (places[-1] - places[0]), abs=0.51)
            assert y == pytest.approx(20 * (1 - value / max(values)), abs=0.51)


# The whole page


def test_the_page_keeps_what_every_page_promises(page, html):
    assert (len(every(page, Figure)), len(every(page, Table))) == (10, 6)
    check_charts(page)
    check_html(page, html)


def test_every_link_leads_somewhere(made, page, html, atlas):
    known = {addresses.head(atlas.slug, *place) for place in made.places} | {
        addresses.MODELS,
        addresses.model(atlas.slug),
    }
    known |= {addresses.claim(claim.id) for claim in CLAIMS} | {addresses.method(name) for name in SHOWN}
    known |= {"assets/fieldguide/curve.js"}
    by_hand = {addresses.GLOSSARY: anchors("glossary.md")}
    document = Document(html)
    links = [link for _, link in document.references()]
    links += [one.attributes["data-href"] for one in document.find("option") if "data-href" in one.attributes]
    links += drawn(page, "claims")["href"]
    here = "http://here/" + addresses.curve(atlas.slug)
    for link in links:
        address, _, anchor = urljoin(here, link).removeprefix("http://here/").partition("#")
        own = address == addresses.curve(atlas.slug) and anchor in document.ids
        assert own or address in known or anchor in by_hand.get(address, ()), link


def test_hostile_names_stay_text(html):
    document = Document(html)
    assert not [one for one in document.elements if one.tag in ("img", "b", "i", "svg")]
    assert [one.attributes.get("src") for one in document.find("script")] == ["../../../assets/fieldguide/curve.js"]
    assert all(not set("<>&") & set(template.text) for template in document.find("template"))
    assert f"finds {'det:<b>'} (accuracy)" in [one.text for one in document.find("td")]


def test_numbers_without_intervals_are_told_without(made, tmp_path):
    bare = Course()
    bare.curves = [row | {"low": np.nan, "high": np.nan} for row in made.curves]
    bare.rises = [row | {"step": np.nan, "low": np.nan, "high": np.nan} for row in made.rises]
    atlas = bare.store(tmp_path)
    assert not re.search(r"\b(nan|inf)\b|[>( ]None[<), ]", render(curve_page(atlas)))
    assert "no change beyond doubt" in seen(Histories(atlas).of(1, 1, ""))


def test_same_results_give_the_same_page(made, page, tmp_path):
    again = Course()
    again.curves, again.rises = made.curves[::-1], made.rises[::-1]
    assert curve_page(again.store(tmp_path)) == page


def test_largest_page_is_small(tmp_path):
    steps = (0, *sorted({round(10 * 1.35**power) for power in range(28)}))
    course = Course(steps, 12, 12).everything(SHOWN)
    for claim in CLAIMS:
        for part in range(1, len(claim.parts) + 1):
            if f"{claim.id}.{part}" not in {row["name"] for row in course.curves[-1:]}:
                course.curve("claim", f"{claim.id}.{part}", even=True)
    for which in range(40):
        course.curve("relation", f"relation {which}", 1 + which % 12, 1 + which % 11, corpus=TREES, rise=True)
    context = curve_page(course.store(tmp_path))
    assert (len(steps), len(grid(context).rows)) == (29, 12)
    assert len(render(context).encode()) < PAGE_BYTES


def test_script_is_small():
    assert len((ASSETS / "curve.js").read_bytes()) < SCRIPT_BYTES


def test_course_takes_what_several_corpora_tell_from_the_first(made, atlas):
    course = Read(atlas)
    assert course.steps == STEPS
    assert course.corpus(quantities.RELATIONS) == TREES != OTHER_TREES
    assert course.corpus(quantities.MEASURE) == TEXTS
    assert {row["corpus"] for row in course.series(quantities.RELATIONS, "nsubj")} == {TREES}
    assert course.tasks() == [TASK]


def test_page_lives_below_its_model(atlas: Atlas, tmp_path: Path):
    assert addresses.curve("tiny") == "models/tiny/curve/"
    links = study_links(atlas, addresses.model(atlas.slug))
    assert [link.href for link in links if link.text == "Learning curve"] == ["curve/"]
