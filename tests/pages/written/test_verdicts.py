"""The claims of a section: each leads to its page and has a count for every verdict that occurs."""

import pytest

from generator.claims.all import CLAIMS
from generator.pages.written.knowledge import Knowledge
from tests.pages.claims.judged import Invent, crossing, meeting, missing, untold
from tests.pages.written.test_knowledge import models, rendered
from tests.site.documents import Document

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
