"""The page on tasks as a whole: what stands on it and when, and that every number is stored."""

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

import numpy as np
import pytest

from generator.claims.all import CLAIMS
from generator.home import DATA, TEMPLATES
from generator.numbers.writing import interval, listed, number
from generator.pages import addresses
from generator.pages.blocks import Figure, Items, Sections, Table
from generator.pages.renderer import Renderer
from generator.topics.tasks.claims.learned import FINE_TUNED, MAJORITY
from generator.topics.tasks.derived.verdicts import NEEDED
from generator.topics.tasks.page.page import tasks_page, there
from tests.pages.contract import check_charts, check_html
from tests.pages.reading import anchors as found_anchors
from tests.pages.reading import block, every, prose, seen
from tests.pages.studies.test_all import anchors
from tests.site.documents import Document
from tests.topics.tasks.page.tried import (
    ANCHORS,
    CORPUS,
    EXAMPLES,
    HOSTILE,
    OTHER,
    PLACES,
    STARTS,
    atlas_of,
    metrics_of,
    name_of,
    one,
    scores_in,
    slow_verdict,
    swept,
    tables,
    views,
)


@pytest.fixture(scope="module")
def html(page: Sections) -> str:
    """Gives the page."""
    return Renderer(TEMPLATES).render("page.html", page)


def test_lead_has_the_main_numbers(made, page):
    gains = []
    for task in CORPUS:
        before, after = (one(made["facts"], corpus=task, name=f"{metrics_of(task)[0]}.{how}") for how in STARTS[::2])
        shown = [number(*(row[field] for field in ("value", "low", "high"))) for row in (before, after)]
        gains.append(f"from {shown[0]} to {shown[1]} on {name_of(task)}")
    needed = []
    for task in CORPUS[1:]:
        said = [slow_verdict(made, task, "uniform", layer=layer, head=head) for layer, head in PLACES]
        needed.append((name_of(task), said.count(NEEDED)))
    lead, _, lost = page.lead.partition(" It has not surely learned ")
    assert lost == "RTE.", "which then can lose nothing"
    assert f"{listed(gains)}. " in page.lead
    _, told = lead.split("Of its 10 heads, made uniform one at a time, ")
    some, _, none = told.rstrip(".").partition(", none for ")
    found = re.findall(r"(\d+)(?: is surely needed| are surely needed|) for (.+?)(?=, \d| and \d|$)", some)
    assert [(task, int(count)) for count, task in found] == [(task, count) for task, count in needed if count]
    assert none == listed([task for task, count in needed if not count], "or")


@pytest.mark.parametrize(("low", "sure"), [(0.0001, True), (0.0, False), (-0.05, False), (float("nan"), False)])
def test_a_score_that_fine_tuning_does_not_surely_raise_is_not_told_as_a_gain(made, tmp_path, low, sure):
    first, *others = (f"{metrics_of(task)[0]}.{STARTS[2]}.minus.{STARTS[0]}" for task in CORPUS)
    facts = [
        {**row, "low": low if row["corpus"] == CORPUS[0] else -0.05} if row["name"] in (first, *others) else row
        for row in made["facts"]
    ]
    lead = tasks_page(atlas_of(tmp_path, made | {"facts": facts})).lead
    none = "On no task is fine-tuning all weights surely better than training the classifier alone. "
    assert lead.startswith(none) != sure
    assert (f"on {name_of(CORPUS[0])}. Of its" in lead) == sure


def test_the_lead_compares_with_frozen_weights_only_where_these_were_trained(made, tmp_path):
    """As all-mpnet-base-v2, of which all weights were fine-tuned and nothing else."""
    task = CORPUS[0]
    kept = {f"{metrics_of(task)[0]}.{how}" for how in (FINE_TUNED, MAJORITY)}
    facts = [row for row in made["facts"] if row["corpus"] == task and row["name"] in kept]
    after, common = (next(row for row in facts if row["name"].endswith(how)) for how in (FINE_TUNED, MAJORITY))
    reached = f"{number(after['value'], after['low'], after['high'])} on {name_of(task)}"
    lead = tasks_page(atlas_of(tmp_path, {"facts": facts})).lead
    assert lead == f"Fine-tuned, it reaches {reached}, where the commonest answer gets {number(common['value'])}."


@pytest.mark.parametrize("gone", ANCHORS)
def test_a_section_is_absent_where_its_study_has_no_rows(made, tmp_path, gone):
    less = atlas_of(tmp_path, {name: [row for row in rows if row["study"] != gone] for name, rows in made.items()})
    assert there(less)
    assert set(found_anchors(tasks_page(less))) == {
        anchor for study, own in ANCHORS.items() for anchor in own if study != gone
    }


@pytest.mark.parametrize("alone", ANCHORS)
def test_one_study_is_enough_for_a_page(made, tmp_path, alone):
    less = atlas_of(tmp_path, {name: [row for row in rows if row["study"] == alone] for name, rows in made.items()})
    assert there(less)
    context = tasks_page(less)
    assert context.lead
    assert found_anchors(context) == ANCHORS[alone]


def test_lead_of_a_model_that_was_only_compared_says_how_alike_its_maps_stay(made, tmp_path):
    compared = {name: [row for row in rows if row["study"] == OTHER] for name, rows in made.items()}
    assert tasks_page(atlas_of(tmp_path, compared)).lead.startswith("Maps before and after fine-tuning on ")


def test_model_without_tasks_has_no_page(made, tmp_path):
    assert not there(atlas_of(tmp_path / "a", {}))
    other = {name: [row for row in rows if row["corpus"] == "texts"] for name, rows in made.items()}
    assert not there(atlas_of(tmp_path / "b", other))


def test_sweep_without_simultaneous_intervals_judges_no_head(made, tmp_path):
    plain = {name: [row for row in rows if not row["name"].endswith(".family")] for name, rows in made.items()}
    context = tasks_page(atlas_of(tmp_path, plain))
    assert "needed" not in context.lead
    for anchor, _ in swept():
        assert not tables(context, "Heads that change", anchor)
        assert all("one at a time" not in text for text in prose(context, anchor))
        figure = block(context, anchor, Figure)
        assert {verdict for view in views(figure) for verdict in view["columns"]["verdict"]} == {""}


def test_order_of_rows_changes_nothing(made, page, tmp_path):
    assert tasks_page(atlas_of(tmp_path, made, seed=7)) == page


NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?![\w.])")


def test_every_number_on_the_page_is_of_the_tables(made, page, html):
    """What is derived - gains, correlations - is compared one by one above."""
    known = {"0.001"}  # "<0.001"
    for rows in made.values():
        for row in rows:
            for factor in (1, 100):
                value, low, high = (factor * row[field] for field in ("value", "low", "high"))
                known |= {number(value), number(value, low, high), *interval(low, high, value=value).split(" to ")}
    groups = [
        group
        for path in ("kovaleva", "others")
        for group in tomllib.loads((DATA / "published" / f"{path}.toml").read_text())["group"]
    ]
    for group in groups:
        known |= {number(value / 100) for value in leaves(group.get("values", {}))}
    derived = {text for row in scores_in(page) for text in NUMBER.findall(seen(row[5]))}
    derived |= {text for row in block(page, "importance", Table).rows for text in NUMBER.findall(seen(row[2]))}
    prose = {"4.3", "4.6"}
    document = Document(html)
    tags = ("td", "th", "p", "figcaption")
    shown = {text for tag in tags for one in document.find(tag) for text in NUMBER.findall(one.text)}
    assert len(shown) > 400
    assert shown - known - derived - prose == set()


def leaves(values: Any) -> Iterator[float]:
    """All numbers, at any depth."""
    for value in values.values():
        if isinstance(value, dict):
            yield from leaves(value)
        else:
            yield float(value)


def test_the_page_keeps_what_every_page_promises(page, html):
    assert (len(every(page, Figure)), len(every(page, Table))) == (2 + len(CORPUS), 4 + 2 * len(CORPUS))
    check_charts(page)
    check_html(page, html)


def test_every_caption_says_what_was_read_and_how_sure_it_is(page):
    for figure in every(page, Figure):
        assert "95 % interval" in figure.caption
        assert "dev examples" in figure.caption
    assert all(f"{EXAMPLES[task]:,} dev" in block(page, anchor, Figure).caption for anchor, task in swept())


def test_every_link_leads_somewhere(page, html, atlas):
    heads = {addresses.head(atlas.slug, *place) for place in PLACES}
    known = heads | {addresses.MODELS, addresses.model(atlas.slug)} | {addresses.claim(claim.id) for claim in CLAIMS}
    by_hand = {addresses.GLOSSARY: anchors("glossary.md"), addresses.REFERENCES: anchors("references.md")}
    links = [link for _, link in Document(html).references()]
    for figure in every(page, Figure):
        links += json.loads(figure.data)["shared"].get("href", ())
        links += [view.href for view in figure.views if view.href]
    for link in links:
        target = urljoin("http://here/" + addresses.tasks(atlas.slug), link).removeprefix("http://here/")
        address, _, anchor = target.partition("#")
        assert address in known or anchor in by_hand.get(address, ()), link
    claims = block(page, "", Items).lines
    told = [link.text.partition(":")[0] for link in claims]
    assert told == ["K02", "K05", "K06", "K07", "K08", "K12", "K15", "K16", "K17", "R02", "Q02"]


def test_hostile_names_stay_text(html):
    document = Document(html)
    assert not [element for element in document.elements if element.tag in ("img", "script", "b", "svg")]
    assert HOSTILE in [one.text for one in document.find("bdi")]


def test_undefined_changes_are_dashes_and_no_squares(made, tmp_path):
    nothing = dict.fromkeys(("value", "low", "high"), np.nan)
    rows = [row | nothing if row["study"] == "disabling" else row for row in made["head_facts"]]
    context = tasks_page(atlas_of(tmp_path, made | {"head_facts": rows}))
    for view in views(block(context, "disabled-1", Figure)):
        assert set(view["columns"]["value"]) == {None}
        assert set(view["columns"]["size"]) == {0}
    assert {row[2].text for row in block(context, "importance", Table).rows} == {"-"}
    assert not re.search(r"\bnan\b", Renderer(TEMPLATES).render("page.html", context))


def test_page_lives_below_its_model():
    assert addresses.tasks("tiny") == "models/tiny/tasks/"
