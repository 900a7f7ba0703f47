"""The hand-written pages of the site: they are complete for every verdict, and their live links lead somewhere."""

import re
from collections.abc import Mapping
from urllib.parse import unquote, urljoin

import pytest
from markdown import markdown

from generator.claims import CLAIMS
from generator.claims.published import published
from generator.errors import SiteError
from generator.numbers.number import alone
from generator.numbers.resampling import LEVEL
from generator.numbers.writing import percent
from generator.pages import addresses
from generator.pages.bibliography import read_bibliography
from generator.pages.heads.summary import NOTABLE
from generator.pages.written.compared import FIRST
from generator.pages.written.knowledge import LIVE, Knowledge
from generator.studies.gradients.gradients import SHARE
from generator.studies.inputs.manipulations import SHARES
from generator.studies.inputs.quantities import CHANGE
from tests.pages.claims.judged import MODELS, Invent, crossing, meeting, missing, untold
from tests.pages.written.test_knowledge import BIBLIOGRAPHY, DOCS, KNOWLEDGE, ROOT_ADDRESS, link, models, rendered
from tests.site.documents import Document
from tests.site.hostile import NAME

OWN = "what-it-took.md"
"""A page that takes numbers of models that come with the program."""
WRITTEN = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md") if path.name != OWN)
FINDINGS = [name for name in WRITTEN if name.startswith(addresses.FINDINGS) and not name.endswith("index.md")]
LINKED = re.compile(r"\{\{ (?:tell|answer|published|claim|verdict|cite)\(")
"""Calls that make links."""
NUMBER = re.compile(r"""published(?:\("|:)([\w.]+)""")
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
MOST = 3
"""Sentences of an answer."""
LONGEST_STORY = 4
"""Paragraphs and tables before it."""
ANSWERS = re.compile(r"^(?:.*:\n)?\{\{ (?:answer|together|divided|began)\(", re.MULTILINE)
"""Matches where the answers begin, with the line that leads to them."""
SOURCELESS = frozenset({"findings/learning-curve.md"})
"""Findings whose models were trained here, so that they begin with that."""
SENTENCE = re.compile(r"[.?!](?=\s|$)")
"""Matches the end of a sentence."""
BRACKETS = re.compile(r"\([^()]*\)")
EVERY_VERDICT = models(meeting, missing, crossing, untold)
"""A page that shows these has its sentences for whatever model comes."""
SHOWS = re.compile(r"\{\{ (?:figure|drawn)\(")
FIGURELESS = {
    "All verdicts": "a table",
    "Where this could be wrong": "words",
    "What follows": "words",
    "What this means for a head's page": "words",
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


@pytest.mark.parametrize("name", [name for name in WRITTEN if LIVE.search((DOCS / name).read_text(encoding="utf-8"))])
def test_written_page_is_complete_and_its_live_links_lead_somewhere(name: str) -> None:
    page = name.removesuffix("index.md").removesuffix(".md").rstrip("/") + "/"
    assert EVERY_VERDICT.render((DOCS / name).read_text(encoding="utf-8"), page, name)
    text = KNOWLEDGE.render((DOCS / name).read_text(encoding="utf-8"), page, name)
    assert "{{" not in text.replace(NAME.replace("<", "&lt;").replace(">", "&gt;"), "").replace("{{ 7*7 }}", "")
    claims = {addresses.claim(claim.id) for claim in CLAIMS}
    known = claims | {f"{address}#published" for address in claims} | {addresses.model(one.slug) for one in MODELS}
    known |= {f"{addresses.REFERENCES}#{key}" for key in read_bibliography(BIBLIOGRAPHY)}
    live = [unquote(urljoin(ROOT_ADDRESS + page, href)) for href in re.findall('<a href="(.*?)"', text)]
    known |= ANCHORS
    assert live or not LINKED.search((DOCS / name).read_text(encoding="utf-8"))
    assert {href.removeprefix(ROOT_ADDRESS) for href in live} <= known


@pytest.mark.parametrize("name", [*WRITTEN, OWN])
def test_links_typed_by_hand_lead_to_no_page_of_a_model(name: str) -> None:
    """MkDocs does not know these pages and stops at such a link; calls make links to them."""
    targets = [urljoin(f"/{name}", href) for href in TYPED.findall((DOCS / name).read_text(encoding="utf-8"))]
    assert not [one for one in targets if one.startswith((f"/{addresses.MODELS}", f"/{addresses.COMPARISONS}"))]


@pytest.mark.parametrize("name", FINDINGS)
@pytest.mark.parametrize("part", [0, 1, 2, 3])
def test_written_page_is_complete_whichever_part_of_a_claim_decides(name: str, part: int) -> None:
    deciding = [one for claim in CLAIMS for one in claim.parts[min(part, len(claim.parts) - 1) :][:1]]

    def alone(way: Invent) -> Invent:
        return lambda one: way(one) if one in deciding else meeting(one)

    assert models(alone(missing), alone(crossing)).render(
        (DOCS / name).read_text(encoding="utf-8"), "findings/x/", name
    )


@pytest.mark.parametrize("name", FINDINGS)
def test_what_a_finding_leaves_to_a_line_of_its_own_stands_there(name: str) -> None:
    """A claim that is told of with `nowhere` has its models that are not testable named elsewhere on the page."""
    text = (DOCS / name).read_text(encoding="utf-8")
    calls = re.findall(r'(?:tell|answer)\("(\w+)",(.*?)\) \}\}', text, re.DOTALL)
    left = {claim for claim, sentences in calls if "nowhere=" in sentences}
    named = {claim for line in re.findall(r"untested\((.*?)\)", text) for claim in re.findall(r'"(\w+)"', line)}
    assert left == named


def opening(name: str) -> tuple[str, str]:
    """What a finding says before its choice of models, as it is written: the story of its source, and the answers."""
    text = (DOCS / name).read_text(encoding="utf-8")
    before, chooser, _ = text.partition("\n\n{{ compared() }}\n\n")
    assert chooser
    told = before.rpartition("---\n")[2].strip()
    first = ANSWERS.search(told)
    assert first
    return told[: first.start()].strip(), told[first.start() :].strip()


def verdicts_on(part: int) -> Knowledge:
    """Four models with a verdict each, that is decided by this part of every claim or, where it has fewer, its last."""
    deciding = [one for claim in CLAIMS for one in claim.parts[min(part, len(claim.parts) - 1) :][:1]]

    def alone(way: Invent) -> Invent:
        return lambda one: way(one) if one in deciding else meeting(one)

    return models(meeting, alone(missing), alone(crossing), untold)


@pytest.mark.parametrize("name", FINDINGS)
@pytest.mark.parametrize("part", [0, 1, 2])
def test_an_answer_has_at_most_three_sentences_whatever_the_models_show(name: str, part: int) -> None:
    """A page compares four models at first; here each of them has another verdict."""
    knowledge = verdicts_on(part)
    answer = [one.text for one in Document(rendered(opening(name)[1], knowledge)).find("p")]
    assert 1 <= len(answer) <= MOST
    for one in answer:
        told = BRACKETS.sub("", one).strip()
        assert len(SENTENCE.findall(told)) == 1, one
        assert told.count(";") < FIRST, f"a clause has a semicolon of its own: {one}"


@pytest.mark.parametrize("name", FINDINGS)
def test_finding_opens_with_what_was_published_and_then_its_answer(name: str) -> None:
    """The answer is made from live numbers, before the choice of models; the list of findings leads to it."""
    story, answers = opening(name)
    title, *told = story.split("\n\n")
    assert title.startswith("# ")
    assert len(told) <= LONGEST_STORY
    assert not told or "cite(" in story or name in SOURCELESS
    answer = answers.split("\n\n")
    assert 1 <= len(answer) <= MOST
    assert all(LIVE.search(one) for one in answer)
    assert f"({name.removeprefix(addresses.FINDINGS)})" in (DOCS / "findings/index.md").read_text(encoding="utf-8")


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
    assert not PERCENT.search("of 40 heads; {published:clark.sep.to_sep}")


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
