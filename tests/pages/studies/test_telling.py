"""Sentences about claims: one for each verdict, with the numbers of the models that have it."""

from collections.abc import Sequence
from urllib.parse import urljoin

import pytest

from generator.claims import CLAIMS
from generator.claims.claim import Part
from generator.errors import SiteError
from generator.home import TEMPLATES
from generator.numbers.number import Number
from generator.numbers.writing import number, percent, written
from generator.pages import addresses
from generator.pages.claims.tables import UNJUDGED, Ledger
from generator.pages.renderer import Renderer
from generator.pages.studies.knowledge import Knowledge
from generator.results.manifest import Manifest
from tests.pages.claims.judged import Invent, crossing, ledger, meeting, missing, untold
from tests.pages.studies.test_knowledge import BIBLIOGRAPHY, HOSTILE, PAGE, ROOT_ADDRESS, SOURCE, rendered
from tests.results.samples import manifest
from tests.site.documents import Document

CALL = (
    '{{ tell("C04", holds="Seen in {models}: {1}, {2}.", fails="Not seen in {models}: {1}.", '
    'inconclusive="Open in {models}.", untestable="Nothing to see in {models}.") }}'
)
CLAIM = next(claim for claim in CLAIMS if claim.id == "C04")
FIRST, SECOND = CLAIM.parts


def of(*ways: Invent, names: Sequence[str] = "ABCD") -> Knowledge:
    """What is known of as many models."""
    some: list[Manifest] = [manifest(f"m{at}", model=name) for at, name in enumerate(names[: len(ways)])]
    return Knowledge(ledger(*ways, models=some), BIBLIOGRAPHY, Renderer(TEMPLATES))


def giving(part: Part, one: Number | None) -> Invent:
    """This number for the part; the others meet their thresholds."""
    return lambda other: one if other is part else meeting(other)


def told(call: str, knowledge: Knowledge) -> str:
    """What a reader sees."""
    (paragraph,) = Document(rendered(call, knowledge)).find("p")
    return paragraph.text


@pytest.mark.parametrize(
    ("way", "sentence"),
    [
        (meeting, f"Seen in A: {percent(meeting(FIRST))}, {written(meeting(SECOND))}."),
        (missing, f"Not seen in A: {percent(missing(FIRST))}."),
        (crossing, "Open in A."),
        (untold, "Nothing to see in A."),
    ],
)
def test_each_verdict_has_its_sentence(way: Invent, sentence: str) -> None:
    assert told(CALL, of(way)) == f"{sentence} (C04)"


def test_models_of_one_verdict_share_a_sentence_and_verdicts_keep_their_order() -> None:
    assert told(CALL, of(untold, crossing, untold)) == "Open in B. Nothing to see in A and C. (C04)"
    assert told(CALL, of(crossing, crossing)) == "Open in A and B. (C04)"


@pytest.mark.parametrize(
    ("values", "place", "text"),
    [
        ((0.61, 0.75, 0.7), "{1}", "61 to 75 %"),
        ((0.611, 0.612), "{1}", "61.1 to 61.2 %"),
        ((0.61, 0.75), "{1:points}", "61 to 75 points"),
        ((6.1, 7.5), "{2}", f"{number(6.1)} to {number(7.5)}"),
    ],
)
def test_several_models_have_a_range_from_lowest_to_highest(values: tuple[float, ...], place: str, text: str) -> None:
    part = CLAIM.parts[int(place[1]) - 1]
    ways = [giving(part, Number(value, value, value, 70)) for value in values]
    assert told(f'{{{{ tell("C04", holds="It is {place} in all.") }}}}', of(*ways)) == f"It is {text} in all. (C04)"


def test_changed_number_changes_the_sentence() -> None:
    one, other = (giving(FIRST, Number(value, value - 0.1, value + 0.1, 70)) for value in (0.71, 0.73))
    assert told(CALL, of(one)).replace("71 % (61 to 81)", "73 % (63 to 83)") == told(CALL, of(other))


def test_counted_number_has_no_interval() -> None:
    assert told('{{ tell("C04", holds="By {1}.") }}', of(giving(FIRST, Number(0.7, 0.7, 0.7, 70)))) == "By 70 %. (C04)"


def test_a_model_that_lacks_the_number_leaves_it_to_the_others() -> None:
    both = giving(FIRST, Number(0.7, 0.6, 0.8, 70)), giving(FIRST, None)
    call = '{{ tell("C04", holds="By {1}.", untestable="Also {models}.") }}'
    assert told(call, of(*both)) == "By 70 % (60 to 80). Also B. (C04)"


def test_difference_is_written_in_points_with_its_interval() -> None:
    knowledge = of(giving(FIRST, Number(0.7, 0.6, 0.8, 70)))
    assert told('{{ tell("C04", holds="By {1:points}.") }}', knowledge) == "By 70 points (60 to 80). (C04)"


@pytest.mark.parametrize(
    ("call", "ways", "words"),
    [
        ('tell("C04", holds="Yes.")', [meeting, missing, missing], ["fails=...", 'tell("C04")', "B and C"]),
        ('tell("C04", holds="")', [meeting], ["holds=...", "A"]),
        ('tell("C04", untestable="It is {1}.")', [untold], ["{1}", "untestable=...", "A", "analyse it again"]),
        (
            'tell("C04", holds="Yes.", untestable="{2}.")',
            [meeting, giving(SECOND, None)],
            ["{2}", "untestable=..."],
        ),
        ('tell("C04", holds="It is {3}.")', [meeting], ["{3}", "{1}, {2}"]),
        ('tell("C04", holds="It is {1:percent}.")', [meeting], ["{1:percent}"]),
        ('tell("C04", holds="It is {}.")', [meeting], ["{models}", "found {}"]),
        ('tell("C04", hold="Yes.")', [meeting], ["holds, fails, inconclusive, untestable", "'hold'"]),
        ('tell("C04", holds=4)', [meeting], ["tell(...)", "4"]),
        ('tell("C4", holds="Yes.")', [meeting], ["'C4'"]),
    ],
)
def test_what_is_missing_or_wrong_is_one_sentence(call: str, ways: list[Invent], words: list[str]) -> None:
    with pytest.raises(SiteError) as caught:
        of(*ways).render(f"{{{{ {call} }}}}", PAGE, SOURCE)
    message = str(caught.value)
    assert message.startswith(f"{SOURCE}: Expected ")
    assert [word for word in words if word not in message] == []
    assert "\n" not in message


def test_names_of_models_are_text_and_lead_to_their_pages() -> None:
    html = rendered('{{ tell("C04", holds="*So* are {models}.") }}', of(meeting, meeting, names=("plain", HOSTILE)))
    page = Document(html)
    assert page.find("p")[0].text == f"So are plain and {HOSTILE}. (C04)"
    assert {one.tag for one in page.elements} <= {"p", "em", "a", "span"}
    targets = [urljoin(ROOT_ADDRESS + PAGE, one.attributes["href"]) for one in page.find("a")]
    expected = (addresses.model("m0"), addresses.model("m1"), addresses.claim("C04"))
    assert targets == [ROOT_ADDRESS + one for one in expected]


def test_site_without_models_says_so() -> None:
    empty = Knowledge(Ledger((), ()), BIBLIOGRAPHY, Renderer(TEMPLATES))
    assert told(CALL, empty) == f"{UNJUDGED} (C04)"
