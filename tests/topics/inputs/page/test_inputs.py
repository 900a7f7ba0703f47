"""The page on changed inputs: every number is the stored one, and what a model does not have is left out."""

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from generator.claims.all import CLAIMS
from generator.measures.position import OFFSET_COLUMNS
from generator.numbers.number import Number
from generator.numbers.writing import pieces, written
from generator.pages.blocks import Figure, Items, Table
from generator.pages.figures import DIGITS
from generator.pages.heads.atlas import Atlas
from generator.results.store import Results
from generator.results.tables import FACTS, TABLES
from generator.results.writing import write
from generator.topics.compare.page.numbers import SHOWN
from generator.topics.inputs.page import CONDITIONS, NUMBERS, STUDIES, inputs_page, there
from generator.topics.inputs.records.inputs import MANIPULATIONS
from generator.topics.inputs.records.mask_rows import PLACES
from tests.pages.reading import anchors, block, prose, seen
from tests.pages.titled import check_titles
from tests.results.samples import in_range

DISTANCES = {"1": 0.5, "2": 0.25, "17": 0.125, "65": -0.01}

STUDY = MANIPULATIONS.name
OF_MASKS = [f"{row}.{kind}" for row in ("mask", "word") for kind in (*PLACES, "same")]


def again(atlas: Atlas, folder, **changed: pd.DataFrame) -> Atlas:
    """The same results with other tables."""
    tables = {name: atlas.results.table(name) for name in TABLES} | changed
    stored = {name: frame for name, frame in tables.items() if len(frame)}
    return Atlas(Results.open(write(folder, atlas.results.manifest, stored)))


@pytest.fixture(scope="module")
def full(atlas, tmp_path_factory):
    """Gives the tiny encoder's results with the invented numbers of a masked-LM head."""
    facts = atlas.results.table("facts")
    known = set(zip(facts["study"], facts["name"], strict=True))
    missing = [(study.name, name) for study, name in NUMBERS if (study.name, name) not in known]
    assert missing, "the tiny encoder has no masked-LM head"
    rows = [(study, name, at / 7) for at, (study, name) in enumerate(missing)]
    rows += [("occlusion", f"drop.distance.{start}", value) for start, value in DISTANCES.items()]
    rows = [(0, *row) for row in rows]
    for layer in (1, 2, 3):
        rows += [(layer, "mask rows", name, (at + layer) / 40) for at, name in enumerate(OF_MASKS)]
    rows = [(at, study, name, *in_range(study, name, of, of - 0.05, of + 0.02)) for at, study, name, of in rows]
    made = pd.DataFrame(rows, columns=["layer", "study", "name", "value", "low", "high"]).assign(
        model=atlas.results.manifest.model, corpus=atlas.corpus, n=17
    )
    facts = pd.concat([facts, made[FACTS.names]], ignore_index=True).sample(frac=1, random_state=0)
    heads = atlas.results.table("head_facts").sample(frac=1, random_state=0)
    return again(atlas, tmp_path_factory.mktemp("full"), facts=facts, head_facts=heads)


def alone(row: Any) -> str:
    """The value of a stored number as a page writes it."""
    return pieces(Number.of(row))[0]


def fact(atlas, study, name):
    """A row of the whole model on the corpus that is shown."""
    rows = atlas.results.table("facts")
    (row,) = rows[
        (rows["study"] == study) & (rows["name"] == name) & (rows["layer"] == 0) & (rows["corpus"] == atlas.corpus)
    ].to_dict("records")
    return row


def test_every_head_has_the_stored_change_of_its_maps(full):
    figure = block(inputs_page(full), "heads", Figure)
    check_titles(figure)
    data = json.loads(figure.data)
    rows = full.results.table("head_facts")
    largest = 0
    for at, (condition, view) in enumerate(zip(CONDITIONS, data["views"], strict=True)):
        found = rows[(rows["study"] == STUDY) & (rows["name"] == f"{condition}.js")].set_index(["layer", "head"])
        for line, (layer, head) in enumerate(full.places):
            assert (data["shared"]["layer"][line], data["shared"]["head"][line]) == (layer, head)
            stored = found.loc[(layer, head)]
            for field in ("value", "low", "high"):
                assert view["columns"][field][line] == stored[field]
            told = written(Number.of(stored))
            assert figure.table.rows[line][1 + at] == told
        largest = max(largest, found["value"].max())
    assert {view["signals"]["top"] for view in data["views"]} == {round(largest, DIGITS)}


def test_every_measure_stands_as_it_is_and_changed(full):
    table = block(inputs_page(full), "measures", Table)
    defined = [name for name in SHOWN if not np.isnan(fact(full, STUDY, f"base.{name}")["value"])]
    assert len(table.rows) == len(defined) > len(SHOWN) / 2
    for column, row in zip(defined, table.rows, strict=True):
        base = fact(full, STUDY, f"base.{column}")
        assert row[0].href.endswith("/")
        assert (row[1].text, row[-1].text) == (alone(base), str(base["n"]))
        for cell, condition in zip(row[2:-1], CONDITIONS, strict=True):
            change = fact(full, STUDY, f"{condition}.{column}")
            assert (cell.text, cell.note or "-") == pieces(Number.of(change), signed=True)
    names = set(full.results.table("facts")["name"])
    assert {f"masks.15.{name}" for name in OFFSET_COLUMNS} <= names, "what the note points to is stored"


def test_numbers_and_distances_are_those_that_are_stored(full):
    page = inputs_page(full)
    for (study, name), row in zip(NUMBERS, block(page, "numbers", Table).rows, strict=True):
        stored, record = fact(full, study.name, name), study.quantity(name)
        claims = [claim.id for claim in CLAIMS if f"{study.name}/{name}" in claim.numbers]
        told = [*map(seen, (row[0], row[2], row[3], row[4])), row[1].text]
        assert told == [record.title, record.unit, ", ".join(claims) or "-", str(stored["n"]), alone(stored)]
    distances = block(page, "distances", Table).rows
    assert [row[0] for row in distances] == ["1", "2 to 16", "17 to 64", "65 and more"]
    assert [float(row[1].text) for row in distances] == list(DISTANCES.values())
    names = {one.name for one in STUDIES}
    decided = [claim.id for claim in CLAIMS if names & {number.partition("/")[0] for number in claim.numbers}]
    assert [link.text.partition(":")[0] for link in block(page, "", Items).lines] == decided


def test_rows_of_masks_stand_above_those_of_the_words_that_they_hide(full, atlas):
    table = block(inputs_page(full), "mask-rows", Table)
    facts = full.results.table("facts").query("study == 'mask rows' and layer > 0").set_index(["layer", "name"])
    assert [row[:2] for row in table.rows] == [(f"{at}", of) for at in (1, 2, 3) for of in ("[MASK]", "the word")]
    for row in table.rows:
        kind = {"[MASK]": "mask", "the word": "word"}[row[1]]
        for told, name in zip(row[2:], (*PLACES, "same"), strict=True):
            assert told.text == alone(facts.loc[(int(row[0]), f"{kind}.{name}")])
    assert "mask-rows" not in anchors(inputs_page(atlas))


def test_the_lead_says_how_far_maps_change(full):
    lead = inputs_page(full).lead
    for condition, text in CONDITIONS.items():
        assert f"{alone(fact(full, STUDY, f'{condition}.js'))} (" in lead
        assert text in lead


def test_one_document_has_numbers_and_no_intervals(full, tmp_path):
    ends = {"low": np.nan, "high": np.nan}
    tables = {name: full.results.table(name).assign(**ends, n=1) for name in ("facts", "head_facts")}
    page = inputs_page(again(full, tmp_path / "one", **tables))
    for view in json.loads(block(page, "heads", Figure).data)["views"]:
        assert set(view["columns"]["low"]) == set(view["columns"]["high"]) == {None}
        assert None not in view["columns"]["value"]
    assert not any(cell.note for row in block(page, "measures", Table).rows for cell in row[1:-1])
    assert "nan" not in f"{page}"


def test_a_model_without_masks_and_losses_shows_what_it_has(atlas, tmp_path):
    facts = atlas.results.table("facts")
    heads = atlas.results.table("head_facts")
    few = again(
        atlas, tmp_path / "few", facts=facts[facts["study"] != STUDY], head_facts=heads[heads["study"] != STUDY]
    )
    page = inputs_page(few)
    assert anchors(page) == ["numbers"]
    (note,) = prose(page, "numbers")
    assert note == "Means over documents with 95 % intervals.", "it speaks of no losses where none are stored"
    assert [link.text.partition(":")[0] for link in block(page, "", Items).lines] == ["K11", "H02", "H11"]
    bare = again(atlas, tmp_path / "none", facts=facts[~facts["study"].isin([STUDY, "separators"])])
    assert there(atlas)
    assert not there(bare)
