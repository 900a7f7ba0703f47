"""Sentences about claims: one for each verdict, with the numbers of the models that have it."""

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urljoin

import pytest

from generator.claims import CLAIMS
from generator.claims.claim import Part
from generator.claims.published import published
from generator.errors import SiteError
from generator.home import TEMPLATES
from generator.numbers.number import Number, alone
from generator.numbers.writing import number, percent, written
from generator.pages import addresses
from generator.pages.claims.tables import UNJUDGED, Ledger
from generator.pages.renderer import Renderer
from generator.pages.written.knowledge import Knowledge
from generator.results.manifest import Manifest
from tests.pages.claims.judged import MODELS, STEP, Invent, about, crossing, ledger, meeting, missing, untold
from tests.pages.written.test_knowledge import BIBLIOGRAPHY, HOSTILE, PAGE, ROOT_ADDRESS, SOURCE, models, rendered
from tests.results.samples import manifest
from tests.site.documents import Document

CALL = (
    '{{ tell("C04", holds="Seen in {models}: {1}, {2}.", fails="Not seen in {models}: {1}.", '
    'inconclusive="Open in {models}.", untestable="Nothing to see in {models}.") }}'
)
ANSWER = CALL.replace("tell(", "answer(")
CLAIM = next(claim for claim in CLAIMS if claim.id == "C04")
FIRST, SECOND = CLAIM.parts
LEFT_OPEN = f": {FIRST.name} is {percent(crossing(FIRST))}, and the interval includes the threshold of 50 %"
"""What is said of a model whose first number is on both sides of its threshold, if the sentence has no number."""
OF_EACH = LEFT_OPEN.replace(percent(crossing(FIRST)), percent(crossing(FIRST), ends=False)).replace(
    "the interval includes", "each interval includes"
)
TOGETHER = '{{ together("C04", "C10", holds="Both in {models}.", fails="In none.") }}'


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


def test_an_answer_joins_the_sentences_of_all_verdicts() -> None:
    """Briefly after the first."""
    one, two, three = percent(meeting(FIRST)), written(meeting(SECOND)), percent(missing(FIRST))
    joined = f"Seen in A: {one}, {two}; not so in B; for C it remains open{LEFT_OPEN}; nothing to see in D. (C04)"
    assert told(ANSWER, of(meeting, missing, crossing, untold)) == joined
    others = f"Not seen in A: {three}; for the other 3 models here it remains open{OF_EACH}. (C04)"
    assert told(ANSWER, of(missing, crossing, crossing, crossing)) == others
    assert told(ANSWER, of(meeting)) == told(CALL, of(meeting))


def test_models_with_the_same_sentence_share_it_whatever_their_verdicts() -> None:
    """They do so in an answer, too, and it leaves nothing open."""
    call = (
        '{{ tell("C04", holds="{models} give {1}.", fails="{models} give {1}.", inconclusive="{models} give {1}.") }}'
    )
    low, high = (percent(way(FIRST), ends=False) for way in (missing, meeting))
    for one in (call, call.replace("tell(", "answer(")):
        said = f"A, B, C and D give {low.removesuffix(' %')} to {high}. (C04)"
        assert told(one, of(meeting, crossing, missing, meeting)) == said.replace("A, B, C and D", "all 4 models here")
        assert told(one, of(crossing, missing)) == f"A and B give {low.removesuffix(' %')} to 51 %. (C04)"


def test_only_what_an_answer_says_of_the_first_models_is_denied_in_brief() -> None:
    second = giving(SECOND, missing(SECOND))
    sentences = 'holds="Much in {models}: {2}.", fails="In {models} it is {1}.", fails_2="Little in {models}."'
    call = f'{{{{ answer("C04", {sentences}) }}}}'
    much = f"Much in A: {written(meeting(SECOND))}"
    assert told(call, of(meeting, second)) == f"{much}; not so in B. (C04)"
    first = giving(FIRST, missing(FIRST))
    assert told(call, of(meeting, first)) == f"{much}; in B it is {percent(missing(FIRST))}. (C04)"
    silent = call.replace(": {2}", "")
    assert told(silent, of(meeting, first)) == "Much in A; not so in B. (C04)"


def test_a_published_share_in_a_sentence_is_that_of_the_record() -> None:
    share = percent(alone(published("clark.sep.to_sep").value))
    knowledge = of(meeting)
    assert told('{{ tell("C04", holds="Up to {published:clark.sep.to_sep}.") }}', knowledge) == f"Up to {share}. (C04)"
    with pytest.raises(SiteError, match="to_se'"):
        told('{{ tell("C04", holds="Up to {published:clark.sep.to_se}.") }}', knowledge)


@pytest.mark.parametrize(
    ("way", "sentence"),
    [
        (meeting, f"Seen in A: {percent(meeting(FIRST))}, {written(meeting(SECOND))}."),
        (missing, f"Not seen in A: {percent(missing(FIRST))}."),
        (crossing, f"Open in A{LEFT_OPEN}."),
        (untold, "Nothing to see in A."),
    ],
)
def test_each_verdict_has_its_sentence(way: Invent, sentence: str) -> None:
    assert told(CALL, of(way)) == f"{sentence} (C04)"


def test_models_of_one_verdict_share_a_sentence_and_verdicts_keep_their_order() -> None:
    assert told(CALL, of(untold, crossing, untold)) == f"Open in B{LEFT_OPEN}. Nothing to see in A and C. (C04)"
    assert told(CALL, of(crossing, crossing)) == f"Open in A and B{OF_EACH}. (C04)"


@pytest.mark.parametrize(
    ("values", "place", "text"),
    [
        ((0.61, 0.75, 0.7), "{1}", "61 to 75 %"),
        ((0.611, 0.612), "{1}", "61 %"),
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
        ('tell("C04", hold="Yes.")', [meeting], ["holds, fails, inconclusive, untestable, nowhere", "'hold'"]),
        ('tell("C04", holds="Yes.", fails_3="No.")', [meeting], ["fails_2", "'fails_3'"]),
        ('tell("C04", holds="Yes.", holds_1="No.")', [meeting], ["'holds_1'"]),
        ('untested("C4")', [meeting], ["'C4'"]),
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


def test_a_part_that_fails_has_its_own_sentence_where_one_is_written() -> None:
    call = '{{ tell("C04", fails="{models}: {1}.", fails_2="{models} by the second: {2}.") }}'
    one, two = missing, giving(SECOND, missing(SECOND))
    of_two = f"B by the second: {written(missing(SECOND), against=SECOND.against)}."
    assert told(call, of(one, two)) == f"A: {percent(missing(FIRST))}. {of_two} (C04)"
    assert told(call.replace("fails_2", "inconclusive"), of(one)) == f"A: {percent(missing(FIRST))}. (C04)"


def test_what_is_testable_nowhere_is_told_only_if_it_is_so_for_every_model() -> None:
    call = '{{ tell("C04", holds="Seen in {models}.", nowhere="Not to be seen in {models}.") }}'
    assert told(call, of(untold, meeting, untold)) == "Seen in B. (C04)"
    assert told(call, of(untold, untold)) == "Not to be seen in A and B. (C04)"


def test_models_that_are_not_testable_share_a_line_with_their_reasons() -> None:
    knowledge = of(untold, meeting, untold)
    line = 'Told. {{ untested("C04", "C10") }}'
    assert told(line, knowledge) == "Told. Not testable: C04 and C10 for A and C (nothing was read)."
    assert told('{{ untested("C04") }}', knowledge) == "Not testable for A and C (nothing was read)."
    apart = told(line, of(giving(FIRST, None), untold, names=("A", "B")))
    assert apart == "Told. Not testable: C04 for A (nothing was read); C04 and C10 for B (nothing was read)."
    assert told(line, of(meeting, meeting)) == "Told."


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("{1:less}", "30 % (20 to 40)"),
        ("{1:times}", "1.43 (1.25 to 1.67)"),
        ("{1:share}", "70 % (60 to 80)"),
        ("{1:more}", "70 % (60 to 80) more"),
        ("{1:n}", "70"),
    ],
)
def test_a_number_can_be_turned(place: str, text: str) -> None:
    knowledge = of(giving(FIRST, Number(0.7, 0.6, 0.8, 70)))
    assert told(f'{{{{ tell("C04", holds="By {place}.") }}}}', knowledge) == f"By {text}. (C04)"


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ((-0.3, -0.1), "10 to 30 % less"),
        ((-0.3, 0.1), "30 % less or 10 % more"),
        ((-0.3, 0.2, -0.1, 0.1), "10 to 30 % less or 10 to 20 % more"),
        ((-0.3,), "30 % (20 to 40) less"),
    ],
)
def test_the_sign_of_a_difference_may_be_a_word(values: Sequence[float], text: str) -> None:
    knowledge = of(*(giving(FIRST, Number(value, value - 0.1, value + 0.1, 70)) for value in values))
    assert told('{{ tell("C04", fails="By {1:more}.") }}', knowledge) == f"By {text}. (C04)"


def test_each_end_of_a_range_is_rounded_as_beside_its_interval() -> None:
    knowledge = of(giving(FIRST, Number(-0.00733, -0.0185, -0.0062, 70)), giving(FIRST, Number(0.0417, 0.01, 0.12, 70)))
    call = '{{ tell("C04", fails="{1}") }}'
    assert told(call, knowledge) == "-0.7 to 4 % (C04)"


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
    assert told(CALL, empty) == told(ANSWER, empty) == f"{UNJUDGED} (C04)"


def barely(part: Part) -> Number:
    """Only just met by the claim, while all others are open: one of many would be so by chance."""
    if part not in CLAIM.parts:
        return crossing(part)
    at = part.bounds[0].at
    side = 1 if part.bounds[0].side in {"above", "at least"} else -1
    return Number(at + side * STEP, *sorted((at + side * STEP / 1000, at + side * 2 * STEP)), 70)


def test_a_verdict_that_does_not_outlast_the_number_of_claims_says_so_where_it_is_told() -> None:
    html = rendered(CALL, of(barely, meeting))
    (note,) = (one for one in Document(html).find("span") if one.attributes.get("data-noted") == "counted-C04")
    assert note.text == "; allowing for chance among so many claims, inconclusive for A"
    assert told(CALL, of(barely, meeting)).endswith(f" (C04{note.text})")
    assert told(CALL, of(barely, meeting)).startswith("Seen in A and B")
    assert "chance" not in rendered(CALL, of(meeting, meeting))


def test_three_models_or_more_are_not_named_if_they_are_all_of_those_compared() -> None:
    call = '{{ tell("C04", holds="Yes.", fails="In {models} it is not so, and open in {any}.") }}'
    said = "In all 3 models here it is not so, and open in any of the 3 models here. (C04)"
    assert told(call, of(missing, missing, missing)) == said
    others = "Yes. In the other 3 models here it is not so, and open in the other 3 models here. (C04)"
    assert told(call, of(meeting, missing, missing, missing)) == others
    call_of_holding = call.replace("Yes", "In {any}")
    assert told(call_of_holding, of(meeting, meeting, meeting, missing)).startswith("In A, B and C. In D it is")
    assert told(call, of(missing, missing)) == "In A and B it is not so, and open in A and B. (C04)"


def test_a_model_that_lacks_the_number_leaves_it_to_the_others() -> None:
    both = giving(FIRST, Number(0.7, 0.6, 0.8, 70)), giving(FIRST, None)
    call = '{{ tell("C04", holds="By {1}.", untestable="Also {models}.") }}'
    assert told(call, of(*both)) == "By 70 % (60 to 80). Also B. (C04)"


def test_a_model_that_lacks_a_number_of_its_sentence_gets_one_without_numbers() -> None:
    def lacking(part: Part) -> Number | None:
        return None if part is FIRST else missing(part)

    call = '{{ tell("C04", fails="{models}: {1}.") }}'
    bare = f'The claim "{CLAIM.title}" fails for B. (C04)'
    assert told(call, of(missing, lacking)) == f"A: {percent(missing(FIRST))}. {bare}"


def test_the_one_or_two_heads_that_a_verdict_rests_on_are_named_with_links() -> None:
    ways = [about(missing, (1, 2)), about(missing, (3, 1), (3, 2)), about(missing, (1, 1), (1, 2), (2, 1)), missing]
    call = '{{ tell("C04", fails="The best{heads} is right.") }}'
    for some, named in (
        (ways, " (1-2 in A and 3-1 and 3-2 in B)"),
        (ways[:1], " (1-2)"),
        (ways[1:2], " (3-1 and 3-2)"),
        (ways[2:], ""),
    ):
        assert told(call, of(*some)) == f"The best{named} is right. (C04)"
    links = [one.attributes["href"] for one in Document(rendered(call, of(*ways[:2]))).find("a")]
    assert links[:4] == [f"../../models/{one}/" for one in ("m0/heads/1-2", "m0", "m1/heads/3-1", "m1/heads/3-2")]


def test_models_for_which_all_hold_are_named_and_others_are_not():
    assert ">m0</a>." in rendered(TOGETHER, models(meeting, crossing))
    assert "m1" not in rendered(TOGETHER, models(meeting, crossing))


def test_if_there_are_none_the_other_sentence_is_told():
    assert "In none." in rendered(TOGETHER, models(crossing, crossing))


def test_a_number_with_its_sign_as_a_word_stays_on_its_side_of_the_bound() -> None:
    claim = next(claim for claim in CLAIMS if claim.id == "C10")
    knowledge = of(*(giving(claim.parts[0], Number(value, 0.06, 0.16, 70)) for value in (0.16, 0.16)))
    assert told('{{ tell("C10", fails="By {1:more}.") }}', knowledge) == "By 0.16 nats more. (C10)"


def test_what_another_text_says_has_a_sentence_and_a_place() -> None:
    made = ledger(meeting, crossing, models=MODELS[:2])
    first, other = made.by_model(CLAIM)
    assert first[1].decides, "it holds"
    disputed = first[1].decides._replace(verdict="inconclusive", opposed=("in more it is 0.2", "in yet more 0.1"))
    judged = replace(first[1], verdict="inconclusive", decides=disputed)
    judgements = tuple(judged if one is first[1] else one for one in made.judgements)
    knowledge = Knowledge(Ledger(judgements, made.manifests), BIBLIOGRAPHY, Renderer(TEMPLATES))
    names = [one.model for one in made.manifests]
    call = '{{ tell("C04", inconclusive="Open in {models}.", inconclusive_disputed="In {models} so, but {against}.") }}'
    said = f"Open in {names[1]}{LEFT_OPEN}. In {names[0]} so, but in more it is 0.2 and in yet more 0.1. (C04)"
    assert told(call, knowledge) == said
    assert other[1].verdict == "inconclusive"
    short = '{{ tell("C04", inconclusive="Open in {models}: {1}.") }}'
    low, high = (percent(way(FIRST), ends=False) for way in (crossing, meeting))
    assert told(short, knowledge) == (
        f"Open in {' and '.join(names)}: {low.removesuffix(' %')} to {high}; for {names[0]} in more it is 0.2 and in "
        f"yet more 0.1; for {names[1]} the interval includes the threshold of 50 %. (C04)"
    )
