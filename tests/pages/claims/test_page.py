"""Pages of claims say what the judgements say: words, numbers, thresholds, published values, and nothing as markup."""

import json
import re
from collections import Counter
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

import jinja2
import numpy as np
import pytest
from jinja2 import nodes

from generator.claims import CLAIMS
from generator.claims.claim import Claim, Judgement, Part, judge
from generator.claims.evidence.evidence import UNIFORM, Evidence
from generator.claims.published import published
from generator.home import TEMPLATES
from generator.measures import MEASURES, OF_COLUMN
from generator.numbers.number import Number
from generator.numbers.writing import number, pieces
from generator.pages import addresses
from generator.pages.bibliography import read_bibliography
from generator.pages.claims import contexts as claim_contexts
from generator.pages.claims.figures import COLUMNS
from generator.pages.claims.page import claims_page, claims_pages
from generator.pages.claims.tables import SHOWN, Ledger, place
from generator.pages.claims.ties import COMPARABLE, MEASURED
from generator.pages.heads.atlas import Atlas
from generator.pages.renderer import FILTERS, Page, Renderer
from tests.pages.claims.judged import MODELS, PLAIN, crossing, ledger, meeting, missing, table, untold
from tests.site.documents import Document
from tests.site.hostile import NAME
from tests.site.project import ROOT

ROOT_ADDRESS = "http://localhost/"
BIBLIOGRAPHY = ROOT / "docs" / "references.bib"
SOURCES = read_bibliography(BIBLIOGRAPHY)
OF_TEMPLATE = {
    "claims.html": claim_contexts.ClaimsPage,
    "claim.html": claim_contexts.ClaimPage,
    "claim_block.html": claim_contexts.ClaimBlock,
}
WITH_PARTS = [claim for claim in CLAIMS if claim.parts]
claims = pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
with_parts = pytest.mark.parametrize("claim", WITH_PARTS, ids=lambda claim: claim.id)
JUDGED = ledger()


def made(judged: Ledger) -> dict[str, Page]:
    """Every page by its address."""
    return {page.address: page for page in claims_pages(judged, Renderer(TEMPLATES), SOURCES)}


PAGES = made(JUDGED)
OPEN = ledger(crossing, missing)
OPEN_PAGES = made(OPEN)
PARTLY_PAGES = made(ledger(untold, meeting))
"""The plain model has no number."""


def of(claim: Claim, judged: Ledger = JUDGED) -> list[Judgement]:
    """A claim's judgements, models in their order."""
    return [item for item in judged.judgements if item.claim.id == claim.id]


def parsed(template: str | Path) -> nodes.Template:
    """The template's syntax tree."""
    environment = jinja2.Environment(autoescape=True)
    environment.filters |= FILTERS
    return environment.parse((TEMPLATES / template).read_text(encoding="utf-8"))


def text_of(page: Page) -> str:
    """All that a page says."""
    return Document(f"<div>{page.html}</div>").elements[0].text


def figures(page: Page) -> list[dict[str, Any]]:
    """The data of a page's figures."""
    return [json.loads(one.text) for one in Document(page.html).find("template", "fg-data")]


def columns(page: Page, at: int) -> dict[str, list[Any]]:
    """The columns of a figure's only view."""
    (view,) = figures(page)[at]["views"]
    return dict(view["columns"])


def shown(number: Any, part: Part) -> str:
    """A number as a cell shows it."""
    value, ends = pieces(Number(number.value, number.low, number.high, number.n), against=part.against)
    return f"{value}{ends}, n = {number.n} {part.over}"


def test_every_claim_has_a_page_and_a_row() -> None:
    assert set(PAGES) == {addresses.CLAIMS} | {addresses.claim(claim.id) for claim in CLAIMS}
    rows = table(PAGES[addresses.CLAIMS].html, 1)[1:]
    assert [row[0] for row in rows] == [f"{claim.id} {claim.title}" for claim in JUDGED.claims.values()]
    assert sorted(JUDGED.claims) == sorted(claim.id for claim in CLAIMS)


def test_claims_of_a_paper_stand_together_and_the_first_has_an_anchor() -> None:
    page = claims_page(JUDGED, SOURCES)
    papers = [row.paper.text for row in page.rows]
    changes = [at for at, paper in enumerate(papers) if at == 0 or paper != papers[at - 1]]
    assert len(changes) == len(set(papers)) == len(page.papers)
    assert [at for at, row in enumerate(page.rows) if row.anchor] == changes
    assert [link.href for link in page.papers] == [f"#{page.rows[at].anchor}" for at in changes]
    counts = Counter(claim.paper for claim in CLAIMS)
    assert {link.text for link in page.papers} == {f"{paper} ({count})" for paper, count in counts.items()}


def test_ledger_shows_each_verdict_with_the_first_number() -> None:
    head, *rows = table(PAGES[addresses.CLAIMS].html, 1)
    assert head[2:4] == [model.model for model in MODELS]
    for claim, row in zip(JUDGED.claims.values(), rows, strict=True):
        expected = [
            f"{item.verdict} {shown(item, item.findings[0].part) if item.findings else '-'}" for item in of(claim)
        ]
        notes = [JUDGED.adjusted.get((claim.id, item.model)) for item in of(claim)]
        for cell, one, note in zip(row[2:4], expected, notes, strict=True):
            assert cell == (one.replace(" ", f" {note} when many are allowed for ", 1) if note else one)


def test_legend_counts_each_verdict_by_model() -> None:
    judged = ledger(meeting, crossing)
    rows = table(made(judged)[addresses.CLAIMS].html)[1:]
    assert [row[0] for row in rows] == list(SHOWN)
    for at, model in enumerate(MODELS, start=2):
        for row in rows:
            assert int(row[at]) == sum(i.model == model.model and i.verdict == row[0] for i in judged.judgements)
        assert sum(int(row[at]) for row in rows) == len(CLAIMS)


@claims
def test_page_has_the_verdict_and_every_number_of_every_model(claim: Claim) -> None:
    head, *rows = table(OPEN_PAGES[addresses.claim(claim.id)].html)
    assert head[2:] == [f"{part.name}{part.unit}, {part.threshold}" for part in claim.parts]
    for row, item in zip(rows, of(claim, OPEN), strict=False):
        numbers = [shown(finding.number, finding.part) for finding in item.findings] or ["-"] * len(claim.parts)
        assert row == [item.model, item.verdict, *numbers]


@claims
def test_page_tells_statement_source_thresholds_reasons_and_commands(claim: Claim) -> None:
    text = text_of(PAGES[addresses.claim(claim.id)])
    told = [claim.title, claim.statement, claim.paper, claim.section, claim.measure, claim.needs[1:]]
    told += [words for part in claim.parts for words in (part.threshold, part.unit, part.why)]
    told += [item.reason for item in of(claim)] + [model.command for model in MODELS]
    assert [words for words in told if words not in text] == []
    assert text.count(f"fieldguide claims explain {claim.id} --model") == len(MODELS)


@claims
def test_page_lists_every_published_number_with_place_and_trust(claim: Claim) -> None:
    page = PAGES[addresses.claim(claim.id)]
    expected = [
        [n.source, n.key, number(n.value), n.unit, n.place, n.trust, n.note or "-"]
        for n in map(published, claim.published)
    ]
    tables = len(Document(page.html).find("table"))
    assert (table(page.html, tables - 1)[1:] if expected else []) == expected


@with_parts
def test_figure_of_each_part_draws_numbers_threshold_and_published_values(claim: Claim) -> None:
    page = PAGES[addresses.claim(claim.id)]
    assert len(figures(page)) == len(claim.parts)
    for at, part in enumerate(claim.parts):
        drawn = columns(page, at)
        numbers = [item.findings[at].number for item in of(claim)]
        beside = [published(key) for key in COMPARABLE.get(claim.id, ())] if at == 0 else []
        assert set(drawn) == set(COLUMNS)
        assert drawn["name"] == [PLAIN, NAME, *(number.source for number in beside)]
        for name in ("value", "low", "high", "n"):
            given = [pytest.approx(getattr(number, name), rel=1e-5) for number in numbers if number]
            assert drawn[name] == [*given, *(None for _ in beside)]
        assert drawn["published"] == [None, None, *(pytest.approx(number.value, rel=1e-5) for number in beside)]
        assert drawn["verdict"][:2] == [item.findings[at].verdict for item in of(claim)]
        assert set(drawn["bound"]) == {part.bounds[0].at}
        assert set(drawn["second_bound"]) == {part.bounds[1].at if len(part.bounds) > 1 else None}


@with_parts
def test_axis_of_each_figure_shows_zero_and_all_that_is_drawn(claim: Claim) -> None:
    for figure in figures(PAGES[addresses.claim(claim.id)]):
        (view,) = figure["views"]
        names = ("value", "low", "high", "bound", "second_bound", "published")
        along = [x for name in names for x in view["columns"][name] if x is not None]
        assert view["signals"]["left"] == min([0, *along])
        assert view["signals"]["right"] == max([0, *along])


@with_parts
def test_table_of_each_figure_says_what_is_drawn(claim: Claim) -> None:
    page = PAGES[addresses.claim(claim.id)]
    for at, part in enumerate(claim.parts):
        head, *rows = table(page.html, 1 + at)
        assert head[1:4] == [f"value ({part.unit})", "95 % interval", f"n ({part.over})"]
        for row, item in zip(rows, of(claim), strict=False):
            number = item.findings[at].number
            assert number is not None
            verdict = item.findings[at].verdict
            assert row == [item.model, *pieces(number, against=part.against), str(number.n), verdict, "-"]
        assert [row[-1] for row in rows[2:]] == [place(published(k)) for k in COMPARABLE.get(claim.id, ()) if at == 0]


@with_parts
def test_model_without_a_number_is_not_drawn_and_its_claim_says_what_it_needs(claim: Claim) -> None:
    page = PARTLY_PAGES[addresses.claim(claim.id)]
    assert all(PLAIN not in columns(page, at)["name"] for at in range(len(claim.parts)))
    row = table(page.html)[1]
    assert row == [PLAIN, "not testable", *("-" for _ in claim.parts)]
    assert "Not testable: nothing was read." in [one.text for one in Document(page.html).find("dd")]


def test_number_without_an_interval_says_so() -> None:
    alone = ledger(lambda part: meeting(part)._replace(low=np.nan, high=np.nan, n=70), missing)
    claim = WITH_PARTS[0]
    page = made(alone)[addresses.claim(claim.id)]
    value = alone.judgements[CLAIMS.index(claim) * 2].value
    assert table(page.html)[1][1:3] == [
        "inconclusive",
        f"{number(value, against=claim.parts[0].against)}no interval, n = 70 {claim.parts[0].over}",
    ]
    assert columns(page, 0)["low"][0] is None


def test_part_that_no_model_has_needs_no_figure() -> None:
    nothing = made(ledger(untold, untold))
    for claim in WITH_PARTS:
        assert figures(nothing[addresses.claim(claim.id)]) == []
        assert nothing[addresses.claim(claim.id)].html.count("No model has this number.") == len(claim.parts)


@pytest.mark.parametrize("address", [addresses.CLAIMS, *(addresses.claim(claim.id) for claim in CLAIMS)])
def test_hostile_name_is_text(address: str) -> None:
    document = Document(PAGES[address].html)
    assert NAME in [one.text for one in document.elements]
    assert {one.tag for one in document.elements}.isdisjoint({"img", "script", "b"})
    for data in document.find("template", "fg-data"):
        assert json.loads(data.text)
    for part in PAGES[address].html.split('<template class="fg-data" data-search-exclude>')[1:]:
        assert not set("<>&") & set(part.split("</template>")[0])


def test_every_link_leads_somewhere() -> None:
    models = {addresses.model(model.slug) for model in MODELS}
    methods = {addresses.method(measure.name) for measure in MEASURES}
    references = Document((ROOT / "docs" / "references.md").read_text(encoding="utf-8")).ids
    broken = []
    for address, page in PAGES.items():
        for _, link in Document(page.html).references():
            target, _, anchor = unquote(urljoin(ROOT_ADDRESS + address, link)).partition("#")
            there = target.removeprefix(ROOT_ADDRESS)
            if there == addresses.REFERENCES:
                found = anchor in references
            else:
                found = there in PAGES.keys() | models | methods
                found &= not anchor or anchor in Document(PAGES[there].html).ids
            if not found:
                broken.append(f"{address} -> {link}")
    assert broken == []


def test_papers_that_the_references_list_lead_to_their_entry() -> None:
    listed = set(SOURCES.values())
    for claim in CLAIMS:
        links = [one.attributes["href"] for one in Document(PAGES[addresses.claim(claim.id)].html).find("a")]
        reached = any(f"#{key}" in link for link in links for key, label in SOURCES.items() if label == claim.paper)
        assert reached == (claim.paper in listed)


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
    kinds = [kind for kind in vars(claim_contexts).values() if isinstance(kind, type) and is_dataclass(kind)]
    assert [f"{kind.__name__}.{f.name}" for kind in kinds for f in fields(kind) if f.name not in shown] == []


def test_pages_are_made_without_any_model() -> None:
    empty = made(Ledger((), ()))
    assert set(empty) == set(PAGES)
    assert all("No model has been analysed yet" in page.html for where, page in empty.items() if where != "claims/")


def test_no_page_shows_an_undefined_number() -> None:
    for page in [*PAGES.values(), *OPEN_PAGES.values(), *PARTLY_PAGES.values()]:
        assert not re.search(r"\b(nan|inf|None)\b", text_of(page)), page.address


@claims
def test_published_numbers_beside_ours_are_of_the_same_unit_and_of_the_claim(claim: Claim) -> None:
    for key in COMPARABLE.get(claim.id, ()):
        assert key in claim.published
        assert published(key).unit == claim.parts[0].unit


def test_ties_are_of_claims_that_there_are() -> None:
    assert {*COMPARABLE, *MEASURED} <= {claim.id for claim in CLAIMS}


class Recorder(Evidence):
    """Evidence that remembers which columns were read."""

    def rows(self, column: str) -> np.ndarray:
        self.read.add(OF_COLUMN[column.removeprefix(UNIFORM)].name)
        return super().rows(column)


def test_definitions_that_a_page_links_are_those_of_the_columns_that_the_claim_reads(atlas: Atlas) -> None:
    for claim in CLAIMS:
        evidence = Recorder(atlas.results)
        evidence.read = set()
        judge(claim, evidence)
        assert evidence.read == set(MEASURED.get(claim.id, ())), claim.id


def test_ledger_of_stored_results_has_the_numbers_of_the_store(atlas: Atlas) -> None:
    """C01, counted with loops: heads whose mean attention to the token itself is below a tenth."""
    judged = Ledger.of([atlas.results])
    little = 0
    for layer, head in atlas.places:
        documents = atlas.results.documents
        of_head = documents[(documents["layer"] == layer) & (documents["head"] == head)]
        values = [float(value) for value in of_head["attention.self"]]
        little += sum(values) / len(values) < 0.1
    share = little / len(atlas.places)
    (row,) = [row for row in table(made(judged)[addresses.CLAIMS].html, 1) if row[0].startswith("C01 ")]
    assert row[2].startswith(f"{judged.judgements[0].verdict} {number(share)}")
    assert judged.manifests == (atlas.results.manifest,)
