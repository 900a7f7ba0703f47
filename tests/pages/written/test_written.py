"""The hand-written pages of the site: they are complete for every verdict, and their live links lead somewhere."""

import re
from collections.abc import Mapping
from urllib.parse import unquote, urljoin

import pytest
from markdown import markdown

from generator.claims.all import CLAIMS
from generator.claims.published import published
from generator.errors import SiteError
from generator.numbers.number import alone
from generator.numbers.resampling import LEVEL
from generator.numbers.writing import percent
from generator.pages import addresses
from generator.pages.bibliography import read_bibliography
from generator.pages.heads.summary import NOTABLE
from generator.pages.written.knowledge import live
from generator.topics.inputs.compute.manipulations import SHARES
from generator.topics.inputs.records.inputs import CHANGE
from generator.topics.vectors.compute.gradients import SHARE
from tests.pages.claims.judged import MODELS, crossing, meeting, missing, untold
from tests.pages.written.test_knowledge import BIBLIOGRAPHY, DOCS, KNOWLEDGE, ROOT_ADDRESS, link, models, rendered
from tests.site.documents import Document
from tests.site.hostile import NAME

OWN = "what-it-took.md"
"""A page that takes numbers of models that come with the program."""
WRITTEN = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md") if path.name != OWN)
FINDINGS = [name for name in WRITTEN if name.startswith(addresses.FINDINGS) and not name.endswith("index.md")]
LINKED = re.compile(r"\{\{ (?:measured|published|claims|verdict|cite)\(")
"""Calls that make links."""
NUMBER = re.compile(r'published\("([\w.]+)')
WITHOUT_FORM = re.compile(r'published\("([\w.]+)"\)')
"""Matches a call that writes a published number as the record has it."""
NO_SHARES = {
    "kovaleva.table1.stsb.accuracy.random",
    "kovaleva.table1.stsb.accuracy.finetuned",
    "kovaleva.table1.mrpc.f1.pretrained",
}
"""Scores among shares that are correlations, or 0."""
TYPED = re.compile(r"\]\(([^)\s]+)\)")
"""Matches a link in Markdown, with its target."""
ANCHORS = {
    f"{name.removesuffix('index.md').removesuffix('.md')}/#{one}"
    for name in WRITTEN
    for one in Document(markdown((DOCS / name).read_text(encoding="utf-8"), extensions=["toc"])).ids
}
"""Places of hand-written pages that links may lead to."""
MOST = 2
"""Sentences of a section that are made from results."""
LONGEST_STORY = 4
"""Paragraphs and tables before them at the start of a page."""
MADE = re.compile(r"\{\{ (measured|divided|began|rests|seeds|variants|quoted|optima|tuned)\(")
"""Matches a call that makes such a sentence."""
OURS = re.compile(f"{MADE.pattern}|{{{{ outcomes\\(")
"""Matches a call that tells what was measured here."""
SOURCELESS = frozenset({"findings/learning-curve.md"})
"""Findings whose models were trained here, so that they begin with that."""
EVERY_VERDICT = models(meeting, missing, crossing, untold)
"""A page that shows these has its sentences for whatever model comes."""
SHOWS = re.compile(r"\{\{ (?:figure|drawn|quoted)\(")
FIGURELESS = {
    "Where this could be wrong": "words",
    "What follows": "words",
    "What this means for a head's page": "words",
    "The same jobs at the same depth?": "a table of heads",
}
"""Title of a section that needs no figure -> what it is made of instead."""
PERCENT = re.compile(r"(?<![\w.])\d[\d.,]* ?(?:%|per ?cent\b)")
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


def test_sources_of_published_numbers_are_called_as_the_bibliography_calls_them() -> None:
    """Otherwise a number would lead to the list of references only, not to its entry."""
    used = {key for name in WRITTEN for key in NUMBER.findall((DOCS / name).read_text("utf-8"))}
    labels = set(read_bibliography(BIBLIOGRAPHY).values())
    assert used
    assert {published(key).source for key in used} <= labels


@pytest.mark.parametrize("name", [name for name in WRITTEN if live().search((DOCS / name).read_text(encoding="utf-8"))])
def test_written_page_is_complete_and_its_live_links_lead_somewhere(name: str) -> None:
    page = name.removesuffix("index.md").removesuffix(".md").rstrip("/") + "/"
    assert EVERY_VERDICT.render((DOCS / name).read_text(encoding="utf-8"), page, name)
    text = KNOWLEDGE.render((DOCS / name).read_text(encoding="utf-8"), page, name)
    assert "{{" not in text.replace(NAME.replace("<", "&lt;").replace(">", "&gt;"), "").replace("{{ 7*7 }}", "")
    claims = {addresses.claim(claim.id) for claim in CLAIMS}
    known = claims | {f"{address}#published" for address in claims} | {addresses.model(model.slug) for model in MODELS}
    known |= {f"{addresses.REFERENCES}#{key}" for key in read_bibliography(BIBLIOGRAPHY)}
    live = [unquote(urljoin(ROOT_ADDRESS + page, href)) for href in re.findall('<a href="(.*?)"', text)]
    known |= ANCHORS
    assert live or not LINKED.search((DOCS / name).read_text(encoding="utf-8"))
    assert {href.removeprefix(ROOT_ADDRESS) for href in live} <= known


@pytest.mark.parametrize("name", [*WRITTEN, OWN])
def test_links_typed_by_hand_lead_to_no_page_of_a_model(name: str) -> None:
    """MkDocs does not know these pages and stops at such a link; calls make links to them."""
    targets = [urljoin(f"/{name}", href) for href in TYPED.findall((DOCS / name).read_text(encoding="utf-8"))]
    assert not [
        target for target in targets if target.startswith((f"/{addresses.MODELS}", f"/{addresses.COMPARISONS}"))
    ]


@pytest.mark.parametrize("name", FINDINGS)
def test_a_section_has_at_most_two_sentences_made_from_results(name: str) -> None:
    """All else is written by hand, drawn, or stands in the margin."""
    parts = (DOCS / name).read_text(encoding="utf-8").split("\n## ")
    found = {title: MADE.findall(text) for title, _, text in (part.partition("\n") for part in parts)}
    assert {title: calls for title, calls in found.items() if len(calls) > MOST} == {}


@pytest.mark.parametrize("name", FINDINGS)
def test_finding_opens_with_what_was_published(name: str) -> None:
    """What is measured here follows, before the choice of models; the list of findings leads to the page."""
    text = (DOCS / name).read_text(encoding="utf-8")
    before, chooser, _ = text.partition("\n\n{{ compared() }}\n\n")
    assert chooser
    told = before.rpartition("---\n")[2].strip()
    first = OURS.search(told)
    assert first
    title, *story = [one for one in told[: first.start()].strip().split("\n\n") if not one.startswith("{{ claims(")]
    assert title.startswith("# ")
    assert 1 <= len(story) <= LONGEST_STORY
    assert any("cite(" in one for one in story) or name in SOURCELESS
    assert f"({name.removeprefix(addresses.FINDINGS)})" in (DOCS / "findings/index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FINDINGS)
def test_a_claim_that_a_section_speaks_of_stands_in_its_margin(name: str) -> None:
    for title, text in sections(name).items():
        shown = {one for call in re.findall(r"claims\((.*?)\)", text) for one in re.findall(r'"(\w+)"', call)}
        spoken = {*re.findall(r'(?:measured|figure)\("(\w+)"', text)}
        assert spoken <= shown, title


def sections(name: str) -> dict[str, str]:
    """Title -> text of each section of a finding."""
    _, *found = (DOCS / name).read_text(encoding="utf-8").split("\n## ")
    return {title: text for title, _, text in (one.partition("\n") for one in found)}


@pytest.mark.parametrize("name", FINDINGS)
def test_every_section_shows_a_figure_or_is_made_of_words(name: str) -> None:
    found = sections(name)
    assert found
    assert {title for title, text in found.items() if not SHOWS.search(text)} <= {*FIGURELESS}


def test_no_section_is_excused_that_shows_a_figure_or_is_gone() -> None:
    found = [(title, text) for name in FINDINGS for title, text in sections(name).items()]
    assert {*FIGURELESS} <= {title for title, _ in found}
    assert [title for title, text in found if title in FIGURELESS and SHOWS.search(text)] == []


@pytest.mark.parametrize("name", WRITTEN)
def test_no_percentage_is_typed_by_hand(name: str) -> None:
    found = {*PERCENT.findall((DOCS / name).read_text(encoding="utf-8"))}
    assert found - {INTERVAL} == {*ALLOWED.get(name, ())}


def test_what_people_type_is_found() -> None:
    assert {*WRITTEN} >= {*ALLOWED}
    for typed in ("about 90 % of it", "5%", "47.7 percent", "(12 per cent)"):
        assert PERCENT.search(typed), typed
    assert not PERCENT.search("of 40 heads; layers 5 to 9")


@pytest.mark.parametrize(("name", "share"), SHARES.items())
def test_a_condition_is_said_as_its_study_has_it(name: str, share: float) -> None:
    (told,) = Document(rendered(f'{{{{ condition("{name}") }}}}')).find("p")
    assert told.text == f"{percent(alone(share))} of the words masked" == CHANGE.values[name]
    with pytest.raises(SiteError, match="mask"):
        rendered('{{ condition("masks") }}')


def test_a_published_share_may_be_written_in_percent() -> None:
    text, target, title = link('{{ published("bert.masking.chosen", form="percent") }}')
    assert (text, target) == ("15 %", "references/#devlin2019")
    assert "secondary" in title
    with pytest.raises(SiteError, match="percents"):
        rendered('{{ published("bert.masking.chosen", form="percents") }}')


@pytest.mark.parametrize("name", FINDINGS)
def test_a_published_share_in_a_sentence_is_in_percent_or_points(name: str) -> None:
    """As our own numbers are; a table has decimals."""
    text = (DOCS / name).read_text(encoding="utf-8")
    plain = [key for line in text.splitlines() if line[:1] != "|" for key in WITHOUT_FORM.findall(line)]
    assert [key for key in plain if published(key).unit in {"share", "weight"} and key not in NO_SHARES] == []
