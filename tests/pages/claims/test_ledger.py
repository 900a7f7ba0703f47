"""The page of all claims: each with its verdict and the number that decides it, those of a paper together."""

from collections import Counter
from urllib.parse import unquote

from generator.claims.all import CLAIMS
from generator.claims.bounds import counted, fewest
from generator.claims.claim import Judgement
from generator.numbers.writing import number, pieces
from generator.pages import addresses
from generator.pages.blocks import Items, Table
from generator.pages.claims.page import claims_page
from generator.pages.claims.sentences import COUNTED
from generator.pages.claims.tables import SHOWN, Ledger, row_of
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Anchor
from tests.pages.claims.judged import MODELS, crossing, ledger, meeting, missing, table
from tests.pages.claims.made import JUDGED, PAGES, SOURCES, made, of, shown
from tests.pages.reading import block
from tests.site.documents import Document

PAPERS = list(dict.fromkeys(claim.paper for claim in JUDGED.claims.values()))
LIST = len(PAPERS)
"""The table of all claims comes after the matrix, a table for each paper."""


def test_every_claim_has_a_page_and_a_row() -> None:
    assert set(PAGES) == {addresses.CLAIMS} | {addresses.claim(claim.id) for claim in CLAIMS}
    rows = table(PAGES[addresses.CLAIMS].html, LIST)[1:]
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


def test_ledger_shows_each_verdict_with_the_number_that_decides_it() -> None:
    head, *rows = table(PAGES[addresses.CLAIMS].html, LIST)
    assert head[2:4] == [model.model for model in MODELS]
    for claim, row in zip(JUDGED.claims.values(), rows, strict=True):
        expected = [_decisive(item) for item in of(claim)]
        for cell, one, item in zip(row[2:4], expected, of(claim), strict=True):
            many = JUDGED.adjusted.get((claim.id, item.model))
            notes = [f"on only {item.handful}"] if item.handful else []
            notes += [f"{many} {COUNTED}"] if many else []
            assert cell == " ".join((item.verdict, *([f"({', '.join(notes)})"] if notes else []), one))


def _decisive(item: Judgement) -> str:
    if item.decides is None:
        return "-"
    which = [finding.part for finding in item.findings].index(item.decides.part) + 1
    return shown(item.decides.number, item.decides.part, f"; part {which}" if len(item.findings) > 1 else "")


def test_a_claim_fails_by_the_number_of_the_part_that_fails() -> None:
    """The first part meets its threshold, the last misses it."""
    parts = CLAIMS[1].parts
    judged = ledger(lambda part: (missing if part == parts[-1] else meeting)(part), meeting)
    (row,) = [row for row in table(made(judged)[addresses.CLAIMS].html, LIST) if row[0].startswith(f"{CLAIMS[1].id} ")]
    assert row[2] == "fails " + shown(missing(parts[-1]), parts[-1], f"; part {len(parts)}")


def test_matrix_has_a_mark_for_every_claim_and_model_that_says_the_number_and_leads_to_the_row() -> None:
    groups = [table(PAGES[addresses.CLAIMS].html, at) for at in range(LIST)]
    assert [group[0][0] for group in groups] == PAPERS
    rows = [row for group in groups for row in group[1:]]
    assert [row[0] for row in rows] == [f"{claim.id} {claim.title}" for claim in JUDGED.claims.values()]
    marks = Document(PAGES[addresses.CLAIMS].html).find("a", "fg-mark")
    judged = [(one, item) for claim in JUDGED.claims.values() for one, item in JUDGED.by_model(claim)]
    assert len(marks) == len(judged) == len(CLAIMS) * len(MODELS)
    for mark, (model, item) in zip(marks, judged, strict=True):
        address, _, anchor = mark.attributes["href"].partition("#")
        assert mark.attributes["title"].startswith(f"{item.model}: {item.verdict}")
        assert f"claims/{address}" == addresses.claim(item.claim.id)
        assert unquote(anchor) == row_of(model.slug)
        if item.decides and item.decides.number:
            value, _ = pieces(item.decides.number, against=item.decides.part.against)
            assert mark.attributes["title"].startswith(f"{item.model}: {item.verdict}: {value}")


def test_what_is_judged_on_a_handful_says_so_beside_its_verdict() -> None:
    few = ledger(lambda part: meeting(part, n=max(fewest(part.over), 1)), meeting)
    rows = table(made(few)[addresses.CLAIMS].html, LIST)[1:]
    expected = [item.handful for claim in few.claims.values() for item in of(claim, few)[:1]]
    assert any(expected)
    for row, handful in zip(rows, expected, strict=True):
        assert (f"on only {handful}" in row[2]) == bool(handful)


def test_few_units_of_a_part_that_does_not_decide_are_not_taken_for_those_of_the_number_shown() -> None:
    """Of two parts that hold, the one shown rests on many units."""
    decides = of(CLAIMS[1])[0].decides
    assert decides
    other = next(part for part in CLAIMS[1].parts if part.key != decides.part.key)
    few = ledger(lambda part: meeting(part, n=fewest(part.over) if part.key == other.key else 900), meeting)
    (item, _) = of(few.claims[CLAIMS[1].id], few)
    assert item.decides
    assert (item.handful, item.decides.part.key) == (counted(fewest(other.over), other.over), decides.part.key)
    (row,) = [row for row in table(made(few)[addresses.CLAIMS].html, LIST) if row[0].startswith(f"{CLAIMS[1].id} ")]
    assert f"(one part on only {item.handful})" in row[2]


def test_legend_counts_each_verdict_by_model() -> None:
    judged = ledger(meeting, crossing)
    rows = table(made(judged)[addresses.CLAIMS].html, LIST + 1)[1:]
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
    (row,) = [row for row in table(made(judged)[addresses.CLAIMS].html, LIST) if row[0].startswith("C01 ")]
    assert row[2].startswith(f"{judged.judgements[0].verdict} {number(share)}")
    assert judged.manifests == (atlas.results.manifest,)
