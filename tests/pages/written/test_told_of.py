"""Which models a sentence about a claim tells of, and how it names them."""

from generator.claims.claim import Part
from generator.numbers.number import Number
from generator.numbers.writing import percent
from tests.pages.claims.judged import about, meeting, missing
from tests.pages.written.test_knowledge import rendered
from tests.pages.written.test_telling import CLAIM, FIRST, giving, of, told
from tests.site.documents import Document


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
