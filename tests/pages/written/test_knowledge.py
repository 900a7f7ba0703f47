"""Hand-written pages: calls become numbers of the claims and of the papers, and every inserted text stays text."""

import re
from pathlib import Path
from urllib.parse import urljoin

import markdown
import pytest

from generator.claims.all import CLAIMS
from generator.claims.claim import Part
from generator.claims.published import published
from generator.errors import SiteError
from generator.home import TEMPLATES
from generator.numbers import writing
from generator.numbers.number import Number
from generator.pages import addresses
from generator.pages.claims.figures import NUMBERLESS, claim_figure
from generator.pages.claims.tables import Ledger
from generator.pages.renderer import Renderer
from generator.pages.written.knowledge import Knowledge
from generator.topics.layers.page.written import UNCLASSED
from generator.topics.tasks.page.written import SCORELESS
from tests.pages.claims.judged import MODELS, Invent, crossing, ledger, meeting, missing, table, untold
from tests.site.documents import Document
from tests.site.hostile import NAME
from tests.site.project import ROOT

DOCS = ROOT / "docs"
BIBLIOGRAPHY = DOCS / "references.bib"
RENDERER = Renderer(TEMPLATES)
PAGE, SOURCE = "findings/depth/", "findings/depth.md"
ROOT_ADDRESS = "http://localhost/"
KNOWLEDGE = Knowledge(ledger(), BIBLIOGRAPHY, RENDERER)
CLAIM = next(claim for claim in CLAIMS if claim.id == "C04")
HOSTILE = "**b** _i_ `c` | <img src=x> [l](javascript:x) & &lt; {{ 7*7 }} \\ \"q\" 'r'"


def rendered(text: str, knowledge: Knowledge = KNOWLEDGE, page: str = PAGE) -> str:
    """As MkDocs would show it."""
    return markdown.markdown(knowledge.render(text, page, SOURCE), extensions=["toc", "tables", "fenced_code"])


def link(text: str, knowledge: Knowledge = KNOWLEDGE) -> tuple[str, str, str]:
    """Text, address below the site, and title of the only link in a sentence."""
    (one,) = Document(rendered(f"It says {text} here.", knowledge)).find("a")
    target = urljoin(ROOT_ADDRESS + PAGE, one.attributes["href"]).removeprefix(ROOT_ADDRESS)
    return one.text, target, one.attributes.get("title", "")


def models(*ways: Invent) -> Knowledge:
    """Knowledge of as many models."""
    several = [MODELS[0].__class__(**{**vars(MODELS[0]), "model": f"m{at}"}) for at in range(len(ways))]
    return Knowledge(ledger(*ways, models=several), BIBLIOGRAPHY, RENDERER)


def with_sources(folder: Path, text: str) -> Knowledge:
    """Knowledge of another bibliography."""
    path = folder / "references.bib"
    path.write_text(text, encoding="utf-8")
    return Knowledge(ledger(), path, RENDERER)


@pytest.mark.parametrize(
    "text",
    ["Nothing.\n", "```\n{{ x }} {% raw %} {# c #}\n```\n", "`${{ matrix.os }}`, `{{ claims }}` and {{ cited }}", ""],
)
def test_page_without_a_call_stays_as_it_is(text: str) -> None:
    assert KNOWLEDGE.render(text, PAGE, SOURCE) is text


def test_published_number_leads_to_its_source_and_names_its_place() -> None:
    number = published("clark.table1.det.accuracy")
    text, target, title = link('{{ published("clark.table1.det.accuracy") }}')
    assert (text, target) == (writing.number(number.value), "references/#clark2019")
    assert title == f"{number.source}, {number.place} ({number.trust})"


def test_note_on_a_published_number_is_told_too() -> None:
    number = published("clark.layers.sep.10")
    assert number.note
    assert link('{{ published("clark.layers.sep.10") }}')[2].endswith(f"; {number.note}")


@pytest.mark.parametrize(
    ("key", "label"),
    [
        ("ethayarajh2019", "Ethayarajh 2019"),
        ("jain2019", "Jain and Wallace 2019"),
        ("clark2019", "Clark et al. 2019"),
        ("hypothesis2021", "The learning-curve hypothesis 2021"),
    ],
)
def test_source_is_cited_by_author_and_year(key: str, label: str) -> None:
    assert link(f'{{{{ cite("{key}") }}}}') == (label, f"references/#{key}", "")


@pytest.mark.parametrize(
    ("ways", "text"),
    [
        ([meeting], "holds for the one model"),
        ([missing, missing], "fails for both models"),
        ([crossing, crossing, crossing], "is inconclusive for all 3 models"),
        ([missing, meeting], "holds for 1 of 2 models (m1) and fails for 1 (m0)"),
        (
            [untold, missing, crossing, missing],
            "fails for 2 of 4 models, is inconclusive for 1 (m2) and is not testable for 1 (m0)",
        ),
    ],
)
def test_verdict_counts_models_and_names_one_that_is_alone(ways: list[Invent], text: str) -> None:
    assert link('{{ verdict("C04") }}', models(*ways)) == (text, addresses.claim("C04"), CLAIM.title)


def test_threshold_of_a_part_is_met_or_missed_and_has_no_verdict() -> None:
    first, second = CLAIM.parts
    one_part: Invent = lambda part: missing(part) if part is second else meeting(part)  # noqa: E731
    text, target, title = link('{{ verdict("C04", 2) }}', models(one_part, meeting))
    assert (text, target, title) == (
        "is met for 1 of 2 models (m1) and is missed for 1 (m0)",
        addresses.claim("C04"),
        second.name,
    )
    assert link('{{ verdict("C04", 1) }}', models(one_part, meeting))[0] == "is met for both models"
    assert first.name != second.name


def test_figure_is_that_of_the_claims_part() -> None:
    for order, call in enumerate(['{{ figure("C04") }}', '{{ figure("C04", 2) }}']):
        document = Document(rendered(f"Before.\n\n{call}\n\nAfter."))
        (shown,), (title,) = document.find("figure"), document.find("p", "fg-title")
        made = claim_figure(ledger(), CLAIM, order, f"figure-c04-{order + 1}")
        assert made
        assert (shown.attributes["id"], title.text) == (made.id, made.label)
        assert made.data[:-1] in dict(RENDERER.drawn(PAGE))[f"{PAGE}figures.js"]
    assert NUMBERLESS in rendered('{{ figure("C04") }}', models(untold))


def test_links_are_relative_to_the_page() -> None:
    for page in ("", "glossary/", "findings/", PAGE):
        href = re.findall('href="(.*?)"', KNOWLEDGE.render('{{ verdict("C04") }}', page, SOURCE))[0]
        assert urljoin(ROOT_ADDRESS + page, href) == ROOT_ADDRESS + addresses.claim("C04")


def test_hostile_name_of_a_model_is_text() -> None:
    document = Document(rendered('{{ measured("C04", "It is {1}.") }}'))
    assert f"; {NAME}) and " in document.find("p")[0].text
    assert NAME in [element.text for element in document.elements]
    assert {element.tag for element in document.elements}.isdisjoint(
        {"img", "script", "b", "em", "strong", "code", "svg"}
    )


def test_hostile_source_is_text_in_a_sentence_and_in_a_table(tmp_path: Path) -> None:
    author = HOSTILE.replace("\\ ", "")
    knowledge = with_sources(tmp_path, "@misc{x,\n  author = {{" + author + "}},\n  year = {2021}\n}\n")
    name = f"{author} 2021"
    assert link('{{ cite("x") }}', knowledge)[0] == name
    html = rendered('| a | b |\n|---|---|\n| {{ cite("x") }} | c |\n', knowledge)
    assert table(html)[1] == [name, "c"]
    assert {element.tag for element in Document(html).elements}.isdisjoint({"img", "strong", "em", "code"})


def test_hostile_place_is_text_in_a_title(monkeypatch: pytest.MonkeyPatch) -> None:
    number = published("clark.next.count")
    changed = number.__class__(**{**vars(number), "place": f"{HOSTILE}\n\n# x\x02", "note": HOSTILE})
    monkeypatch.setattr("generator.pages.written.calls.published", lambda _: changed)
    text, _, title = link('{{ published("clark.next.count") }}')
    assert text == writing.number(number.value)
    assert title == f"{number.source}, {HOSTILE} # x  ({number.trust}); {HOSTILE}".replace("x  (", "x (")


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ('{{ published("clark.table1.det.acuracy") }}', ["clark.table1.det.acuracy", "clark.table1.det.accuracy"]),
        ('{{ claims("C99") }}', ["'C99'"]),
        ("{{ claims() }}", ["claims(...)", "nothing"]),
        ('{{ verdict("c04") }}', ["'c04'"]),
        ('{{ cite("clark2018") }}', ["'clark2018'", "clark2019"]),
        ('{{ cite("clark2019") }} {{ claim("C04") }}', ["claim"]),
        ('{{ cite("clark2019") }} {{ cite("clark2019" }}', ["found"]),
        ("{{ cite() }}", ["cite(...)", "nothing"]),
        ('{{ verdict("C04", "C05") }}', ["verdict(...)", "'C05'"]),
        ('{{ verdict("C04", 3) }}', ["from 1 to 2", "found 3"]),
        ('{{ claims("C04", 2) }}', ["claims(...)", "2"]),
        ('{{ figure("C04", 3) }}', ["from 1 to 2", "found 3"]),
        ('{{ figure("C04", part="2") }}', ["figure(...)", "'2'"]),
        ('{{ cite("clark2019").__class__.__mro__ }}', ["unsafe"]),
    ],
)
def test_wrong_call_is_one_sentence_that_names_the_page(call: str, told: list[str]) -> None:
    with pytest.raises(SiteError) as caught:
        KNOWLEDGE.render(f"# Title\n\n{call}\n", PAGE, SOURCE)
    message = str(caught.value)
    assert message.startswith(f"{SOURCE}: Expected ")
    assert [part for part in told if part not in message] == []
    assert "\n" not in message


def test_example_of_a_call_can_be_shown() -> None:
    text = '{{ cite("clark2019") }}\n\n{% raw %}\n```\n{{ verdict("C04") }}\n```\n{% endraw %}\n'
    assert Document(rendered(text)).find("code")[0].text == '{{ verdict("C04") }}'


def test_site_without_models_or_references_says_so(tmp_path: Path) -> None:
    empty = Knowledge(Ledger((), ()), tmp_path / "none.bib", RENDERER)
    assert link('{{ verdict("C04") }}', empty)[0] == "is not judged, for no model has been analysed"
    assert NUMBERLESS in rendered('{{ figure("C04") }}', empty)
    assert link('{{ published("clark.next.count") }}', empty)[1] == addresses.REFERENCES
    with pytest.raises(SiteError, match=r"none\.bib"):
        empty.render('{{ cite("clark2019") }}', PAGE, SOURCE)


def few(part: Part) -> Number:
    """A number of one unit, which is too few to be judged."""
    return meeting(part, 1)


def test_one_number_that_rests_on_too_little_says_why_it_is_not_judged() -> None:
    (told,) = (one.text for one in Document(rendered('{{ figure("C04", 2) }}', models(few, untold))).find("p"))
    assert re.search(
        r"n = 1 documents\. This is not judged: only 1 document, where at least 20 are needed \(C04\)\.$", told
    )


def test_one_number_stays_a_sentence() -> None:
    """The second part has no published number beside it, so the only model's dot would stand alone."""
    alone = rendered('{{ figure("C04", 2) }}', models(meeting, untold))
    assert not Document(alone).find("figure")
    part = CLAIM.parts[1]
    (told,) = (one.text for one in Document(alone).find("p"))
    assert told.startswith(f"In m0, {part.name} is ")
    assert re.search(rf", n = [\d,]+ {part.over}; this threshold, above 5: met \(C04\)\.$", told)
    assert Document(rendered('{{ figure("C04", 2) }}', models(meeting, meeting))).find("figure")
    assert Document(rendered('{{ figure("C06") }}', models(meeting, untold))).find("figure")


@pytest.mark.parametrize(
    ("low", "text"), [(0.0, "20 % (0 to 40), n = 804 "), (-0.01, "0.20 (-0.01 to 0.40), n = 804 ")]
)
def test_a_difference_of_shares_is_not_told_as_a_share(low: float, text: str) -> None:
    alone = rendered('{{ figure("K18", 2) }}', models(lambda _: Number(0.2, low, 0.4, 804), untold))
    assert f" is {text}" in Document(alone).find("p")[0].text


@pytest.mark.parametrize(
    ("call", "told"),
    [("classes()", UNCLASSED), ('scored("frozen")', SCORELESS), ("paid()", SCORELESS)],
)
def test_a_guide_without_maps_or_scores_says_so(call: str, told: str) -> None:
    assert KNOWLEDGE.render(f"{{{{ {call} }}}}", PAGE, SOURCE) == told
