"""The pages of the studies say what the stored tables hold, and are there only where these have rows."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import jinja2
import numpy as np
import pandas as pd
import pytest
from jinja2 import nodes
from markdown import Markdown  # type: ignore[import-untyped]

from generator.charts.compile import specification
from generator.charts.theme import LIGHT, signals
from generator.claims import CLAIMS
from generator.claims.cutoffs import FEWEST_WORDS
from generator.corpora.kinds import CorpusKind
from generator.home import TEMPLATES
from generator.measures import MEASURES
from generator.numbers.number import Number
from generator.numbers.writing import interval, number, pieces, written
from generator.pages import addresses
from generator.pages.blocks import Figure, Table
from generator.pages.features import contexts as feature_contexts
from generator.pages.figures import DIGITS
from generator.pages.heads.atlas import Atlas
from generator.pages.patterns import contexts as pattern_contexts
from generator.pages.patterns.page import patterns_page
from generator.pages.relations.page import is_clear, relations_page
from generator.pages.renderer import FILTERS, Page, Renderer
from generator.pages.studies import contexts as study_contexts
from generator.pages.studies.all import STUDIES, study_links, study_pages
from generator.pages.studies.landscape import landscape_page
from generator.pages.studies.phases import phases_page, syntax_gain
from generator.pages.studies.roles import MARKS, roles_page
from generator.results.store import Results, write
from generator.results.tables import TABLES
from generator.studies.halves import HELD_OUT, SAME_DATA
from generator.studies.layers.phases import expected_boundaries, find_phases
from generator.studies.layers.profiles import layer_profiles
from generator.studies.mentions.antecedents import BASELINES, BEST, GAIN
from generator.studies.syntax.predictions import DIRECTIONS, OFFSETS
from generator.studies.tokens.rules import classify, classify_model
from tests.charts.test_specifications import settings
from tests.pages.reading import seen
from tests.pages.test_figures import fields as columns_read
from tests.results.samples import corpus_of
from tests.site.documents import Document
from tests.site.hostile import WORDS
from tests.site.project import ROOT

TREEBANK, MENTIONS = "trees <b>&amp;", "linked"
HOSTILE = '"><img src=x onerror=alert(1)> {{ 7*7 }}'
RELATIONS = ("all", "det", "nsubj", "obj", "punct", "rare", HOSTILE)
GAINS = {"det": (0.3, 0.1), "nsubj": (0.3, -0.01), "obj": (0.05, 0.01), "punct": (0.4, 0.3), "rare": (0.5, np.nan)}
"""Relation -> gain and the low end of its interval."""
OF_TEMPLATE = {
    "relations.html": study_contexts.RelationsPage,
    "landscape.html": study_contexts.LandscapePage,
    "roles.html": study_contexts.RolesPage,
    "phases.html": study_contexts.PhasesPage,
    "patterns.html": pattern_contexts.PatternsPage,
    "features.html": feature_contexts.FeaturesPage,
}
UNDEFINED = re.compile(r"\b(nan|inf)\b|[>( ]None[<), ](?!of)")
SIMPLER = (*BASELINES, BEST)
TREES = [f"uuas{name}.best{end}" for name in ("", ".to_dependents") for end in ("", ".gain")]


@pytest.fixture(scope="module")
def bare(atlas: Atlas, tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives the tiny encoder's results on running text alone."""
    tables = {name: atlas.results.table(name) for name in TABLES}
    texts = {name: of_corpus(frame, atlas.corpus) for name, frame in tables.items()}
    old = atlas.results.manifest
    manifest = replace(old, corpora=(old.of(CorpusKind.TEXT)[atlas.corpus],))
    stored = {name: frame for name, frame in texts.items() if len(frame)}
    return Atlas(Results.open(write(tmp_path_factory.mktemp("bare"), manifest, stored)))


def of_corpus(frame: pd.DataFrame, corpus: str) -> pd.DataFrame:
    """The rows of a corpus, or all of a table that knows none."""
    return frame[frame["corpus"] == corpus] if "corpus" in frame else frame


@pytest.fixture(scope="module")
def full(bare: Atlas, tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives the same with a treebank and linked mentions of invented numbers, rows in any order, and odd tokens."""
    tables = {name: bare.results.table(name) for name in TABLES}
    tables |= {name: pd.concat([tables[name], frame], ignore_index=True) for name, frame in made(bare).items()}
    tables["roles"] = tables["roles"].replace({"token": {"the": WORDS[1], "and": HOSTILE}})
    tables = {name: frame.sample(frac=1, random_state=0) for name, frame in tables.items() if len(frame)}
    old = bare.results.manifest
    manifest = replace(
        old,
        corpora=(
            *old.corpora,
            corpus_of(CorpusKind.TREEBANK, TREEBANK, language="de", sentences=1234, words=5678, long=9),
            corpus_of(CorpusKind.MENTIONS, MENTIONS, documents=21, words=432, mentions=65),
        ),
    )
    return Atlas(Results.open(write(tmp_path_factory.mktemp("full"), manifest, tables)))


def made(atlas: Atlas) -> dict[str, pd.DataFrame]:
    """Tables of a treebank and of linked mentions, as studies give them."""
    rng = np.random.default_rng(0)
    of = {"model": atlas.results.manifest.model, "corpus": TREEBANK}

    def spread(middle: float, name: str = "") -> dict[str, float]:
        ends = (f"{name}_low", f"{name}_high") if name else ("low", "high")
        return {name or "value": middle, ends[0]: middle - 0.05, ends[1]: middle + 0.04}

    heads = [
        of
        | {"relation": relation, "protocol": protocol, "direction": DIRECTIONS[at % 2]}
        | {"layer": 1 + at % 3, "head": 1 + at % 4, "n": 60 + at, "offset": OFFSETS[at % 6], "rank": 1 + at}
        | spread(rng.random())
        | spread(rng.random(), "baseline")
        | spread(GAINS.get(relation, (0.2, 0.0))[0], "gain")
        | {"gain_low": GAINS.get(relation, (0.2, 0.15))[1]}
        | spread(np.nan if relation == "rare" else rng.random(), "twin")
        for at, relation in enumerate(RELATIONS)
        for protocol in (SAME_DATA, HELD_OUT)
        if (relation, protocol) != ("rare", SAME_DATA)
    ]
    counted = [
        of
        | {"relation": relation, "direction": direction, "layer": layer, "head": head}
        | {"correct": int(rng.integers(0, words)), "n": words}
        for relation, words in (*((name, 99) for name in RELATIONS), ("few", FEWEST_WORDS - 1))
        for direction in DIRECTIONS
        for layer, head in atlas.places
    ]
    offsets = [
        of | {"relation": relation, "offset": offset, "correct": int(rng.integers(0, 40)), "n": 99}
        for relation in RELATIONS
        for offset in OFFSETS
    ]
    names = {
        "trees": [
            "uuas.adjacent",
            *(f"uuas{name}.best{end}" for name in ("", ".to_dependents") for end in ("", ".gain")),
        ],
        "words": ["split"],
        "probe": ["right-branching"],
    }
    names["probe"] += [f"attention+words{end}" for end in ("", ".control", ".selectivity")]
    facts = [
        of | {"study": study, "name": name, "layer": 0, "n": int(rng.integers(100, 200))} | spread(rng.random())
        for study in names
        for name in names[study]
    ]
    head_facts = [
        of | {"study": "trees", "name": "uuas", "layer": layer, "head": head, "n": 300} | spread(rng.random())
        for layer, head in atlas.places
    ]
    antecedents = [
        of
        | {"corpus": MENTIONS, "candidates": candidates, "kind": kind, "predictor": predictor}
        | {"protocol": protocol, "n": int(rng.integers(20, 90))}
        | {"layer": 2 * (predictor not in SIMPLER), "head": 3 * (predictor not in SIMPLER)}
        | spread(np.nan if predictor.endswith("head match") and kind == "pronoun" else rng.random())
        for candidates in ("words", "mentions")
        for predictor in ("head", *SIMPLER, *(GAIN + name for name in SIMPLER))
        for protocol in (HELD_OUT, SAME_DATA)
        for kind in ("all", "pronoun", "proper", "nominal")
    ]
    return {
        "relation_heads": pd.DataFrame(heads),
        "relations": pd.DataFrame(counted),
        "relation_baselines": pd.DataFrame(offsets),
        "facts": pd.DataFrame(facts),
        "head_facts": pd.DataFrame(head_facts),
        "antecedents": pd.DataFrame(antecedents),
    }


@pytest.fixture(scope="module")
def pages(full: Atlas) -> dict[str, Page]:
    """Gives the pages by the last part of their address."""
    return {page.address.split("/")[-2]: page for page in study_pages(full, Renderer(TEMPLATES))}


def one(frame: pd.DataFrame, **chosen: Any) -> Any:
    """The only row with these values."""
    for name, value in chosen.items():
        frame = frame[frame[name] == value]
    assert len(frame) == 1, chosen
    return frame.iloc[0]


def texts(table: Table) -> list[list[str]]:
    """Cells as text."""
    return [[cell.text for cell in row] for row in table.rows]


def between(row: Any, low: str = "low", high: str = "high") -> str:
    """An interval as a note: nothing where there is none."""
    text = interval(row[low], row[high])
    return "" if text == "-" else text


def found_figures(atlas: Atlas) -> list[Figure]:
    """Every figure of these pages."""
    of_treebanks = [treebank.figure for treebank in relations_page(atlas).treebanks if treebank.figure]
    curves = [curve.figure for curve in phases_page(atlas).curves]
    patterns = patterns_page(atlas)
    found = [landscape_page(atlas).figure, roles_page(atlas).figure, phases_page(atlas).figure]
    return [*of_treebanks, *found, *curves, patterns.layers, patterns.moved]


def alone(row: Any, name: str = "") -> str:
    """The value of a stored number as a page writes it."""
    return pieces(Number.of(row, name, f"{name}_low", f"{name}_high") if name else Number.of(row))[0]


# Which pages there are


def test_every_page_of_a_full_analysis_is_there_in_its_place(full: Atlas, pages: dict[str, Page]) -> None:
    here = addresses.model(full.slug)
    assert [page.address for page in pages.values()] == [
        f"{here}{name}/" for name in ("relations", "map", "roles", "phases", "patterns", "features", "inputs")
    ]
    assert [urljoin(here, link.href) for link in study_links(full, here)] == [page.address for page in pages.values()]
    assert all(page.search and page.description in Document(page.search).find("p")[0].text for page in pages.values())


@pytest.mark.parametrize(
    ("without", "title"),
    [
        (("relation_heads", "antecedents"), "Relations"),
        (("head_facts",), "Map of heads"),
        (("roles",), "Roles of tokens"),
    ],
)
def test_page_is_absent_where_its_tables_have_no_rows(
    full: Atlas, tmp_path: Path, without: tuple[str, ...], title: str
) -> None:
    folder = tmp_path / full.slug
    shutil.copytree(full.results.folder, folder)
    for name in without:
        (folder / f"{name}.parquet").unlink()
    less = Atlas(Results.open(folder))
    gone = next(study for study in STUDIES if study.title == title)
    left = [study for study in STUDIES if study is not gone and study.there(less)]
    assert [page.address for page in study_pages(less, Renderer(TEMPLATES))] == [s.address(less.slug) for s in left]
    assert [link.text for link in study_links(less, "")] == [study.title for study in left]


def test_model_without_treebank_has_no_page_on_relations(bare: Atlas) -> None:
    left = ["Map of heads", "Roles of tokens", "Phases", "Patterns", "Features and frames", "Changed inputs"]
    assert [link.text for link in study_links(bare, "")] == left


# Relations


@pytest.mark.parametrize(
    ("gain", "low", "clear"),
    [(0.1, 0.001, True), (0.3, 0.0, False), (0.3, -0.1, False), (0.0999, 0.05, False), (0.3, np.nan, False)],
)
def test_gain_is_clear_where_it_is_large_and_its_interval_above_zero(gain: float, low: float, clear: bool) -> None:
    assert is_clear({"gain": gain, "gain_low": low}) is clear


def test_clear_relations_are_named_with_their_held_out_head(full: Atlas) -> None:
    (treebank,) = relations_page(full).treebanks
    assert [relation.relation for relation in treebank.clear] == ["det", HOSTILE]
    for relation in treebank.clear:
        row = one(full.results.table("relation_heads"), relation=relation.relation, protocol=HELD_OUT)
        assert relation.head.text == f"{row['layer']}-{row['head']}"
        assert relation.head.href == f"../heads/{row['layer']}-{row['head']}/"
        gain = Number.of(row, "gain", "gain_low", "gain_high")
        assert relation.gain == f"gain {written(gain)}, n {row['n']}"
    assert relations_page(full).lead.startswith(f"In {TREEBANK}, 2 of 6 dependency relations ")


def test_table_of_relations_has_every_stored_number(full: Atlas) -> None:
    (treebank,) = relations_page(full).treebanks
    stored = full.results.table("relation_heads")
    assert {row[0].text for row in treebank.relations.rows} == set(RELATIONS) - {"all"}
    gains = [one(stored, relation=row[0].text, protocol=HELD_OUT)["gain"] for row in treebank.relations.rows]
    assert gains == sorted(gains, reverse=True)
    for row in treebank.relations.rows:
        held = one(stored, relation=row[0].text, protocol=HELD_OUT)
        assert row[1].href == f"../heads/{row[1].text}/"
        assert (
            row[1].note == {DIRECTIONS[0]: "dependent to head", DIRECTIONS[1]: "head to dependent"}[held["direction"]]
        )
        assert [cell.text for cell in row[1:8]] == [
            f"{held['layer']}-{held['head']}",
            alone(held),
            str(held["n"]),
            f"{held['offset']:+d}: {alone(held, 'baseline')}",
            alone(held, "gain"),
            alone(held, "twin"),
            str(held["rank"]),
        ]
        notes = [("low", "high"), *((f"{name}_low", f"{name}_high") for name in ("baseline", "gain", "twin"))]
        assert [row[at].note for at in (2, 4, 5, 6)] == [between(held, *ends) for ends in notes]
        if row[0].text == "rare":
            assert [cell.text for cell in row[8:]] == ["-"] * 3
            continue
        same = one(stored, relation=row[0].text, protocol=SAME_DATA)
        shown = [f"{same['layer']}-{same['head']}", alone(same), alone(same, "gain")]
        assert [cell.text for cell in row[8:]] == shown


def test_what_was_read_is_said(full: Atlas) -> None:
    (treebank,) = relations_page(full).treebanks
    split = one(full.results.table("facts"), corpus=TREEBANK, name="split")
    assert treebank.read.startswith("1,234 sentences of 5,678 words were read, in German; 9 sentences longer ")
    assert f"a share of {alone(split)} ({between(split)}) of the words" in treebank.read
    record = full.results.manifest
    unknown = replace(record, corpora=tuple(replace(corpus, language="") for corpus in record.corpora))
    unnamed = replace(full.results, manifest=unknown)
    assert "were read, in a language that is not known;" in relations_page(Atlas(unnamed)).treebanks[0].read
    (linked,) = relations_page(full).coreference
    assert linked.read == "The start of 21 documents, 432 words in all, with 65 mentions that have an antecedent."


def test_all_words_stand_against_right_branching_and_the_best_offset(full: Atlas) -> None:
    (treebank,) = relations_page(full).treebanks
    stored = full.results.table("relation_heads")
    rows = {(row[0].text, row[0].note): row for row in treebank.words.rows}
    for protocol in (HELD_OUT, SAME_DATA):
        row = one(stored, relation="all", protocol=protocol)
        assert [cell.text for cell in rows["best head", protocol][1:3]] == [
            f"{row['layer']}-{row['head']}",
            alone(row),
        ]
        assert [cell.text for cell in rows["best fixed offset", protocol][1:3]] == [
            f"{row['offset']:+d}",
            alone(row, "baseline"),
        ]
        twin = rows["best head of the untrained twin", protocol][2]
        assert (twin.text, twin.note) == (alone(row, "twin"), between(row, "twin_low", "twin_high"))
        assert rows["its gain", protocol][2].text == alone(row, "gain")
    right = one(full.results.table("relation_baselines"), relation="all", offset=1)
    assert [cell.text for cell in rows["right-branching", "all sentences"][1:]] == [
        "+1",
        number(right["correct"] / right["n"]),
        str(right["n"]),
    ]


def test_trees_and_probes_have_the_stored_facts(full: Atlas) -> None:
    (treebank,) = relations_page(full).treebanks
    facts = full.results.table("facts")
    assert treebank.trees is not None
    assert treebank.probes is not None
    expected = [one(facts, corpus=TREEBANK, name=name) for name in (*TREES, "uuas.adjacent")]
    for row, stored in zip(treebank.trees.rows, expected, strict=False):
        assert (row[1].text, row[1].note, row[2].text) == (alone(stored), between(stored), str(stored["n"]))
    heads = full.results.table("head_facts")
    best = max(heads[heads["name"] == "uuas"].to_dict("records"), key=lambda row: row["value"])
    last = treebank.trees.rows[-1]
    assert (last[0].text, last[1].text) == (f"head {best['layer']}-{best['head']}", alone(best))
    learned, branching = treebank.probes.rows
    ends = ("", ".control", ".selectivity")
    assert [cell.text for cell in learned[1:4]] == [
        alone(one(facts, corpus=TREEBANK, name=f"attention+words{end}")) for end in ends
    ]
    assert branching[1].text == alone(one(facts, corpus=TREEBANK, name="right-branching"))
    assert [cell.text for cell in branching[2:4]] == ["-", "-"]


def test_antecedents_have_a_row_per_head_baseline_and_gain_and_a_column_per_kind(full: Atlas) -> None:
    (linked,) = relations_page(full).coreference
    stored = full.results.table("antecedents")
    names = {
        "nearest mention": "nearest",
        "nearest that agrees": "nearest agreeing",
        "same head word": "head match",
        "four rules in order": "rules",
        "a candidate drawn at random": "chance",
        "the best of these but the rules, by kind": BEST,
        "head 2-3": "head",
    }
    candidates = {"among all words before": "words", "among head words of mentions before": "mentions"}
    assert len(linked.table.rows) == 2 * (2 * 1 + 4 * 2 + 2 * 2 * 2)
    baseline = ""
    for row in linked.table.rows:
        predictor = names.get(row[0].text, GAIN + baseline)
        baseline = predictor.removeprefix(GAIN)
        assert baseline in ("head", "chance", BEST) or row[1].text == "among head words of mentions before"
        chosen = {"predictor": predictor, "candidates": candidates[row[1].text], "protocol": row[2].text}
        for cell, kind in zip(row[3:], ("all", "pronoun", "proper", "nominal"), strict=True):
            number_of = one(stored, kind=kind, **chosen)
            expected = (alone(number_of), f"{between(number_of)}, n {number_of['n']}")
            if baseline == "head match" and kind == "pronoun":
                expected = ("-", f"impossible, n {number_of['n']}")
            assert (cell.text, cell.note) == expected


# The map


def test_map_has_every_head_in_its_stored_place(full: Atlas) -> None:
    stored = full.results.table("head_facts")
    columns = json.loads(landscape_page(full).figure.data)["views"][0]["columns"]
    assert list(zip(columns["layer"], columns["head"], strict=True)) == full.places
    for at, (layer, head) in enumerate(full.places):
        for name in ("x", "y", "cluster"):
            row = one(stored, study="landscape", name=name, layer=layer, head=head)
            assert columns[name][at] == round(row["value"], DIGITS)
        assert columns["kind"][at] == full.summaries[layer, head].kind
        assert columns["href"][at] == f"../heads/{layer}-{head}/"


def test_map_has_room_for_the_farthest_head(full: Atlas) -> None:
    view = json.loads(landscape_page(full).figure.data)["views"][0]
    assert view["signals"]["across"] > max(map(abs, view["columns"]["x"]))
    assert view["signals"]["up"] > max(map(abs, view["columns"]["y"]))


def test_numbers_of_the_map_are_the_stored_ones(full: Atlas) -> None:
    facts = full.results.table("facts")
    facts = facts[facts["study"] == "landscape"]
    numbers = landscape_page(full).numbers
    names = ["within", "between", "ratio", "p", "silhouette.layer", "silhouette.behaviour", "clusters", "stress"]
    names += ["doubles", *(f"doubles.{name}" for name in ("random", "twin", "excess", "twin.excess"))]
    for row, name in zip(numbers.rows, names, strict=True):
        stored = one(facts, name=name)
        shown = str(int(stored["value"])) if name == "clusters" else alone(stored)
        assert (row[1].text, row[1].note, row[4].text) == (shown, between(stored), str(stored["n"])), name


def test_clusters_share_out_the_heads(full: Atlas) -> None:
    stored = full.results.table("head_facts")
    stored = stored[stored["name"] == "cluster"]
    clusters = landscape_page(full).clusters
    assert [cluster.number for cluster in clusters] == sorted({str(int(value)) for value in stored["value"]})
    for cluster in clusters:
        rows = stored[stored["value"] == int(cluster.number)].sort_values(["layer", "head"])
        names = [f"{layer}-{head}" for layer, head in zip(rows["layer"], rows["head"], strict=True)]
        assert [link.text for _, link in cluster.heads] == names


# Roles


def test_tokens_have_their_role_reason_and_means_over_layers(full: Atlas) -> None:
    stored = full.results.table("roles")
    roles = {role.token: role for role in classify_model(stored)}
    page = roles_page(full)
    ranks = [int(row[2].text) for row in page.tokens.rows]
    assert ranks == sorted(stored["rank"].unique())
    for row in page.tokens.rows:
        token = row[0].text
        rows = stored[stored["token"] == token]
        assert (row[1].text, row[-1].text) == (roles[token].name, roles[token].reason)
        assert row[3].text == f"{rows['count'].iloc[0]:,}"
        for cell, name in zip(row[4:7], ("received", "breadth", "attended_by_entropy"), strict=True):
            assert cell.text == number(sum(rows[name]) / len(rows)), (token, name)


def test_roles_by_layer_are_those_of_each_token(full: Atlas) -> None:
    stored = full.results.table("roles")
    roles = {(role.token, role.layer): role.name for role in classify(stored)}
    page = roles_page(full)
    assert page.layers == ("1", "2", "3")
    for row in page.changes:
        assert [mark.role for mark in row.marks] == [roles[row.token, layer] for layer in (1, 2, 3)]
        assert [mark.text for mark in row.marks] == [MARKS[mark.role] for mark in row.marks]


def test_points_are_tokens_whose_entropy_is_known(full: Atlas) -> None:
    stored = full.results.table("roles")
    for view in json.loads(roles_page(full).figure.data)["views"]:
        of, columns = view["constants"]["of"], view["columns"]
        known = set()
        for token, rows in stored.groupby("token"):
            sides = rows[["next_entropy", "previous_entropy"]] if of == "beside" else rows[[of]]
            value = np.nanmean(sides.iloc[0] if of == "beside" else sides) if sides.notna().any(axis=None) else np.nan
            if not np.isnan(value):
                known.add(token)
                at = columns["token"].index(token)
                assert columns["entropy"][at] == pytest.approx(value, abs=10**-DIGITS)
                assert columns["received"][at] == pytest.approx(rows["received"].mean(), abs=10**-DIGITS)
        assert known == set(columns["token"])


# Phases


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
    corpus, found = syntax_gain(full)
    assert corpus == TREEBANK
    assert found == pytest.approx(expected)


def test_model_without_treebank_has_no_gain_in_syntax(bare: Atlas) -> None:
    assert syntax_gain(bare) == ("", None)


def test_profiles_are_means_of_the_stored_documents(full: Atlas) -> None:
    columns = json.loads(phases_page(full).figure.data)["views"][0]["columns"]
    documents, uniform = full.results.documents, full.results.uniform.set_index("document")["entropy.all"]
    for at, (quantity, layer) in enumerate(zip(columns["quantity"], columns["layer"], strict=True)):
        rows = documents[documents["layer"] == layer]
        if quantity == "breadth":
            values = [row["entropy.all"] / uniform[row["document"]] for row in rows.to_dict("records")]
        elif quantity == "gain in syntax":
            values = [syntax_gain(full)[1][layer - 1]]  # type: ignore[index]
        else:
            measure = {"begin token": "cls", "separators": "sep", "periods and commas": "punctuation"}[quantity]
            values = list(rows[f"attention.{measure}"])
        assert columns["value"][at] == pytest.approx(sum(values) / len(values), abs=10**-DIGITS)
    assert len(columns["layer"]) == 5 * 3


def test_boundaries_stand_beside_those_of_the_hypothesis(full: Atlas) -> None:
    profiles = layer_profiles(full.results.documents, full.results.uniform)
    found = find_phases(profiles, 0, syntax_gain(full)[1])
    page = phases_page(full)
    assert page.boundaries is not None
    assert [[row[1].text, row[3].text] for row in page.boundaries.rows] == [
        [str(at), str(expected)] for at, expected in zip(found.boundaries, expected_boundaries(3), strict=True)
    ]
    columns = json.loads(page.figure.data)["views"][0]["columns"]
    for name, ends in (("found", found.boundaries), ("expected", found.expected)):
        assert [int(layer in ends) for layer in columns["layer"]] == columns[name]
    assert number(found.explained) in page.lead
    assert number(found.shuffled) in page.lead
    assert number(found.p) in page.lead


@pytest.fixture(scope="module")
def deep(bare: Atlas, tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives six layers, of which three are broad, one looks at separators, and two at periods and commas."""
    tables = {name: bare.results.table(name) for name in TABLES}
    lower = tables["documents"]
    documents = pd.concat([lower, lower.assign(layer=lower["layer"] + 3)], ignore_index=True)
    layer = documents["layer"]
    documents["attention.sep"] = np.where(layer == 4, 0.7, 0.1)
    documents["attention.punctuation"] = np.where(layer > 4, 0.6, 0.1)
    documents["entropy.all"] = np.where(layer < 4, 3.0, 1.0)
    documents["attention.cls"] = 0.2
    tables = {name: frame for name, frame in (tables | {"documents": documents}).items() if len(frame)}
    return Atlas(Results.open(write(tmp_path_factory.mktemp("deep"), replace(bare.results.manifest, layers=6), tables)))


def test_phases_of_a_deeper_model_are_found_where_they_were_made(deep: Atlas) -> None:
    page = phases_page(deep)
    assert page.lead.startswith("The best three phases are layers 1 to 3, layer 4 and layers 5 to 6.")
    assert page.boundaries is not None
    assert page.signatures is not None
    assert texts(page.boundaries) == [["one", "3", "3 to 3", "2", "12"], ["two", "4", "4 to 4", "5", "12"]]
    columns = json.loads(page.figure.data)["views"][0]["columns"]
    assert columns["found"] == [0, 0, 1, 1, 0, 0] * 4
    assert columns["expected"] == [0, 1, 0, 0, 1, 0] * 4
    assert columns["found_low"] == columns["found_high"] == [None, None, 3, 4, None, None] * 4
    strongest = [(row[1].text, row[2].text, row[5].text) for row in page.signatures.rows]
    assert strongest[:3] == [
        ("1 to 3", "breadth", "yes"),
        ("4", "separators", "yes"),
        ("5 to 6", "periods and commas", "yes"),
    ]
    assert [layers for layers, _, _ in strongest[3:]] == ["1 to 2", "3 to 5", "6"]


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
    for curve in phases_page(full).curves:
        for view in json.loads(curve.figure.data)["views"]:
            columns = view["columns"]
            for at, series in enumerate(columns["series"]):
                name = names[view["constants"]["measure"]] + ends[series]
                stored = one(facts, name=name, layer=columns["layer"][at])
                for field in ("value", "low", "high"):
                    shown = columns[field][at]
                    assert shown == (None if np.isnan(stored[field]) else round(stored[field], DIGITS))
                assert columns["n"][at] == stored["n"]
                compared += 1
    assert compared == (5 * 3 - 1) * 4 + 2 * 3


# All pages


def test_every_chart_finds_the_columns_and_settings_it_reads(full: Atlas) -> None:
    for figure in found_figures(full):
        for view in json.loads(figure.data)["views"]:
            assert len({len(column) for column in view["columns"].values()}) == 1
            for kind in figure.kinds:
                spec = specification(kind)
                assert set(columns_read(spec)) <= {*view["columns"], *view["constants"]}, kind
                assert set(settings(spec)) - set(signals(LIGHT)) <= set(view.get("signals", {})), kind
        assert all(len(row) == len(figure.table.columns) for row in figure.table.rows)


def test_every_cell_of_every_table_is_on_its_page(full: Atlas, pages: dict[str, Page]) -> None:
    there = [study for study in STUDIES if study.there(full)]
    for study, page in zip(there, pages.values(), strict=True):
        cells = {one.text for one in Document(page.html).elements if one.tag in ("td", "th")}
        for table in tables_in(study.page(full)):
            assert all(len(row) == len(table.columns) for row in table.rows)
            assert {seen(cell) for row in table.rows for cell in row} - cells == set()


def tables_in(value: Any) -> Iterator[Table]:
    """Every table of a context."""
    if isinstance(value, Table):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from tables_in(part)
    elif is_dataclass(value):
        yield from tables_in(tuple(getattr(value, field.name) for field in fields(value)))


def test_every_link_leads_somewhere(full: Atlas, pages: dict[str, Page]) -> None:
    known = {addresses.head(full.slug, *place) for place in full.places} | {page.address for page in pages.values()}
    known |= {addresses.MODELS, addresses.model(full.slug)}
    known |= {addresses.method(measure.name) for measure in MEASURES}
    known |= {addresses.claim(claim.id) for claim in CLAIMS}
    by_hand = {addresses.GLOSSARY: anchors("glossary.md"), addresses.REFERENCES: anchors("references.md")}
    broken = []
    for page in pages.values():
        document = Document(page.html)
        links = [link for _, link in document.references()]
        assert links
        for link in chain(links, *(view["columns"].get("href", []) for view in views_in(document))):
            target, _, anchor = urljoin("http://here/" + page.address, link).removeprefix("http://here/").partition("#")
            if target not in known and anchor not in by_hand.get(target, ()):
                broken.append(f"{page.address} -> {link}")
    assert broken == []


def anchors(name: str) -> set[str]:
    """What a page written by hand can be entered at."""
    text = (ROOT / "docs" / name).read_text(encoding="utf-8").partition("\n---\n")[2]
    return Document(Markdown(extensions=["toc"]).convert(text)).ids


def views_in(document: Document) -> Iterator[dict[str, Any]]:
    """The data of all figures of a page."""
    for template in document.find("template"):
        yield from json.loads(template.text)["views"]


def test_hostile_names_stay_text(pages: dict[str, Page]) -> None:
    for name, page in pages.items():
        document = Document(page.html)
        drawn = () if name == "patterns" else ("svg",)
        assert not [one for one in document.elements if one.tag in ("img", "script", "b", *drawn)]
        assert all(not set("<>&") & set(template.text) for template in document.find("template"))
    relations, roles = Document(pages["relations"].html), Document(pages["roles"].html)
    assert TREEBANK in [one.text for one in relations.find("bdi")]
    assert HOSTILE in [one.text for one in relations.find("bdi")]
    shown = [one.text for one in roles.find("th")]
    assert {HOSTILE, WORDS[1]} <= set(shown)


def test_no_page_shows_an_undefined_number(pages: dict[str, Page]) -> None:
    assert [page.address for page in pages.values() if UNDEFINED.search(page.html)] == []


def test_no_anchor_stands_twice(pages: dict[str, Page]) -> None:
    for page in pages.values():
        ids = [one.attributes["id"] for one in Document(page.html).elements if "id" in one.attributes]
        assert len(ids) == len(set(ids))


def test_same_results_give_the_same_pages(full: Atlas, pages: dict[str, Page]) -> None:
    again = Atlas(Results.open(full.results.folder))
    assert list(study_pages(again, Renderer(TEMPLATES))) == list(pages.values())


@pytest.mark.parametrize("template", OF_TEMPLATE)
def test_template_reads_only_what_its_context_has_and_all_of_it(template: str) -> None:
    tree = parsed(template)
    read = {
        node.attr
        for node in tree.find_all(nodes.Getattr)
        if isinstance(node.node, nodes.Name) and node.node.name == "page"
    }
    assert read == {field.name for field in fields(OF_TEMPLATE[template])}
    assert jinja2.meta.find_undeclared_variables(tree) == {"page"}


def test_every_field_of_every_context_is_shown() -> None:
    shown = {node.attr for path in TEMPLATES.rglob("*.html") for node in parsed(path).find_all(nodes.Getattr)}
    own = [
        kind
        for module in (study_contexts, pattern_contexts, feature_contexts)
        for kind in vars(module).values()
        if getattr(kind, "__module__", "") == module.__name__
    ]
    unused = [f"{kind.__name__}.{field.name}" for kind in own for field in fields(kind) if field.name not in shown]
    assert unused == []


def parsed(template: str | Path) -> nodes.Template:
    """The template's syntax tree."""
    environment = jinja2.Environment(autoescape=True)
    environment.filters |= FILTERS
    return environment.parse((TEMPLATES / template).read_text(encoding="utf-8"))
