"""Layers, phases, births of heads and relations in the course of training: strips, half-way steps, orders."""

import html
import math

import numpy as np
import pytest

from generator.claims.all import CLAIMS
from generator.claims.claim import judge
from generator.claims.evidence.evidence import Evidence
from generator.claims.said import REASON
from generator.corpora.relation_names import with_label
from generator.numbers.number import Number
from generator.numbers.writing import number, pieces, written
from generator.pages.blocks import Figure
from generator.pages.heads.summary import TARGETS
from generator.topics.learning.charts.series import HIGH, LOW, TALL
from generator.topics.learning.page.data import step_text
from generator.topics.learning.page.figures import step_signals
from generator.topics.learning.page.page import curve_page
from generator.topics.learning.page.slider import SHOWN
from tests.pages.reading import block, prose, seen
from tests.topics.learning.page.courses import FOUND, RELATIONS, SIGNATURES, STEPS, TREES, Course
from tests.topics.learning.page.drawn import LAST, drawn, one, rows, view_of


def test_strips_of_layers_have_means_and_ends(made, page):
    names = {
        "[CLS]": "attention.cls",
        "[SEP]": "attention.sep",
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
    targets = [text for text in names if text != "breadth"]
    view = view_of(block(page, "by-layer", Figure))
    assert view["constants"]["decimals"] == 3, "what is downloaded says that it is rounded"
    assert view["signals"] == {
        "zero": STEPS[1] / 2,
        "last": LAST,
        "ticks": step_signals(STEPS)["ticks"],
        "rows": 2,
        "height": 2 * TALL,
        "top": math.ceil(10 * max(max(columns[text + end]) for text in targets for end in ("", HIGH))) / 10,
    }


def test_step_zero_stands_at_half_the_first_step_and_is_told(made, page, tmp_path):
    assert "step 0 has no place" in prose(page, "by-layer")[0]
    later = Course(STEPS[1:])
    later.curve("measure", SHOWN[0], 1)
    assert prose(curve_page(later.store(tmp_path)), "by-layer") == []


def test_diamonds_stand_where_half_of_the_change_was_made(made, page):
    columns = drawn(page, "phases")
    shown = dict(zip(SIGNATURES, ("[CLS]", "[SEP]", "periods and commas"), strict=True))
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
    told = f". {found.reason}" if found.verdict != "not testable" else f": {found.reason.removeprefix(REASON)}"
    assert prose(page, "phases")[0].endswith(f"H05: {claim.title}. The verdict is “{found.verdict}”{told}")


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
