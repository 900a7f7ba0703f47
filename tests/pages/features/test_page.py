"""The page on features and frames says what the studies stored, of the right kind, head and layer, and nothing more."""

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from generator.charts.compile import specification
from generator.charts.theme import LIGHT, signals
from generator.corpora.kinds import CorpusKind
from generator.home import DATA, TEMPLATES
from generator.measures import COLUMNS
from generator.numbers.writing import interval, number
from generator.pages import addresses
from generator.pages.blocks import Items, Sections, Table
from generator.pages.features.frames import PLOTTED
from generator.pages.features.page import features_page, there
from generator.pages.features.tables import TOP
from generator.pages.figures import DIGITS
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cell
from generator.pages.renderer import Renderer
from generator.results.store import Results, write
from generator.results.tables import TABLES
from tests.charts.test_specifications import settings
from tests.pages.reading import alone, below, block, figures, prose, section, seen
from tests.pages.reading import anchors as anchors_of
from tests.pages.studies.test_all import anchors
from tests.pages.test_figures import fields as columns_read
from tests.results.samples import corpus_of, manifest
from tests.site.documents import Document

LAYERS, HEADS = 2, 5
PLACES = [(layer, head) for layer in range(1, LAYERS + 1) for head in range(1, HEADS + 1)]
HOSTILE = '"><img src=x onerror=alert(1)> {{ 7*7 }} <b>&amp;'
TREEBANK, OTHER, TEXTS, FRAMES = HOSTILE, "other trees", "texts <i>", "roles <b>"
KINDS = {
    "noun": "nouns",
    "verb": "verbs",
    "pronoun": "pronouns",
    "subject": "subjects",
    "object": "objects",
    "punctuation": "punctuation",
    "begin": "the begin token",
    "separator": "separators",
}
"""Negation stands in no sentence here."""
SPECIAL = ("begin", "separator")
SCORES = ("max", "mean", "begin_row")
LINKS = {"Nouns and pronouns": "link.noun_pronoun", "Verbs and their subjects": "link.verb_subject"}
MATCHING = ("same", "matched", "matched.gain", "other", "gain")
FRAME_TABLES = [
    (prefix, direction) for prefix in ("", "paper.") for direction in ("element_to_target", "target_to_element")
]
STUDIES = {"features": "kinds", "words": "links", "matching": "matching", "frames": "frames"}
"""Study -> how the anchors of its sections begin."""
Rows = list[dict[str, Any]]


class Maker:
    """Invents rows of tables, no two numbers alike."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(3)
        self.tables: dict[str, Rows] = {"facts": [], "head_facts": []}

    def add(self, value: float | None = None, **of: Any) -> None:
        """One row, of a head if `of` names one."""
        middle = self.rng.uniform(0.1, 0.9) if value is None else value
        ends = {"low": middle - self.rng.uniform(0.01, 0.1), "high": middle + self.rng.uniform(0.01, 0.1)}
        row = {"model": "Tiny", "layer": 0, "value": middle, "n": int(self.rng.integers(50, 5000))} | ends | of
        self.tables["head_facts" if "head" in of else "facts"].append(row)

    def heads(self, study: str, corpus: str, name: str) -> None:
        """A number of every head, with one n."""
        n = int(self.rng.integers(50, 5000))
        for layer, head in PLACES:
            self.add(study=study, corpus=corpus, name=name, layer=layer, head=head, n=n)

    def features(self, corpus: str) -> None:
        """Numbers of layers that have nothing to do with those of heads."""
        for kind in KINDS:
            self.add(study="features", corpus=corpus, name=f"{kind}.frequency")
            n = int(self.rng.integers(50, 5000))
            for score in SCORES:
                self.heads("features", corpus, f"{kind}.{score}")
                for layer in range(1, LAYERS + 1):
                    self.add(study="features", corpus=corpus, name=f"{kind}.{score}", layer=layer, n=n)

    def frames(self, corpus: str) -> None:
        """Both filters, both directions."""
        for prefix in ("", "paper."):
            self.add(study="frames", corpus=corpus, name=f"{prefix}frames", value=1234.0)
        for prefix, direction in FRAME_TABLES:
            of = {"study": "frames", "corpus": corpus}
            for end in ("", ".matched", ".gain", ".gain.family"):
                self.heads("frames", corpus, f"{prefix}{direction}{end}")
            for end in ("percentile99", "best.gain"):
                self.add(name=f"{prefix}{direction}.{end}", **of)
            whole = {"above": 7, "best.layer": 1 + bool(prefix), "best.head": 3 + (direction < "f")}
            for end, value in whole.items():
                self.add(name=f"{prefix}{direction}.{end}", value=float(value), **of)


@pytest.fixture(scope="module")
def made() -> dict[str, Rows]:
    """Gives the tables of all four studies, and rows of others."""
    maker = Maker()
    for corpus in (TREEBANK, OTHER):
        maker.features(corpus)
        for name in (*LINKS.values(), "sep.outside"):
            maker.heads("words", corpus, name)
    for name in MATCHING:
        maker.heads("matching", TEXTS, name)
    for name in ("best.gain", "best.matched.gain"):
        maker.add(study="matching", corpus=TEXTS, name=name)
    maker.frames(FRAMES)
    maker.heads("trees", TREEBANK, "uuas")
    maker.heads("compare:b", TREEBANK, "noun.max")
    return maker.tables


def atlas_of(place: Path, tables: Mapping[str, Rows]) -> Atlas:
    """Stored results of two layers of five heads, rows in any order."""
    rng = np.random.default_rng(11)
    heads = pd.DataFrame(
        {"corpus": TEXTS, "measure": column, "layer": layer, "head": head, "n": 9, "uniform": 0.1, "model": "Tiny"}
        | {"value": (value := rng.uniform(0.1, 0.4)), "low": value - 0.05, "high": value + 0.06}
        for column in COLUMNS
        for layer, head in PLACES
    )
    filled = {
        name: pd.DataFrame(rows).sample(frac=1, random_state=0).reindex(columns=TABLES[name].names)
        for name, rows in tables.items()
        if rows
    }
    whole = {name: TABLES[name].empty_table().to_pandas() for name in ("documents", "uniform", "examples")}
    whole |= {"heads": heads, "layers": heads.drop_duplicates(["measure", "layer"])} | filled
    record = manifest(
        layers=LAYERS,
        heads=HEADS,
        corpora=(
            corpus_of(CorpusKind.TEXT, TEXTS, documents=9),
            corpus_of(CorpusKind.TREEBANK, TREEBANK, sentences=1234, words=56789),
            corpus_of(CorpusKind.TREEBANK, OTHER),
            corpus_of(CorpusKind.FRAMES, FRAMES),
        ),
    )
    return Atlas(Results.open(write(place, record, whole)))


@pytest.fixture(scope="module")
def atlas(made: dict[str, Rows], tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives results with every study."""
    return atlas_of(tmp_path_factory.mktemp("features"), made)


@pytest.fixture(scope="module")
def page(atlas: Atlas) -> Sections:
    """Gives the context."""
    return features_page(atlas)


@pytest.fixture(scope="module")
def html(page: Sections) -> str:
    """Gives the page."""
    return Renderer(TEMPLATES).render("page.html", page)


def one(rows: Rows, **chosen: Any) -> dict[str, Any]:
    """The only row with these values."""
    found = [row for row in rows if all(row.get(name) == value for name, value in chosen.items())]
    assert len(found) == 1, chosen
    return found[0]


def shows(cell: Cell, row: Mapping[str, Any]) -> bool:
    """Whether a cell has the row's number and interval."""
    return (cell.text, cell.note) == (alone(row), interval(row["low"], row["high"]))


def highest(rows: Rows, top: int, **chosen: Any) -> Rows:
    """The rows of these values with the largest numbers."""
    found = [row for row in rows if all(row.get(name) == value for name, value in chosen.items())]
    return sorted(found, key=lambda row: -row["value"])[:top]


def is_head(cell: Cell, row: Mapping[str, Any]) -> bool:
    """Whether a cell leads to the row's head."""
    name = f"{row['layer']}-{row['head']}"
    return (cell.text, cell.href) == (name, f"../heads/{name}/")


def tables_in(page: Sections) -> list[Table]:
    """Every table of a page but those of figures."""
    return [one for part in page.sections for one in part.blocks if isinstance(one, Table)]


# Kinds of words


def test_grids_have_every_head_in_its_place(made, page):
    for grids, corpus in zip(figures(page), (TREEBANK, OTHER), strict=True):
        data = json.loads(grids.data)
        assert list(zip(data["shared"]["layer"], data["shared"]["head"], strict=True)) == PLACES
        assert data["shared"]["href"] == [f"../heads/{layer}-{head}/" for layer, head in PLACES]
        expected = [f"{kind}.{score}" for kind in KINDS for score in SCORES[:2]]
        assert [view["constants"]["measure"] for view in data["views"]] == expected
        assert [view.text.partition(",")[0].lower() for view in grids.views[::2]] == list(KINDS.values())
        for view, name in zip(data["views"], expected, strict=True):
            kind, score = name.split(".")
            alike = [other for other in KINDS if (other in SPECIAL) == (kind in SPECIAL)]
            of = {"study": "features", "corpus": corpus}
            tops = [highest(made["head_facts"], 1, name=f"{other}.{score}", **of)[0]["value"] for other in alike]
            assert view["signals"]["top"] == round(max(tops), DIGITS)
            for at, (layer, head) in enumerate(PLACES):
                row = one(made["head_facts"], name=name, layer=layer, head=head, **of)
                for field in ("value", "low", "high"):
                    assert view["columns"][field][at] == round(row[field], DIGITS)
                assert view["constants"]["n"] == row["n"]


def test_tables_by_layer_have_a_column_for_every_kind(made, page):
    for part, corpus in enumerate((TREEBANK, OTHER), start=1):
        of = {"study": "features", "corpus": corpus}
        for name, score in (("largest", "max"), ("together", "mean")):
            table = block(page, f"kinds-{part}-{name}", Table)
            assert [*map(seen, table.columns)] == ["layer", *KINDS.values()]
            lines = {row[0].text: row[1:] for row in table.rows}
            assert list(lines) == ["share of tokens"] * (score == "mean") + ["1", "2", "n, sentences"]
            for at, kind in enumerate(KINDS):
                for layer in (1, 2):
                    row = one(made["facts"], name=f"{kind}.{score}", layer=layer, **of)
                    assert shows(lines[str(layer)][at], row)
                    assert lines["n, sentences"][at].text == f"{row['n']:,}"
                if score == "mean":
                    assert shows(lines["share of tokens"][at], one(made["facts"], name=f"{kind}.frequency", **of))


def test_row_of_the_begin_token_is_that_of_the_last_layer(made, page):
    kind_of = {text: kind for kind, text in KINDS.items()}
    for part, corpus in enumerate((TREEBANK, OTHER), start=1):
        rows = block(page, f"kinds-{part}-begin", Table).rows
        assert {row[0].text for row in rows} == set(kind_of)
        values = []
        for row in rows:
            of = {"study": "features", "corpus": corpus, "layer": LAYERS, "name": f"{kind_of[row[0].text]}.begin_row"}
            mean, (best,) = one(made["facts"], **of), highest(made["head_facts"], 1, **of)
            values.append(mean["value"])
            assert shows(row[1], mean)
            assert is_head(row[2], best)
            assert shows(row[3], best)
            assert row[4].text == f"{mean['n']:,}"
        assert values == sorted(values, reverse=True)


# Links and identical words


def test_heads_with_the_largest_links_stand_beside_attention_next_door(made, atlas, page):
    for part, corpus in enumerate((TREEBANK, OTHER), start=1):
        kinds = below(page, f"links-{part}")
        assert [kind.title for kind in kinds] == list(LINKS)
        for kind in kinds:
            best = highest(made["head_facts"], TOP, study="words", corpus=corpus, name=LINKS[kind.title])
            for row, stored in zip(kind.blocks[0].rows, best, strict=True):
                assert is_head(row[0], stored)
                assert shows(row[1], stored)
                assert row[2].text == f"{stored['n']:,}"
                total = 0.0
                for cell, name in zip(row[3:5], ("previous", "next"), strict=True):
                    beside = one(
                        atlas.results.heads.to_dict("records"),
                        measure=f"attention.{name}",
                        layer=stored["layer"],
                        head=stored["head"],
                    )
                    assert shows(cell, beside)
                    total += beside["value"]
                assert (row[5].text, row[6].text) == (number(total), "9")


def test_correlation_is_over_all_heads_in_their_places(made, atlas, page):
    heads = atlas.results.heads.to_dict("records")
    for part, corpus in enumerate((TREEBANK, OTHER), start=1):
        for kind in below(page, f"links-{part}"):
            pairs = []
            for layer, head in PLACES:
                at = {"layer": layer, "head": head}
                link = one(made["head_facts"], study="words", corpus=corpus, name=LINKS[kind.title], **at)["value"]
                beside = [one(heads, measure=f"attention.{name}", **at)["value"] for name in ("previous", "next")]
                pairs.append((link, sum(beside)))
            found = re.search(r"next token is (-?[\d.]+) \(", kind.blocks[1])
            assert found
            assert float(found[1]) == pytest.approx(spearmanr(*zip(*pairs, strict=True)).statistic, abs=0.05)
            assert kind.blocks[1].endswith(f", n {len(PLACES)} heads.")


def test_best_heads_for_identical_words_have_all_five_numbers(made, page):
    heads, held_out = (block(page, "matching-1", Table, at).rows for at in (0, 1))
    of = {"study": "matching", "corpus": TEXTS}
    best = highest(made["head_facts"], TOP, name="matched.gain", **of)
    for row, stored in zip(heads, best, strict=True):
        assert is_head(row[0], stored)
        for cell, name in zip(row[1:6], MATCHING, strict=True):
            assert shows(cell, one(made["head_facts"], name=name, layer=stored["layer"], head=stored["head"], **of)), (
                name
            )
        assert row[6].text == f"{stored['n']:,}"
    names = {"gain over other shared words": "best.matched.gain", "gain over any other word": "best.gain"}
    assert [row[0].text for row in held_out] == list(names)
    for row in held_out:
        stored = one(made["facts"], name=names[row[0].text], **of)
        assert shows(row[1], stored)
        assert row[2].text == f"{stored['n']:,}"


# Frames


def test_best_heads_of_frames_stand_against_their_own_distances(made, page):
    of = {"study": "frames", "corpus": FRAMES}
    *tables, _ = section(page, "frames-1-heads").blocks
    for table, (prefix, direction) in zip(tables, FRAME_TABLES, strict=True):
        heading = seen(table.columns[0])
        assert direction.replace("_", " ") in heading
        assert ("paper" in heading) == bool(prefix)
        name = prefix + direction
        for row, stored in zip(table.rows, highest(made["head_facts"], TOP, name=name, **of), strict=True):
            at = of | {"layer": stored["layer"], "head": stored["head"]}
            matched, gain, family = (
                one(made["head_facts"], name=name + end, **at) for end in (".matched", ".gain", ".gain.family")
            )
            assert is_head(row[0], stored)
            assert shows(row[1], stored)
            assert shows(row[3], matched)
            assert shows(row[4], family)
            assert not shows(row[4], gain)
            assert [row[2].text, row[5].text] == [f"{stored['n']:,}", f"{matched['n']:,}"]


def test_numbers_of_all_heads_are_those_of_direction_and_filter(made, page):
    for row, (prefix, direction) in zip(block(page, "frames-1", Table).rows, FRAME_TABLES, strict=True):

        def fact(end: str, start: str = f"{prefix}{direction}.") -> dict[str, Any]:
            return one(made["facts"], study="frames", corpus=FRAMES, name=start + end)

        assert row[0].text == ("the paper's filters" if prefix else "all frames")
        assert row[1].text == direction.replace("_", " ")
        assert shows(row[2], fact("percentile99"))
        assert (row[3].text, row[4].text) == ("7", f"{fact('percentile99')['n']:,}")
        assert is_head(row[5], {part: int(fact(f"best.{part}")["value"]) for part in ("layer", "head")})
        assert shows(row[6], fact("best.gain"))
        assert row[7].text == f"{fact('best.gain')['n']:,}"
    all_frames, paper = (one(made["facts"], name=f"{prefix}frames") for prefix in ("", "paper."))
    assert (
        f"1,234 frames in {all_frames['n']:,} sentences; the paper's filters: 1,234 frames in {paper['n']:,} "
        in (prose(page, "frames-1")[0])
    )


def test_published_weights_stand_beside_our_heads_of_their_rank(made, page):
    groups = tomllib.loads((DATA / "published" / "kovaleva.toml").read_text())["group"]
    printed, plotted = (
        next(group["values"] for group in groups if group["key"] == f"kovaleva.{key}")
        for key in ("frames", "frames_plot")
    )
    assert f"in the paper: {printed['sentences']} sentences" in prose(page, "frames-1")[0]
    expected = [("7-6", printed["second"]), ("1-2", printed["first"])]
    expected += [(name.removeprefix("head"), value) for name, value in plotted.items()]
    for group in (expected[:2], expected[2:]):
        assert [value for _, value in group] == sorted((value for _, value in group), reverse=True)
    assert len(PLOTTED) == len(plotted)
    ours = highest(made["head_facts"], len(PLOTTED), study="frames", corpus=FRAMES, name="paper.element_to_target")
    for row, (head, value) in zip(block(page, "frames-1-published", Table).rows, expected, strict=True):
        here = ours[int(row[0].text) - 1]
        assert (row[1].text, row[2].text) == (head, number(value))
        assert row[2].href.endswith("/references/#kovaleva2019")
        assert is_head(row[4], here)
        assert shows(row[5], here)
        assert row[6].text == f"{here['n']:,}"
    assert [row[0].text for row in block(page, "frames-1-published", Table).rows] == [*"12", *"12345678"]


# What is there


@pytest.mark.parametrize("study", STUDIES)
def test_section_is_absent_where_its_study_has_no_rows(made, tmp_path, study):
    less = {name: [row for row in rows if row["study"] != study] for name, rows in made.items()}
    atlas = atlas_of(tmp_path, less)
    context = features_page(atlas)
    assert there(atlas)
    parts = {anchor.partition("-")[0] for anchor in anchors_of(context)}
    assert parts == {"claims", *STUDIES.values()} - {STUDIES[study]}


@pytest.mark.parametrize("study", STUDIES)
def test_page_is_there_for_one_study_alone(made, tmp_path, study):
    alone = {name: [row for row in rows if row["study"] == study] for name, rows in made.items()}
    atlas = atlas_of(tmp_path, alone)
    assert there(atlas)
    assert Renderer(TEMPLATES).render("page.html", features_page(atlas))


def test_page_is_absent_where_only_other_studies_have_rows(made, tmp_path):
    others = [row for row in made["head_facts"] if row["study"] not in STUDIES or row["name"] == "sep.outside"]
    assert others
    assert not there(atlas_of(tmp_path, {"facts": [], "head_facts": others}))


def test_numbers_of_heads_alone_leave_out_the_tables_of_layers(made, tmp_path):
    context = features_page(atlas_of(tmp_path, made | {"facts": []}))
    for part in (1, 2):
        assert below(context, f"kinds-{part}") == []
    assert [isinstance(one, Table) for one in section(context, "matching-1").blocks] == [True, False]
    assert {cell.text for row in block(context, "frames-1", Table).rows for cell in row[2:]} == {"-"}


def test_lead_has_the_largest_numbers_and_what_was_held_out(made, page):
    for corpus in (TREEBANK, OTHER):
        of = {"study": "features", "corpus": corpus}
        for kinds in (("noun", "verb", "pronoun", "subject", "object"), SPECIAL):
            best = max(
                (highest(made["head_facts"], 1, name=f"{kind}.max", **of)[0] for kind in kinds),
                key=lambda row: row["value"],
            )
            kind = KINDS[best["name"].partition(".")[0]]
            shown = f"{alone(best)} ({interval(best['low'], best['high'])})"
            assert f"{shown} ({kind}, head {best['layer']}-{best['head']})" in page.lead
    for name in ("best.matched.gain", "element_to_target.best.gain"):
        row = one(made["facts"], name=name)
        assert f"{alone(row)} ({interval(row['low'], row['high'])})" in page.lead
        assert f"(held-out, n {row['n']})" in page.lead


# The whole page


def test_every_chart_finds_the_columns_and_settings_it_reads(page):
    for grids in figures(page):
        data = json.loads(grids.data)
        for view in data["views"]:
            assert len({len(column) for column in {**data["shared"], **view["columns"]}.values()}) == 1
            (kind,) = grids.kinds
            spec = specification(kind)
            assert set(columns_read(spec)) <= {*data["shared"], *view["columns"], *view["constants"]}
            assert set(settings(spec)) - set(signals(LIGHT)) <= set(view["signals"])
        assert all(len(row) == len(grids.table.columns) for row in grids.table.rows)


def test_every_cell_of_every_table_is_on_the_page(page, html):
    cells = {one.text for one in Document(html).elements if one.tag in ("td", "th")}
    assert len(tables_in(page)) == 2 * 3 + 2 * 2 + 2 + 6
    for table in tables_in(page):
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert {seen(cell) for row in table.rows for cell in row} - cells == set()


def test_every_link_leads_somewhere(page, html, atlas):
    known = {addresses.head(atlas.slug, *place) for place in PLACES} | {addresses.MODELS, addresses.model(atlas.slug)}
    known |= {addresses.claim(f"K{number}") for number in ("04", "09", "13", "14", "17")}
    known |= {addresses.method(f"attention.{name}") for name in ("previous", "next")}
    by_hand = {addresses.GLOSSARY: anchors("glossary.md"), addresses.REFERENCES: anchors("references.md")}
    links = [link for _, link in Document(html).references()]
    links += [link for grids in figures(page) for link in json.loads(grids.data)["shared"]["href"]]
    links += [view.href for grids in figures(page) for view in grids.views]
    for link in links:
        target = urljoin("http://here/" + addresses.features(atlas.slug), link).removeprefix("http://here/")
        address, _, anchor = target.partition("#")
        assert address in known or anchor in by_hand.get(address, ()), link
    assert [link.text.partition(":")[0] for link in block(page, "claims", Items).lines] == [
        "K04",
        "K09",
        "K13",
        "K14",
        "K17",
    ]


def test_hostile_names_stay_text(html):
    document = Document(html)
    assert not [one for one in document.elements if one.tag in ("img", "script", "b", "i", "svg")]
    assert all(not set("<>&") & set(template.text) for template in document.find("template"))
    assert {TREEBANK, TEXTS, FRAMES} <= {one.text for one in document.find("bdi")}


def test_paper_without_distance_baseline_is_remarked(html):
    assert "The paper has no distance baseline" in html


def test_undefined_numbers_are_dashes_and_no_anchor_stands_twice(made, html, tmp_path):
    nothing = dict.fromkeys(("low", "high"), np.nan)
    bare = {name: [row | nothing for row in rows] for name, rows in made.items()}
    for text in (html, Renderer(TEMPLATES).render("page.html", features_page(atlas_of(tmp_path, bare)))):
        assert not re.search(r"\b(nan|inf)\b|[>( ]None[<), ]", text)
        ids = [one.attributes["id"] for one in Document(text).elements if "id" in one.attributes]
        assert len(ids) == len(set(ids))


def test_feature_that_one_head_lacks_is_a_gap_in_its_grid(made, tmp_path):
    lost = {"study": "features", "corpus": TREEBANK, "name": "verb.max", "layer": 2, "head": 1}
    rows = [row for row in made["head_facts"] if row is not one(made["head_facts"], **lost)]
    data = json.loads(figures(features_page(atlas_of(tmp_path, made | {"head_facts": rows})))[0].data)
    view = next(view for view in data["views"] if view["constants"]["measure"] == "verb.max")
    assert [at for at, value in enumerate(view["columns"]["value"]) if value is None] == [PLACES.index((2, 1))]


def test_page_lives_below_its_model():
    assert addresses.features("tiny") == "models/tiny/features/"
