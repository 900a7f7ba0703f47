"""What a page says that the gate would refuse is found, and nothing that it would give; no page says anything of it."""

import re
from collections.abc import Iterator

import pytest

from generator.home import TEMPLATES
from generator.numbers.number import Number
from generator.numbers.writing import percent
from generator.pages.blocks import SURE, Block, Items, Sections, opening
from generator.pages.claims.tables import Ledger
from generator.pages.heads.atlas import Atlas
from generator.pages.renderer import Page, Renderer
from generator.pages.studies.tables import cell, table
from generator.pages.walk import walk
from tests.pages.every import pages

PAGE = "models/tiny/relations/"
VERDICT = re.compile(r'(id="of-[^"]*".*?<span class="fg-verdict) fg-is-[\w-]+')


def page_of(*blocks: Block, address: str = PAGE) -> str:
    """The HTML of a page with these blocks."""
    return Renderer(TEMPLATES).page(address, Sections("Relations", "What is found.", (), (opening(*blocks),))).html


def gain(low: float, high: float) -> tuple[Block, ...]:
    """A table and a list of what was found, with this interval of the gain; and the same as what was tried."""
    rows = [("direct objects", cell(Number(0.5, 0.4, 0.6, 90)), cell(Number(0.25, low, high, 90)))]
    columns = ("relation", "accuracy", "gain")
    line = f"direct objects (obj) 3-1 gain 0.25 ({low:g} to {high:g}), n 90"
    return table("Found", columns, rows, SURE), table("Tried", columns, rows), Items((line,), f"fg-list {SURE}")


@pytest.mark.parametrize(
    ("low", "high", "refused"),
    [(0.01, 0.4, 0), (-0.4, -0.01, 0), (0.0, 0.4, 2), (-0.01, 0.4, 2), (-0.4, 0.0, 2)],
)
def test_a_finding_is_refused_if_its_interval_touches_the_baseline(low: float, high: float, refused: int) -> None:
    told = [*walk(PAGE, page_of(*gain(low, high)))]
    assert len(told) == refused
    for one in told:
        assert one.startswith(f"/{PAGE} says \u201cdirect objects ")
        assert re.search(r"\u201d, but it is listed as found, and \S+ to \S+ includes 0\.$", one)


@pytest.mark.parametrize(
    ("share", "refused"),
    [
        (Number(0.978, 0.954, 1.0, 40), False),
        (Number(0.978, 0.954, 1.006, 40), True),
        (Number(0.01, 0.0, 0.02, 40), False),
        (Number(0.01, -0.001, 0.02, 40), True),
    ],
)
def test_a_share_whose_interval_reaches_beyond_all_or_nothing_is_refused(share: Number, refused: bool) -> None:
    said = f"its entropy is {percent(share)} of that of uniform attention"
    told = [*walk(PAGE, page_of(said))]
    assert len(told) == refused
    for one in told:
        assert f"its entropy is {percent(share)}\u201d, but a share lies between 0 and 100 %." in one


@pytest.mark.parametrize("ends", ["a to b", "- to -", "e to e", "1.2.3 to 1,4.5.6", "to", "1 to 2 to 3"])
def test_text_that_only_looks_like_an_interval_is_passed_over(ends: str) -> None:
    assert [*walk(PAGE, page_of(f"5 % ({ends}) of all", Items((f"gain 1 ({ends}), n 3",), f"fg-list {SURE}")))] == []


@pytest.fixture(scope="module")
def made(atlas: Atlas) -> dict[str, Page]:
    """Gives every page of the tiny encoder by its address."""
    results = [atlas.results]
    return {page.address: page for page in pages(results, Ledger.of(results), Renderer(TEMPLATES), {})}


def test_no_page_says_what_the_gate_would_refuse(made: dict[str, Page]) -> None:
    assert [one for page in made.values() for one in walk(page.address, page.html)] == []


def changed(page: Page, at: int) -> Iterator[str]:
    """A page with each verdict that a pattern matches turned into another, one at a time."""
    for found in [*VERDICT.finditer(page.html)][:at]:
        other = "holds" if "fg-is-fails" in found[0] else "fails"
        yield page.html[: found.start()] + f"{found[1]} fg-is-{other}" + page.html[found.end() :]


def test_two_verdicts_on_one_number_are_refused(made: dict[str, Page]) -> None:
    claims = {address: page for address, page in made.items() if re.fullmatch(r"claims/\w+/", address)}
    assert len(claims) > 50
    for address, page in claims.items():
        for html in changed(page, 1):
            told = {*walk(address, html)}
            assert told, address
            assert all(re.search(r" for Tiny-BERT\u201d, but the same page says \u201c", one) for one in told)


def test_a_verdict_on_a_threshold_counts_as_one_on_the_claim_only_if_it_has_no_other(made: dict[str, Page]) -> None:
    """The words of a verdict are never those of a threshold."""
    words = {"met": "missed", "missed": "met", "open": "met"}
    refused = {}
    for address, page in made.items():
        found = re.search(r"(<tr><td>Tiny-BERT(?:<td>[^<]*){3}<td>)(met|missed|open)(?=<td>)", page.html)
        if address.startswith("claims/") and found:
            several = page.html.count('id="part-') > 1
            for word in (words[found[2]], "holds", "fails"):
                html = page.html[: found.start()] + found[1] + word + page.html[found.end() :]
                refused.setdefault((several, word in ("holds", "fails")), []).append([*walk(address, html)] != [])
    assert all(refused[False, False])
    assert not any(refused[True, False]), "a claim of several parts may fail by another"
    assert any(refused[False, True])
    assert any(refused[True, True])


def test_nothing_is_said_to_be_missing_where_nothing_was_read(atlas: Atlas, bare: Atlas, made: dict[str, Page]) -> None:
    assert atlas.looked
    assert not bare.looked
    where = {address for address, page in made.items() if [*walk(address, page.html, read=False)]}
    assert any("/heads/" in address for address in where), "they say that no specialty was found"
    results = [bare.results]
    own = (page for page in pages(results, Ledger.of(results), Renderer(TEMPLATES), {}) if bare.slug in page.address)
    assert [one for page in own for one in walk(page.address, page.html, read=False)] == []


def test_one_sentence_tells_of_the_page_the_statement_and_what_is_wrong() -> None:
    told = walk(PAGE, page_of("Head 1-1 shows no specialty."), read=False)
    why = "nothing was read in which a head could find something"
    assert [*told] == [f"/{PAGE} says \u201cno specialty\u201d, but {why}."]
