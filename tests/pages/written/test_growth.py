"""Costs: sentences and figure say what was measured, hostile text stays text, and the page has what it names."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from generator.errors import SiteError
from generator.pages.claims.tables import Ledger
from generator.pages.written.growth import MEASURED, TITLES, UNMEASURED, curves, grew, growth_figure
from generator.pages.written.knowledge import Knowledge
from tests.bench.growth import CURVES, LAYERS_AND_HEADS
from tests.pages.written.test_knowledge import BIBLIOGRAPHY, DOCS, HOSTILE, KNOWLEDGE, RENDERER
from tests.site.documents import Document

PAGE = "growth/"
STRAIGHT = [{"amount": 8 * times, "seconds": 2.0 * times, "bare": 0.5, "memory": 90} for times in (1, 2, 4)]
SQUARE = [{"amount": times, "seconds": 3.0 * times**2, "bare": 1.0 * times} for times in (5, 1)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Gives a file with two curves: one grows with the amount, one with its square."""
    return write(tmp_path, {"documents": made(STRAIGHT), "heads": made(SQUARE)})


def made(points: Any, machine: str = "a machine") -> dict[str, Any]:
    return {"machine": machine, "date": "2026-11-23", "points": points}


def write(folder: Path, content: Any) -> Path:
    (folder / MEASURED).write_text(json.dumps(content), encoding="utf-8")
    return folder / MEASURED


def rendered(folder: Path, text: str) -> str:
    return Knowledge(Ledger((), ()), folder / "references.bib", RENDERER).render(text, PAGE, "growth.md")


@pytest.mark.parametrize(
    ("name", "sentence", "told"),
    [
        ("documents", "{first} to {last}: {range} times, {times} times", "8 to 32: 4 times, 4 times"),
        ("documents", "{before}: twice {doubled}, bare {bare_doubled}", "16: twice 2, bare 1"),
        ("documents", "{seconds_first} to {seconds}, {over_first} to {over}", "2 to 8, 4 to 16"),
        ("heads", "each further head {further} times", "each further head 18 times"),
        ("documents", "each further document {further} times", "each further document - times"),
        ("documents", "{memory}, {bare_memory}, {more}; {machine}, {date}", "90, -, -; a machine, 2026-11-23"),
        ("heads", "{doubled} beside {bare_doubled}, from {first} to {last}", "4 beside 2, from 1 to 5"),
    ],
)
def test_a_sentence_says_what_was_measured(path: Path, name: str, sentence: str, told: str) -> None:
    assert grew(path, name, sentence) == told


def test_a_curve_of_one_point_has_no_growth(tmp_path: Path) -> None:
    one = write(tmp_path, {"heads": made(SQUARE[1:])})
    assert grew(one, "heads", "{times}, {doubled}, {bare_doubled}") == "1, -, -"


def test_the_figure_sets_each_curve_over_its_first_point(path: Path) -> None:
    figure = growth_figure(path)
    assert figure
    assert figure.label == (
        "At the end of each curve, twice as much takes 2 times the time for documents and 4 for heads of the encoder"
    )
    (view,) = json.loads(figure.data)["views"]
    assert view["columns"] == {
        "series": [*[TITLES["documents"]] * 3, *[TITLES["heads"]] * 2],
        "amount": [8, 16, 32, 1, 5],
        "seconds": [2, 4, 8, 3, 75],
        "more": [1, 2, 4, 1, 5],
        "times": [1, 2, 4, 1, 25],
        "seconds_told": ["2", "4", "8", "3", "75"],
        "times_told": ["1", "2", "4", "1", "25"],
    }
    assert view["signals"] == {"most": 5, "top": 25}
    assert figure.table.rows[0] == ("documents", "8", "2", "0.5", "4", "90")
    assert figure.table.rows[-1] == ("heads of the encoder", "5", "75", "5", "15", "-")


def test_a_hostile_machine_is_text(tmp_path: Path) -> None:
    write(tmp_path, {"documents": made(STRAIGHT, HOSTILE)})
    html = rendered(tmp_path, '{{ grew("documents", says="on {machine}") }}')
    assert not re.search(r"[<>*_`|\\{}]", html)
    assert Document(f"<p>{html}</p>").find("p")[0].text == f"on {HOSTILE}"


def test_what_was_not_measured_is_said(tmp_path: Path) -> None:
    text = '{{ grew("heads", says="{times}") }}\n\n{{ growth() }}\n'
    assert rendered(tmp_path, text).count(UNMEASURED.replace(".", "")) == 2
    write(tmp_path, {"heads": made([])})
    assert rendered(tmp_path, text).count(UNMEASURED.replace(".", "")) == 2


@pytest.mark.parametrize(
    "content",
    [
        7,
        {"heads": made([{"amount": 1, "seconds": 0, "bare": 1}])},
        {"heads": made([{"amount": "1", "seconds": 1, "bare": 1}])},
        {"heads": made([{"amount": 1, "seconds": 1}])},
        {"heads": {"points": SQUARE}},
        {"heads": 3},
    ],
)
def test_what_is_no_measurement_is_one_sentence(tmp_path: Path, content: Any) -> None:
    path = write(tmp_path, content)
    with pytest.raises(SiteError, match=r"^Expected measured points in .*growth\.json, found: [^\n]+$"):
        curves(path)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ('{{ grew("head", says="") }}', "documents, tokens, heads, models"),
        ('{{ grew("heads", says="{tims}") }}', "'tims'"),
        ('{{ grew("heads") }}', "grew(...) with arguments as in"),
    ],
)
def test_wrong_call_is_one_sentence_that_names_the_page(path: Path, call: str, told: str) -> None:
    with pytest.raises(SiteError, match=r"^growth\.md: Expected [^\n]+$") as caught:
        rendered(path.parent, call)
    assert told in str(caught.value)


def test_the_page_shows_every_point_that_the_command_measures() -> None:
    kept = curves(BIBLIOGRAPHY.with_name(MEASURED))
    assert {name: tuple(point.amount for point in curve.points) for name, curve in kept.items()} == {
        name: curve.amounts for name, curve in CURVES.items()
    }
    text = KNOWLEDGE.render((DOCS / "growth.md").read_text(encoding="utf-8"), PAGE, "growth.md")
    assert "{" not in text
    assert UNMEASURED.replace(".", "") not in text
    (figure,) = Document(text).find("figure")
    assert figure.attributes["id"] == "growth"


def test_the_page_is_right_where_it_says_in_words_what_was_measured() -> None:
    """Measured anew, the numbers of its sentences change by themselves, and these words do not."""
    kept = curves(BIBLIOGRAPHY.with_name(MEASURED))
    memory = {point.amount: point.memory for point in kept["tokens"].points}
    assert memory[2048] < 1.5 * memory[1024]
    assert {(point.amount, LAYERS_AND_HEADS[point.amount][0]) for point in kept["heads"].points} >= {(16, 4), (384, 24)}
    first, *_, last = kept["documents"].points
    assert last.seconds / first.seconds < last.amount / first.amount
