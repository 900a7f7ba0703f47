"""Hand-written pages say whether the layers of a model fall into phases."""

from generator.numbers.number import alone
from generator.numbers.writing import percent
from generator.pages.heads.atlas import Atlas
from generator.pages.studies.phases import phases_told
from generator.pages.studies.seen import RARE


def test_each_model_is_told_of_with_both_shares_and_a_link(full: Atlas) -> None:
    assert full.division
    found = full.division.found
    ((told, link),) = phases_told([full], "findings/three-phases/")
    assert told.startswith(
        f"Those of {full.results.manifest.model} {'do' if found.p < RARE else 'do not'}: three phases"
    )
    assert all(percent(alone(share)) in told for share in (found.explained, found.shuffled))
    assert link.href == f"../../models/{full.slug}/phases/"
