"""The slider has every number of every step in its place."""

import json
import re

import numpy as np
import pytest

from generator.measures import OF_COLUMN
from generator.numbers.writing import number
from generator.topics.learning.page.page import curve_page
from generator.topics.learning.page.slider import SHOWN
from tests.topics.learning.page.courses import STEPS, Course
from tests.topics.learning.page.drawn import LAST, grid, one, render


def test_slider_has_every_number_of_every_step_in_its_place(made, page):
    data = json.loads(grid(page).data)
    assert (data["steps"], data["heads"]) == (list(STEPS), made.shape[1])
    for name, measure in zip(SHOWN, data["measures"], strict=True):
        rows = [
            one(made.curves, study="measure", name=name, layer=layer, head=head, step=step)
            for step in STEPS
            for layer, head in made.places
        ]
        texts = measure["values"].split(" ")
        assert texts == [number(row["value"], row["low"], row["high"]) for row in rows]
        assert float(measure["top"]) == max(map(float, texts))


def test_grid_without_script_shows_the_last_step(made, page):
    for (layer, head), cell in zip(made.places, (cell for row in grid(page).rows for cell in row), strict=True):
        row = one(made.curves, study="measure", name=SHOWN[0], layer=layer, head=head, step=LAST)
        assert (cell.name, cell.href) == (f"{layer}-{head}", f"../heads/{layer}-{head}/")
        assert cell.shown == number(row["value"], row["low"], row["high"])
        top = float(json.loads(grid(page).data)["measures"][0]["top"])
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
        assert f"reach at most {number(max(half))} to either side" in measure["told"]


def test_undefined_heads_are_unknown_and_not_zero(made, tmp_path):
    lost = Course()
    lost.curves = [dict(row) for row in made.curves]
    one(lost.curves, name=SHOWN[0], layer=2, head=3, step=LAST)["value"] = np.nan
    context = curve_page(lost.store(tmp_path))
    at = made.places.index((2, 3))
    assert json.loads(grid(context).data)["measures"][0]["values"].split(" ")[at - len(made.places)] == "-"
    (unknown,) = [cell for row in grid(context).rows for cell in row if not cell.known]
    assert (unknown.name, unknown.shown, unknown.share) == ("2-3", "-", "0")
    assert not re.search(r"\bnan\b", render(context))
