"""A figure of a finding is drawn where there is something to compare."""

import re

from generator.claims.claim import Part
from generator.numbers.number import Number
from tests.pages.claims.judged import meeting, untold
from tests.pages.written.test_knowledge import CLAIM, models, rendered
from tests.site.documents import Document


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
    assert told.startswith(f"{part.name[0].upper()}{part.name[1:]}")
    assert re.search(rf" in m0: .*, n = [\d,]+ {part.over} \(C04\)\.$", told)
    assert Document(rendered('{{ figure("C04", 2) }}', models(meeting, meeting))).find("figure")
    assert Document(rendered('{{ figure("C04") }}', models(meeting, untold))).find("figure")
