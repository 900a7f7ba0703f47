"""The page of two models says what their comparison stored, and that there is no change where there is none."""

import copy
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import urljoin

import pandas as pd
import pytest
import torch
from markdown import Markdown  # type: ignore[import-untyped]

from generator.attention.anatomy import examine
from generator.attention.stream import observe
from generator.corpora.kinds import CorpusKind
from generator.experiments.compare.models import compare
from generator.experiments.compare.names import BASE, PATTERN, relation_fact, study
from generator.home import TEMPLATES
from generator.models.encoder import Encoder, slug
from generator.numbers.number import Number
from generator.numbers.writing import interval, number, pieces, written
from generator.pages import addresses
from generator.pages.blocks import Figure, Sections, Table
from generator.pages.compare.numbers import SHOWN, Other, compared_with
from generator.pages.compare.page import compare_links, compare_page, compare_pages
from generator.pages.compare.tables import MOST
from generator.pages.figures import DIGITS
from generator.pages.heads.atlas import Atlas
from generator.pages.links import column_title
from generator.pages.renderer import Page, Renderer
from generator.results.rows import CorpusRows
from generator.results.store import Results, write
from generator.results.tables import TABLES
from generator.studies.halves import HELD_OUT
from generator.studies.syntax.predictions import DIRECTIONS
from tests.attention.observations import inputs_of
from tests.encoders import HEADS, LAYERS, loaded
from tests.encoders import write as write_encoder
from tests.pages.contract import check_charts, check_html
from tests.pages.reading import anchors as anchors_of
from tests.pages.reading import block, every, prose, section, seen, text
from tests.results.samples import corpus_of, manifest
from tests.site.documents import Document
from tests.site.project import ROOT

SEED, MODEL, OTHER, SMALL = 3, "First", '<b>Tuned</b> & {{ 7*7 }} "x"', "Small"
TEXT, TREEBANK = "text <i>&amp;", "trees <u>{{ 7*7 }}"
RELATION = "nsubj <img src=x>"
UNDEFINED = re.compile(r"\b(nan|inf)\b|[>( ]None[<), ](?!of)")
Frames = Mapping[str, Sequence[pd.DataFrame]]
Made = Callable[[str], Encoder]


@pytest.fixture(scope="module")
def base(encoder: Made) -> Encoder:
    """Gives the tiny BERT."""
    return replace(encoder("bert"), id=MODEL)


@pytest.fixture(scope="module")
def tuned(base: Encoder) -> Encoder:
    """Gives a copy that was moved."""
    model = copy.deepcopy(base.model)
    rng = torch.Generator().manual_seed(SEED)
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(0.1 * torch.randn(weight.shape, generator=rng))
    return replace(base, id=OTHER, model=model)


def stored(one: Encoder, place: Path, extra: Frames | None = None) -> Atlas:
    """A model's results on a few documents, with more rows of some tables."""
    found = examine(one)
    rows = CorpusRows(one.id, TEXT)
    for observation in observe(one, found, inputs_of(one)):
        rows.add(observation)
    tables = rows.tables(SEED) | {"examples": TABLES["examples"].empty_table().to_pandas()}
    tables |= {name: pd.concat(parts, ignore_index=True) for name, parts in (extra or {}).items()}
    record = manifest(slug(one.id), model=one.id, layers=found.layers, heads=found.heads)
    sinks = {str(number): str(number) for number in set(tables["documents"]["sink.token"])}
    record = replace(
        record,
        corpora=(corpus_of(CorpusKind.TEXT, TEXT, documents=6), corpus_of(CorpusKind.TREEBANK, TREEBANK)),
        vocabulary=sinks,
    )
    tables = {name: frame.sample(frac=1, random_state=0) for name, frame in tables.items()}
    return Atlas(Results.open(write(place, record, tables)))


def set_beside(a: Encoder, b: Encoder) -> Frames:
    """The comparison of two models on the same documents."""
    return compare(a, b, {TEXT: inputs_of(a)}, SEED, lambda done: None)


@pytest.fixture(scope="module")
def same(base: Encoder, tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives a model that was compared with itself."""
    return stored(base, tmp_path_factory.mktemp("same"), set_beside(base, base))


@pytest.fixture(scope="module")
def other(tuned: Encoder, tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives the results of the copy, whose name is hostile."""
    return stored(tuned, tmp_path_factory.mktemp("other"))


@pytest.fixture(scope="module")
def changed(base: Encoder, tuned: Encoder, tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives a model that was compared with a copy, on a text and on a treebank, and with a model of another shape."""
    place = tmp_path_factory.mktemp("changed")
    small = loaded(write_encoder("bert", place / SMALL, num_hidden_layers=2, num_attention_heads=2))
    parts = [set_beside(base, tuned), set_beside(base, small)]
    extra = {name: [frame for part in parts for frame in part[name]] for name in ("facts", "head_facts")}
    extra["head_facts"] = [*extra["head_facts"], relation_changes(), feature_changes()]
    extra["facts"] = [*extra["facts"], scores()]
    return stored(base, place, extra | relations())


def scores() -> pd.DataFrame:
    """How well the copy does what the text asks, which is not surely better than saying the same of everything."""
    values = {"score": (0.567, 0.511, 0.621), "score.majority": (0.527, 0.469, 0.585), "score.lead": (0.04, -0.02, 0.1)}
    table = pd.DataFrame([(name, *ends) for name, ends in values.items()], columns=["name", "value", "low", "high"])
    return table.assign(model=MODEL, corpus=TEXT, study=study(OTHER).name, layer=0, n=277)


def relation_changes() -> pd.DataFrame:
    """Changes of accuracy, another for every direction and head."""
    rows = [
        {"name": relation_fact(RELATION, direction), "layer": layer, "head": head, "value": value}
        | {"low": value - 0.05, "high": value + 0.06, "n": 40}
        for at, direction in enumerate(DIRECTIONS)
        for layer in range(1, LAYERS + 1)
        for head in range(1, HEADS + 1)
        for value in [0.1 * layer + 0.01 * head - at]
    ]
    return pd.DataFrame(rows).assign(model=MODEL, corpus=TREEBANK, study=study(OTHER).name)


def feature_changes() -> pd.DataFrame:
    """Changes of attention to nouns, of which one head's is the largest and downwards, and two are beyond doubt."""
    rows = [
        {"name": name, "layer": layer, "head": head, "n": 30, "value": value, "low": value - 0.15, "high": value + 0.15}
        for layer in range(1, LAYERS + 1)
        for head in range(1, HEADS + 1)
        for name, value in (
            ("noun.mean", {(3, 1): -0.4, (1, 2): 0.2}.get((layer, head), 0.01)),
            ("noun.max", 0.9),
        )
    ]
    return pd.DataFrame(rows).assign(model=MODEL, corpus=TREEBANK, study=study(OTHER).name)


def relations() -> dict[str, list[pd.DataFrame]]:
    """One relation whose held-out head is 2-3, read from head to dependent."""
    chosen = {"relation": RELATION, "direction": DIRECTIONS[1], "layer": 2, "head": 3}
    of = {"model": MODEL, "corpus": TREEBANK}
    numbers = dict.fromkeys(["value", "low", "high", "baseline", "baseline_low", "baseline_high"], 0.5)
    numbers |= {"gain": 0.1, "gain_low": 0.0, "gain_high": 0.2, "n": 20, "offset": 1, "rank": 1}
    numbers |= {"twin": 0.1, "twin_low": 0.05, "twin_high": 0.15}
    counted = [
        of | {"relation": RELATION, "direction": direction, "layer": layer, "head": head, "correct": head, "n": 40}
        for direction in DIRECTIONS
        for layer in range(1, LAYERS + 1)
        for head in range(1, HEADS + 1)
    ]
    return {
        "relation_heads": [pd.DataFrame([of | chosen | {"protocol": HELD_OUT} | numbers])],
        "relations": [pd.DataFrame(counted)],
    }


def of(atlas: Atlas, beside: str, known: Atlas | None = None) -> Sections:
    """The context of the comparison with a model."""
    return compare_page(atlas, Other(slug(beside), known))


def rows_of(atlas: Atlas, name: str, beside: str = OTHER, table: str = "head_facts") -> pd.DataFrame:
    """The stored rows of one name, in the order of the heads."""
    rows = atlas.results.table(table)
    rows = rows[(rows["study"] == study(beside).name) & (rows["name"] == name) & (rows["corpus"] == TEXT)]
    return rows.sort_values(["layer", "head"] if "head" in rows else ["layer"])


@pytest.fixture(scope="module")
def pages(changed: Atlas, other: Atlas) -> list[Page]:
    """Gives every page of the model, the copy being on the site too."""
    return list(compare_pages([changed, other], Renderer(TEMPLATES)))


def with_heads(atlas: Atlas, heads: pd.DataFrame, place: Path) -> Atlas:
    """The same results with other numbers of heads."""
    tables = {name: atlas.results.table(name) for name in TABLES} | {"head_facts": heads}
    kept = {name: frame for name, frame in tables.items() if len(frame) or name == "examples"}
    return Atlas(Results.open(write(place, atlas.results.manifest, kept)))


# A model with itself


def test_whether_the_other_model_learned_the_task_is_said(changed: Atlas, other: Atlas, same: Atlas) -> None:
    (read,) = prose(of(changed, OTHER, other), "on-1")
    assert read.endswith(
        f" On this task {OTHER} scores 0.57 (0.51 to 0.62, n 277). That is 0.04 (-0.02 to 0.10, n 277) above the "
        "majority class, so that the model has not surely learned the task."
    )
    assert "task" not in prose(of(same, MODEL), "on-1")[0]


def test_page_of_a_model_with_itself_shows_no_change(same: Atlas) -> None:
    page = of(same, MODEL, same)
    assert page.lead.startswith("No change on 6 documents")
    assert page.lead.endswith("The weights are the same.")
    patterns = ["on-1-patterns"] if "on-1-patterns" in anchors_of(page) else []
    assert anchors_of(page) == ["on-1", "on-1-layers", "on-1-heads", *patterns, "on-1-measures"]
    assert prose(page, "on-1-heads") == ["No head changed its maps."]
    assert prose(page, "on-1-measures") == ["No measure changed."]
    assert (len(every(page, Figure)), len(every(page, Table))) == (1, 1)
    (view,) = json.loads(block(page, "on-1", Figure).data)["views"]
    assert all(set(view["columns"][field]) == {0.0} for field in ("value", "low", "high"))
    rows = block(page, "on-1-layers", Table).rows
    assert {row[1].text for row in rows[1:]} == {"1"}
    assert {row[4] for row in rows} == {"0"}
    for anchor in patterns:
        assert prose(page, anchor) == [f"0 of {LAYERS * HEADS} heads have another most frequent pattern."]


def test_rounding_is_no_change_and_anything_above_it_is(same: Atlas, tmp_path: Path) -> None:
    for step, said in ((1e-8, "No change"), (1e-3, "The maps of a head")):
        heads = same.results.table("head_facts").copy()
        at = (heads["name"] == "entropy.all") & (heads["layer"] == 2) & (heads["head"] == 1)
        heads.loc[at, "value"] = -step
        again = with_heads(same, heads, tmp_path / said.replace(" ", ""))
        assert of(again, MODEL).lead.startswith(said)


# Maps and weights


def test_grid_is_one_less_cosine_and_its_ends_change_places(changed: Atlas) -> None:
    figure = block(of(changed, OTHER), "on-1", Figure)
    data = json.loads(figure.data)
    cosine = rows_of(changed, "cosine")
    columns = data["views"][0]["columns"]
    assert list(zip(data["shared"]["layer"], data["shared"]["head"], strict=True)) == changed.places
    for shown, name in (("value", "value"), ("low", "high"), ("high", "low")):
        assert columns[shown] == pytest.approx([1 - value for value in cosine[name]], abs=10**-DIGITS)
    assert max(columns["value"]) <= data["views"][0]["signals"]["top"]
    here = addresses.compare(changed.slug, slug(OTHER))
    heads = [urljoin(here, href) for href in data["shared"]["href"]]
    assert heads == [addresses.head(changed.slug, *place) for place in changed.places]


def test_layers_have_their_cosine_rank_and_distances(changed: Atlas) -> None:
    table = block(of(changed, OTHER), "on-1-layers", Table)
    embeddings, *layers, whole = table.rows
    cosine = rows_of(changed, "cosine", table="facts")
    values = list(cosine["value"])[1:]
    for at, row in enumerate(layers):
        of_layer = cosine[cosine["layer"] == at + 1].iloc[0]
        assert (row[1].text, row[1].note) == pieces(Number.of(of_layer))
        assert row[2].text == str(of_layer["n"])
        assert text(row[3]) == str(1 + sum(value < values[at] for value in values))
        for cell, name in zip(row[4:], ("weights.distance", "weights.random"), strict=True):
            distances = rows_of(changed, name, table="facts")
            assert cell == number(distances[distances["layer"] == at + 1]["value"].item())
    for row, names in (
        (embeddings, ("weights.embeddings", "weights.random.embeddings")),
        (whole, ("weights.distance", "weights.random")),
    ):
        for cell, name in zip(row[4:], names, strict=True):
            distances = rows_of(changed, name, table="facts")
            assert cell == number(distances[distances["layer"] == 0]["value"].item())


def test_lead_names_the_layers_that_change_most_and_least(changed: Atlas) -> None:
    cosine = rows_of(changed, "cosine", table="facts").set_index("layer")
    layers = cosine["value"].drop(0)
    lead = of(changed, OTHER).lead
    assert f"mean cosine of {written(Number.of(cosine.loc[0]))}" in lead
    assert f"Layer {layers.idxmin()} changes most ({number(layers.min())})" in lead
    assert f"layer {layers.idxmax()} least ({number(layers.max())})" in lead


def test_heads_that_changed_most_come_first_and_lead_to_both_models(changed: Atlas, other: Atlas) -> None:
    table = block(of(changed, OTHER, other), "on-1-heads", Table)
    ordered = rows_of(changed, "cosine").sort_values("value", kind="stable")[:MOST]
    here = addresses.compare(changed.slug, other.slug)
    for row, (_, expected) in zip(table.rows, ordered.iterrows(), strict=True):
        place = expected["layer"], expected["head"]
        assert row[0].text == "{}-{}".format(*place)
        assert row[1].text == pieces(Number.of(expected))[0]
        assert urljoin(here, row[0].href) == addresses.head(changed.slug, *place)
        assert urljoin(here, row[4].href).endswith(f"heads/{place[0]}-{place[1]}/")
    unknown = block(of(changed, OTHER), "on-1-heads", Table)
    assert {row[4].href for row in unknown.rows} == {""}


# Measures and patterns


def test_largest_change_of_each_measure_is_found_by_a_slow_search(changed: Atlas) -> None:
    shown = {row[0].text: row for row in block(of(changed, OTHER), "on-1-measures", Table).rows}
    compared_names = 0
    for name in SHOWN:
        rows = rows_of(changed, name).dropna(subset="value")
        largest, clear = None, 0
        for row in rows.to_dict("records"):
            clear += row["low"] > 0 or row["high"] < 0
            if largest is None or abs(row["value"]) > abs(largest["value"]):
                largest = row
        if largest is None or abs(largest["value"]) < 1e-6:
            assert column_title(name) not in shown
            continue
        cells = shown[column_title(name)]
        base_rows = rows_of(changed, BASE + name)
        at = (base_rows["layer"] == largest["layer"]) & (base_rows["head"] == largest["head"])
        assert cells[1].text == f"{largest['layer']}-{largest['head']}"
        assert cells[2] == number(base_rows[at]["value"].item())
        assert (cells[3].text, cells[3].note) == pieces(Number.of(largest), signed=True)
        assert cells[5].text == str(largest["n"])
        assert cells[6] == f"{clear} of {LAYERS * HEADS}"
        compared_names += 1
    assert compared_names == len(shown) > 10


def test_squares_are_the_stored_changes_with_their_sign(changed: Atlas) -> None:
    figure = block(of(changed, OTHER), "on-1-measures", Figure)
    views = json.loads(figure.data)["views"]
    assert len(views) == len(figure.views)
    for view in views:
        rows, columns = rows_of(changed, view["constants"]["measure"]), view["columns"]
        for field in ("value", "low", "high"):
            expected = [None if math.isnan(value) else round(value, DIGITS) for value in rows[field]]
            assert columns[field] == expected
        for value, size, direction in zip(columns["value"], columns["size"], columns["direction"], strict=True):
            assert size == (None if value is None else abs(value))
            assert direction == ("less" if value is not None and value < 0 else "more")
        assert view["signals"]["top"] >= max(size for size in columns["size"] if size is not None)


def test_heads_whose_most_frequent_pattern_differs_are_named(changed: Atlas, tmp_path: Path) -> None:
    names = tuple(name for name in SHOWN if name.startswith(PATTERN))
    if not names:
        pytest.skip("no measure of patterns")
    heads = changed.results.table("head_facts").copy()
    heads.loc[heads["name"].isin([BASE + name for name in names]), "value"] = 0.0
    heads.loc[heads["name"] == BASE + names[0], "value"] = 0.75
    heads.loc[heads["name"] == BASE + names[1], "value"] = 0.25
    heads.loc[heads["name"].isin(names), ["value", "low", "high"]] = 0.0
    for name, by in ((names[0], -0.5), (names[1], 0.5)):
        at = (heads["name"] == name) & (heads["layer"] == 3) & (heads["head"] == 2)
        heads.loc[at, ["value", "low", "high"]] = by, by - 0.1, by + 0.1
    page = of(with_heads(changed, heads, tmp_path), OTHER)
    assert prose(page, "on-1-patterns") == [f"1 of {LAYERS * HEADS} heads have another most frequent pattern."]
    (row,) = block(page, "on-1-patterns", Table).rows
    was, became = (name.removeprefix(PATTERN) for name in names[:2])
    assert [cell.text for cell in row[:4]] == ["3-2", was, became, "+0.50"]
    assert [cell.note for cell in row[1:4]] == ["0.75 of documents", "0.75 of documents", "+0.40 to +0.60"]


# Relations and twins


def test_relations_show_the_change_of_the_first_models_own_head(changed: Atlas) -> None:
    page = of(changed, OTHER)
    assert seen(section(page, "on-2").title) == TREEBANK
    (row,) = block(page, "on-2-relations", Table).rows
    value = 0.1 * 2 + 0.01 * 3 - 1
    assert [text(cell) for cell in row[:4]] == [RELATION, "2-3", DIRECTIONS[1], number(3 / 40)]
    assert (float(row[4].text), row[5].text) == (pytest.approx(value), "40")
    assert [anchor for anchor in anchors_of(page) if anchor.startswith("on-2-")] == ["on-2-relations", "on-2-features"]
    assert section(page, "on-2").blocks == ()


def test_kinds_of_tokens_show_the_head_that_changed_most(changed: Atlas) -> None:
    (row,) = block(of(changed, OTHER), "on-2-features", Table).rows
    expected = ["noun", "3-1", "-0.40", "30", f"2 of {LAYERS * HEADS}"]
    assert [text(cell) for cell in row] == expected
    assert row[2].note == interval(-0.55, -0.25, signed=True)


def test_models_of_another_shape_have_twins_alone(changed: Atlas) -> None:
    page = of(changed, slug(SMALL))
    assert "number of layers or heads" in prose(page, "")[0]
    assert anchors_of(page) == ["on-1", "on-1-twins"]
    assert every(page, Figure) == []
    twins = block(page, "on-1-twins", Table)
    rows = {
        name: rows_of(changed, f"twin.{name}", slug(SMALL)).set_index(["layer", "head"])
        for name in ("layer", "head", "divergence")
    }
    ordered = rows["divergence"].sort_values("value", kind="stable")
    assert len(twins.rows) == len(ordered) == 4
    for cells, (place, expected) in zip(twins.rows, ordered.iterrows(), strict=True):
        twin = int(rows["layer"].loc[place, "value"]), int(rows["head"].loc[place, "value"])
        assert [text(cell) for cell in cells] == [
            "{}-{}".format(*place),
            "{}-{}".format(*twin),
            number(expected["value"]),
            str(expected["n"]),
        ]
    same_layer = sum(place[0] == row["value"] for place, row in rows["layer"].iterrows())
    assert f"{same_layer} of 4 twins" in page.lead


# All pages


def test_every_comparison_has_its_page_in_its_place(changed: Atlas, other: Atlas, pages: list[Page]) -> None:
    slugs = [slug(SMALL), other.slug]
    assert compared_with(changed) == sorted(slugs)
    assert [page.address for page in pages] == [f"compare/{changed.slug}--{one}/" for one in sorted(slugs)]
    here = addresses.model(changed.slug)
    links = compare_links(changed, here)
    assert [urljoin(here, link.href) for link in links] == [page.address for page in pages]
    assert {link.text for link in links} == {f"Beside {one}" for one in slugs}
    assert compared_with(other) == []


def contexts(changed: Atlas, other: Atlas, same: Atlas) -> list[Sections]:
    """Every context of these tests."""
    return [of(changed, OTHER, other), of(changed, OTHER), of(changed, slug(SMALL)), of(same, MODEL, same)]


def test_every_page_keeps_what_every_page_promises(changed: Atlas, other: Atlas, same: Atlas) -> None:
    known = contexts(changed, other, same)
    assert {kind for page in known for figure in every(page, Figure) for kind in figure.kinds} == {"grid", "shifts"}
    for page in known:
        assert every(page, Table)
        check_charts(page)
        check_html(page, Renderer(TEMPLATES).render("page.html", page))


def is_other(page: Page) -> bool:
    """Whether the page is that of the hostile name."""
    return slug(OTHER) in page.address


def test_every_link_leads_somewhere(changed: Atlas, other: Atlas, pages: list[Page]) -> None:
    known = {addresses.head(atlas.slug, *place) for atlas in (changed, other) for place in atlas.places}
    known |= {addresses.MODELS, *(addresses.model(atlas.slug) for atlas in (changed, other))}
    known |= {addresses.method(name) for name in ("pattern", *SHOWN)}
    by_hand = {addresses.GLOSSARY: anchors("glossary.md"), addresses.REFERENCES: anchors("references.md")}
    broken = []
    for page in pages:
        document = Document(page.html)
        options = [one.attributes["data-href"] for one in document.find("option")]
        for link in (*(link for _, link in document.references()), *options):
            target, _, anchor = urljoin("http://here/" + page.address, link).removeprefix("http://here/").partition("#")
            if target not in known and anchor not in by_hand.get(target, ()):
                broken.append(f"{page.address} -> {link}")
    assert broken == []


def anchors(name: str) -> set[str]:
    """What a page written by hand can be entered at."""
    text = (ROOT / "docs" / name).read_text(encoding="utf-8").partition("\n---\n")[2]
    return Document(Markdown(extensions=["toc"]).convert(text)).ids


def test_hostile_names_stay_text(pages: list[Page]) -> None:
    for page in pages:
        document = Document(page.html)
        assert not [one for one in document.elements if one.tag in ("img", "script", "b", "i", "u")]
        assert all(not set("<>&") & set(template.text) for template in document.find("template"))
    (hostile,) = (page for page in pages if is_other(page))
    texts = [one.text for one in Document(hostile.html).find("bdi")]
    assert {OTHER, TEXT, TREEBANK, RELATION} <= set(texts)


def test_same_results_give_the_same_pages(changed: Atlas, other: Atlas, pages: list[Page]) -> None:
    again = Atlas(Results.open(changed.results.folder))
    assert list(compare_pages([again, other], Renderer(TEMPLATES))) == pages
