"""Every page of claims: nothing as markup, links lead somewhere, ties are those of the records."""

import re
from urllib.parse import unquote, urljoin

import numpy as np
import pytest

from generator.claims.all import CLAIMS
from generator.claims.claim import Claim, judge
from generator.claims.evidence.evidence import UNIFORM, Evidence
from generator.claims.published import published
from generator.measures import MEASURES, OF_COLUMN
from generator.pages import addresses
from generator.pages.claims.tables import Ledger
from generator.pages.heads.atlas import Atlas
from tests.pages.claims.judged import MODELS, ledger
from tests.pages.claims.made import OPEN_PAGES, PAGES, PARTLY_PAGES, ROOT_ADDRESS, claims, figures, made, text_of
from tests.site.documents import Document
from tests.site.hostile import NAME
from tests.site.project import ROOT


@pytest.mark.parametrize("address", [addresses.CLAIMS, *(addresses.claim(claim.id) for claim in CLAIMS)])
def test_hostile_name_is_text(address: str) -> None:
    document = Document(PAGES[address].html)
    assert NAME in [element.text for element in document.elements]
    assert {element.tag for element in document.elements}.isdisjoint({"img", "b"})
    assert {one.attributes.get("src") for one in document.find("script")} <= {"../assets/fieldguide/claims.js"}
    assert all(figures(PAGES[address]))


def test_every_link_leads_somewhere() -> None:
    models = {addresses.model(model.slug) for model in MODELS}
    methods = {addresses.method(measure.name) for measure in MEASURES}
    references = Document((ROOT / "docs" / "references.md").read_text(encoding="utf-8")).ids
    broken = []
    for address, page in PAGES.items():
        for _, link in Document(page.html).references():
            target, _, anchor = unquote(urljoin(ROOT_ADDRESS + address, link)).partition("#")
            there = target.removeprefix(ROOT_ADDRESS).partition("?")[0]
            if there == addresses.REFERENCES:
                found = anchor in references
            else:
                found = there in PAGES.keys() | models | methods | {"assets/fieldguide/claims.js"}
                found &= not anchor or anchor in Document(PAGES[there].html).ids
            if not found:
                broken.append(f"{address} -> {link}")
    assert broken == []


def test_pages_are_made_without_any_model() -> None:
    empty = made(Ledger((), ()))
    assert set(empty) == set(PAGES)
    assert all("No model has been analysed yet" in page.html for where, page in empty.items() if where != "claims/")


def test_no_page_shows_an_undefined_number() -> None:
    for page in [*PAGES.values(), *OPEN_PAGES.values(), *PARTLY_PAGES.values()]:
        assert not re.search(r"\b(nan|inf|None)\b", text_of(page)), page.address


@claims
def test_published_numbers_beside_ours_are_of_the_same_unit_and_of_the_claim(claim: Claim) -> None:
    assert {*claim.comparable} <= {*claim.published}
    for part in claim.parts[:1]:
        assert {published(key).unit for key in claim.comparable} <= {part.unit}
        drawn = {published(key).value for key in claim.comparable}
        assert drawn.isdisjoint(part.against), "a threshold is no published number"


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
        assert evidence.read == set(claim.measures), claim.id


def test_pages_made_of_what_was_said_before_are_the_same_and_say_it_again() -> None:
    judged = ledger()
    first = made(judged)
    said = {slug: {*told} for slug, told in judged.sentences.items()}
    assert {"verdict C04", "mark C04", "cell C04"} < said[MODELS[0].slug]
    assert made(judged) == first
    assert {slug: {*told} for slug, told in judged.sentences.items()} == said, "nothing was left to say"
    judged.sentences[MODELS[0].slug]["verdict C04"] = "<b>kept</b>"
    assert "<b>kept</b>" in made(judged)[addresses.claim("C04")].html
