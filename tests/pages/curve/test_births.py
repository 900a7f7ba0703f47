"""Births of heads, and relations in the course of training."""

import html

import numpy as np
import pytest

from generator.charts.curve.series import HIGH, LOW
from generator.numbers.number import Number
from generator.numbers.writing import number, written
from generator.pages.curve.data import step_text
from generator.pages.curve.page import curve_page
from generator.pages.heads.summary import TARGETS
from generator.studies.syntax.names import with_label
from tests.pages.curve.courses import FOUND, RELATIONS, TREES, Course
from tests.pages.curve.drawn import LAST, drawn, one, rows
from tests.pages.reading import prose, seen


def test_every_head_that_stands_out_is_born_once_and_the_earliest_first(made, page):
    expected = []
    for rise in (rise for rise in made.rises if rise["end"] > rise["start"]):
        at = (rise["layer"], rise["head"])
        if rise["study"] == "relation" and rise["corpus"] == TREES and rise["name"] in FOUND:
            expected.append((f"finds {with_label(rise['name'])} (accuracy)", at, rise))
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
    unsure.curves, unsure.heads, unsure.rises = made.curves, made.heads, [dict(row) for row in made.rises]
    row = one(unsure.rises, study="relation", corpus=TREES, name="nsubj")
    row |= {"step": np.nan, "low": np.nan, "high": np.nan}
    last = rows(curve_page(unsure.store(tmp_path)), "births")[-1]
    assert last[1:4] == ("finds subjects (nsubj) (accuracy)", "-", "-")


def test_relations_are_those_of_the_first_treebank_beside_their_offset(made, page):
    assert prose(page, "relations")[0].startswith(TREES)
    columns = drawn(page, "relations")
    words = {name: one(made.curves, study="relation.baseline", corpus=TREES, name=name)["n"] for name in RELATIONS}
    order = sorted(words, key=lambda name: (-words[name], name))
    said = {"nsubj": "subjects", "amod": "adjectives", "det:<b>": "determiners", "all": "every word"}
    shown = {name: text if name == "all" else f"{text} ({name})" for name, text in said.items()}
    places = ["{}-{}".format(*RELATIONS[name]) for name in order]
    assert list(dict.fromkeys(columns["strip"])) == [
        f"{shown[name]}: head {place}" for name, place in zip(order, places, strict=True)
    ]
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
        assert html.unescape(seen(row[1])) == shown[name]
        assert row[2:] == (
            *(written(Number.of(cell)) for cell in stored),
            step_text(rise["step"]),
            f"{step_text(rise['low'])} to {step_text(rise['high'])}",
            f"{words[name]:,}",
            f"{rise['n']:,}",
        )
