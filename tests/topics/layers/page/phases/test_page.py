"""The page on phases: profiles, boundaries and curves over layers are those of the stored numbers."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from generator.claims.published import published
from generator.numbers.number import alone
from generator.numbers.writing import percent
from generator.pages.blocks import Figure, Sections, Table
from generator.pages.figures import DIGITS
from generator.pages.heads.atlas import Atlas
from generator.results.store import Results
from generator.results.tables import TABLES
from generator.results.writing import write
from generator.topics.layers.derived.phases import expected_boundaries, find_phases
from generator.topics.layers.derived.profiles import layer_profiles
from generator.topics.layers.page.division import DIVISION, syntax_gain
from generator.topics.layers.page.phases.page import phases_page
from generator.topics.layers.page.phases.sentences import division_sentence, phases_table
from tests.pages.invented import HOSTILE, TREEBANK
from tests.pages.reading import block, figures, one, texts


def drawn(page: Sections) -> dict[str, list[Any]]:
    """The columns of the figure of profiles."""
    columns: dict[str, list[Any]] = json.loads(block(page, "", Figure).data)["views"][0]["columns"]
    return columns


def curves(page: Sections) -> dict[str, list[Any]]:
    """The same without the rows of published numbers."""
    columns = drawn(page)
    own = columns["printed"].count(0)
    return {name: column[:own] for name, column in columns.items()}


def test_published_numbers_stand_at_the_same_part_of_the_depth(full: Atlas, bare: Atlas, tmp_path: Path) -> None:
    for atlas, layers in ((full, 3), (deep(bare, tmp_path, 6), 6)):
        columns = drawn(phases_page(atlas))
        rows = zip(*(columns[one] for one in ("printed", "quantity", "layer", "value")), strict=True)
        rings = [ring for printed, *ring in rows if printed]
        assert rings == [
            [name, pytest.approx((layer - 0.5) / 12 * layers + 0.5), published(f"clark.layers.{key}.{layer}").value]
            for name, key in (("[CLS]", "cls"), ("[SEP]", "sep"), ("periods and commas", "punctuation"))
            for layer in range(1, 13)
        ]


def test_syntax_gain_of_a_layer_is_that_of_its_best_heads(full: Atlas) -> None:
    heads, offsets = full.results.table("relations"), full.results.table("relation_baselines")
    expected = []
    for layer in (1, 2, 3):
        gains = []
        for relation in ("det", "nsubj", "obj", "rare", HOSTILE):
            ours = heads[(heads["relation"] == relation) & (heads["layer"] == layer)]
            theirs = offsets[offsets["relation"] == relation]
            gains.append(max(ours["correct"]) / 99 - max(theirs["correct"]) / 99)
        expected.append(sum(gains) / len(gains))
    corpus, found = syntax_gain(full.results)
    assert corpus == TREEBANK
    assert found == pytest.approx(expected)


def test_model_without_treebank_has_no_gain_in_syntax(bare: Atlas) -> None:
    assert syntax_gain(bare.results) == ("", None)


def test_profiles_are_means_of_the_stored_documents(full: Atlas) -> None:
    columns = curves(phases_page(full))
    documents, uniform = full.results.documents, full.results.uniform.set_index("document")["entropy.all"]
    for at, (quantity, layer) in enumerate(zip(columns["quantity"], columns["layer"], strict=True)):
        rows = documents[documents["layer"] == layer]
        if quantity == "breadth":
            values = [row["entropy.all"] / uniform[row["document"]] for row in rows.to_dict("records")]
        elif quantity == "gain in syntax":
            values = [syntax_gain(full.results)[1][layer - 1]]  # type: ignore[index]
        else:
            measure = {"[CLS]": "cls", "[SEP]": "sep", "periods and commas": "punctuation"}[quantity]
            values = list(rows[f"attention.{measure}"])
        assert columns["value"][at] == pytest.approx(sum(values) / len(values), abs=10**-DIGITS)
    assert len(columns["layer"]) == 5 * 3


def test_boundaries_stand_beside_those_of_the_hypothesis(full: Atlas) -> None:
    profiles = layer_profiles(full.results.documents, full.results.uniform)
    found = find_phases(profiles, 0, syntax_gain(full.results)[1])
    page = phases_page(full)
    assert [[row[1], row[3]] for row in block(page, "boundaries", Table).rows] == [
        [str(at), str(expected)] for at, expected in zip(found.boundaries, expected_boundaries(3), strict=True)
    ]
    columns = curves(page)
    for name, ends in (("found", found.boundaries), ("expected", found.expected)):
        assert [int(layer in ends) for layer in columns["layer"]] == columns[name]


def deep(bare: Atlas, folder: Path, layers: int) -> Atlas:
    """A model of so many layers, of which three are broad, one looks at separators, and the others at periods and
    commas.
    """
    tables = {name: bare.results.table(name) for name in TABLES}
    for name in ("documents", "layers", "heads"):
        lower = tables[name]
        more = pd.concat([lower.assign(layer=lower["layer"] + at) for at in (0, 3, 6)], ignore_index=True)
        tables[name] = more[more["layer"] <= layers]
    documents = tables["documents"]
    layer = documents["layer"]
    documents["attention.sep"] = np.where(layer == 4, 0.7, 0.1)
    documents["attention.punctuation"] = np.where(layer > 4, 0.6, 0.1)
    documents["entropy.all"] = np.where(layer < 4, 3.0, 1.0)
    documents["attention.cls"] = 0.2
    tables = {name: frame for name, frame in tables.items() if len(frame)}
    return Atlas(Results.open(write(folder, replace(bare.results.manifest, layers=layers), tables)))


def test_phases_of_a_deeper_model_are_found_where_they_were_made(bare: Atlas, tmp_path: Path) -> None:
    atlas = deep(bare, tmp_path, 8)
    page = phases_page(atlas)
    three = "layers 1 to 3, layer 4 and layers 5 to 8"
    assert page.lead.startswith(f"Three groups, {three}, explain 100 % of the variance between layers; ")
    division = DIVISION.of(atlas)
    assert division
    assert page.lead.endswith(f"and {percent(alone(division.found.p))} of such orders explain as much (12 documents).")
    model = atlas.results.manifest.model
    label = f"The layers of {model} form three groups, {three}, which explain 100 % of the variance between layers, in "
    assert block(page, "", Figure).label.startswith(label)
    assert texts(block(page, "boundaries", Table)) == [
        ["one", "3", "-", "2", "12"],
        ["two", "4", "-", "7", "12"],
    ]
    columns = curves(page)
    assert columns["found"] == [0, 0, 1, 1, 0, 0, 0, 0] * 4
    assert columns["expected"] == [0, 1, 0, 0, 0, 0, 1, 0] * 4
    assert columns["found_low"] == columns["found_high"] == [None, None, 3, 4, None, None, None, None] * 4
    strongest = [(row[1], row[2], row[5]) for row in block(page, "signatures", Table).rows]
    assert strongest[:3] == [
        ("1 to 3", "breadth", "yes"),
        ("4", "[SEP]", "yes"),
        ("5 to 8", "periods and commas", "yes"),
    ]
    assert [layers for layers, _, _ in strongest[3:]] == ["1 to 2", "3 to 7", "8"]


@pytest.mark.parametrize(("layers", "told"), [(6, False), (7, True)])
def test_of_few_layers_nothing_is_said_of_phases_however_clear_they_are(
    bare: Atlas, tmp_path: Path, layers: int, told: bool
) -> None:
    """Of six layers at least one order in fifteen leaves three groups together."""
    atlas = deep(bare, tmp_path, layers)
    page = phases_page(atlas)
    why = "With 6 layers, three groups cannot be told from chance."
    assert page.lead.endswith(why) == (block(page, "", Figure).label == why.rstrip(".")) != told
    assert bool(division_sentence([atlas], "")) == bool(phases_table([atlas], "")) == told


def test_curves_over_layers_have_the_stored_facts(full: Atlas) -> None:
    facts = full.results.table("facts")
    names = {"Self-similarity": "self_similarity", "Intra-sentence similarity": "intra_sentence"}
    names |= {
        "Maximum explained variance": "explained_variance",
        "Explained variance about the mean": "explained_variance.centred",
        "Explained variance of the first component": "explained_variance.pca",
        "Correlation with the rank by frequency": "frequency_",
    }
    ends = {"measured": "", "adjusted": ".adjusted", "random words": ".baseline"}
    ends |= {"norm of the transformed vector": "norm.spearman", "weight received": "weight.spearman"}
    compared = 0
    for figure in filter(lambda each: each.kinds == ("series",), figures(phases_page(full))):
        for view in json.loads(figure.data)["views"]:
            columns = view["columns"]
            for at, series in enumerate(columns["series"]):
                name = names[view["constants"]["measure"]] + ends[series]
                stored = one(facts, name=name, layer=columns["layer"][at])
                for field in ("value", "low", "high"):
                    shown = columns[field][at]
                    assert shown == (None if np.isnan(stored[field]) else stored[field])
                assert columns["n"][at] == stored["n"]
                compared += 1
    assert compared == (5 * 3 - 1) * 4 + 2 * 3
