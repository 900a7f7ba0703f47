"""What a page says that the gate would refuse is found, and nothing that it would give; no page says anything of it."""

import re
from collections.abc import Iterator
from types import SimpleNamespace

import pandas as pd
import pytest

from generator.home import TEMPLATES
from generator.numbers.number import Number
from generator.numbers.writing import percent
from generator.pages.blocks import SURE, Block, Items, Sections, opening
from generator.pages.claims.tables import Ledger
from generator.pages.heads.atlas import Atlas
from generator.pages.renderer import Page, Renderer
from generator.pages.studies.tables import cell, table
from generator.pages.walk import INTERVAL, SHARE, walk
from generator.topics.relations.page.contradicted import Contradicted
from tests.pages.every import pages

PAGE = "models/tiny/relations/"
VERDICT = re.compile(r'(id="of-[^"]*".*?<span class="fg-verdict) fg-is-[\w-]+')


def page_of(*blocks: Block, address: str = PAGE) -> str:
    """The HTML of a page with these blocks."""
    return Renderer(TEMPLATES).page(address, Sections("Relations", "What is found.", (), (opening(*blocks),))).html


def gain(low: float, high: float) -> tuple[Block, ...]:
    """A table and a list of what was found, with this interval of the gain; and the same as what was tried."""
    middle = (low + high) / 2
    rows = [("direct objects", cell(Number(0.5, 0.4, 0.6, 90)), cell(Number(middle, low, high, 90)))]
    columns = ("relation", "accuracy", "gain")
    line = f"direct objects (obj) 3-1 gain {middle:g} ({low:g} to {high:g}), n 90"
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


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("0 % of its attention", ""),
        ("-0.1 % of its attention", SHARE),
        ("100 % (99.1 to 100) of all maps", ""),
        ("100.1 % of the 622 words", SHARE),
        ("-3 % less, and 109 % of their length", ""),
        ("0.4 (0.4 to 0.5)", ""),
        ("0.39 (0.4 to 0.5)", "a number lies within its interval"),
        ("0.5 % (0.4 to 0.5)", ""),
        ("0.51 % (0.4 to 0.5)", "a number lies within its interval"),
    ],
)
def test_a_share_or_a_number_beyond_its_range_is_refused_also_alone(said: str, why: str) -> None:
    told = [*walk(PAGE, page_of(f"It is {said}, n 70."))]
    assert len(told) == bool(why)
    assert all(one.endswith(f"{said.partition(' of ')[0]}\u201d, but {why}.") or why == SHARE for one in told)


@pytest.mark.parametrize(
    ("share", "ends", "refused"),
    [
        ("1.000", "0.990 to 1.000", False),
        ("1.001", "0.990 to 1.002", True),
        ("0.9", "0.8 to 1.01", True),
        ("0.0", "0.0 to 0.1", False),
        ("-0.01", "-0.02 to 0.1", True),
        ("-", "-", False),
    ],
)
@pytest.mark.parametrize("column", ["share", "accuracy"])
def test_a_share_in_a_table_lies_between_nothing_and_all(share: str, ends: str, refused: bool, column: str) -> None:
    rows = [("previous", share, ends, "-2")]
    told = [*walk(PAGE, page_of(table("Shares", ("token", column, INTERVAL, "offset"), rows)))]
    assert told == [f"/{PAGE} says \u201cprevious {share} {ends} -2\u201d, but a share lies between 0 and 1."] * refused
    assert [*walk(PAGE, page_of(table("Gains", ("token", "gain", INTERVAL, "offset"), rows)))] == []


@pytest.mark.parametrize(
    ("said", "cell", "refused"),
    [
        ("77 %", "0.775 (0.739 to 0.804)", ""),
        ("77 %", "0.776 (0.739 to 0.804)", "77 %"),
        ("77 % (74 to 80)", "0.77 (0.74 to 0.80)", ""),
        ("77 % (74 to 81)", "0.77 (0.74 to 0.80)", "81 %"),
        ("0.74 in <span>Tiny</span>", "0.737", ""),
        ("0.75 in <span>Tiny</span>", "0.737", "0.75"),
        ("3.43 times the time", "0.737", ""),
        ("77 %", "77 %", ""),
        ("76 %", "77 %", "76 %"),
    ],
)
def test_the_title_of_a_figure_tells_numbers_of_its_table(said: str, cell: str, refused: str) -> None:
    cells = f'<table class="fg-data-table"><thead><tr><th>what<th>right<tbody><tr><td>3-1<td>{cell}</table>'
    figure = f'<figure class="fg-figure"><p class="fg-title">Head 3-1: {said}</p>{cells}</figure>'
    told = [*walk(PAGE, figure)]
    assert len(told) == bool(refused)
    assert all(one.endswith(f"\u201d, but neither its table nor the rest of the page has {refused}.") for one in told)
    assert [*walk(PAGE, f"<p>{refused or said}</p>{figure}<p>It ends.</p>")] == []


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


def test_the_verdict_in_the_title_of_a_mark_is_that_of_the_mark(made: dict[str, Page]) -> None:
    html = made["claims/"].html
    marks = [*re.finditer(r'title="Tiny-BERT: (holds|fails|inconclusive|not testable)(?=[: ])', html)]
    assert len(marks) > 50
    for mark in marks:
        other = "fails" if mark[1] == "holds" else "holds"
        told = [*walk("claims/", html[: mark.start(1)] + other + html[mark.end(1) :])]
        assert told, mark[0]
        assert all(re.search(r" for Tiny-BERT\u201d, but the same page says \u201c", one) for one in told)


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


@pytest.mark.parametrize(
    ("right", "words", "other", "refused"),
    [(51, 100, 0, False), (50, 100, 0, True), (9, 20, 0, True), (9, 19, 0, False), (50, 100, 51, False)],
)
def test_what_another_treebank_contradicts_is_refused(right: int, words: int, other: int, refused: bool) -> None:
    """The best offset is right for half of the words; `other` is how often the head is right, read the other way."""
    ways = [("dep->head", right), ("head->dep", other)]
    counts = pd.DataFrame(
        [(corpus, way, 80 if corpus == "first" else at) for corpus in ("first", "second") for way, at in ways],
        columns=["corpus", "direction", "correct"],
    ).assign(relation="obj", layer=3, head=1, n=[100, 100, words, words])
    offsets = counts.assign(offset=1, correct=counts["n"] // 2)[["corpus", "relation", "offset", "correct", "n"]]
    tables = {"relations": counts, "relation_baselines": offsets.drop_duplicates()}
    contradicts = Contradicted(SimpleNamespace(table=tables.__getitem__)).of
    page = page_of("Head 3-1 finds some direct objects (half of them), 3-2 finds direct objects.")
    told = [*walk(PAGE, page, contradicts=contradicts)]
    why = f"in second it is right for {right} of {words} words, and the best fixed offset for {words // 2}"
    assert told == [f"/{PAGE} says \u201c3-1 finds direct objects\u201d, but {why}."] * refused


def test_no_name_of_a_head_is_contradicted(atlas: Atlas, made: dict[str, Page]) -> None:
    contradicts = Contradicted(atlas.results).of
    own = [page for address, page in made.items() if atlas.slug in address]
    assert [one for page in own for one in walk(page.address, page.html, contradicts=contradicts)] == []


def test_one_sentence_tells_of_the_page_the_statement_and_what_is_wrong() -> None:
    told = walk(PAGE, page_of("Head 1-1 shows no specialty."), read=False)
    why = "nothing was read in which a head could find something"
    assert [*told] == [f"/{PAGE} says \u201cno specialty\u201d, but {why}."]
