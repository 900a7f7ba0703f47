"""The claims of a section: each leads to its page and has a count for every verdict that occurs."""

import pytest

from generator.claims.all import CLAIMS
from generator.claims.claim import Claim
from generator.claims.evidence.evidence import Evidence
from generator.claims.ledger import judge_all
from generator.pages.claims.tables import Ledger
from generator.pages.written.knowledge import Knowledge
from generator.pages.written.verdicts import outcomes
from generator.results.store import Results
from tests.pages.claims.judged import Invent, crossing, meeting, missing, untold
from tests.pages.written.test_knowledge import models, rendered
from tests.site.documents import Document
from tests.site.project import ROOT

TITLES = {claim.id: claim.title for claim in CLAIMS}


def chips(knowledge: Knowledge) -> list[str]:
    """What a reader sees of two claims."""
    html = rendered('Before.\n\n{{ claims("C04", "C10") }}\n\n*After.*', knowledge)
    assert [one.text for one in Document(html).find("em")] == ["After."]
    return [" ".join(one.text.split()) for one in Document(html).find("li")]


@pytest.mark.parametrize(
    ("ways", "said"),
    [
        ([meeting], "holds"),
        ([missing, missing], "fails 2"),
        ([untold, crossing, missing, meeting, missing], "holds 1 fails 2 inconclusive 1 not testable 1"),
    ],
)
def test_a_claim_has_its_title_and_a_count_for_each_verdict(ways: list[Invent], said: str) -> None:
    assert chips(models(*ways)) == [f"{name} {TITLES[name]}. {said}" for name in ("C04", "C10")]


def test_it_leads_to_its_page_and_says_its_title_where_the_screen_is_narrow() -> None:
    links = Document(rendered('{{ claims("C04", "C10") }}')).find("a")
    assert [link.attributes["href"] for link in links] == ["../../claims/c04/", "../../claims/c10/"]
    assert [link.attributes["title"] for link in links] == [TITLES["C04"], TITLES["C10"]]


def cells(knowledge: Knowledge) -> tuple[list[str], str]:
    """The second column of the table of what came of a claim, and the sentence below."""
    document = Document(rendered('{{ outcomes("C04") }}', knowledge))
    return [" ".join(one.text.split()) for one in document.find("td")][1::2], document.find("p")[-1].text


def test_what_came_of_a_claim_names_few_models_and_counts_many() -> None:
    ways = [untold, crossing, missing, meeting, missing, missing]
    (cell,), said = cells(models(*ways))
    assert cell == "holds: m3; fails: 3 models; inconclusive: m1; not testable: m0"
    assert said == (
        "Verdicts in all: holds 1, fails 3, inconclusive 1, not testable 1; the page of each claim says why."
    )
    assert cells(models(missing, missing))[0] == ["fails: m0, m1"]


def judged_on(key: str, *names: str) -> tuple[Ledger, Claim]:
    """The verdicts on a claim of these stored models."""
    claim = next(claim for claim in CLAIMS if claim.id == key)
    results = [Results.open(ROOT / "data/results" / name) for name in names]
    verdicts = tuple(judge_all(map(Evidence, results), [claim]))
    return Ledger(verdicts, tuple(one.manifest for one in results), tuple(results)), claim


def test_the_number_by_which_a_claim_fails_is_named_where_it_has_several_and_one_alone_fails() -> None:
    """C12 fails on small-bert by one number, and on MiniLM by the other."""
    judged, claim = judged_on("C12", "small-bert")
    assert outcomes(judged, [claim], "")[0][0][1] == f"fails: small-bert, by {claim.parts[0].name}"
    judged, claim = judged_on("C12", "all-minilm-l6-v2", "small-bert")
    assert outcomes(judged, [claim], "")[0][0][1] == "fails: all-MiniLM-L6-v2, small-bert"


def test_a_model_whose_numbers_contradict_each_other_is_told_apart_from_one_that_is_undecided() -> None:
    judged, claim = judged_on("H13", "all-mpnet-base-v2", "small-bert")
    ((_, told),), together = outcomes(judged, [claim], "")
    assert told.startswith("disputed: all-mpnet-base-v2, with -0.4"), "the number of its own text"
    assert ", but by the words of the sentences of ud-english-ewt-test it is 0.5" in told
    assert "inconclusive 1" in together, "a disagreement counts as inconclusive"
    assert "; disputed is inconclusive because other numbers contradict it; " in together
