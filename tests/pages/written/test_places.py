"""Sentences with the numbers of a claim: of one model with its interval, of several the least and the most."""

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urljoin

import pytest

from generator.claims.all import CLAIMS
from generator.claims.claim import Part
from generator.errors import SiteError
from generator.home import TEMPLATES
from generator.numbers.number import Number, alone
from generator.numbers.writing import number, percent, written
from generator.pages import addresses
from generator.pages.claims.tables import Ledger
from generator.pages.renderer import Renderer
from generator.pages.written.knowledge import Knowledge
from generator.results.manifest import Manifest
from tests.pages.claims.judged import Invent, crossing, ledger, meeting, missing, untold
from tests.pages.written.test_knowledge import BIBLIOGRAPHY, HOSTILE, PAGE, ROOT_ADDRESS, SOURCE, rendered
from tests.results.samples import manifest
from tests.site.documents import Document

CLAIM = next(claim for claim in CLAIMS if claim.id == "C04")
FIRST, SECOND = CLAIM.parts


def of(*ways: Invent, names: Sequence[str] = "ABCD") -> Knowledge:
    """What is known of as many models."""
    some: list[Manifest] = [manifest(f"m{at}", model=name) for at, name in enumerate(names[: len(ways)])]
    return Knowledge(ledger(*ways, models=some), BIBLIOGRAPHY, Renderer(TEMPLATES))


def giving(part: Part, estimate: Number | None) -> Invent:
    """This number for the part; the others meet their thresholds."""
    return lambda other: estimate if other is part else meeting(other)


def valued(*values: float) -> Knowledge:
    """Models whose first number is this, with an interval of a tenth on either side."""
    return of(*(giving(FIRST, Number(value, value - 0.1, value + 0.1, 70)) for value in values))


def told(sentence: str, knowledge: Knowledge) -> str:
    """What a reader sees of a sentence about C04."""
    found = Document(rendered(f'{{{{ measured("C04", "{sentence}") }}}}', knowledge)).find("p")
    return " ".join(one.text for one in found)


def test_one_model_has_its_number_with_the_interval() -> None:
    one, two = percent(meeting(FIRST)), written(meeting(SECOND))
    assert told("It is {1}, or {2} times.", of(meeting)) == f"It is {one}, or {two} times. (C04)"
    assert told("It is {1}.", of(giving(FIRST, Number(0.7, 0.7, 0.7, 70)))) == "It is 70 %. (C04)"


def test_a_sentence_says_where_a_part_decides_that_it_does_not_tell() -> None:
    missed, first = missing(SECOND), percent(meeting(FIRST))
    elsewhere = "(C04, where another part decides)"
    assert told("It is {1}.", of(giving(SECOND, missed))) == f"It is {first}. {elsewhere}"
    assert told("It is {1}.", of(giving(SECOND, crossing(SECOND)))).endswith(elsewhere)
    assert told("It is {1} and {2}.", of(giving(SECOND, missed))).endswith("(C04)")
    assert told("It is {1}.", of(missing)).endswith("(C04)"), "that the first part is missed is enough"
    assert told("It is {1}.", of(meeting, giving(SECOND, missed))).endswith(elsewhere)


def test_of_several_models_the_least_and_the_most_are_told_whatever_their_verdicts() -> None:
    assert told("By {1}.", valued(0.75, 0.2, 0.5)) == "By 20 % (B) to 75 % (A). (C04)"
    low, high = (percent(alone(way(FIRST).value)) for way in (missing, meeting))
    assert told("By {1}.", of(meeting, crossing, missing)) == f"By {low} (C) to {high} (A). (C04)"
    assert told("By {1}.", valued(0.5, 0.5)) == "By 50 % (both models). (C04)"
    assert told("By {1}.", valued(0.5, 0.5, 0.5)) == "By 50 % (all 3 models). (C04)"
    second = giving(SECOND, Number(6.1, 6, 6.2, 70)), giving(SECOND, Number(7.5, 7, 8, 70))
    assert told("By {2}.", of(*second)) == "By 6.10 (6.00 to 6.20; A) and 7.5 (7.0 to 8.0; B). (C04)"


def test_a_model_alone_among_others_is_named() -> None:
    knowledge = of(untold, giving(FIRST, Number(0.7, 0.6, 0.8, 70)))
    assert told("By {1}.", knowledge) == "By 70 % (60 to 80; B). (C04)"
    assert told("By {1}.", of(untold, giving(FIRST, Number(0.7, 0.7, 0.7, 70)))) == "By 70 % (B). (C04)"


def test_without_a_judged_number_nothing_is_said() -> None:
    assert told("By {1}.", of(untold, untold)) == ""
    assert told("By {1}.", of(giving(FIRST, None))) == ""
    assert told("By {1}.", of(lambda part: meeting(part, 1))) == "", "a number that is not judged"
    assert told("By {1}.", Knowledge(Ledger((), ()), BIBLIOGRAPHY, Renderer(TEMPLATES))) == ""


def test_a_place_has_the_models_that_have_its_number() -> None:
    """The first number is not asked of one of them, and the claim is judged by the second."""
    some = [manifest(f"m{at}", model=name) for at, name in enumerate("AB")]
    made = ledger(giving(FIRST, None), meeting, models=some)
    unasked, _ = (item for _, item in made.by_model(CLAIM))
    judged = replace(unasked, verdict="holds")
    judgements = tuple(judged if judgement is unasked else judgement for judgement in made.judgements)
    knowledge = Knowledge(Ledger(judgements, made.manifests), BIBLIOGRAPHY, Renderer(TEMPLATES))
    first, second = percent(meeting(FIRST)), number(meeting(SECOND).value)
    assert told("By {1}, {2}.", knowledge) == f"By {first[:-1]}; B), {second} (both models). (C04)"


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("{1:points}", "70 points (60 to 80)"),
        ("{1:less}", "30 % (20 to 40)"),
        ("{1:times}", "1.43 (1.25 to 1.67)"),
        ("{1:share}", "70 % (60 to 80)"),
        ("{1:more}", "70 % (60 to 80) more"),
        ("{1:ahead}", "70 points (60 to 80) more"),
    ],
)
def test_a_number_can_be_turned(place: str, text: str) -> None:
    assert told(f"By {place}.", valued(0.7)) == f"By {text}. (C04)"


def test_turned_numbers_are_ordered_as_they_are_told() -> None:
    """The inverse of the least is the most."""
    assert told("By {1:times}.", valued(0.5, 0.25)) == "By 2.00 (1.67 to 2.50; A) and 4.0 (2.9 to 6.7; B). (C04)"


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ((-0.3, -0.1), "30 % (20 to 40) less (A) and 10 % (0 to 20) less (B)"),
        ((-0.3, 0.1, 0.1), "30 % less (A) to 10 % more (C)"),
        ((-0.3, 0.2, -0.05), "0.3 less (A) to 0.2 more (B)"),
        ((-0.3, 0.05, -0.05), "0.3 less (A) to 0.05 (-0.05 to 0.15) more (B)"),
        ((-0.3,), "30 % (20 to 40) less"),
    ],
)
def test_the_sign_of_a_difference_may_be_a_word(values: Sequence[float], text: str) -> None:
    assert told("By {1:more}.", valued(*values)) == f"By {text}. (C04)"


def test_each_end_of_a_range_has_two_digits_of_a_share_and_stays_on_its_side_of_the_bound() -> None:
    ends = Number(0.00733, 0.0062, 0.0185, 70), Number(0.0417, 0.01, 0.12, 70), Number(0.0417, 0.01, 0.12, 70)
    assert told("{1}", of(*(giving(FIRST, end) for end in ends))) == "0.73 % (A) to 4.2 % (C) (C04)"
    assert told("{1}", valued(0.498, 0.3, 0.4)) == "30 % (B) to 49.8 % (A) (C04)", "the bound is a half"


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ([Number(0.1, 0.0, 0.2, 70)], "10 % (0 to 20)"),
        ([Number(0.1, -0.01, 0.2, 70)], "0.10 (-0.01 to 0.20)"),
        ([Number(0.9, 0.8, 1.0, 70)], "90 % (80 to 100)"),
        ([Number(0.9, 0.8, 1.001, 70)], "0.90 (0.80 to 1.00)"),
        ([Number(-0.2, -0.2, -0.2, 70)], "-0.2"),
        ([Number(-0.00733, -0.0185, -0.0062, 70), *[Number(0.0417, 0.01, 0.12, 70)] * 2], "-0.00733 (A) to 0.0417 (C)"),
        ([Number(0.3, 0.2, 0.4, 70), Number(0.1, -0.1, 0.3, 70)], "0.10 (-0.10 to 0.30; B) and 0.30 (0.20 to 0.40; A)"),
    ],
)
def test_a_difference_of_shares_that_no_share_can_be_is_not_told_in_per_cent(
    numbers: Sequence[Number], text: str
) -> None:
    """As in titles of figures; one sentence tells all models in one form."""
    assert told("{1}", of(*(giving(FIRST, number) for number in numbers))) == f"{text} (C04)"
    points = told("{1:points}", of(*(giving(FIRST, number) for number in numbers)))
    assert "points" in points, "a difference in points may be negative"


def test_a_number_with_its_sign_as_a_word_stays_on_its_side_of_the_bound() -> None:
    part = next(claim for claim in CLAIMS if claim.id == "C10").parts[0]
    knowledge = of(*(giving(part, Number(value, 0.06, 0.16, 70)) for value in (0.16, 0.16)))
    (said,) = Document(rendered('{{ measured("C10", "By {1:more}.") }}', knowledge)).find("p")
    assert said.text == "By 0.16 nats more (both models). (C10)"


def test_names_of_models_are_text_and_lead_to_their_pages() -> None:
    html = rendered('{{ measured("C04", "*So* is {1}.") }}', of(missing, meeting, names=("plain", HOSTILE)))
    page = Document(html)
    low, high = (percent(way(FIRST)) for way in (missing, meeting))
    assert page.find("p")[0].text == f"So is {low[:-1]}; plain) and {high[:-1]}; {HOSTILE}). (C04)"
    assert {element.tag for element in page.elements} <= {"p", "em", "a"}
    targets = [urljoin(ROOT_ADDRESS + PAGE, one.attributes["href"]) for one in page.find("a")]
    expected = (addresses.model("m0"), addresses.model("m1"), addresses.claim("C04"))
    assert targets == [ROOT_ADDRESS + one for one in expected]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ('measured("C04", "It is {3}.")', ["{3}", "{1}, {2}", 'measured("C04")']),
        ('measured("C04", "It is {1:percent}.")', ["{1:percent}", "points"]),
        ('measured("C04", "It is {}.")', ["found {}"]),
        ('measured("C4", "It is {1}.")', ["'C4'"]),
        ('measured("C04")', ["measured(...)"]),
        ('measured("C04", 4)', ["measured(...)", "4"]),
    ],
)
def test_what_is_missing_or_wrong_is_one_sentence(call: str, words: list[str]) -> None:
    with pytest.raises(SiteError) as caught:
        of(meeting).render(f"{{{{ {call} }}}}", PAGE, SOURCE)
    message = str(caught.value)
    assert message.startswith(f"{SOURCE}: Expected ")
    assert [word for word in words if word not in message] == []
    assert "\n" not in message
