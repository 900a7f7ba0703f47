"""The page of all claims: each with its verdict and first number, those of a paper together."""

from collections import Counter

from generator.claims import CLAIMS
from generator.numbers.writing import number
from generator.pages import addresses
from generator.pages.blocks import Items, Table
from generator.pages.claims.page import claims_page
from generator.pages.claims.tables import SHOWN, Ledger
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Anchor
from tests.pages.claims.judged import MODELS, crossing, ledger, meeting, table
from tests.pages.claims.made import JUDGED, PAGES, SOURCES, made, of, shown
from tests.pages.reading import block


def test_every_claim_has_a_page_and_a_row() -> None:
    assert set(PAGES) == {addresses.CLAIMS} | {addresses.claim(claim.id) for claim in CLAIMS}
    rows = table(PAGES[addresses.CLAIMS].html, 1)[1:]
    assert [row[0] for row in rows] == [f"{claim.id} {claim.title}" for claim in JUDGED.claims.values()]
    assert sorted(JUDGED.claims) == sorted(claim.id for claim in CLAIMS)


def test_claims_of_a_paper_stand_together_and_the_first_has_an_anchor() -> None:
    page = claims_page(JUDGED, SOURCES)
    listed, rows = block(page, "ledger", Items).lines, block(page, "ledger", Table).rows
    papers = [row[1][0].text for row in rows]
    changes = [at for at, paper in enumerate(papers) if at == 0 or paper != papers[at - 1]]
    assert len(changes) == len(set(papers)) == len(listed)
    opened = {at: row[0][0].id for at, row in enumerate(rows) if isinstance(row[0][0], Anchor)}
    assert list(opened) == changes
    assert [link.href for link in listed] == [f"#{opened[at]}" for at in changes]
    counts = Counter(claim.paper for claim in CLAIMS)
    assert {link.text for link in listed} == {f"{paper} ({count})" for paper, count in counts.items()}


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
