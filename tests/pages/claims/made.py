"""Every page of claims on invented numbers, and what a reader finds there."""

from typing import Any

import pytest

from generator.claims.all import CLAIMS
from generator.claims.claim import Claim, Judgement, Part
from generator.home import TEMPLATES
from generator.numbers.number import Number
from generator.numbers.writing import pieces
from generator.pages.bibliography import read_bibliography
from generator.pages.claims.page import claims_pages
from generator.pages.claims.tables import Ledger
from generator.pages.renderer import Page, Renderer
from tests.pages.claims.judged import crossing, ledger, meeting, missing, untold
from tests.site.documents import Document, data_of
from tests.site.project import ROOT

ROOT_ADDRESS = "http://localhost/"
BIBLIOGRAPHY = ROOT / "docs" / "references.bib"
SOURCES = read_bibliography(BIBLIOGRAPHY)
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


def text_of(page: Page) -> str:
    """All that a page says."""
    return Document(f"<div>{page.html}</div>").elements[0].text


def figures(page: Page) -> list[dict[str, Any]]:
    """The data of a page's figures."""
    return [data for _, script in page.files for data in data_of(script).values()]


def columns(page: Page, at: int) -> dict[str, list[Any]]:
    """The columns of a figure's only view."""
    (view,) = figures(page)[at]["views"]
    return dict(view["columns"])


def shown(number: Any, part: Part, more: str = "") -> str:
    """A number as a cell shows it."""
    value, ends = pieces(Number(number.value, number.low, number.high, number.n), against=part.against)
    return f"{value} ({ends}, n = {number.n} {part.over}{more})"
