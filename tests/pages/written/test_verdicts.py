"""Why a claim cannot be tested: models of which the same is said stand together."""

from dataclasses import replace

from generator.pages.written.verdicts import reasons
from tests.pages.claims.judged import ledger, meeting, untold
from tests.results.samples import manifest


def test_reasons_that_differ_in_the_name_of_the_model_alone_are_one() -> None:
    judged = ledger(untold, meeting, untold, models=[manifest(f"m{at}", model=f"m{at}") for at in range(3)])
    told = [replace(item, reason=f"Not testable: of {item.model} nothing is stored.") for item in judged.judgements]
    claim = told[0].claim
    assert reasons(replace(judged, judgements=tuple(told)), claim) == ["Not testable: of m0 and m2 nothing is stored."]
    told[0] = replace(told[0], reason="Not testable: of m0, beside m00, 2 are stored.")
    assert reasons(replace(judged, judgements=tuple(told)), claim) == [
        "Not testable: of m0, beside m00, 2 are stored.",
        "Not testable: of m2 nothing is stored.",
    ]
