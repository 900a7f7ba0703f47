"""Whether a task needs a head: the other way of disabling is asked, too."""

from pathlib import Path

import pytest

from generator.claims.gate.statement import Statement
from generator.topics.tasks.claims.needs import FEWEST, losses
from tests.pages.heads.tiny import atlas_of

PLACE = (2, 3)
EDGE = 1e-6


def of(place: Path, *changes: tuple[str, float, float], n: int = FEWEST, lead: float = 0.1) -> list[Statement]:
    """The statements on one head and task, from (way, lower and upper end of the change)."""
    of_task = {"model": "Tiny", "corpus": "sst2", "study": "disabling", "n": n}
    heads, facts = [], []
    for way, low, high in changes:
        at = {"name": f"{way}.family", "layer": PLACE[0], "head": PLACE[1]}
        heads.append(of_task | at | {"value": (low + high) / 2, "low": low, "high": high})
        for name, value in (("base.lead", lead), (f"{way}.mean", 0.0)):
            facts.append(of_task | {"name": name, "layer": 0} | dict.fromkeys(("value", "low", "high"), value))
    return losses(atlas_of(place, head_facts=heads, facts=facts).results)


@pytest.mark.parametrize(("low", "met"), [(-0.1 - EDGE, True), (-0.1 + EDGE, False)])
def test_a_head_that_surely_costs_less_in_the_other_way_is_not_needed(tmp_path: Path, low: float, met: bool) -> None:
    """As head 4-10 of MiniLM for STS-B: set to zero it costs 2.6 points, made uniform it gains 0.3."""
    first, second = of(tmp_path, ("zero", -0.3, -0.1), ("uniform", low, 0.05))
    assert first.about == "sst2/zero"
    assert first.given is met
    assert not second.given


def test_a_loss_in_both_ways_is_given_for_the_larger(tmp_path: Path) -> None:
    assert [one.about for one in of(tmp_path, ("uniform", -0.2, -0.1), ("zero", -0.3, -0.05)) if one.given][:1] == [
        "sst2/zero"
    ]


def test_what_was_not_learned_cannot_be_lost(tmp_path: Path) -> None:
    (one,) = of(tmp_path, ("zero", -0.3, -0.1), lead=0.0)
    assert one.refused is not None
    assert one.refused.asks == "premise"
