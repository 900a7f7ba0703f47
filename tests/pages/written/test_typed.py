"""No percentage is typed into a hand-written page by hand, but for a few whose reason stands here."""

import re
from collections.abc import Mapping

import pytest

from generator.errors import SiteError
from generator.numbers.number import alone
from generator.numbers.resampling import LEVEL
from generator.numbers.writing import percent
from generator.pages.heads.summary import NOTABLE
from generator.studies.gradients.gradients import SHARE
from generator.studies.inputs.manipulations import SHARES
from generator.studies.inputs.quantities import CHANGE
from tests.pages.written.test_knowledge import DOCS, link, rendered
from tests.pages.written.test_written import WRITTEN
from tests.site.documents import Document

TYPED = re.compile(r"(?<![\w.])\d[\d.,]* ?(?:%|per ?cent\b)")
INTERVAL = percent(alone(LEVEL))
"""How sure every interval is, which any page may say."""
ALLOWED: Mapping[str, Mapping[str, str]] = {
    "reading.md": {
        percent(alone(NOTABLE)): "the share of attention from which on a head's sentence names a target",
        percent(alone(SHARE)): "the share of tokens that are hidden where gradients are measured",
    },
    "decisions.md": {"100 %": "what a log said, and what it no longer says"},
}
"""Page -> percentage -> what it is; those of settings follow the settings, so that a page must follow them, too."""


@pytest.mark.parametrize("name", WRITTEN)
def test_no_percentage_is_typed_by_hand(name: str) -> None:
    found = {*TYPED.findall((DOCS / name).read_text(encoding="utf-8"))}
    assert found - {INTERVAL} == {*ALLOWED.get(name, ())}


def test_what_people_type_is_found() -> None:
    assert {*WRITTEN} >= {*ALLOWED}
    for typed in ("about 90 % of it", "5%", "47.7 percent", "(12 per cent)"):
        assert TYPED.search(typed), typed
    assert not TYPED.search("of 40 heads; {published:clark.sep.to_sep}")


@pytest.mark.parametrize(("name", "share"), SHARES.items())
def test_a_condition_is_said_as_its_study_has_it(name: str, share: float) -> None:
    (told,) = Document(rendered(f'{{{{ condition("{name}") }}}}')).find("p")
    assert told.text == f"{percent(alone(share))} of the words masked" == CHANGE.values[name]
    with pytest.raises(SiteError, match="mask"):
        rendered('{{ condition("masks") }}')


def test_a_published_share_may_be_written_in_percent() -> None:
    text, target, title = link('{{ published("bert.masking.chosen", form="percent") }}')
    assert (text, target) == ("15 %", "references/#devlin2019")
    assert "approximate" in title
    with pytest.raises(SiteError, match="percents"):
        rendered('{{ published("bert.masking.chosen", form="percents") }}')
